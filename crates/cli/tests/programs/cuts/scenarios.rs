//! Small scenarios that can be cut, and that give starts.

use std::time::Duration;

use everypath_cli::{Entry, scenario};
use everypath_model::{
    Budget, NetworkKind, Never, Node, NodeId, Numbered, Parameters, Protocol, Scenario, Start,
    Topology, WorldSnapshot, data,
};

pub fn all() -> Vec<Box<dyn Entry>> {
    vec![scenario("rounds", rounds), scenario("odd-starts", odd_starts), scenario("leader", leader)]
}

/// The colour of nobody at the start, and what it turns into.
const GREY: u32 = 6;
const BLACK: u32 = 7;
/// The last round.
const LAST: u32 = 4;

/// Two players who send the number of the round back and forth. The first chooses a colour, and a grey player turns
/// black.
struct Rounds;

/// The round, and the colour.
type Player = (u32, u32);

impl Protocol for Rounds {
    type State = Player;
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> Player {
        if node.id != NodeId(0) {
            return (0, 0);
        }
        node.send(NodeId(1), 1);
        (0, node.choose(2))
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, round: &u32) {
        let (_, colour) = *node.state;
        *node.state = (*round, if colour == GREY { BLACK } else { colour });
        if *round < LAST {
            node.send(from, round + 1);
        }
    }
}

/// The world in which the second round begins, if the first player has this colour.
fn second_round(colour: u32) -> WorldSnapshot<Rounds> {
    WorldSnapshot::at_rest(&Topology::chain(2), [(0, colour), (1, 0)]).with_packet(
        NodeId(1),
        NodeId(0),
        2,
    )
}

fn rounds(parameters: &mut Parameters) -> Scenario<Rounds> {
    let bad = parameters.number("bad", 9, 0..=9, "the colour that must not reach the last round");
    Scenario::new(Rounds, Topology::chain(2))
        .loss(Budget::AtMost(1))
        .duplication(Budget::AtMost(1))
        .assert_always("no player is black", |world| {
            world.nodes().all(|(_, &(_, colour))| colour != BLACK)
        })
        .assert_always("no player of the bad colour gets far", move |world| {
            world.nodes().all(|(_, &(round, colour))| round + 2 < LAST || colour != bad)
        })
        .cut(
            "the second round",
            |world| world.packets().any(|packet| *packet.message == 2),
            |world| format!("colour {}", world.node(NodeId(0)).1),
        )
        .cut("the tenth round", |world| world.node(NodeId(0)).0 == 10, |_| "all")
        .starts("second rounds", || {
            [
                ("both", vec![second_round(0), second_round(1)]),
                ("one", vec![second_round(1)]),
                ("one again", vec![second_round(1)]),
                ("grey", vec![second_round(GREY)]),
                ("grey or not", vec![second_round(GREY), second_round(0)]),
            ]
        })
}

/// Starts that are not worlds of the protocol.
fn odd_starts(_: &mut Parameters) -> Scenario<Rounds> {
    let world = |nodes: usize| {
        let states: Vec<Player> = (0..nodes).map(|_| (0, 0)).collect();
        WorldSnapshot::<Rounds>::at_rest(&Topology::chain(2), states)
    };
    let wide = || WorldSnapshot::<Rounds>::at_rest(&Topology::chain(3), [(0, 0), (0, 0)]);
    Scenario::new(Rounds, Topology::chain(2))
        .starts("few", move || [("a", vec![world(2), world(1)])])
        .starts("wide", move || [("a", [wide()])])
        .starts("stray", move || [("a", [world(2).with_packet(NodeId(0), NodeId(5), 1)])])
        .starts("self", move || [("a", [world(2).with_packet(NodeId(1), NodeId(1), 1)])])
        .starts("twins", move || [("a", [world(2)]), ("a", [world(2)])])
        .starts("hollow", move || [("a", Vec::new())])
        .starts("none", Vec::<(String, Vec<WorldSnapshot<Rounds>>)>::new)
        .starts("panicking", || -> [(&'static str, Vec<WorldSnapshot<Rounds>>); 1] {
            panic!("no idea")
        })
}

/// The first node counts for ever, and the other follows. Only the order of numbers matters.
struct Leader;

#[data]
#[derive(Copy)]
struct Number(u32);

/// The number of a node, and whether it is lost, which never happens.
type Counter = (Number, bool);

impl Numbered for Number {
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        visit(&mut self.0);
    }
}

impl Protocol for Leader {
    type State = Counter;
    type Message = Number;
    type Timer = ();
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> Counter {
        if node.id == NodeId(0) {
            node.set_timer((), Duration::from_secs(1));
        }
        (Number(0), false)
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, number: &Number) {
        node.state.0 = node.state.0.max(*number);
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &()) {
        node.state.0.0 += 1;
        node.send(NodeId(1), node.state.0);
        node.set_timer((), Duration::from_secs(1));
    }
}

fn leader(_: &mut Parameters) -> Scenario<Leader> {
    let start = |leads: u32, follows: u32, lost: bool| {
        let nodes = [(Number(leads), false), (Number(follows), lost)];
        [WorldSnapshot::at_rest(&Topology::chain(2), nodes).with_timer(NodeId(0), ())]
    };
    Scenario::new(Leader, Topology::chain(2))
        .network(NetworkKind::inbox(1))
        .numbers_by_rank()
        .assert_always("no node is lost", |world| world.nodes().all(|(_, (_, lost))| !lost))
        .assert_reachable("the other follows", |world| world.node(NodeId(1)).0.0 > 0)
        .cut("the other follows", |world| world.node(NodeId(1)).0.0 > 0, |_| "all")
        .starts("moments", move || {
            [
                ("7 and 5", start(7, 5, false)),
                ("9 and 3", start(9, 3, false)),
                ("lost", start(8, 1, true)),
            ]
        })
}
