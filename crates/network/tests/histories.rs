//! Histories in explorations: verdicts, runs in words, and what they need of relations and reductions.

use everypath_explore::{Described, HistoryText, Options, Stop, explore};
use everypath_model::{
    Budget, Event, Never, Node, NodeId, Protocol, Scenario, ScenarioError, Start, Topology, World,
    data,
    history::{Register, RegisterAnswer, RegisterOperation},
    panics,
};
use everypath_network::{NetworkSpace, Reductions, SpaceOptions};

/// Node 0 holds a value. Each of the others writes its number and reads, with at most one operation at a time.
struct Server {
    /// The error: to answer a read without asking the server.
    guesses: bool,
}

const SERVER: NodeId = NodeId(0);

#[data]
struct State {
    value: u32,
    done: u32,
    waits: bool,
}

#[data]
enum Message {
    Write(u32),
    Written,
    Read,
    Value(u32),
}

impl Protocol for Server {
    type State = State;
    type Message = Message;
    type Timer = Never;
    type Command = ();

    fn start(&self, _: &mut Start<'_, Self>) -> State {
        State { value: 0, done: 0, waits: false }
    }

    fn commands(&self, me: NodeId, state: &State) -> Vec<()> {
        if me != SERVER && !state.waits && state.done < 2 { vec![()] } else { Vec::new() }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, (): &()) {
        if node.state.done == 1 && self.guesses {
            node.state.done = 2;
            return;
        }
        node.state.waits = true;
        let me = node.id.0;
        node.send(SERVER, if node.state.done == 0 { Message::Write(me) } else { Message::Read });
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match message {
            Message::Write(value) => {
                node.state.value = *value;
                node.send(from, Message::Written);
            }
            Message::Read => node.send(from, Message::Value(node.state.value)),
            Message::Written | Message::Value(_) if node.state.waits => {
                node.state.waits = false;
                node.state.done += 1;
            }
            Message::Written | Message::Value(_) => {}
        }
    }
}

fn scenario(guesses: bool) -> Scenario<Server> {
    Scenario::new(Server { guesses }, Topology::star(3))
        .loss(Budget::AtMost(1))
        .duplication(Budget::AtMost(1))
        .obsolete(|state, packet| {
            let is_answer = matches!(packet.message, Message::Written | Message::Value(_));
            is_answer && state.done == 2
        })
        .history("register", Register(0), |record, step| {
            let node = step.event.node();
            let (before, after) = (step.before.node(node), step.after.node(node));
            match step.event {
                Event::Command { .. } if before.done == 0 => {
                    record.invoke(node, RegisterOperation::Write(node.0));
                }
                Event::Command { .. } => {
                    record.invoke(node, RegisterOperation::Read);
                    if after.done == 2 {
                        record.answer(node, RegisterAnswer::Value(node.0));
                    }
                }
                Event::Deliver { packet, .. } if before.waits && !after.waits => {
                    record.answer(
                        node,
                        match *packet.message {
                            Message::Value(value) => RegisterAnswer::Value(value),
                            _ => RegisterAnswer::Written,
                        },
                    );
                }
                _ => {}
            }
        })
        .assert_linearizable("like one register")
}

fn options(reductions: Reductions) -> SpaceOptions {
    SpaceOptions::default().reductions(reductions)
}

#[test]
fn a_server_is_linearizable_unless_clients_guess() {
    let (right, wrong) = (scenario(false), scenario(true));
    let mut space = NetworkSpace::new(&right, SpaceOptions::default()).unwrap();
    let mut found = explore(&mut space, &Options::default().stop(Stop::Never), &mut ()).unwrap();
    // A duplicate of a write overwrites what was written since: also an operation takes effect twice.
    assert!(found.finding().is_some());
    let once = scenario(false).duplication(Budget::Off);
    let mut space = NetworkSpace::new(&once, SpaceOptions::default()).unwrap();
    found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    assert!(found.finding().is_none() && found.saw_everything());
    let mut space = NetworkSpace::new(&wrong, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    // n1 has written and guesses, while n2 has written later: two round trips and a command.
    assert_eq!(found.finding().unwrap().trace.steps.len(), 7);
}

#[test]
fn a_run_is_told_as_a_history() {
    let wrong = scenario(true);
    let mut space = NetworkSpace::new(&wrong, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    let run = found.finding().unwrap().trace.transitions();
    let run: Vec<_> = run.map(|(before, step)| (before, step.event, step.state)).collect();
    let told = space.histories(&run);
    let [HistoryText { name, operations, reasons }] = told.as_slice() else {
        panic!("there is one history: {told:?}")
    };
    assert_eq!(name, "register");
    assert_eq!(operations.len(), 3);
    let last = operations.last().unwrap();
    assert_eq!((last.operation.as_str(), last.invoked), ("Read", 7));
    let reason = "like one register: no order of the operations explains the answer Value(";
    assert!(reasons[0].starts_with(reason), "{reasons:?}");
    assert!(reasons[0].contains(" in step 7; before it, this order does: n"), "{reasons:?}");
}

#[test]
fn obsolete_packets_are_dropped_and_nothing_is_missed() {
    let reduced = Reductions::NONE.obsolete(true);
    for guesses in [false, true] {
        let scenario = scenario(guesses);
        let all = Options::default().stop(Stop::Never);
        let mut plain = NetworkSpace::new(&scenario, options(Reductions::NONE)).unwrap();
        let mut space = NetworkSpace::new(&scenario, options(reduced)).unwrap();
        let (one, other) = (
            explore(&mut plain, &all, &mut ()).unwrap(),
            explore(&mut space, &all, &mut ()).unwrap(),
        );
        let length = |found: &everypath_explore::Exploration| {
            found.finding().map(|finding| finding.trace.steps.len())
        };
        assert_eq!(length(&one), length(&other));
        assert!(other.states_visited < one.states_visited);
    }
}

/// Node 0 sends a packet to each of the others. The first of them panics; to the other one packets are obsolete.
struct Panics;

impl Protocol for Panics {
    type State = u32;
    type Message = ();
    type Timer = Never;
    type Command = ();

    fn start(&self, start: &mut Start<'_, Self>) -> u32 {
        start.id.0
    }

    fn commands(&self, me: NodeId, _: &u32) -> Vec<()> {
        if me == SERVER { vec![()] } else { Vec::new() }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, (): &()) {
        node.send(NodeId(1), ());
        node.send(NodeId(2), ());
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, (): &()) {
        assert_ne!(node.id, NodeId(1), "it panics");
    }
}

#[test]
fn recorders_are_not_asked_about_a_node_that_has_failed() {
    let scenario = Scenario::new(Panics, Topology::full_mesh(3))
        .obsolete(|state, _| *state == 2)
        .history("register", Register(0), |_, step| {
            assert!(step.after.nodes().all(|(node, state)| *state == node.0));
        })
        .assert_linearizable("like one register");
    let mut space = NetworkSpace::new(&scenario, options(Reductions::NONE.obsolete(true))).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    let run = &found.finding().unwrap().trace;
    assert_eq!(space.unreduced(run).unwrap().steps.len(), 2);
}

/// A relation that cannot read what is remembered does not identify states that differ there.
#[test]
fn relations_compare_what_is_remembered() {
    fn states(world: &World<'_, Server>) -> (Vec<State>, Vec<(NodeId, Message)>) {
        let packets = world.packets().map(|it| (it.from.max(it.to), it.message.clone()));
        let mut packets: Vec<_> = packets.collect();
        packets.sort();
        (world.nodes().map(|(_, state)| state.clone()).collect(), packets)
    }
    let bare = || Scenario::new(Server { guesses: false }, Topology::star(3));
    let recorded = scenario(false).loss(Budget::Off).duplication(Budget::Off);
    let recorded = recorded.relation("nodes and packets", states, |_, _| true);
    let visited = |scenario: &Scenario<Server>, relation: Option<usize>| {
        let mut space = NetworkSpace::new(scenario, SpaceOptions::default()).unwrap();
        let options = Options::default().relation(relation);
        explore(&mut space, &options, &mut ()).unwrap().states_visited
    };
    let own = 1;
    assert_eq!(visited(&recorded, Some(own)), visited(&recorded, None));
    assert!(visited(&bare(), None) < visited(&recorded, None));
}

/// The message of the panic by which a check of a scenario ends.
fn panic_of(scenario: &Scenario<Server>) -> String {
    let search = || {
        let mut space = NetworkSpace::new(scenario, SpaceOptions::default()).unwrap();
        explore(&mut space, &Options::default(), &mut ()).map(|found| found.counts.events)
    };
    panics::catch(search).expect_err("something is recorded that cannot be").to_string()
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    let bare = || Scenario::new(Server { guesses: false }, Topology::star(2));
    let answered = bare()
        .history("register", Register(0), |record, step| {
            if let Event::Command { node, .. } = step.event {
                record.answer(*node, RegisterAnswer::Written);
            }
        })
        .assert_linearizable("answers");
    let text = panic_of(&answered);
    assert!(
        text.contains("history `register`: n1 is answered Written, but asks for nothing"),
        "{text}"
    );
    assert!(text.contains("tests/histories.rs"), "{text}");
    let twice = bare()
        .history("register", Register(0), |record, step| {
            if let Event::Command { node, .. } = step.event {
                record.invoke(*node, RegisterOperation::Read);
            }
        })
        .assert_read_your_writes("asks twice");
    let text = panic_of(&twice);
    assert!(text.contains("n1 asks for Read while it waits for an answer"), "{text}");
    let idle = bare()
        .loss(Budget::AtMost(1))
        .history("register", Register(0), |record, step| {
            if let Event::Lose { packet } = step.event {
                record.invoke(packet.from, RegisterOperation::Read);
            }
        })
        .assert_monotonic_reads("losses");
    let text = panic_of(&idle);
    assert!(
        text.contains("in a step that changes no node: a packet arrives without effect, is lost"),
        "{text}"
    );
}

#[test]
fn histories_and_their_assertions_belong_together() {
    let bare = || Scenario::new(Server { guesses: false }, Topology::star(2));
    let alone = bare().assert_linearizable("alone");
    assert_eq!(alone.validate(), Err(ScenarioError::NoHistory("alone".to_owned())));
    let unasked = bare().history("register", Register(0), |_, _| {});
    assert_eq!(unasked.validate(), Err(ScenarioError::NothingAsserted("register".to_owned())));
    let twice = bare()
        .history("register", Register(0), |_, _| {})
        .assert_linearizable("one")
        .history("register", Register(1), |_, _| {})
        .assert_linearizable("other");
    let same = ScenarioError::SameName { what: "histories", name: "register".to_owned() };
    assert_eq!(twice.validate(), Err(same));
}
