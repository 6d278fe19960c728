//! Observers in both engines: the same worlds, by whatever search.

use everypath_explore::{Described, Judged, Options, Stop, Strategy, explore, replay};
use everypath_model::{
    Budget, Event, Never, Node, NodeId, Protocol, Scenario, Start, Topology, data,
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
