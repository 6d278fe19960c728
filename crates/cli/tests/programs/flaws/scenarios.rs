//! Small scenarios, each with one mistake that a user can make in data, handlers or closures.

use std::{
    fmt,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use everypath_cli::{Entry, scenario};
use everypath_model::{Data, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology};
use serde::{Deserialize, Serialize};

pub fn all() -> Vec<Box<dyn Entry>> {
    vec![
        scenario("flawless", flawless),
        scenario("forgets", forgets),
        scenario("moody", moody),
        scenario("shy", shy),
        scenario("leaky", leaky),
        scenario("late_reader", late_reader),
        scenario("careless", careless),
    ]
}

/// What a node of a [`Walk`] is in: made of a number, and a number again.
pub trait Value: Data {
    fn of(number: u32) -> Self;
    fn number(&self) -> u32;
}

/// One node that counts to four, by commands and by a timer.
struct Walk<S> {
    step: fn(u32) -> u32,
    state: std::marker::PhantomData<fn() -> S>,
}

impl<S: Value> Protocol for Walk<S> {
    type State = S;
    type Message = u32;
    type Timer = u32;
    type Command = u32;

    fn start(&self, node: &mut Start<'_, Self>) -> S {
        if node.id == NodeId(0) {
            node.set_timer(1, Duration::from_secs(1));
            node.set_timer(2, Duration::from_secs(1));
        }
        S::of(0)
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, number: &u32) {
        *node.state = S::of(*number);
        if *number < 4 {
            node.send(from, number + 1);
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &u32) {
        node.broadcast(*timer);
    }

    fn commands(&self, me: NodeId, state: &S) -> Vec<u32> {
        if me == NodeId(0) && state.number() < 4 { vec![1] } else { Vec::new() }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, _: &u32) {
        *node.state = S::of((self.step)(node.state.number()));
    }
}

fn walk<S: Value>(step: fn(u32) -> u32) -> Scenario<Walk<S>> {
    Scenario::new(Walk { step, state: std::marker::PhantomData }, Topology::chain(2))
}

impl Value for u32 {
    fn of(number: u32) -> Self {
        number
    }

    fn number(&self) -> u32 {
        *self
    }
}

fn flawless(_: &mut Parameters) -> Scenario<Walk<u32>> {
    walk(|number| number + 1)
}

/// Of which half is not written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Half {
    written: u32,
    #[serde(skip)]
    kept: u32,
}

impl Value for Half {
    fn of(number: u32) -> Self {
        Self { written: number / 2, kept: number % 2 }
    }

    fn number(&self) -> u32 {
        self.written * 2 + self.kept
    }
}

fn forgets(_: &mut Parameters) -> Scenario<Walk<Half>> {
    walk(|number| number + 1)
}

/// An assertion that reads something outside the world.
fn moody(_: &mut Parameters) -> Scenario<Walk<u32>> {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    walk::<u32>(|number| number + 1).assert_always("the mood is good", |_| {
        ASKED.fetch_add(1, Ordering::Relaxed).is_multiple_of(2)
    })
}

/// Panics when it is shown.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shy(u32);

impl fmt::Debug for Shy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        assert!(self.0 != 1, "do not look");
        write!(f, "Shy({})", self.0)
    }
}

impl Value for Shy {
    fn of(number: u32) -> Self {
        Self(number)
    }

    fn number(&self) -> u32 {
        self.0
    }
}

fn shy(_: &mut Parameters) -> Scenario<Walk<Shy>> {
    walk::<Shy>(|number| number + 1)
        .assert_always("less than two", |world| world.nodes().all(|(_, state)| state.0 < 2))
}

/// A handler that reads something outside the state.
fn leaky(_: &mut Parameters) -> Scenario<Walk<u32>> {
    static CALLED: AtomicU32 = AtomicU32::new(0);
    walk(|number| number + 1 + CALLED.fetch_add(1, Ordering::Relaxed) % 2)
}

/// One assertion is violated at once, another one reads packets only later.
fn late_reader(_: &mut Parameters) -> Scenario<Walk<u32>> {
    walk::<u32>(|_| 4)
        .assert_always("less than four", |world| *world.node(NodeId(0)) < 4)
        .assert_always("few packets", |world| {
            *world.node(NodeId(1)) == 0 || world.packets().len() < 10
        })
}

/// One closure panics.
fn careless(parameters: &mut Parameters) -> Scenario<Walk<u32>> {
    let parts = ["canonical", "timer_order", "early_timers"].map(|part| (part, part));
    let part = parameters.choice("part", "canonical", &parts, "which closure panics");
    let ask = move |asked: &str| assert!(asked != part, "no idea");
    walk::<u32>(|number| number + 1)
        .canonical(move |&state| {
            ask("canonical");
            state
        })
        .timer_order(move |_, _| {
            ask("timer_order");
            0
        })
        .early_timers(move |_| {
            ask("early_timers");
            false
        })
}
