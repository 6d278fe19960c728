//! Observers in both engines: the same worlds, by whatever search.

use everypath_explore::{Described, Judged, Options, Stop, Strategy, Trace, explore, replay};
use everypath_model::{
    Budget, Event, Never, Node, NodeId, Protocol, Scenario, Start, Topology, data,
    history::{Queue, QueueAnswer, QueueOperation},
};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_plain::{PlainOptions, PlainSpace};

/// The node with the larger number wins.
struct Largest;

impl Protocol for Largest {
    type State = u32;
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.broadcast(node.id.0);
        node.id.0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, heard: &u32) {
        if heard > node.state {
            *node.state = *heard;
            node.broadcast(*heard);
        }
    }
}

/// The nodes that have changed, the last ones first; at most three.
#[data]
struct Changed(Vec<NodeId>);

fn observed() -> Scenario<Largest> {
    Scenario::new(Largest, Topology::ring(3))
        .loss(Budget::AtMost(1))
        .duplication(Budget::AtMost(1))
        .reboot(Budget::AtMost(1))
        .observer("changed", Changed(Vec::new()), |changed, step| {
            let node = step.event.node();
            if step.before.node(node) != step.after.node(node) {
                changed.0.insert(0, node);
                changed.0.truncate(3);
            }
        })
        .assert_always("no node changes three times in a row", |world| {
            let changed = &world.memory::<Changed>().0;
            changed.len() < 3 || changed.iter().any(|node| *node != changed[0])
        })
        .assert_step("only a reboot forgets", |step| {
            let forgets = step.after.nodes().any(|(node, state)| state < step.before.node(node));
            !forgets || matches!(step.event, Event::Reboot { .. })
        })
}

#[test]
fn both_engines_remember_the_same() {
    let scenario = observed();
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst] {
        let options = Options::default().strategy(strategy.clone()).max_depth(6).stop(Stop::Never);
        let mut usual = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
        let mut plain = PlainSpace::new(&scenario, None, PlainOptions::default()).unwrap();
        let one = explore(&mut usual, &options, &mut ()).unwrap();
        let other = explore(&mut plain, &options, &mut ()).unwrap();
        assert_eq!(one.counts.events, other.counts.events);
        assert_eq!(one.counts.unsafe_events, other.counts.unsafe_events);
        assert_eq!(one.states_per_depth(), other.states_per_depth());
        assert!(one.states_visited > 1000, "{}", one.states_visited);
        // What one engine finds is a run of the other, state by state with what is remembered.
        let trace = &one.finding().expect("a node changes three times in a row").trace;
        let length = other.finding().map(|finding| finding.trace.steps.len());
        assert!(strategy != Strategy::BreadthFirst || length == Some(trace.steps.len()));
        let recorded: Vec<_> = trace
            .transitions()
            .map(|(before, step)| (usual.event_text(before, step.event), usual.digest(step.state)))
            .collect();
        let recorded = recorded.iter().map(|(text, digest)| (text, *digest));
        let replayed = replay(&mut plain, usual.digest(trace.initial), recorded);
        let last = replayed.expect("it can be replayed").steps.last().expect("it has steps").state;
        assert!(!plain.verdict(last).is_safe());
    }
}

/// A node that changes puts its number into a queue, and node 0 takes what it hears out of it.
fn recorded() -> Scenario<Largest> {
    Scenario::new(Largest, Topology::ring(3))
        .loss(Budget::AtMost(1))
        .duplication(Budget::AtMost(1))
        .reboot(Budget::AtMost(1))
        .history("queue", Queue::default(), |record, step| {
            let node = step.event.node();
            if step.before.node(node) == step.after.node(node) {
                return;
            }
            match step.event {
                Event::Deliver { packet, .. } if node == NodeId(0) => {
                    record.give_up(node);
                    record.invoke(node, QueueOperation::Dequeue);
                    record.answer(node, QueueAnswer::Value(packet.from));
                }
                Event::Reboot { .. } => record.give_up(node),
                _ => {
                    record.give_up(node);
                    record.invoke(node, QueueOperation::Enqueue(node));
                }
            }
        })
        .assert_linearizable("a queue")
        .assert_sequentially_consistent("a queue for each order")
        .assert_read_your_writes("a queue for each node")
        .assert_monotonic_reads("a queue of one's own")
}

#[test]
fn both_engines_judge_and_tell_histories_alike() {
    let scenario = recorded();
    let options = Options::default().max_depth(5).stop(Stop::Never);
    let mut usual = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let mut plain = PlainSpace::new(&scenario, None, PlainOptions::default()).unwrap();
    let one = explore(&mut usual, &options, &mut ()).unwrap();
    let other = explore(&mut plain, &options, &mut ()).unwrap();
    assert_eq!(one.counts.violations, other.counts.violations);
    assert_eq!(one.states_per_depth(), other.states_per_depth());
    assert!(one.states_visited > 1000, "{}", one.states_visited);
    let trace = &one.finding().expect("what is taken out was not put in").trace;
    let recorded = trace
        .transitions()
        .map(|(before, step)| (usual.event_text(before, step.event), usual.digest(step.state)));
    let recorded: Vec<_> = recorded.collect();
    let steps = recorded.iter().map(|(text, digest)| (text, *digest));
    let replayed: Trace =
        replay(&mut plain, usual.digest(trace.initial), steps).expect("it can be replayed");
    let told = usual.histories(trace);
    assert_eq!(told, plain.histories(&replayed));
    assert!(!told[0].reasons.is_empty());
}
