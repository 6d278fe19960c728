//! What is found besides violated assertions (panics, handlers that are not deterministic), and
//! how: with which words, after how many steps, and what does not count as a difference.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use everypath_explore::{
    Described, Ended, EventText, Exploration, Guided, Judged, Options, PartText, Space, StateId,
    Stop, enabled, explore,
};
use everypath_model::{
    Budget, Ignored, NetworkKind, Node, NodeId, Protocol, Scenario, ScenarioError, Start, Topology,
};
use everypath_network::{NetworkSpace, SpaceError, SpaceOptions, Verification};
use serde::{Deserialize, Serialize};

/// What a handler is called for.
enum Input {
    Message(u32),
    Undeliverable(NodeId, u32),
    Timer(u32),
    Command(u32),
}

/// A node's number, and one that does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct State {
    value: u32,
    statistics: Ignored<u32>,
}

type Handle = fn(NodeId, &mut State, Input, &mut Start<'_, Script>);

/// A protocol made of functions: nothing happens but for those that a test replaces.
struct Script {
    start: fn(NodeId, &mut Start<'_, Script>) -> u32,
    restart: fn(NodeId, &State, &mut Start<'_, Script>) -> u32,
    handle: Handle,
    commands: fn(NodeId, &State) -> Vec<u32>,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            start: |_, _| 0,
            restart: |_, _, _| 0,
            handle: |_, _, _, _| {},
            commands: |_, _| Vec::new(),
        }
    }
}

fn state(value: u32) -> State {
    State { value, ..State::default() }
}

impl Protocol for Script {
    type State = State;
    type Message = u32;
    type Timer = u32;
    type Command = u32;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        state((self.start)(me, fx))
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &State) -> State {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        state((self.restart)(me, before, fx))
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &u32) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        (self.handle)(me, state, Input::Message(*message), fx);
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, to: NodeId, message: &u32) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        (self.handle)(me, state, Input::Undeliverable(to, *message), fx);
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &u32) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        (self.handle)(me, state, Input::Timer(*timer), fx);
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &u32) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        (self.handle)(me, state, Input::Command(*command), fx);
    }

    fn commands(&self, me: NodeId, state: &State) -> Vec<u32> {
        (self.commands)(me, state)
    }
}

/// A client (n0) that can be told to ask, and a server (n1).
fn pair(script: Script) -> Scenario<Script> {
    on(Topology::chain(2), script)
}

/// Nodes of which n1 is called the server.
fn on(topology: Topology, script: Script) -> Scenario<Script> {
    let name = |_: &Script, node| if node == NodeId(1) { "server" } else { "" };
    Scenario::new(script, topology).role_names(name)
}

/// A single node.
fn alone(script: Script) -> Scenario<Script> {
    on(Topology::chain(1), script)
}

/// An exploration, and what is said about the violation.
struct Found {
    exploration: Exploration,
    assertion: String,
    explanation: Option<String>,
    sentences: Vec<String>,
}

fn find(scenario: &Scenario<Script>, space: SpaceOptions, options: Options) -> Option<Found> {
    let mut space = NetworkSpace::new(scenario, space).expect("the scenario is small");
    let exploration = explore(&mut space, &options, &mut ()).unwrap();
    let finding = exploration.finding().cloned()?;
    let steps = finding.trace.transitions();
    let sentences = steps.map(|(before, step)| space.event_text(before, step.event).sentence);
    Some(Found {
        sentences: sentences.collect(),
        assertion: space.assertions()[finding.assertion].clone(),
        explanation: space.explain(finding.trace.last(), finding.assertion),
        exploration,
    })
}

fn first(scenario: &Scenario<Script>) -> Found {
    find(scenario, SpaceOptions::default(), Options::default()).expect("there is a violation")
}

/// Asserts that a handler panicked here: at this node, with these words, in this file.
fn assert_panicked(found: &Found, node: &str, words: &str) {
    assert_eq!(found.assertion, "no handler panics");
    let explanation = found.explanation.as_deref().expect("a panic is explained");
    let start = format!("at {node}: {words}, at ");
    assert!(explanation.starts_with(&start), "{explanation}");
    let place = &explanation[start.len()..];
    assert!(place.contains("findings.rs:"), "{place}");
}

/// The client asks twice at most; the server panics on the second question.
fn impatient() -> Script {
    Script {
        commands: |me, state| if me == NodeId(0) && state.value < 2 { vec![7] } else { vec![] },
        handle: |me, state, input, fx| {
            match input {
                Input::Command(question) => fx.send(NodeId(1), question),
                Input::Message(question) => {
                    assert!(state.value == 0, "{me} was asked {question} twice");
                }
                Input::Undeliverable(..) | Input::Timer(_) => {}
            }
            state.value += 1;
        },
        ..Script::default()
    }
}

#[test]
fn a_panic_is_found_on_a_shortest_run_with_its_node_words_and_place() {
    let found = first(&pair(impatient()));
    assert_eq!(found.exploration.ended, Ended::Violation);
    assert_panicked(&found, "n1 (server)", "n1 was asked 7 twice");
    let ask = "command 7 at n0";
    let answer = "7 from n0 arrives at n1 (server)";
    assert_eq!(found.sentences.len(), 4);
    let count = |sentence| found.sentences.iter().filter(|other| *other == sentence).count();
    assert_eq!((count(ask), count(answer)), (2, 2));
}

#[test]
fn a_search_that_keeps_going_counts_every_panic() {
    let scenario = pair(impatient()).loss(Budget::Unlimited);
    let options = Options::default().stop(Stop::Never);
    let found = find(&scenario, SpaceOptions::default(), options).unwrap();
    assert_eq!(found.exploration.ended, Ended::Exhausted);
    // Asked, in flight, server's value: 000 | 110 | 220 101 100 | 211 210 | 201 200.
    assert_eq!(found.exploration.states_per_depth(), [1, 1, 3, 2, 2]);
    // Only 211 can deliver to a server that was asked.
    assert_eq!(found.exploration.counts.unsafe_events, 1);
    // One out of 000, 101 and 100 each, three out of 110, two out of 220, 211 and 210 each.
    assert_eq!(found.exploration.counts.events, 12);
    assert_panicked(&found, "n1 (server)", "n1 was asked 7 twice");
}

#[test]
fn the_world_of_a_panic_has_no_future() {
    let scenario = pair(impatient()).reboot(Budget::Unlimited);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    let last = found.finding().unwrap().clone().trace.last();
    assert!(enabled(&mut space, last).is_empty());
    let parts = space.state_text(last).parts;
    let value = PartText::Value("Panicked".to_owned());
    assert!(parts.contains(&("n1 (server)".to_owned(), value)));
}

#[test]
fn a_panic_at_the_start_is_found_without_a_step() {
    let script = Script {
        start: |me, _| if me == NodeId(1) { panic!("no configuration") } else { 0 },
        ..Script::default()
    };
    let found = first(&pair(script));
    assert_panicked(&found, "n1 (server)", "no configuration");
    assert!(found.sentences.is_empty());
    assert_eq!((found.exploration.states_visited, found.exploration.counts.events), (0, 0));
}

#[test]
fn a_panic_after_a_reboot_is_found() {
    let script = Script {
        restart: |_, before, _| {
            assert_eq!(before.value, 0, "cannot come up again");
            5
        },
        ..Script::default()
    };
    let scenario = alone(script).reboot(Budget::AtMost(2));
    let found = first(&scenario);
    let explanation = found.explanation.unwrap();
    assert_eq!(found.assertion, "no handler panics");
    assert!(explanation.contains("cannot come up again"), "{explanation}");
    assert_eq!(found.sentences, ["n0 reboots", "n0 reboots"]);

    let once = alone(Script { restart: scenario.protocol.restart, ..Script::default() });
    let once = once.reboot(Budget::AtMost(1));
    assert!(find(&once, SpaceOptions::default(), Options::default()).is_none());
}

#[test]
fn where_ends_are_asked_for_a_fault_more_to_come_makes_a_difference() {
    let idle = alone(Script::default()).reboot(Budget::AtMost(1)).relation(
        "equal worlds",
        |world| u64::from(world.node(NodeId(0)).value),
        |world, other| world.node(NodeId(0)) == other.node(NodeId(0)),
    );
    let related = Options::default().relation(1);
    let stuck = SpaceOptions::default().deadlock(true);
    let found = find(&idle, stuck, related.clone()).expect("it is stuck after the reboot");
    assert_eq!(found.sentences, ["n0 reboots"]);
    let ending = idle.assert_at_end("it never ends", |_| false);
    let found = find(&ending, SpaceOptions::default(), related).expect("it ends after the reboot");
    assert_eq!((found.assertion.as_str(), found.sentences.len()), ("it never ends", 1));
}

/// Once the required event has happened, a run ends at its first violation; before, it goes on to others.
#[test]
fn a_world_after_the_required_event_does_not_stand_for_one_before_it() {
    let script = Script {
        commands: |_, state| match state.value {
            0 => vec![4],
            before @ 4..=6 => vec![before + 1],
            _ => Vec::new(),
        },
        handle: |_, state, input, _| {
            if let Input::Command(value) = input {
                state.value = value;
            }
        },
        restart: |_, before, _| match before.value {
            0 => 5,
            7 => 8,
            value => value,
        },
        ..Script::default()
    };
    let scenario = alone(script)
        .reboot(Budget::Unlimited)
        .assert_always("never 6", |world| world.node(NodeId(0)).value != 6)
        .assert_always("never 8", |world| world.node(NodeId(0)).value != 8)
        .relation(
            "equal worlds",
            |world| u64::from(world.node(NodeId(0)).value),
            |world, other| world.node(NodeId(0)) == other.node(NodeId(0)),
        );
    let required = Some("reboot".parse().expect("it is a pattern"));
    let options = SpaceOptions::default().required(required);
    for relation in [None, Some(1)] {
        let mut space = NetworkSpace::new(&scenario, options.clone()).unwrap();
        let search = Options::default().relation(relation).stop(Stop::Never);
        let found = explore(&mut space, &search, &mut ()).unwrap();
        let violated = |assertion: usize| found.counts.violations[assertion] > 0;
        assert!(violated(0) && violated(1), "{relation:?}: {:?}", found.counts.violations);
    }
}

/// A protocol that says nothing about reboots.
struct Forgetful;

impl Protocol for Forgetful {
    type State = u32;
    type Message = u32;
    type Timer = u32;
    type Command = u32;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.set_timer(1, Duration::from_secs(1));
        0
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &u32) {}

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &u32) {
        *node.state += 1;
        node.set_timer(2, Duration::from_secs(1));
    }
}

#[test]
fn unless_it_says_otherwise_a_node_reboots_into_its_start() {
    let scenario = Scenario::new(Forgetful, Topology::chain(1)).reboot(Budget::Unlimited);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let mut initial = Vec::new();
    space.initial(&mut initial);
    let fired = enabled(&mut space, initial[0])[0].0.target;
    let reboot = enabled(&mut space, fired).pop().unwrap();
    assert_eq!(reboot.1.kind, "reboot");
    assert_eq!(reboot.0.target, initial[0], "the second timer is gone, the first is set");
}

#[test]
fn a_panic_while_listing_commands_is_found() {
    let script = Script {
        commands: |_, state| {
            assert!(state.value < 2, "out of commands");
            vec![1]
        },
        handle: |_, state, _, _| state.value += 1,
        ..Script::default()
    };
    let found = first(&alone(script));
    assert_panicked(&found, "n0", "while listing the commands: out of commands");
    assert_eq!(found.sentences, ["command 1 at n0"; 2]);
}

#[test]
fn a_message_to_a_stranger_is_found() {
    let script = Script {
        start: |me, fx| {
            if me == NodeId(0) {
                fx.send(NodeId(2), 9);
            }
            0
        },
        ..Script::default()
    };
    let found = first(&on(Topology::chain(3), script));
    let explanation = found.explanation.unwrap();
    assert_eq!(found.assertion, "no handler panics");
    let words = "at n0: n0 sends 9 to n2, which is not its neighbour; its neighbours are n1, at ";
    assert!(explanation.starts_with(words), "{explanation}");
}

/// n0 sends 9 to n2 at the start, and the scenario says who receives it.
fn late(
    receivers: impl Fn(&State, everypath_model::Packet<'_, Script>) -> Vec<NodeId>
    + Send
    + Sync
    + 'static,
) -> Scenario<Script> {
    let script = Script {
        start: |me, fx| {
            if me == NodeId(0) {
                fx.send(NodeId(2), 9);
            }
            0
        },
        handle: |_, state, _, _| state.value += 1,
        commands: |me, state| if me == NodeId(0) && state.value == 0 { vec![1] } else { vec![] },
        ..Script::default()
    };
    on(Topology::chain(3), script).receivers(receivers)
}

#[test]
fn the_next_hop_is_looked_up_in_the_present_state_of_the_sender() {
    let scenario = late(|sender, packet| match sender.value {
        0 => Vec::new(),
        _ => vec![packet.to, NodeId(1), packet.to],
    });
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let mut initial = Vec::new();
    space.initial(&mut initial);
    let sentences = |space: &mut NetworkSpace<'_>, state| {
        let steps = enabled(space, state).into_iter();
        steps.map(|(step, text)| (step.target, text.node, text.sentence)).collect::<Vec<_>>()
    };
    let first = sentences(&mut space, initial[0]);
    let [(told, Some(0), command)] = first.as_slice() else { panic!("{first:?}") };
    assert_eq!(command, "command 1 at n0");
    let second = sentences(&mut space, *told);
    let second: Vec<_> = second.iter().map(|(_, node, text)| (*node, text.as_str())).collect();
    let expected =
        [(Some(1), "9 from n0 to n2 arrives at n1 (server)"), (Some(2), "9 from n0 arrives at n2")];
    assert_eq!(second, expected);
}

#[test]
fn receivers_that_cannot_be_determined_are_found() {
    let found = first(&late(|sender, _| match sender.value {
        0 => panic!("no table yet"),
        _ => vec![NodeId(1)],
    }));
    assert_eq!(found.assertion, "no handler panics");
    assert_eq!(found.sentences, ["9 from n0 arrives at n2"]);
    let explanation = found.explanation.unwrap();
    let words = "at n0: while asking who receives 9 from n0 to n2: no table yet, at ";
    assert!(explanation.starts_with(words), "{explanation}");

    let found = first(&late(|_, _| vec![NodeId(1), NodeId(3)]));
    let words = "at n0: while asking who receives 9 from n0 to n2: the answer names n3, which does not exist";
    assert_eq!(found.explanation.as_deref(), Some(words));
}

#[test]
fn receivers_that_change_by_themselves_are_found() {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let scenario = late(|_, _| vec![NodeId(ASKED.fetch_add(1, Ordering::Relaxed) % 2)]);
    let options = SpaceOptions::default().verification(Verification::All);
    let mut space = NetworkSpace::new(&scenario, options).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    let finding = found.finding().expect("it is found");
    assert_eq!(space.assertions()[finding.assertion], "handlers are deterministic");
}

#[test]
fn links_in_order_need_to_be_known_in_advance() {
    let scenario = late(|_, packet| vec![packet.to]).network(NetworkKind::FifoPerLink);
    let refused = NetworkSpace::new(&scenario, SpaceOptions::default()).err();
    assert_eq!(refused, Some(SpaceError::Scenario(ScenarioError::LateOrder)));
}

/// n0 sends 9 to n1 at the start, and counts what comes back to it.
fn fragile() -> Scenario<Script> {
    let script = Script {
        start: |me, fx| {
            if me == NodeId(0) {
                fx.send(NodeId(1), 9);
            }
            0
        },
        handle: |_, state, input, fx| match input {
            Input::Undeliverable(to, message) => {
                state.value += 1;
                fx.send(to, message + 1);
            }
            _ => state.value += 10,
        },
        ..Script::default()
    };
    on(Topology::chain(3), script).link_failure(Budget::AtMost(1)).link_return(Budget::Unlimited)
}

#[test]
fn over_a_link_that_is_down_packets_come_back() {
    let scenario = fragile().assert_always("nothing comes back and arrives", |world| {
        *world.node(NodeId(0)) != state(1) || *world.node(NodeId(1)) != state(10)
    });
    let expected = [
        "the link between n0 and n1 (server) fails",
        "9 from n0 to n1 (server) cannot be delivered",
        "the link between n0 and n1 (server) comes back",
        "10 from n0 arrives at n1 (server)",
    ];
    assert_eq!(first(&scenario).sentences, expected);
}

#[test]
fn what_is_in_flight_when_a_link_fails_can_survive() {
    let scenario = fragile()
        .assert_always("nothing arrives after all", |world| {
            *world.node(NodeId(1)) != state(10) || *world.node(NodeId(0)) != state(0)
        })
        .assume("arrivals only when n1 and n2 are cut off", |world, event| {
            let deliver = event.kind() == everypath_model::EventKind::Deliver;
            !deliver || (!world.is_up(NodeId(2), NodeId(1)) && world.is_up(NodeId(0), NodeId(1)))
        });
    let expected =
        ["the link between n1 (server) and n2 fails", "9 from n0 arrives at n1 (server)"];
    assert_eq!(first(&scenario).sentences, expected);
}

#[test]
fn links_that_are_down_are_part_of_a_state() {
    let scenario = fragile();
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let mut initial = Vec::new();
    space.initial(&mut initial);
    let part = |space: &NetworkSpace<'_>, state| {
        let parts = space.state_text(state).parts;
        parts.into_iter().find(|(name, _)| name == "links down").map(|(_, part)| part)
    };
    assert_eq!(part(&space, initial[0]), Some(PartText::Bag(Vec::new())));
    let steps = enabled(&mut space, initial[0]);
    let texts = steps.iter().map(|(_, text)| (text.node, text.kind.as_str(), &text.parameters));
    let link = |link: &str| vec![("link".to_owned(), link.to_owned())];
    let texts: Vec<_> = texts.filter(|(_, kind, _)| *kind == "link-down").collect();
    assert_eq!(texts[0], (Some(0), "link-down", &link("n0–n1")));
    assert_eq!(texts[1], (Some(1), "link-down", &link("n1–n2")));
    let (failed, _) = steps.iter().find(|(_, text)| text.kind == "link-down").unwrap();
    assert_eq!(part(&space, failed.target), Some(PartText::Bag(vec!["n0–n1".to_owned()])));
}

/// Counts commands up to three.
fn counter() -> Script {
    Script {
        commands: |_, state| if state.value < 3 { vec![1] } else { vec![] },
        handle: |_, state, input, _| {
            if let Input::Command(by) = input {
                state.value += by;
            }
        },
        ..Script::default()
    }
}

#[test]
fn an_assertion_that_panics_is_violated_and_says_so() {
    let scenario = alone(counter()).assert_always("below ten", |_| true).assert_always(
        "can be read",
        |world| {
            let values = [1, 2];
            values[world.node(NodeId(0)).value as usize] > 0
        },
    );
    let found = first(&scenario);
    assert_eq!(found.assertion, "can be read");
    assert_eq!(found.sentences.len(), 2);
    let explanation = found.explanation.unwrap();
    let words = "the assertion itself panicked: index out of bounds: \
                 the len is 2 but the index is 2, at ";
    assert!(explanation.starts_with(words), "{explanation}");
}

#[test]
fn an_assertion_that_is_merely_violated_needs_no_explanation() {
    let scenario =
        alone(counter()).assert_always("below two", |world| world.node(NodeId(0)).value < 2);
    let found = first(&scenario);
    assert_eq!((found.assertion.as_str(), found.explanation), ("below two", None));
    assert_eq!(found.sentences.len(), 2);
}

/// Explores with every handler executed twice.
fn verify(script: Script) -> Option<Found> {
    let space = SpaceOptions::default().verification(Verification::All);
    let options = Options::default().max_depth(4);
    find(&pair(script), space, options)
}

fn assert_nondeterministic(script: Script, what: &str) {
    let found = verify(script).expect("the difference is found");
    assert_eq!(found.assertion, "handlers are deterministic");
    assert_eq!(found.sentences.len(), 1);
    assert!(found.sentences[0].starts_with("command 7 at n0"));
    let explanation = found.explanation.expect("a difference is explained");
    let start = format!("at n0: two executions on the same input {what}");
    assert!(explanation.starts_with(&start), "{explanation}");
}

/// A number that no handler should see: each asking gives another.
fn leak() -> u32 {
    static LEAK: AtomicU32 = AtomicU32::new(0);
    LEAK.fetch_add(1, Ordering::Relaxed)
}

fn asked(handle: Handle) -> Script {
    let commands = |me, state: &State| {
        if me == NodeId(0) && state.value == 0 { vec![7] } else { vec![] }
    };
    Script { commands, handle, ..Script::default() }
}

#[test]
fn handlers_that_do_two_things_on_one_input_are_found() {
    let leaks_into_state = asked(|_, state, _, _| state.value = 1 + leak());
    assert_nondeterministic(leaks_into_state, "end in different states: State { value: ");
    let leaks_into_timer = asked(|_, _, _, fx| fx.set_timer(leak(), Duration::from_secs(1)));
    assert_nondeterministic(leaks_into_timer, "set different timers: [");
    let leaks_into_message = asked(|_, _, _, fx| fx.send(NodeId(1), leak()));
    assert_nondeterministic(leaks_into_message, "send different packets: [(n1, ");
    let leaks_into_choice = asked(|_, state, _, fx| state.value = fx.choose(2 + leak()));
    assert_nondeterministic(leaks_into_choice, "ask for different choices");
}

#[test]
fn a_handler_that_panics_every_other_time_is_found() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let moody = asked(|_, _, _, _| {
        let calls = CALLS.fetch_add(1, Ordering::Relaxed);
        assert!(calls.is_multiple_of(2), "not now");
    });
    let found = verify(moody).expect("the difference is found");
    assert_eq!(found.assertion, "handlers are deterministic");
    let explanation = found.explanation.unwrap();
    assert!(explanation.contains("one panics: not now"), "{explanation}");
}

#[test]
fn deterministic_handlers_are_not_accused() {
    assert!(verify(counter()).is_none());
    let statistics = asked(|me, state, _, fx| {
        *state.statistics = leak();
        state.value = 1 + fx.choose(3);
        fx.send(NodeId(1 - me.0), state.value);
    });
    assert!(verify(statistics).is_none(), "what is ignored may differ");
    let panics = verify(asked(|_, _, _, _| panic!("always"))).unwrap();
    assert_eq!(panics.assertion, "no handler panics");
}

#[test]
fn handlers_are_executed_twice_unless_they_are_trusted() {
    let leaks_into_state = asked(|_, state, _, _| state.value = 1 + leak());
    let scenario = pair(leaks_into_state);
    let found = find(&scenario, SpaceOptions::default(), Options::default()).unwrap();
    assert_eq!(found.assertion, "handlers are deterministic");
    let trusting = SpaceOptions::default().verification(Verification::Nothing);
    assert!(find(&scenario, trusting, Options::default()).is_none());
}

#[test]
fn ignored_fields_split_no_states() {
    let script = Script {
        commands: |_, _| vec![0, 1],
        handle: |_, state, input, _| {
            if let Input::Command(flip) = input {
                state.value ^= flip;
                *state.statistics += 1;
            }
        },
        ..Script::default()
    };
    let scenario = pair(script);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    assert_eq!(found.ended, Ended::Exhausted);
    assert_eq!(found.states_per_depth(), [1, 2, 1], "two bits");
    assert_eq!(found.handler_executions, 2 + 2 * 2 * 2, "starts; nodes, values, commands");
}

/// Where the steps out of the initial state lead, with what is said of them.
fn steps_from_start(scenario: &Scenario<Script>) -> Vec<(EventText, String)> {
    let mut space = NetworkSpace::new(scenario, SpaceOptions::default()).unwrap();
    let mut initial = Vec::new();
    space.initial(&mut initial);
    assert_eq!(initial.len(), 1);
    let steps = enabled(&mut space, initial[0]).into_iter();
    let value = |state: StateId| format!("{:?}", space.state_text(state).parts[0].1);
    steps.map(|(step, text)| (text, value(step.target))).collect()
}

#[test]
fn nested_choices_branch_and_are_listed() {
    let script = Script {
        commands: |_, _| vec![7],
        handle: |_, state, _, fx| {
            state.value = match fx.choose(3) {
                0 => 0,
                1 => 10 + fx.choose(2),
                _ => 20 + 2 * fx.choose(2) + fx.choose(1),
            };
        },
        ..Script::default()
    };
    let steps = steps_from_start(&alone(script));
    let expected =
        [("[0]", 0), ("[1, 0]", 10), ("[1, 1]", 11), ("[2, 0, 0]", 20), ("[2, 1, 0]", 22)];
    assert_eq!(steps.len(), expected.len());
    for ((text, state), (choices, value)) in steps.into_iter().zip(expected) {
        assert_eq!(text.sentence, format!("command 7 at n0, choosing {choices}"));
        let words = [("command", "7"), ("choices", choices)];
        assert_eq!(text.parameters, words.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert!(state.contains(&format!("value: {value},")), "{state}");
    }
}

#[test]
fn choices_at_the_start_give_several_initial_states() {
    let script = Script { start: |me, fx| fx.choose(2 + me.0), ..Script::default() };
    let scenario = pair(script);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let mut initial = Vec::new();
    space.initial(&mut initial);
    let texts = initial.iter().map(|&state| format!("{:?}", space.state_text(state)));
    assert_eq!(texts.collect::<HashSet<_>>().len(), 2 * 3);
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    assert_eq!(found.states_per_depth(), [6]);
}

#[test]
fn a_violation_in_one_initial_state_leaves_the_others() {
    let script = Script { start: |_, fx| fx.choose(3), ..counter() };
    let scenario = alone(script).assert_always("not one", |world| world.node(NodeId(0)).value != 1);
    let options = Options::default().stop(Stop::Never);
    let found = find(&scenario, SpaceOptions::default(), options).unwrap();
    assert!(found.sentences.is_empty());
    // From 0 the only step leads to 1; from 2 to 3.
    assert_eq!(found.exploration.states_per_depth(), [2, 1]);
    assert_eq!((found.exploration.counts.events, found.exploration.counts.unsafe_events), (2, 1));
}

#[test]
fn a_handler_that_never_stops_choosing_is_found() {
    // In the direction in which the first execution already never ends, and in the other.
    let endless: [Handle; 2] =
        [|_, _, _, fx| while fx.choose(2) == 0 {}, |_, _, _, fx| while fx.choose(2) == 1 {}];
    for handle in endless {
        let found = first(&pair(asked(handle)));
        assert_eq!(found.assertion, "no handler panics");
        let explanation = found.explanation.unwrap();
        let expect = "at n0: one execution makes more than 1024 choices";
        assert!(explanation.starts_with(expect), "{explanation}");
    }
    let wide = asked(|_, state, _, fx| state.value = (0..17).map(|_| fx.choose(2)).sum());
    let explanation = first(&pair(wide)).explanation.unwrap();
    assert_eq!(explanation, "at n0: one execution has more than 65536 branches");
}

#[test]
fn as_many_branches_as_there_can_be() {
    let widest = asked(|_, state, _, fx| {
        state.value = (0..16).fold(0, |value, _| 2 * value + fx.choose(2));
    });
    let scenario = pair(widest);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let options = Options::default().max_depth(1);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    assert_eq!(found.counts.events, 1 << 16);
    assert_eq!(found.states_per_depth(), [1, (1 << 16) - 1], "one leads back");
}

/// The client sends until its value is 3; how many of its packets are in flight is open.
fn sender() -> Script {
    Script {
        handle: |_, state, input, fx| {
            if let Input::Command(by) = input {
                state.value += by;
                fx.send(NodeId(1), 0);
            }
        },
        commands: |me, state| if me == NodeId(0) && state.value < 3 { vec![1] } else { vec![] },
        ..Script::default()
    }
}

/// The states of a scenario, with the client's value and the number of packets in flight.
fn all_states(space: &mut NetworkSpace<'_>) -> Vec<(StateId, i64, i64)> {
    let mut states = Vec::new();
    space.initial(&mut states);
    let mut next = 0;
    while next < states.len() {
        let targets = enabled(space, states[next]).into_iter().map(|(step, _)| step.target);
        for target in targets {
            if !states.contains(&target) {
                states.push(target);
            }
        }
        next += 1;
    }
    let content = |&state: &StateId| {
        let parts = space.state_text(state).parts;
        let PartText::Value(client) = &parts[0].1 else { panic!("a node is a value") };
        let value = client.split(['{', ',']).nth(1).unwrap().replace("value:", "");
        let PartText::Bag(packets) = &parts.last().unwrap().1 else { panic!("a network is a bag") };
        (state, value.trim().parse().unwrap(), packets.len() as i64)
    };
    states.iter().map(content).collect()
}

#[test]
fn ranks_are_those_of_the_state_whether_or_not_they_read_the_network() {
    let value = |world: &everypath_model::World<'_, Script>| i64::from(world.node(NodeId(0)).value);
    let scenario = pair(sender())
        .ranking("value", move |world| value(world))
        .ranking("packets", |world| world.packets().len() as i64)
        .ranking("packets from two on", move |world| {
            let packets = if value(world) >= 2 { world.packets().len() as i64 } else { -1 };
            (value(world), packets)
        });
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let states = all_states(&mut space);
    assert_eq!(states.len(), 1 + 2 + 3 + 4);
    // Twice, and the second time in the other order: what was remembered must still be right.
    for &(state, value, packets) in states.iter().chain(states.iter().rev()) {
        let both = vec![value, if value >= 2 { packets } else { -1 }];
        for (ranking, expected) in [vec![value], vec![packets], both].into_iter().enumerate() {
            let mut rank = vec![99];
            space.rank(state, ranking, &mut rank);
            assert_eq!(rank, [vec![99], expected].concat());
        }
    }
    assert_eq!(space.rankings(), ["value", "packets", "packets from two on"]);
}

#[test]
fn an_assertion_may_read_the_network_in_some_states_only() {
    let scenario = pair(sender())
        .assert_always("value", |world| world.node(NodeId(0)).value != 1)
        .assert_always("at most one packet from two on", |world| {
            world.node(NodeId(0)).value < 2 || world.packets().len() <= 1
        });
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let states = all_states(&mut space);
    for &(state, value, packets) in states.iter().chain(states.iter().rev()) {
        let expected = u64::from(value == 1) | u64::from(value >= 2 && packets > 1) << 1;
        assert_eq!(space.verdict(state).0, expected, "{value} {packets}");
    }
}

#[test]
fn timers_are_a_set() {
    let script = Script {
        start: |_, fx| {
            for timer in [3, 1, 3, 2] {
                fx.set_timer(timer, Duration::from_secs(1));
            }
            fx.cancel_timer(&2);
            fx.cancel_timer(&9);
            0
        },
        handle: |_, state, input, _| {
            if let Input::Timer(timer) = input {
                state.value = timer;
            }
        },
        ..Script::default()
    };
    let scenario = alone(script).assert_always("in order", |world| {
        let timers = world.timers(NodeId(0));
        timers.is_sorted() && timers.len() <= 2
    });
    let steps = steps_from_start(&scenario);
    let sentences: Vec<_> = steps.iter().map(|(text, _)| text.sentence.as_str()).collect();
    assert_eq!(sentences, ["timer 1 fires at n0", "timer 3 fires at n0"]);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    assert!(found.findings.is_empty());
    assert_eq!(found.states_per_depth(), [1, 2, 2]);
}

#[test]
fn many_different_packets_are_kept_apart() {
    // One packet at a time travels to and fro, each with a number of its own.
    const LAST: u32 = 20_000;
    let script = Script {
        start: |me, fx| {
            if me == NodeId(0) {
                fx.send(NodeId(1), 0);
            }
            0
        },
        handle: |me, state, input, fx| {
            let Input::Message(number) = input else { return };
            state.value = number;
            if number < LAST {
                fx.send(NodeId(1 - me.0), number + 1);
            }
        },
        ..Script::default()
    };
    let scenario = pair(script).assert_always("the next number is in flight", |world| {
        let last = world.nodes().map(|(_, state)| state.value).max();
        world.packets().all(|packet| *packet.message == 0 || Some(*packet.message - 1) == last)
    });
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    assert!(found.findings.is_empty());
    assert_eq!(found.states_per_depth(), vec![1; LAST as usize + 2]);
}
