//! Protocols with mistakes that a protocol designer makes, as a crate of its own.

use everypath::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

struct Bad {
    mistake: Mistake,
}

#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    /// To run out of a list.
    Panics,
    /// To keep something outside the state.
    Remembers,
}

static CALLS: AtomicU32 = AtomicU32::new(0);

impl Protocol for Bad {
    type State = u32;
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        if node.id == NodeId(0) {
            node.broadcast(0);
        }
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, hops: &u32) {
        *node.state = match self.mistake {
            Mistake::Panics => [1, 2, 3][*hops as usize],
            Mistake::Remembers => CALLS.fetch_add(1, Ordering::Relaxed),
        };
        node.send(from, hops + 1);
    }
}

fn scenario(mistake: Mistake) -> Scenario<Bad> {
    Scenario::new(Bad { mistake }, Topology::chain(2)).loss(Budget::AtMost(1)).max_depth(8)
}

fn panics(_: &mut Parameters) -> Scenario<Bad> {
    scenario(Mistake::Panics)
}

fn remembers(_: &mut Parameters) -> Scenario<Bad> {
    scenario(Mistake::Remembers)
}

fn falls_over(parameters: &mut Parameters) -> Scenario<Bad> {
    let nodes = parameters.number("nodes", 0, 0..=4, "how many nodes there are");
    Scenario::new(Bad { mistake: Mistake::Panics }, Topology::chain(nodes))
}

/// A protocol whose messages carry something that does not count.
struct Ignoring;

#[data]
struct Hello {
    hops: Ignored<u32>,
}

impl Protocol for Ignoring {
    type State = u32;
    type Message = Hello;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.broadcast(Hello { hops: Ignored(0) });
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, hello: &Hello) {
        *node.state += 1;
        node.send(from, Hello { hops: Ignored(*hello.hops + 1) });
    }
}

fn ignores(_: &mut Parameters) -> Scenario<Ignoring> {
    Scenario::new(Ignoring, Topology::chain(3))
        .assert_always("nobody hears four", |world| world.nodes().all(|(_, &heard)| heard < 4))
}

/// One part of the scenario panics when somebody has heard twice.
fn careless(parameters: &mut Parameters) -> Scenario<Ignoring> {
    let parts = ["assumption", "assertion", "goal", "pruning", "ranking", "key", "relation"];
    let parts = parts.map(|part| (part, part));
    let part = parameters.choice("part", "goal", &parts, "which part panics");
    let ask = move |asked: &str, world: &World<'_, Ignoring>| {
        let heard = world.nodes().map(|(_, &heard)| heard).max();
        assert!(asked != part || heard < Some(2), "who heard twice?");
        true
    };
    Scenario::new(Ignoring, Topology::chain(2))
        .max_depth(4)
        .assume("all is well", move |world, _| ask("assumption", world))
        .assert_always("all stays well", move |world| ask("assertion", world))
        .assert_reachable("all gets well", move |world| !ask("goal", world))
        .prune("all was well", move |world| !ask("pruning", world))
        .ranking("best of all", move |world| i64::from(ask("ranking", world)))
        .relation(
            "all for one",
            move |world| ask("key", world),
            move |world, other| !ask("relation", world) || !ask("relation", other),
        )
}

/// What is printed as if it were a verdict, over another line and on one of its own.
const FORGED: &str = "\u{1b}[2K\rHOLDS\n\u{9b}1AHOLDS in every reachable state";

#[derive(Clone, PartialEq, Eq, Hash, everypath::serde::Serialize, everypath::serde::Deserialize)]
#[serde(crate = "everypath::serde")]
struct Forged;

impl std::fmt::Debug for Forged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(FORGED)
    }
}

/// A protocol whose messages, roles and panics look like something else.
struct Forging;

impl Protocol for Forging {
    type State = u32;
    type Message = Forged;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.broadcast(Forged);
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, _: &Forged) {
        *node.state += 1;
        assert!(*node.state < 3, "{FORGED}");
        node.send(from, Forged);
    }
}

fn forges(_: &mut Parameters) -> Scenario<Forging> {
    Scenario::new(Forging, Topology::chain(2))
        .about("looks like something else")
        .role_names(|_, _| FORGED)
        .assert_always("\u{1b}[2K\rHOLDS", |world| world.nodes().all(|(_, &heard)| heard < 2))
        .simulation(|run| run.duration(Duration::from_micros(1)))
}

everypath::main!(panics, remembers, falls_over, ignores, careless, forges);
