//! What grows in a search that a limit ends: named if it does, and never if it does not.

extern crate everypath_model as everypath;

use std::{panic::catch_unwind, time::Duration};

use everypath_explore::{Limits, Options, Strategy, explore};
use everypath_model::{
    Budget, Event, NetworkKind, Never, Node, NodeId, Parameters, Protocol, Scenario, Start,
    Topology, data,
};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_plain::{PlainOptions, PlainSpace};
use everypath_report::{Growth, Quantity, Tool};
use everypath_testing::check;

/// A node with one timer that fires again and again; what it does then is the one thing that grows.
#[derive(Clone, Copy)]
enum Endless {
    /// It sends the same packet again, and there is no answer.
    Resend,
    /// It counts, and tells the number.
    Count,
    /// It writes into a log.
    Log,
    /// It counts round and round.
    Round(u8),
}

#[data]
#[derive(Default)]
struct State {
    next_id: u32,
    log: Vec<bool>,
}

#[data]
enum Message {
    Data { id: u32 },
    Hello,
}

#[data]
struct Again;

impl Protocol for Endless {
    type State = State;
    type Message = Message;
    type Timer = Again;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        if node.id == NodeId(0) || matches!(self, Self::Round(_)) {
            node.set_timer(Again, Duration::from_secs(1));
        }
        if node.id == NodeId(0) {
            node.broadcast(Message::Hello);
        }
        State::default()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &Message) {
        if let Message::Data { id } = message {
            node.state.next_id = *id;
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Again) {
        node.set_timer(Again, Duration::from_secs(1));
        match self {
            Self::Resend => node.broadcast(Message::Data { id: 0 }),
            Self::Count => node.state.next_id += 1,
            Self::Log => {
                let odd = node.state.log.len() % 2 == 1;
                node.state.log.push(odd);
            }
            Self::Round(most) => {
                node.state.next_id = (node.state.next_id + 1) % u32::from(*most);
            }
        }
    }
}

fn resend(parameters: &mut Parameters) -> Scenario<Endless> {
    let network = parameters.network("network", NetworkKind::Unordered, "the order of delivery");
    Scenario::new(Endless::Resend, Topology::chain(2)).network(network).assert_always("fine", fine)
}

fn count(_: &mut Parameters) -> Scenario<Endless> {
    Scenario::new(Endless::Count, Topology::chain(2)).assert_always("fine", fine)
}

fn log(_: &mut Parameters) -> Scenario<Endless> {
    Scenario::new(Endless::Log, Topology::chain(2)).assert_always("fine", fine)
}

/// Eight nodes count round and round, which has 4^8 states and twice as many until the packets have arrived.
fn round(_: &mut Parameters) -> Scenario<Endless> {
    Scenario::new(Endless::Round(4), Topology::chain(8)).assert_always("fine", fine)
}

fn fine(world: &everypath_model::World<'_, Endless>) -> bool {
    world.nodes().count() > 0
}

/// The message of a check that a limit of this many states ends.
fn inconclusive(
    scenario: impl Fn(&mut Parameters) -> Scenario<Endless> + std::panic::UnwindSafe + 'static,
    states: u64,
) -> String {
    let failed = catch_unwind(|| check(scenario).max_states(states).assert_holds());
    *failed.expect_err("a limit ends it").downcast::<String>().expect("the message is a text")
}

#[test]
fn packets_that_pile_up_are_named_with_remedies() {
    let text = inconclusive(resend, 100);
    for part in [
        "resend: INCONCLUSIVE: 101 states were visited when `max_states` ended the check",
        "\nwhat grows, in a sample of ",
        " packets from n0 to n1, most of them `Data`, at depth ",
        ", 1 more every level, by `timer@0:Again`\n",
        "\nwhat can be done:\n  .set(\"network\", \"inbox:4\")\n",
        "\n  .capacity(4)\n",
        "\n  .max_depth(",
    ] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
    // What is advised works.
    check(resend).set("network", "inbox:4").assert_holds();
    let limited = |parameters: &mut Parameters| resend(parameters).capacity(4);
    check(limited).assert_holds();
    let timed = |parameters: &mut Parameters| {
        resend(parameters).timeouts_of("timer@0:Again", Budget::AtMost(2))
    };
    check(timed).assert_holds();
    let depth = text.split(".max_depth(").nth(1).and_then(|rest| rest.split(')').next());
    check(resend).max_depth(depth.unwrap().parse().unwrap()).assert_holds();
}

#[test]
fn numbers_that_grow_have_their_path() {
    let text = inconclusive(count, 60);
    assert!(text.contains("\n  `n0.next_id` is "), "{text}");
    assert!(text.contains(", 1 more every level, by `timer@0:Again`"), "{text}");
    assert!(text.contains("|world| world.node(NodeId(0)).next_id > "), "{text}");
    let budget = ".timeouts_of(\"timer@0:Again\", Budget::AtMost(2))";
    assert!(text.contains(budget), "{text}");
}

#[test]
fn collections_that_grow_have_their_length() {
    let text = inconclusive(log, 60);
    assert!(text.contains("\n  `n0.log` has "), "{text}");
    assert!(text.contains(" elements at depth "), "{text}");
    assert!(text.contains("|world| world.node(NodeId(0)).log.len() > "), "{text}");
}

#[test]
fn what_is_large_and_bounded_does_not_grow() {
    let text = inconclusive(round, 50_000);
    assert!(text.contains("\nnothing was seen to grow with depth, in a sample of "), "{text}");
    assert!(!text.contains("what grows"), "{text}");
}

/// What an observer remembers counts as well.
#[test]
fn memories_that_grow_are_named() {
    let failed = catch_unwind(|| {
        let watched = |parameters: &mut Parameters| {
            let _ = parameters;
            Scenario::new(Endless::Round(2), Topology::chain(2))
                .observer("fired", Vec::<NodeId>::new(), |fired, step| {
                    if let Event::Timer { node, .. } = step.event {
                        fired.push(*node);
                    }
                })
                .assert_always("fine", fine)
        };
        check(watched).max_states(5_000).assert_holds();
    });
    let text = *failed.expect_err("a limit ends it").downcast::<String>().unwrap();
    assert!(text.contains("\n  `fired` has "), "{text}");
}

/// The trends of a search that is stopped after this many states: by both engines, and by several strategies.
fn all_trends<P: Protocol>(scenario: &Scenario<P>, states: u64) -> Vec<(String, Vec<Quantity>)> {
    let strategies = [Strategy::BreadthFirst, Strategy::DepthFirst];
    let mut all = Vec::new();
    for strategy in strategies {
        let limits = Limits::default().states(states);
        let options = Options::default().limits(limits).strategy(strategy);
        let mut usual = NetworkSpace::new(scenario, SpaceOptions::default()).unwrap();
        let found = explore(&mut usual, &options, &mut ()).unwrap();
        let mut of = |name: &str, growth: Option<Growth>| {
            let trends = growth.map(|growth| growth.trends).unwrap_or_default();
            let name = format!("{name} {} after {states}", options.strategy.name());
            all.push((name, trends.into_iter().map(|trend| trend.quantity).collect()));
        };
        of("usual", Growth::of(&found.sample, &usual));
        let mut plain = PlainSpace::new(scenario, None, PlainOptions::default()).unwrap();
        let found = explore(&mut plain, &options, &mut ()).unwrap();
        of("plain", Growth::of(&found.sample, &plain));
    }
    all
}

#[test]
fn both_engines_and_depth_first_search_see_the_same_growth() {
    let id = Quantity::Number { path: "n0.next_id".to_owned() };
    for (name, trends) in all_trends(&count(&mut Parameters::new()), 80) {
        assert_eq!(trends, std::slice::from_ref(&id), "{name}");
    }
    let resends = resend(&mut Parameters::new());
    for (name, trends) in all_trends(&resends, 300) {
        let packets = Quantity::Packets { from: "n0".to_owned(), to: "n1".to_owned() };
        assert_eq!(trends, [packets], "{name}");
    }
}

/// A protocol whose nodes have few states and mailboxes, drawn from a seed.
struct Drawn {
    seed: u32,
    values: u32,
}

impl Drawn {
    fn draw(&self, from: &[u32], below: u32) -> u32 {
        let mixed = from.iter().fold(self.seed, |sum, part| {
            let sum = (sum ^ part).wrapping_mul(0x9e37_79b1);
            sum ^ sum >> 15
        });
        mixed % below
    }
}

impl Protocol for Drawn {
    type State = u32;
    type Message = u32;
    type Timer = u32;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.set_timer(0, Duration::from_secs(1));
        node.broadcast(node.id.0);
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &u32) {
        let input = [1, node.id.0, *node.state, from.0, *message];
        *node.state = self.draw(&input, self.values);
        if self.draw(&[&input[..], &[7]].concat(), 3) == 0 {
            node.broadcast(self.draw(&[&input[..], &[8]].concat(), 3));
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &u32) {
        let input = [2, node.id.0, *node.state, *timer];
        *node.state = self.draw(&input, self.values);
        node.broadcast(self.draw(&[&input[..], &[9]].concat(), 3));
        node.set_timer(self.draw(&[&input[..], &[10]].concat(), 2), Duration::from_secs(1));
    }
}

#[test]
fn random_bounded_protocols_are_never_said_to_grow() {
    let mut looked = 0;
    for seed in 1..=24 {
        let values = [3, 6, 1000][seed as usize % 3];
        let drawn = Drawn { seed, values };
        // A mailbox holds three packets, and each of up to 1,000 values is as near as any other.
        let scenario = Scenario::new(drawn, Topology::chain(2 + seed as usize % 2))
            .network(NetworkKind::inbox(3))
            .loss(Budget::Unlimited);
        for states in [40, 400, 4_000] {
            for (name, trends) in all_trends(&scenario, states) {
                assert_eq!(trends, [], "seed {seed}, {name}");
                looked += 1;
            }
        }
    }
    assert_eq!(looked, 24 * 3 * 4);
}

#[test]
fn a_search_that_ends_by_itself_takes_no_sample() {
    let scenario = resend(&mut Parameters::with([("network", "inbox:2")]));
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    assert!(found.saw_everything() && found.sample.is_empty());
    assert_eq!(Growth::of(&found.sample, &space), None);
    assert_eq!(Tool::Test.max_depth(3), ".max_depth(3)");
}
