//! The class of medium access: its assertion and rankings, on worlds that are written down.

use everypath_model::{
    Never, Node, NodeId, Protocol, Rank, Scenario, Start, Topology, WorldSnapshot,
    medium::{Access, MediumAccess},
};

/// Nodes that send, and messages that say what they are about.
#[derive(Clone)]
struct Stations;

impl Protocol for Stations {
    type State = bool;
    type Message = Option<bool>;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) -> bool {
        false
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Option<bool>) {}
}

impl MediumAccess for Stations {
    fn may_send(&self, _: NodeId, sends: &bool) -> bool {
        *sends
    }

    fn access(&self, message: &Option<bool>) -> Option<Access> {
        message.map(|is_right| if is_right { Access::Right } else { Access::Request })
    }
}

const RIGHT: Option<bool> = Some(true);
const REQUEST: Option<bool> = Some(false);

fn world(states: [bool; 3], messages: &[Option<bool>]) -> WorldSnapshot<Stations> {
    let start = WorldSnapshot::at_rest(&Topology::ring(3), states);
    messages.iter().fold(start, |world, message| world.with_packet(NodeId(0), NodeId(1), *message))
}

fn scenario() -> Scenario<Stations> {
    Scenario::new(Stations, Topology::ring(3)).assert_exclusive("one sends").medium_rankings()
}

#[test]
fn at_most_one_node_may_send() {
    let holds = |states| (scenario().assertions[0].holds)(&world(states, &[RIGHT]).world());
    assert!(holds([false; 3]) && holds([false, true, false]));
    assert!(!holds([true, false, true]));
}

#[test]
fn rankings_count_rights_and_requests() {
    let ranks = |world: &WorldSnapshot<Stations>| {
        let scenario = scenario();
        [0, 1].map(|at| (scenario.rankings[at].rank)(&world.world()))
    };
    let busy = world([true, false, false], &[RIGHT, REQUEST, None, REQUEST, RIGHT]);
    assert_eq!(ranks(&busy), [Rank(vec![3, 1, 2]), Rank(vec![2, 3, 1])]);
    let idle = world([false; 3], &[None]);
    assert_eq!(ranks(&idle), [Rank(vec![0, 0, 0]), Rank(vec![0, 0, 0])]);
}
