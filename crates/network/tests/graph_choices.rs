//! A graph of a run in which a handler could choose is used for one in which it may not.

use everypath_explore::{Exploration, Options, Stop, explore};
use everypath_model::{Never, Node, NodeId, Protocol, Scenario, Start, Topology, data};
use everypath_network::{Changes, NetworkSpace, SpaceOptions};

/// A node that is told to choose: on one branch it goes on, on the other it panics.
struct Chooser;

#[data]
struct Go;

impl Protocol for Chooser {
    type State = u32;
    type Message = Never;
    type Timer = Never;
    type Command = Go;

    fn start(&self, _: &mut Start<'_, Self>) -> u32 {
        0
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, message: &Never) {
        match *message {}
    }

    fn on_command(&self, node: &mut Node<'_, Self>, _: &Go) {
        assert_eq!(node.choose(2), 0, "the other branch");
        *node.state += 1;
    }

    fn commands(&self, _: NodeId, state: &u32) -> Vec<Go> {
        if *state < 3 { vec![Go] } else { Vec::new() }
    }
}

/// What is found while some events are disabled, with a graph of an earlier run, and the graph of this one.
fn explored(disabled: &[&str], graph: Option<&[u8]>) -> (Exploration, Vec<u8>) {
    let scenario = Scenario::new(Chooser, Topology::unlinked(1));
    let disabled = disabled.iter().map(|pattern| pattern.parse().unwrap()).collect();
    let options = SpaceOptions::default().disabled(disabled);
    let mut space = NetworkSpace::new(&scenario, options).unwrap();
    match graph {
        Some(graph) => space.read_graph(graph, Changes::FOUND).unwrap(),
        None => space.record_graph(),
    }
    let options = Options::default().stop(Stop::Never);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let mut written = Vec::new();
    match graph {
        Some(_) => assert_eq!(space.graph().unwrap().contradiction(), None),
        None => {
            space.finish_graph();
            space.write_graph(&mut written).unwrap();
        }
    }
    (found, written)
}

#[test]
fn a_choice_that_is_disabled_is_not_taken_from_a_graph_if_the_other_one_panics() {
    for before in [&[][..], &[":[1]"]] {
        let (_, graph) = explored(before, None);
        let disabled = [before, &[":[0]"]].concat();
        let (expected, _) = explored(&disabled, None);
        let (found, _) = explored(&disabled, Some(&graph));
        assert_eq!(found.counts, expected.counts, "{disabled:?}");
        assert_eq!(found.states_visited, 1, "{disabled:?}");
    }
}
