//! The class of routing protocols: its assertion and rankings, on worlds that are written down.

use everypath_model::{
    Never, Node, NodeId, Packet, Protocol, Rank, Scenario, Start, Topology, World, WorldView,
    routing::{Hop, Routing},
};

/// Nodes know where to go next, for each of two destinations: nodes 0 and 1.
#[derive(Clone)]
struct Signposts;

type Table = Vec<(NodeId, NodeId)>;

impl Protocol for Signposts {
    type State = Table;
    type Message = Option<NodeId>;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) -> Table {
        Vec::new()
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Option<NodeId>) {}
}

impl Routing for Signposts {
    type Destination = NodeId;

    fn hops(&self, _: NodeId, table: &Table) -> impl Iterator<Item = Hop<NodeId>> {
        table.iter().map(|&(destination, next)| Hop { destination, next })
    }

    fn is_at(&self, node: NodeId, destination: NodeId) -> bool {
        node == destination
    }

    fn establishes(&self, message: &Option<NodeId>) -> impl Iterator<Item = NodeId> {
        message.iter().copied()
    }

    fn groundwork(&self, _: &Table) -> usize {
        2
    }
}

struct Written {
    topology: Topology,
    tables: Vec<Table>,
    packets: Vec<(NodeId, NodeId, Option<NodeId>)>,
}

impl WorldView<Signposts> for Written {
    fn topology(&self) -> &Topology {
        &self.topology
    }

    fn state(&self, node: NodeId) -> &Table {
        &self.tables[node.index()]
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

    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, Signposts>> {
        let (from, to, message) = self.packets.get(*place as usize)?;
        *place += 1;
        Some(Packet { from: *from, to: *to, message })
    }
}

/// A world of so many nodes with hops (node, destination, next) and packets (from, to, destination).
fn written(nodes: usize, hops: &[[u32; 3]], packets: &[(u32, u32, Option<u32>)]) -> Written {
    let mut tables = vec![Vec::new(); nodes];
    for &[node, destination, next] in hops {
        tables[node as usize].push((NodeId(destination), NodeId(next)));
    }
    let packet = |&(from, to, about): &(u32, u32, Option<u32>)| {
        (NodeId(from), NodeId(to), about.map(NodeId))
    };
    let packets = packets.iter().map(packet).collect();
    Written { topology: Topology::full_mesh(nodes), tables, packets }
}

fn scenario() -> Scenario<Signposts> {
    Scenario::new(Signposts, Topology::full_mesh(4))
        .assert_loop_free("no circle", |_| true)
        .assert_loop_free("no circle on the way to node 1", |destination| destination == NodeId(1))
        .routing_rankings(|_| true)
}

fn holds(world: &Written) -> [bool; 2] {
    let scenario = scenario();
    [0, 1].map(|at| (scenario.assertions[at].holds)(&World::new(world)))
}

fn ranks(world: &Written) -> [Rank; 2] {
    let scenario = scenario();
    assert_eq!(
        scenario.rankings.iter().map(|it| &it.name).collect::<Vec<_>>(),
        ["routing", "routing-packets"]
    );
    [0, 1].map(|at| (scenario.rankings[at].rank)(&World::new(world)))
}

#[test]
fn circles_are_seen_on_the_way_to_what_matters() {
    assert_eq!(holds(&written(4, &[[3, 0, 2], [2, 0, 1], [1, 0, 0]], &[])), [true, true]);
    // Two hops to different destinations are no circle.
    assert_eq!(holds(&written(4, &[[3, 0, 2], [2, 1, 3]], &[])), [true, true]);
    assert_eq!(holds(&written(4, &[[3, 0, 2], [2, 0, 3]], &[])), [false, true]);
    assert_eq!(holds(&written(4, &[[3, 1, 2], [2, 1, 0], [0, 1, 3]], &[])), [false, false]);
    // One of several next hops is enough.
    assert_eq!(holds(&written(4, &[[3, 0, 0], [3, 0, 2], [2, 0, 3]], &[])), [false, true]);
}

/// Against all ways that can be followed, on tables drawn at random with the seed that is printed.
#[test]
fn circles_are_where_a_way_has_more_hops_than_there_are_nodes() {
    let mut circles = 0;
    for seed in 1..=300_u32 {
        let mut drawn = seed;
        let mut draw = |below: u32| {
            drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (drawn >> 16) % below
        };
        let mut hops = Vec::new();
        for node in 1..5 {
            for _ in 0..draw(3) {
                hops.push([node, 0, draw(5)]);
            }
        }
        let world = written(5, &hops, &[]);
        let step = |nodes: Vec<u32>| -> Vec<u32> {
            let next = |&at: &u32| hops.iter().filter(move |hop| hop[0] == at).map(|hop| hop[2]);
            let mut all: Vec<u32> = nodes.iter().flat_map(next).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let is_endless = !(0..5).fold(vec![1, 2, 3, 4], |nodes, _| step(nodes)).is_empty();
        assert_eq!(holds(&world)[0], !is_endless, "seed {seed}: {hops:?}");
        circles += u32::from(is_endless);
    }
    assert!((30..270).contains(&circles), "{circles} of 300 have circles");
}

#[test]
fn what_is_near_to_a_circle_comes_first() {
    let way = [[3, 0, 2], [2, 0, 1], [1, 0, 0]];
    let [routing, packets] = ranks(&written(4, &way, &[(1, 2, Some(0)), (1, 3, None)]));
    assert_eq!(routing, Rank(vec![0, 0, 3, 3, 8]));
    assert_eq!(packets, Rank(vec![1, 3, 3, 8]));
    // Node 1 is lost, and node 2 sends through it.
    let [loose, _] = ranks(&written(4, &way[..2], &[]));
    assert_eq!(loose, Rank(vec![0, 1, 2, 2, 8]));
    // A packet by which node 1 could learn of the way of node 3, which leads through node 1; one of
    // another destination; and one to a node that has a hop.
    let flying = [(3, 1, Some(0)), (3, 1, Some(1)), (1, 2, Some(0))];
    let [closing, packets] = ranks(&written(4, &way[..2], &flying));
    assert_eq!(closing, Rank(vec![1, 1, 2, 2, 8]));
    assert_eq!(packets, Rank(vec![3, 2, 2, 8]));
    assert!(closing > loose && loose > routing);
}

#[test]
fn what_does_not_matter_comes_last() {
    let scenario = Scenario::new(Signposts, Topology::full_mesh(4))
        .routing_rankings(|destination| destination == NodeId(1));
    // As above, on the way to node 0; and a hop to node 1.
    let hops = [[3, 0, 2], [2, 0, 1], [3, 1, 1]];
    let world = written(4, &hops, &[(3, 1, Some(0)), (1, 2, Some(1))]);
    let [routing, packets] = [0, 1].map(|at| (scenario.rankings[at].rank)(&World::new(&world)));
    assert_eq!(routing, Rank(vec![0, 0, 1, 3, 8]));
    assert_eq!(packets, Rank(vec![1, 1, 3, 8]));
}
