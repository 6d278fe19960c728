//! Composites of components: what reaches whom, and in which order.
//!
//! The components say what happens to them through measurements, which the recorder keeps in one
//! list with all that they send: tests compare that transcript.

use std::time::Duration;

use everypath::{
    Did, Node, NodeId, Protocol, Record, Recorder,
    component::{
        Around, Component, Contract, Host, Incoming, Link, Network, Outgoing, Part, PartStart,
        Probe, Provides, Uses,
    },
    composite, data, panics, ports,
};

/// Words to be sent, and what becomes of them.
struct Calls;

impl Contract for Calls {
    type Request = String;
    type Indication = String;
}

const SOON: Duration = Duration::from_millis(1);

fn say<C: Component, S>(node: &mut Part<'_, C, S>, text: &str) {
    node.count(text.to_owned().leak());
}

#[data]
enum Ask {
    /// Request each word.
    Words(String),
    /// Set the timer of this name, or cancel it.
    Timer(u8),
    Cancel(u8),
    /// Choose among so many.
    Choose(u32),
}

/// Requests what it is commanded to and remembers what it is told.
struct Top;

#[ports]
struct TopPorts {
    below: Uses<Calls>,
}

impl Component for Top {
    type State = Vec<String>;
    type Timer = u8;
    type Command = Ask;
    type Ports = TopPorts;

    fn start(&self, node: &mut PartStart<'_, Self>) -> Vec<String> {
        say(node, "top starts");
        node.emit(TopOut::Below("hello".to_owned()));
        say(node, "top has started");
        Vec::new()
    }

    fn on_signal(&self, node: &mut Part<'_, Self>, TopIn::Below(told): TopIn) {
        say(node, &format!("top is told {told}"));
        if told == "ping" {
            node.emit(TopOut::Below("pong".to_owned()));
        }
        node.state.push(told);
    }

    fn on_timer(&self, node: &mut Part<'_, Self>, timer: &u8) {
        say(node, &format!("timer {timer} of top"));
        node.emit(TopOut::Below(format!("timer-{timer}")));
    }

    fn on_command(&self, node: &mut Part<'_, Self>, command: &Ask) {
        match command {
            Ask::Words(words) => {
                for word in words.split(' ') {
                    node.emit(TopOut::Below(word.to_owned()));
                }
                say(node, "top has asked");
            }
            Ask::Timer(timer) => node.set_timer(*timer, SOON),
            Ask::Cancel(timer) => node.cancel_timer(timer),
            Ask::Choose(options) => {
                let chosen = node.choose(*options);
                say(node, &format!("top chooses {chosen}"));
            }
        }
    }

    fn commands(&self, _: NodeId, state: &Vec<String>) -> Vec<Ask> {
        vec![Ask::Words(format!("after-{}", state.len()))]
    }
}

/// Confirms to the top, then passes on.
struct Middle;

#[ports]
struct MiddlePorts {
    above: Provides<Calls>,
    below: Uses<Calls>,
}

impl Component for Middle {
    type State = u32;
    type Timer = u8;
    type Command = Ask;
    type Ports = MiddlePorts;

    fn start(&self, node: &mut PartStart<'_, Self>) -> u32 {
        say(node, "middle starts");
        0
    }

    fn on_signal(&self, node: &mut Part<'_, Self>, signal: MiddleIn) {
        match signal {
            MiddleIn::Above(request) => {
                *node.state += 1;
                say(node, &format!("middle is asked {request}"));
                node.emit(MiddleOut::Above(format!("accepted-{request}")));
                node.emit(MiddleOut::Below(request));
            }
            MiddleIn::Below(told) => {
                say(node, &format!("middle is told {told}"));
                node.emit(MiddleOut::Above(told));
            }
        }
    }

    fn on_timer(&self, node: &mut Part<'_, Self>, timer: &u8) {
        say(node, &format!("timer {timer} of middle"));
    }

    fn on_command(&self, node: &mut Part<'_, Self>, command: &Ask) {
        say(node, &format!("middle is commanded {command:?}"));
    }
}

/// Sends to everyone what it is asked, to one neighbour what starts with `!`, and confirms.
struct Bottom;

#[data]
struct BottomState {
    starts: u32,
    frames: u32,
}

#[ports]
struct BottomPorts {
    above: Provides<Calls>,
    below: Uses<Link<String>>,
}

impl Component for Bottom {
    type State = BottomState;
    type Timer = u8;
    type Command = Ask;
    type Ports = BottomPorts;

    fn start(&self, node: &mut PartStart<'_, Self>) -> BottomState {
        say(node, "bottom starts");
        node.emit(BottomOut::Above("up".to_owned()));
        BottomState { starts: 1, frames: 0 }
    }

    /// How often it started is on stable storage; the frames are not.
    fn restart(&self, node: &mut PartStart<'_, Self>, before: &BottomState) -> BottomState {
        say(node, "bottom restarts");
        BottomState { starts: before.starts + 1, frames: 0 }
    }

    fn on_signal(&self, node: &mut Part<'_, Self>, signal: BottomIn) {
        match signal {
            BottomIn::Above(request) => {
                node.state.frames += 1;
                let last = node.neighbours().last().copied();
                match (request.strip_prefix('!'), last) {
                    (Some(word), Some(last)) => node.send(last, word.to_owned()),
                    _ => node.broadcast(request.clone()),
                }
                node.emit(BottomOut::Above(format!("sent-{request}")));
            }
            BottomIn::Below(Incoming::Message { from, message }) => {
                say(node, &format!("bottom hears {from}"));
                node.emit(BottomOut::Above(message));
            }
            BottomIn::Below(Incoming::Undeliverable { to, message }) => {
                node.emit(BottomOut::Above(format!("failed-{message}-to-{to}")));
            }
        }
    }

    fn on_timer(&self, node: &mut Part<'_, Self>, timer: &u8) {
        say(node, &format!("timer {timer} of bottom"));
    }

    fn on_command(&self, node: &mut Part<'_, Self>, command: &Ask) {
        match command {
            Ask::Words(words) => node.emit(BottomOut::Above(words.clone())),
            Ask::Timer(timer) => node.set_timer(*timer, SOON),
            Ask::Cancel(timer) => node.cancel_timer(timer),
            Ask::Choose(options) => {
                let chosen = node.choose(*options);
                say(node, &format!("bottom chooses {chosen}"));
            }
        }
    }

    fn commands(&self, _: NodeId, state: &BottomState) -> Vec<Ask> {
        vec![Ask::Timer(7), Ask::Words(format!("frames-{}", state.frames))]
    }
}

#[composite(ports = Network<String>, top.below => bottom.above, bottom.below => network)]
struct Two {
    top: Top,
    bottom: Bottom,
}

const TWO: Host<Two> = Host(Two { top: Top, bottom: Bottom });

fn two_started() -> TwoState {
    TwoState { top: Vec::new(), bottom: BottomState { starts: 1, frames: 0 } }
}

const ME: NodeId = NodeId(0);
const NEIGHBOURS: [NodeId; 2] = [NodeId(1), NodeId(2)];

/// What happened, one line each.
fn transcript<P: Protocol>(fx: &Recorder<'_, P>) -> Vec<String> {
    fx.did
        .iter()
        .map(|did| match did {
            Did::Sent { to, message } => format!("{to} gets {message:?}"),
            Did::Set { timer, after } => format!("set {timer:?} for {after:?}"),
            Did::Cancelled { timer } => format!("cancel {timer:?}"),
            Did::Recorded(Record::Count { name, .. }) => (*name).to_owned(),
            Did::Recorded(other) => format!("{other:?}"),
        })
        .collect()
}

/// Runs one handler of a protocol and compares what happened.
fn check<P: Protocol>(_: &P, handler: impl FnOnce(&mut Recorder<'_, P>), expect: &[&str]) {
    let mut fx = Recorder::new(ME, &NEIGHBOURS);
    handler(&mut fx);
    assert_eq!(transcript(&fx), expect);
}

#[test]
fn components_start_in_the_order_of_fields_and_signals_wait_until_all_have_started() {
    check(
        &TWO,
        |fx| {
            let state = TWO.start(&mut Node::new(ME, &mut (), fx));
            assert_eq!(state.top, ["up", "sent-hello"]);
            assert_eq!(state.bottom.frames, 1);
        },
        &[
            "top starts",
            "top has started",
            "bottom starts",
            "n1 gets \"hello\"",
            "n2 gets \"hello\"",
            "top is told up",
            "top is told sent-hello",
        ],
    );
}

#[test]
fn signals_arrive_in_the_order_of_emission_when_the_handler_has_returned() {
    let mut state = two_started();
    check(
        &TWO,
        |fx| {
            let command = TwoCommand::Top(Ask::Words("!a !b".to_owned()));
            TWO.on_command(&mut Node::new(ME, &mut state, fx), &command);
        },
        &[
            "top has asked",
            "n2 gets \"a\"",
            "n2 gets \"b\"",
            "top is told sent-!a",
            "top is told sent-!b",
        ],
    );
    assert_eq!(state.bottom.frames, 2);
}

#[test]
fn a_message_comes_in_at_the_bottom_and_its_answer_goes_out_there() {
    let mut state = two_started();
    check(
        &TWO,
        |fx| TWO.on_message(&mut Node::new(ME, &mut state, fx), NodeId(1), &"ping".to_owned()),
        &[
            "bottom hears n1",
            "top is told ping",
            "n1 gets \"pong\"",
            "n2 gets \"pong\"",
            "top is told sent-pong",
        ],
    );
    assert_eq!(state.top, ["ping", "sent-pong"]);
}

#[test]
fn timers_of_the_same_name_are_those_of_their_component() {
    let mut state = two_started();
    let mut fx = Recorder::new(ME, &NEIGHBOURS);
    for command in [
        TwoCommand::Top(Ask::Timer(1)),
        TwoCommand::Bottom(Ask::Timer(1)),
        TwoCommand::Bottom(Ask::Cancel(1)),
        TwoCommand::Top(Ask::Cancel(1)),
    ] {
        TWO.on_command(&mut Node::new(ME, &mut state, &mut fx), &command);
    }
    let after = SOON;
    assert_eq!(
        fx.did,
        [
            Did::Set { timer: TwoTimer::Top(1), after },
            Did::Set { timer: TwoTimer::Bottom(1), after },
            Did::Cancelled { timer: TwoTimer::Bottom(1) },
            Did::Cancelled { timer: TwoTimer::Top(1) },
        ]
    );
}

#[test]
fn a_timer_fires_in_its_component() {
    let mut state = two_started();
    check(
        &TWO,
        |fx| TWO.on_timer(&mut Node::new(ME, &mut state, fx), &TwoTimer::Bottom(1)),
        &["timer 1 of bottom"],
    );
    check(
        &TWO,
        |fx| TWO.on_timer(&mut Node::new(ME, &mut state, fx), &TwoTimer::Top(1)),
        &[
            "timer 1 of top",
            "n1 gets \"timer-1\"",
            "n2 gets \"timer-1\"",
            "top is told sent-timer-1",
        ],
    );
}

#[test]
fn a_command_reaches_its_component() {
    let mut state = two_started();
    check(
        &TWO,
        |fx| {
            let command = TwoCommand::Bottom(Ask::Words("noise".to_owned()));
            TWO.on_command(&mut Node::new(ME, &mut state, fx), &command);
        },
        &["top is told noise"],
    );
}

#[test]
fn the_commands_of_all_components_are_offered_each_for_its_state() {
    let mut state = two_started();
    state.top.push("told".to_owned());
    state.bottom.frames = 5;
    assert_eq!(
        TWO.commands(ME, &state),
        [
            TwoCommand::Top(Ask::Words("after-1".to_owned())),
            TwoCommand::Bottom(Ask::Timer(7)),
            TwoCommand::Bottom(Ask::Words("frames-5".to_owned())),
        ]
    );
}

#[test]
fn timers_and_commands_print_without_their_component() {
    assert_eq!(format!("{:?}", TwoCommand::Top(Ask::Timer(1))), "Timer(1)");
    assert_eq!(format!("{:?}", TwoTimer::Bottom(3)), "3");
}

#[test]
fn a_restart_shows_each_component_its_own_state_before() {
    let before =
        TwoState { top: vec!["lost".to_owned()], bottom: BottomState { starts: 4, frames: 9 } };
    check(
        &TWO,
        |fx| {
            let state = TWO.restart(&mut Node::new(ME, &mut (), fx), &before);
            assert_eq!(state.top, ["sent-hello"]);
            assert_eq!(state.bottom, BottomState { starts: 5, frames: 1 });
        },
        &[
            "top starts",
            "top has started",
            "bottom restarts",
            "n1 gets \"hello\"",
            "n2 gets \"hello\"",
            "top is told sent-hello",
        ],
    );
}

#[test]
fn choices_of_every_component_are_answered_in_turn() {
    let mut state = two_started();
    let mut fx = Recorder::with_choices(ME, &NEIGHBOURS, vec![2, 1]);
    for command in [TwoCommand::Bottom(Ask::Choose(3)), TwoCommand::Top(Ask::Choose(4))] {
        TWO.on_command(&mut Node::new(ME, &mut state, &mut fx), &command);
    }
    assert_eq!(transcript(&fx), ["bottom chooses 2", "top chooses 1"]);
    assert_eq!(fx.options, [3, 4]);
}

#[test]
fn what_comes_back_is_a_signal_to_the_component_on_the_network() {
    let mut state = two_started();
    let back = "back".to_owned();
    check(
        &TWO,
        |fx| TWO.on_undeliverable(&mut Node::new(ME, &mut state, fx), NodeId(2), &back),
        &["top is told failed-back-to-n2"],
    );
}

#[composite(
    ports = Network<String>,
    top.below => middle.above,
    middle.below => bottom.above,
    bottom.below => network,
)]
struct Three {
    top: Top,
    middle: Middle,
    bottom: Bottom,
}

/// The two at the bottom as one.
#[composite(
    ports = BottomPorts,
    above => middle.above,
    middle.below => bottom.above,
    bottom.below => below,
)]
struct Lower {
    middle: Middle,
    bottom: Bottom,
}

#[composite(ports = Network<String>, top.below => lower.above, lower.below => network)]
struct Nested {
    top: Top,
    lower: Lower,
}

/// What one component emits comes in the order in which it was emitted. A composite within a composite comes to rest before
/// anything else hears of it.
#[test]
fn three_components_settle_as_they_are_put_together() {
    let (ask, told) = ("middle is asked a", "middle is told sent-a");
    let (accepted, sent) = ("top is told accepted-a", "top is told sent-a");
    let (n1, n2) = ("n1 gets \"a\"", "n2 gets \"a\"");
    let words = Ask::Words("a".to_owned());
    let bottom = two_started().bottom;

    let flat = Host(Three { top: Top, middle: Middle, bottom: Bottom });
    check(
        &flat,
        |fx| {
            let mut state = ThreeState { top: Vec::new(), middle: 0, bottom: bottom.clone() };
            let command = ThreeCommand::Top(words.clone());
            flat.on_command(&mut Node::new(ME, &mut state, fx), &command);
            assert_eq!((state.middle, state.bottom.frames), (1, 1));
        },
        &["top has asked", ask, accepted, n1, n2, told, sent],
    );

    let nested = Host(Nested { top: Top, lower: Lower { middle: Middle, bottom: Bottom } });
    check(
        &nested,
        |fx| {
            let lower = LowerState { middle: 0, bottom: bottom.clone() };
            let mut state = NestedState { top: Vec::new(), lower };
            let command = NestedCommand::Top(words.clone());
            nested.on_command(&mut Node::new(ME, &mut state, fx), &command);
            assert_eq!((state.lower.middle, state.lower.bottom.frames), (1, 1));
        },
        &["top has asked", ask, n1, n2, told, accepted, sent],
    );
}

#[test]
fn timers_and_commands_find_a_component_within_a_composite() {
    let protocol = Host(Nested { top: Top, lower: Lower { middle: Middle, bottom: Bottom } });
    let mut fx = Recorder::new(ME, &NEIGHBOURS);
    let mut state = protocol.start(&mut Node::new(ME, &mut (), &mut fx));
    fx.did.clear();
    let timer = NestedTimer::Lower(LowerTimer::Middle(4));
    protocol.on_timer(&mut Node::new(ME, &mut state, &mut fx), &timer);
    let command = NestedCommand::Lower(LowerCommand::Middle(Ask::Timer(5)));
    protocol.on_command(&mut Node::new(ME, &mut state, &mut fx), &command);
    let timer = NestedTimer::Lower(LowerTimer::Bottom(6));
    protocol.on_timer(&mut Node::new(ME, &mut state, &mut fx), &timer);
    assert_eq!(
        transcript(&fx),
        ["timer 4 of middle", "middle is commanded Timer(5)", "timer 6 of bottom"]
    );
}

/// Carries the words of two, who do not hear of each other, and asks a third what to think of each.
struct Shared;

/// Whether a word may be sent.
struct Opinions;

impl Contract for Opinions {
    type Request = String;
    type Indication = (String, bool);
}

#[ports]
struct SharedPorts {
    left: Provides<Calls>,
    right: Provides<Calls>,
    judge: Uses<Opinions>,
    network: Uses<Link<String>>,
}

impl Component for Shared {
    type State = u32;
    type Timer = u8;
    type Command = Ask;
    type Ports = SharedPorts;

    fn start(&self, _: &mut PartStart<'_, Self>) -> u32 {
        0
    }

    fn on_signal(&self, node: &mut Part<'_, Self>, signal: SharedIn) {
        match signal {
            SharedIn::Left(word) => node.emit(SharedOut::Judge(format!("left-{word}"))),
            SharedIn::Right(word) => node.emit(SharedOut::Judge(format!("right-{word}"))),
            SharedIn::Judge((word, true)) => {
                *node.state += 1;
                node.broadcast(word);
            }
            SharedIn::Judge((word, false)) => match word.strip_prefix("left-") {
                Some(word) => node.emit(SharedOut::Left(format!("no-{word}"))),
                None => node.emit(SharedOut::Right(format!("no-{word}"))),
            },
            SharedIn::Network(_) => {}
        }
    }
}

/// Lets pass what is not too long.
struct Judge;

#[ports]
struct JudgePorts {
    asked: Provides<Opinions>,
}

impl Component for Judge {
    type State = ();
    type Timer = u8;
    type Command = Ask;
    type Ports = JudgePorts;

    fn start(&self, _: &mut PartStart<'_, Self>) {}

    fn on_signal(&self, node: &mut Part<'_, Self>, JudgeIn::Asked(word): JudgeIn) {
        let short = word.len() < 12;
        node.emit(JudgeOut::Asked((word, short)));
    }
}

#[composite(
    ports = Network<String>,
    one.below => shared.left,
    other.below => shared.right,
    shared.judge => judge.asked,
    shared.network => network,
)]
struct Fork {
    one: Top,
    other: Top,
    shared: Shared,
    judge: Judge,
}

#[test]
fn a_component_has_as_many_ports_as_it_likes() {
    let fork = Host(Fork { one: Top, other: Top, shared: Shared, judge: Judge });
    let mut fx = Recorder::new(ME, &NEIGHBOURS[..1]);
    let mut state = fork.start(&mut Node::new(ME, &mut (), &mut fx));
    assert_eq!((state.shared, &state.one, &state.other), (2, &Vec::new(), &Vec::new()));
    let sent = |did: &Did<String, ForkTimer>| match did {
        Did::Sent { message, .. } => Some(message.clone()),
        _ => None,
    };
    assert_eq!(fx.did.iter().filter_map(sent).collect::<Vec<_>>(), ["left-hello", "right-hello"]);
    let long = Ask::Words("unspeakable".to_owned());
    fork.on_command(&mut Node::new(ME, &mut state, &mut fx), &ForkCommand::Other(long));
    assert_eq!(
        (&state.one, &state.other[..]),
        (&Vec::new(), &["no-right-unspeakable".to_owned()][..])
    );
}

#[test]
fn a_probe_drives_one_component_through_its_ports() {
    let mut probe = Probe::start(Middle);
    let out = probe.signal(MiddleIn::Above("a".to_owned()));
    let [accepted, passed] =
        [MiddleOut::Above("accepted-a".to_owned()), MiddleOut::Below("a".to_owned())];
    assert_eq!(out, [accepted, passed]);
    assert_eq!(probe.signal(MiddleIn::Below("b".to_owned())), [MiddleOut::Above("b".to_owned())]);
    assert_eq!(probe.state, 1);
    let count = |name| Record::Count { name, by: 1 };
    assert_eq!(
        probe.around.records,
        [count("middle starts"), count("middle is asked a"), count("middle is told b")]
    );
}

#[test]
fn a_probe_drives_a_composite_through_its_ports() {
    let mut probe = Probe::start(Lower { middle: Middle, bottom: Bottom });
    assert_eq!(probe.emitted(), [BottomOut::Above("up".to_owned())]);
    let out = probe.signal(BottomIn::Above("a".to_owned()));
    let told = ["accepted-a", "sent-a"].map(|word| BottomOut::Above(word.to_owned()));
    let sent = BottomOut::Below(Outgoing::ToAll("a".to_owned()));
    assert_eq!(out, [told[0].clone(), sent, told[1].clone()]);
}

#[test]
fn a_probe_holds_neighbours_timers_and_choices() {
    let around =
        Around { neighbours: NEIGHBOURS.to_vec(), choices: [2, 1].into(), ..Around::default() };
    let mut probe = Probe::start_in(Bottom, around);
    assert_eq!(probe.emitted(), [BottomOut::Above("up".to_owned())]);
    let out = probe.signal(BottomIn::Above("!a".to_owned()));
    assert_eq!(out[0], BottomOut::Below(Outgoing::To(NodeId(2), "a".to_owned())));

    for command in [Ask::Timer(1), Ask::Timer(2), Ask::Timer(1), Ask::Cancel(2)] {
        probe.command(&command);
    }
    assert_eq!(probe.around.timers, [(1, SOON)]);
    probe.fire(&1);
    assert!(probe.around.timers.is_empty());
    assert!(panics::catch(|| probe.fire(&1)).unwrap_err().message.contains("1 is not set"));

    probe.around.records.clear();
    for _ in 0..3 {
        probe.command(&Ask::Choose(3));
    }
    let answers = ["bottom chooses 2", "bottom chooses 1", "bottom chooses 0"];
    assert_eq!(
        probe.around.records,
        answers.map(|name| Record::Count { name, by: 1 }),
        "in order, and 0 when they run out"
    );
    probe.restart();
    assert_eq!(probe.state, BottomState { starts: 2, frames: 0 });
}

#[test]
fn a_component_without_a_handler_says_which_one_is_missing() {
    struct Silent;

    impl Component for Silent {
        type State = ();
        type Timer = u8;
        type Command = u8;
        type Ports = TopPorts;

        fn start(&self, node: &mut PartStart<'_, Self>) {
            node.set_timer(1, SOON);
        }
    }

    let check = |run: fn(&mut Probe<Silent>), expect: &str| {
        let error = panics::catch(|| run(&mut Probe::start(Silent))).unwrap_err();
        assert!(error.message.starts_with(expect), "{error}");
    };
    check(
        |probe| drop(probe.signal(TopIn::Below("a".to_owned()))),
        "Below(\"a\") came to a component at n0 that has no `on_signal` handler",
    );
    check(
        |probe| drop(probe.fire(&1)),
        "timer 1 fired at n0 in a component that has no `on_timer` handler",
    );
    check(
        |probe| drop(probe.command(&1)),
        "command 1 was given to a component at n0 that has no `on_command` handler",
    );
}

/// Sends to a stranger as soon as it starts.
struct Lost;

#[ports]
struct LostPorts {
    below: Uses<Link<String>>,
}

const LINE_THAT_SENDS: u32 = line!() + 9;

impl Component for Lost {
    type State = ();
    type Timer = u8;
    type Command = Ask;
    type Ports = LostPorts;

    fn start(&self, node: &mut PartStart<'_, Self>) {
        node.send(NodeId(7), "hello".to_owned());
    }
}

#[composite(ports = Network<String>, lost.below => network)]
struct LostStation {
    lost: Lost,
}

#[everypath::roles]
struct LostRoles {
    one: Host<LostStation>,
    other: Host<LostStation>,
}

impl LostRoles {
    fn role_of(&self, me: NodeId) -> LostRolesRole {
        if me == NodeId(0) { LostRolesRole::One } else { LostRolesRole::Other }
    }
}

#[test]
fn a_wrong_send_names_the_line_of_the_component() {
    let [one, other] = [(); 2].map(|()| Host(LostStation { lost: Lost }));
    let roles = LostRoles { one, other };
    for neighbours in [&[NodeId(1)][..], &[]] {
        let mut recorder = Recorder::new(NodeId(0), neighbours);
        let panic = panics::catch(|| {
            let mut nothing = ();
            roles.start(&mut Node::new(NodeId(0), &mut nothing, &mut recorder))
        });
        let panic = panic.unwrap_err();
        let known = if neighbours.is_empty() { "it has none" } else { "its neighbours are n1" };
        let words = format!("n0 sends \"hello\" to n7, which is not its neighbour; {known}");
        assert_eq!(panic.message, words);
        let place = format!("{}:{LINE_THAT_SENDS}", file!());
        assert_eq!(panic.place.as_deref(), Some(&*place));
    }
}
