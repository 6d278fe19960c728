//! The class of reliable transports: its assertion and rankings, on worlds that are written down.

use everypath_model::{
    Never, Node, NodeId, Packet, Protocol, Rank, Scenario, Start, Topology, World, WorldView,
    transport::{Carried, Sent, Transport},
};

/// Nodes know how many items each connection has accepted, confirmed and delivered at their end.
#[derive(Clone)]
struct Ledger;

/// Accepted and acknowledged by connection, and delivered by connection.
type Entries = (Vec<(u8, u64, u64)>, Vec<(u8, u64)>);

impl Protocol for Ledger {
    type State = Entries;
    type Message = Option<(u8, bool)>;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) -> Entries {
        Entries::default()
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Option<(u8, bool)>) {}
}

impl Transport for Ledger {
    type Connection = u8;

    fn sending(&self, _: NodeId, (sent, _): &Entries) -> impl Iterator<Item = (u8, Sent)> {
        sent.iter().map(|&(name, accepted, acknowledged)| (name, Sent { accepted, acknowledged }))
    }

    fn delivered(&self, _: NodeId, (_, delivered): &Entries) -> impl Iterator<Item = (u8, u64)> {
        delivered.iter().copied()
    }

    fn carries(&self, message: &Option<(u8, bool)>) -> Option<(u8, Carried)> {
        let carried = |item| if item { Carried::Item } else { Carried::Acknowledgement };
        message.map(|(name, item)| (name, carried(item)))
    }
}

struct Written {
    topology: Topology,
    entries: [Entries; 2],
    packets: Vec<Option<(u8, bool)>>,
}

impl WorldView<Ledger> for Written {
    fn topology(&self) -> &Topology {
        &self.topology
    }

    fn state(&self, node: NodeId) -> &Entries {
        &self.entries[node.index()]
    }

    fn timers(&self, _: NodeId) -> &[Never] {
        &[]
    }

    fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        self.topology.are_neighbours(a, b)
    }

    fn packet_count(&self) -> usize {
        self.packets.len()
    }

    fn first_packet(&self) -> u64 {
        0
    }

    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, Ledger>> {
        let message = self.packets.get(*place as usize)?;
        *place += 1;
        Some(Packet { from: NodeId(0), to: NodeId(1), message })
    }
}

/// Connection `a` goes from node 0 to node 1, and `b` back.
const A: u8 = b'a';
const B: u8 = b'b';

fn written(a: [u64; 3], b: [u64; 3], packets: &[Option<(u8, bool)>]) -> Written {
    let entries =
        [(vec![(A, a[0], a[1])], vec![(B, b[2])]), (vec![(B, b[0], b[1])], vec![(A, a[2])])];
    Written { topology: Topology::chain(2), entries, packets: packets.to_vec() }
}

fn scenario() -> Scenario<Ledger> {
    Scenario::new(Ledger, Topology::chain(2)).assert_reliable("reliable").transport_rankings()
}

#[test]
fn what_is_acknowledged_was_delivered_on_each_connection() {
    let holds = |a, b| (scenario().assertions[0].holds)(&World::new(&written(a, b, &[])));
    assert!(holds([0, 0, 0], [0, 0, 0]));
    assert!(holds([5, 3, 3], [2, 0, 2]));
    assert!(!holds([5, 4, 3], [2, 0, 2]), "the fourth was never delivered");
    assert!(!holds([5, 3, 3], [2, 0, 3]), "the third was never accepted");
    // What one connection has delivered too much does not make up for the other.
    assert!(!holds([5, 4, 3], [2, 1, 3]));
}

#[test]
fn rankings_count_what_is_ahead_and_in_flight() {
    let ranks = |world: &Written| {
        let scenario = scenario();
        let names: Vec<_> = scenario.rankings.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["transport", "transport-packets"]);
        [0, 1].map(|at| (scenario.rankings[at].rank)(&World::new(world)))
    };
    let packets = [Some((A, true)), Some((A, false)), None, Some((B, false)), Some((B, false))];
    let world = written([5, 3, 3], [7, 6, 6], &packets);
    assert_eq!(ranks(&world), [Rank(vec![3, 3, 1]), Rank(vec![3, 3, 1])]);
    let world = written([9, 3, 3], [7, 6, 6], &packets[..2]);
    assert_eq!(ranks(&world), [Rank(vec![7, 1, 1]), Rank(vec![1, 7, 1])]);
}
