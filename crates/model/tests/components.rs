//! Stacks of components: what reaches whom, and in which order.
//!
//! The components say what happens to them through measurements, which the recorder keeps in one
//! list with all that they send: tests compare that transcript.

extern crate everypath_model as everypath;

use std::{marker::PhantomData, time::Duration};

use everypath::{
    Component, Contract, Did, Host, Incoming, Layer, Layers, Link, Node, NodeId, Nothing, Outgoing,
    Ports, Probe, Protocol, Record, Recorder, data, panics,
};

/// Between the top and what is below it.
struct Calls;

impl Contract for Calls {
    type Request = String;
    type Indication = String;
}

/// Between the middle and the bottom.
struct Frames;

impl Contract for Frames {
    type Request = String;
    type Indication = String;
}

const SOON: Duration = Duration::from_millis(1);

fn say<C: Component>(ports: &mut impl Ports<C>, text: &str) {
    ports.count(text.to_owned().leak());
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

impl Component for Top {
    type State = Vec<String>;
    type Timer = u8;
    type Command = Ask;
    type Above = Nothing;
    type Below = Calls;

    fn start(&self, _: NodeId, ports: &mut impl Ports<Self>) -> Vec<String> {
        say(ports, "top starts");
        ports.request("hello".to_owned());
        say(ports, "top has started");
        Vec::new()
    }

    fn on_indication(
        &self,
        _: NodeId,
        state: &mut Vec<String>,
        indication: String,
        ports: &mut impl Ports<Self>,
    ) {
        say(ports, &format!("top is told {indication}"));
        if indication == "ping" {
            ports.request("pong".to_owned());
        }
        state.push(indication);
    }

    fn on_timer(&self, _: NodeId, _: &mut Vec<String>, timer: &u8, ports: &mut impl Ports<Self>) {
        say(ports, &format!("timer {timer} of top"));
        ports.request(format!("timer-{timer}"));
    }

    fn on_command(
        &self,
        _: NodeId,
        _: &mut Vec<String>,
        command: &Ask,
        ports: &mut impl Ports<Self>,
    ) {
        match command {
            Ask::Words(words) => {
                for word in words.split(' ') {
                    ports.request(word.to_owned());
                }
                say(ports, "top has asked");
            }
            Ask::Timer(timer) => ports.set_timer(*timer, SOON),
            Ask::Cancel(timer) => ports.cancel_timer(timer),
            Ask::Choose(options) => {
                let chosen = ports.choose(*options);
                say(ports, &format!("top chooses {chosen}"));
            }
        }
    }

    fn commands(&self, _: NodeId, state: &Vec<String>) -> Vec<Ask> {
        vec![Ask::Words(format!("after-{}", state.len()))]
    }
}

/// Confirms to the top, then passes on.
struct Middle;

impl Component for Middle {
    type State = u32;
    type Timer = u8;
    type Command = Ask;
    type Above = Calls;
    type Below = Frames;

    fn start(&self, _: NodeId, ports: &mut impl Ports<Self>) -> u32 {
        say(ports, "middle starts");
        0
    }

    fn on_request(
        &self,
        _: NodeId,
        passed: &mut u32,
        request: String,
        ports: &mut impl Ports<Self>,
    ) {
        *passed += 1;
        say(ports, &format!("middle is asked {request}"));
        ports.indicate(format!("accepted-{request}"));
        ports.request(request);
    }

    fn on_indication(
        &self,
        _: NodeId,
        _: &mut u32,
        indication: String,
        ports: &mut impl Ports<Self>,
    ) {
        say(ports, &format!("middle is told {indication}"));
        ports.indicate(indication);
    }

    fn on_timer(&self, _: NodeId, _: &mut u32, timer: &u8, ports: &mut impl Ports<Self>) {
        say(ports, &format!("timer {timer} of middle"));
    }

    fn on_command(&self, _: NodeId, _: &mut u32, command: &Ask, ports: &mut impl Ports<Self>) {
        say(ports, &format!("middle is commanded {command:?}"));
    }
}

/// Sends to everyone what it is asked, to one neighbour what starts with `!`, and confirms.
struct Bottom<C>(PhantomData<fn(C)>);

#[data]
struct BottomState {
    starts: u32,
    frames: u32,
}

impl<C: Contract<Request = String, Indication = String>> Component for Bottom<C> {
    type State = BottomState;
    type Timer = u8;
    type Command = Ask;
    type Above = C;
    type Below = Link<String>;

    fn start(&self, _: NodeId, ports: &mut impl Ports<Self>) -> BottomState {
        say(ports, "bottom starts");
        ports.indicate("up".to_owned());
        BottomState { starts: 1, frames: 0 }
    }

    /// How often it started is on stable storage; the frames are not.
    fn restart(
        &self,
        _: NodeId,
        before: &BottomState,
        ports: &mut impl Ports<Self>,
    ) -> BottomState {
        say(ports, "bottom restarts");
        BottomState { starts: before.starts + 1, frames: 0 }
    }

    fn on_request(
        &self,
        _: NodeId,
        state: &mut BottomState,
        request: String,
        ports: &mut impl Ports<Self>,
    ) {
        state.frames += 1;
        let last = ports.neighbours().last().copied();
        ports.request(match (request.strip_prefix('!'), last) {
            (Some(word), Some(last)) => Outgoing::To(last, word.to_owned()),
            _ => Outgoing::ToAll(request.clone()),
        });
        ports.indicate(format!("sent-{request}"));
    }

    fn on_indication(
        &self,
        _: NodeId,
        _: &mut BottomState,
        indication: Incoming<String>,
        ports: &mut impl Ports<Self>,
    ) {
        say(ports, &format!("bottom hears {}", indication.from));
        ports.indicate(indication.message);
    }

    fn on_undeliverable(
        &self,
        _: NodeId,
        _: &mut BottomState,
        request: Outgoing<String>,
        ports: &mut impl Ports<Self>,
    ) {
        ports.indicate(format!("failed-{request:?}"));
    }

    fn on_timer(&self, _: NodeId, _: &mut BottomState, timer: &u8, ports: &mut impl Ports<Self>) {
        say(ports, &format!("timer {timer} of bottom"));
    }

    fn on_command(
        &self,
        _: NodeId,
        _: &mut BottomState,
        command: &Ask,
        ports: &mut impl Ports<Self>,
    ) {
        match command {
            Ask::Words(words) => ports.indicate(words.clone()),
            Ask::Timer(timer) => ports.set_timer(*timer, SOON),
            Ask::Cancel(timer) => ports.cancel_timer(timer),
            Ask::Choose(options) => {
                let chosen = ports.choose(*options);
                say(ports, &format!("bottom chooses {chosen}"));
            }
        }
    }

    fn commands(&self, _: NodeId, state: &BottomState) -> Vec<Ask> {
        vec![Ask::Timer(7), Ask::Words(format!("frames-{}", state.frames))]
    }

    fn message_bytes(&self, _: NodeId, message: &Outgoing<String>) -> usize {
        let (Outgoing::To(_, text)
        | Outgoing::ToAll(text)
        | Outgoing::ToWithin(_, text, _)
        | Outgoing::ToAllWithin(text, _)) = message;
        20 + text.len()
    }
}

fn bottom<C>() -> Bottom<C> {
    Bottom(PhantomData)
}

const ME: NodeId = NodeId(0);
const NEIGHBOURS: [NodeId; 2] = [NodeId(1), NodeId(2)];

fn two() -> impl Protocol<
    State = Layers<Vec<String>, BottomState>,
    Message = String,
    Timer = Layer<u8, u8>,
    Command = Layer<Ask, Ask>,
> {
    Host(Top.over(bottom::<Calls>()))
}

fn two_started() -> Layers<Vec<String>, BottomState> {
    Layers { upper: Vec::new(), lower: BottomState { starts: 1, frames: 0 } }
}

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
fn check<P: Protocol>(
    _: &P,
    choices: &[u32],
    handler: impl FnOnce(&mut Recorder<'_, P>),
    expect: &[&str],
) {
    let mut fx = Recorder::with_choices(ME, &NEIGHBOURS, choices.to_vec());
    handler(&mut fx);
    assert_eq!(transcript(&fx), expect);
}

#[test]
fn lower_components_start_first_and_signals_wait_until_all_have_started() {
    let protocol = two();
    check(
        &protocol,
        &[],
        |fx| {
            let state = protocol.start(&mut Node::new(ME, &mut (), fx));
            assert_eq!(state.upper, ["up", "sent-hello"]);
            assert_eq!(state.lower.frames, 1);
        },
        &[
            "bottom starts",
            "top starts",
            "top has started",
            "top is told up",
            "n1 gets \"hello\"",
            "n2 gets \"hello\"",
            "top is told sent-hello",
        ],
    );
}

#[test]
fn signals_arrive_in_the_order_of_emission_when_the_handler_has_returned() {
    let protocol = two();
    let mut state = two_started();
    check(
        &protocol,
        &[],
        |fx| {
            let command = Layer::Upper(Ask::Words("!a !b".to_owned()));
            protocol.on_command(&mut Node::new(ME, &mut state, fx), &command);
        },
        &[
            "top has asked",
            "n2 gets \"a\"",
            "n2 gets \"b\"",
            "top is told sent-!a",
            "top is told sent-!b",
        ],
    );
    assert_eq!(state.lower.frames, 2);
}

#[test]
fn a_message_comes_in_at_the_bottom_and_its_answer_goes_out_there() {
    let protocol = two();
    let mut state = two_started();
    check(
        &protocol,
        &[],
        |fx| protocol.on_message(&mut Node::new(ME, &mut state, fx), NodeId(1), &"ping".to_owned()),
        &[
            "bottom hears n1",
            "top is told ping",
            "n1 gets \"pong\"",
            "n2 gets \"pong\"",
            "top is told sent-pong",
        ],
    );
    assert_eq!(state.upper, ["ping", "sent-pong"]);
}

#[test]
fn timers_of_the_same_name_are_those_of_their_layer() {
    let protocol = two();
    let mut state = two_started();
    let mut fx = Recorder::new(ME, &NEIGHBOURS);
    for command in [
        Layer::Upper(Ask::Timer(1)),
        Layer::Lower(Ask::Timer(1)),
        Layer::Lower(Ask::Cancel(1)),
        Layer::Upper(Ask::Cancel(1)),
    ] {
        protocol.on_command(&mut Node::new(ME, &mut state, &mut fx), &command);
    }
    let (timer, after) = (Layer::Upper(1), SOON);
    assert_eq!(
        fx.did,
        [
            Did::Set { timer, after },
            Did::Set { timer: Layer::Lower(1), after },
            Did::Cancelled { timer: Layer::Lower(1) },
            Did::Cancelled { timer: Layer::Upper(1) },
        ]
    );
}

#[test]
fn a_timer_fires_in_its_layer() {
    let protocol = two();
    let mut state = two_started();
    check(
        &protocol,
        &[],
        |fx| protocol.on_timer(&mut Node::new(ME, &mut state, fx), &Layer::Lower(1)),
        &["timer 1 of bottom"],
    );
    check(
        &protocol,
        &[],
        |fx| protocol.on_timer(&mut Node::new(ME, &mut state, fx), &Layer::Upper(1)),
        &[
            "timer 1 of top",
            "n1 gets \"timer-1\"",
            "n2 gets \"timer-1\"",
            "top is told sent-timer-1",
        ],
    );
}

#[test]
fn a_command_reaches_its_layer() {
    let protocol = two();
    let mut state = two_started();
    check(
        &protocol,
        &[],
        |fx| {
            let command = Layer::Lower(Ask::Words("noise".to_owned()));
            protocol.on_command(&mut Node::new(ME, &mut state, fx), &command);
        },
        &["top is told noise"],
    );
}

#[test]
fn the_commands_of_all_layers_are_offered_each_for_the_state_of_its_layer() {
    let mut state = two_started();
    state.upper.push("told".to_owned());
    state.lower.frames = 5;
    assert_eq!(
        two().commands(ME, &state),
        [
            Layer::Upper(Ask::Words("after-1".to_owned())),
            Layer::Lower(Ask::Timer(7)),
            Layer::Lower(Ask::Words("frames-5".to_owned())),
        ]
    );
}

#[test]
fn timers_and_commands_print_without_their_layer() {
    type OneOf = Layer<Ask, Layer<u8, u8>>;
    assert_eq!(format!("{:?}", OneOf::Upper(Ask::Timer(1))), "Timer(1)");
    assert_eq!(format!("{:?}", OneOf::Lower(Layer::Lower(3))), "3");
}

#[test]
fn a_restart_shows_each_layer_its_own_state_before() {
    let protocol = two();
    let before =
        Layers { upper: vec!["lost".to_owned()], lower: BottomState { starts: 4, frames: 9 } };
    check(
        &protocol,
        &[],
        |fx| {
            let state = protocol.restart(&mut Node::new(ME, &mut (), fx), &before);
            assert_eq!(state.upper, ["sent-hello"]);
            assert_eq!(state.lower, BottomState { starts: 5, frames: 1 });
        },
        &[
            "bottom restarts",
            "top starts",
            "top has started",
            "n1 gets \"hello\"",
            "n2 gets \"hello\"",
            "top is told sent-hello",
        ],
    );
}

#[test]
fn choices_of_every_layer_are_answered_in_turn() {
    let protocol = two();
    let mut state = two_started();
    let mut fx = Recorder::with_choices(ME, &NEIGHBOURS, vec![2, 1]);
    for command in [Layer::Lower(Ask::Choose(3)), Layer::Upper(Ask::Choose(4))] {
        protocol.on_command(&mut Node::new(ME, &mut state, &mut fx), &command);
    }
    assert_eq!(transcript(&fx), ["bottom chooses 2", "top chooses 1"]);
    assert_eq!(fx.options, [3, 4]);
}

#[test]
fn the_lowest_component_knows_the_size_of_a_message() {
    assert_eq!(two().message_bytes(ME, &"12345".to_owned()), 25);
    let three = Host(Top.over(Middle.over(bottom::<Frames>())));
    assert_eq!(three.message_bytes(ME, &"12345".to_owned()), 25);
}

/// What goes between two neighbours comes in the order in which it was emitted, however the stack
/// is put together. What one component emits to *different* neighbours does not: the inner stack
/// settles before the outer one.
#[test]
fn three_components_settle_from_the_inner_stack_to_the_outer() {
    let (ask, told) = ("middle is asked a", "middle is told sent-a");
    let (accepted, sent) = ("top is told accepted-a", "top is told sent-a");
    let (n1, n2) = ("n1 gets \"a\"", "n2 gets \"a\"");
    let words = Ask::Words("a".to_owned());

    let protocol = Host(Top.over(Middle.over(bottom::<Frames>())));
    check(
        &protocol,
        &[],
        |fx| {
            let lower = Layers { upper: 0, lower: two_started().lower };
            let mut state = Layers { upper: Vec::new(), lower };
            protocol.on_command(&mut Node::new(ME, &mut state, fx), &Layer::Upper(words.clone()));
            assert_eq!((state.lower.upper, state.lower.lower.frames), (1, 1));
        },
        &["top has asked", ask, n1, n2, told, accepted, sent],
    );

    let protocol = Host(Top.over(Middle).over(bottom::<Frames>()));
    check(
        &protocol,
        &[],
        |fx| {
            let upper = Layers { upper: Vec::new(), lower: 0 };
            let mut state = Layers { upper, lower: two_started().lower };
            let command = Layer::Upper(Layer::Upper(words.clone()));
            protocol.on_command(&mut Node::new(ME, &mut state, fx), &command);
            assert_eq!((state.upper.lower, state.lower.frames), (1, 1));
        },
        &["top has asked", ask, accepted, n1, n2, told, sent],
    );
}

#[test]
fn timers_and_commands_find_the_middle_of_three_components() {
    let protocol = Host(Top.over(Middle.over(bottom::<Frames>())));
    let mut fx = Recorder::new(ME, &NEIGHBOURS);
    let mut state = protocol.start(&mut Node::new(ME, &mut (), &mut fx));
    fx.did.clear();
    protocol.on_timer(&mut Node::new(ME, &mut state, &mut fx), &Layer::Lower(Layer::Upper(4)));
    let command = Layer::Lower(Layer::Upper(Ask::Timer(5)));
    protocol.on_command(&mut Node::new(ME, &mut state, &mut fx), &command);
    protocol.on_timer(&mut Node::new(ME, &mut state, &mut fx), &Layer::Lower(Layer::Lower(6)));
    assert_eq!(
        transcript(&fx),
        ["timer 4 of middle", "middle is commanded Timer(5)", "timer 6 of bottom"]
    );
}

#[test]
fn what_comes_back_is_told_to_the_lowest_component() {
    let protocol = two();
    let mut state = two_started();
    let back = "back".to_owned();
    check(
        &protocol,
        &[],
        |fx| protocol.on_undeliverable(&mut Node::new(ME, &mut state, fx), NodeId(2), &back),
        &[r#"top is told failed-To(n2, "back")"#],
    );
}

#[test]
fn a_probe_drives_one_component_alone() {
    let mut probe = Probe::<Middle>::default();
    let mut passed = Middle.start(ME, &mut probe);
    Middle.on_request(ME, &mut passed, "a".to_owned(), &mut probe);
    Middle.on_indication(ME, &mut passed, "b".to_owned(), &mut probe);
    assert_eq!(passed, 1);
    assert_eq!(probe.requests, ["a"]);
    assert_eq!(probe.indications, ["accepted-a", "b"]);
    let count = |name| Record::Count { name, by: 1 };
    assert_eq!(
        probe.records,
        [count("middle starts"), count("middle is asked a"), count("middle is told b")]
    );
}

#[test]
fn a_probe_holds_neighbours_timers_and_choices() {
    let component = bottom::<Calls>();
    let mut probe =
        Probe { neighbours: NEIGHBOURS.to_vec(), choices: [2, 1].into(), ..Probe::default() };
    let mut state = component.start(ME, &mut probe);
    component.on_request(ME, &mut state, "!a".to_owned(), &mut probe);
    assert_eq!(probe.requests, [Outgoing::To(NodeId(2), "a".to_owned())]);

    for command in [Ask::Timer(1), Ask::Timer(2), Ask::Timer(1), Ask::Cancel(2)] {
        component.on_command(ME, &mut state, &command, &mut probe);
    }
    assert_eq!(probe.timers, [1]);

    probe.records.clear();
    for _ in 0..3 {
        component.on_command(ME, &mut state, &Ask::Choose(3), &mut probe);
    }
    let answers = ["bottom chooses 2", "bottom chooses 1", "bottom chooses 0"];
    assert_eq!(
        probe.records,
        answers.map(|name| Record::Count { name, by: 1 }),
        "in order, and 0 when they run out"
    );
}

#[test]
fn a_component_without_a_handler_says_which_one_is_missing() {
    struct Silent;

    impl Component for Silent {
        type State = ();
        type Timer = u8;
        type Command = u8;
        type Above = Calls;
        type Below = Frames;

        fn start(&self, _: NodeId, _: &mut impl Ports<Self>) {}
    }

    let check = |run: fn(&mut Probe<Silent>), expect: &str| {
        let error = panics::catch(|| run(&mut Probe::default())).unwrap_err();
        assert!(error.message.starts_with(expect), "{error}");
    };
    check(
        |probe| Silent.on_request(ME, &mut (), "a".to_owned(), probe),
        "\"a\" was asked of a component at n0 that has no `on_request` handler",
    );
    check(
        |probe| Silent.on_indication(ME, &mut (), "a".to_owned(), probe),
        "\"a\" was told to a component at n0 that has no `on_indication` handler",
    );
    check(
        |probe| Silent.on_timer(ME, &mut (), &1, probe),
        "timer 1 fired at n0 in a component that has no `on_timer` handler",
    );
    check(
        |probe| Silent.on_command(ME, &mut (), &1, probe),
        "command 1 was given to a component at n0 that has no `on_command` handler",
    );
    assert_eq!(Silent.commands(ME, &()), []);
}
