//! Small scenarios, each with one thing that makes a check say less than it seems to.

use std::time::Duration;

use everypath_cli::{Entry, scenario};
use everypath_model::{
    Budget, Event, Never, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology, World,
    data, handlers,
};

pub fn all() -> Vec<Box<dyn Entry>> {
    vec![
        scenario("counter", counter),
        scenario("idle", idle),
        scenario("ticker", ticker),
        scenario("talk", talk),
    ]
}

/// Two nodes that send a number back and forth, five times.
struct Counter;

impl Protocol for Counter {
    /// How many messages have arrived.
    type State = u32;
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        if node.id == NodeId(0) {
            node.send(NodeId(1), 1);
        }
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, number: &u32) {
        *node.state += 1;
        if *number < 5 {
            node.send(from, number + 1);
        }
    }
}

fn arrived(world: &World<'_, Counter>) -> u32 {
    world.nodes().map(|(_, arrived)| arrived).sum()
}

fn counter(parameters: &mut Parameters) -> Scenario<Counter> {
    let hoped = parameters.number("hoped", 5, 0..=9, "how many should arrive on some run");
    let pruned = parameters.number("pruned", 9, 0..=9, "after how many nobody looks further");
    let excluded = parameters.flag("excluded", false, "whether everything is excluded");
    Scenario::new(Counter, Topology::chain(2))
        .assume("nothing is possible", move |_, _| !excluded)
        .assert_always("five arrive at most", |world| arrived(world) <= 5)
        .assert_reachable("as many as hoped arrive", move |world| arrived(world) == hoped)
        .prune("enough have arrived", move |world| arrived(world) == pruned)
}

/// Nodes that wait for ever, unless somebody asks them.
struct Idle;

impl Protocol for Idle {
    type State = u32;
    type Message = ();
    type Timer = Never;
    type Command = ();

    fn start(&self, _: &mut Start<'_, Self>) -> u32 {
        0
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, (): &()) {}

    fn on_command(&self, node: &mut Node<'_, Self>, (): &()) {
        *node.state += 1;
    }
}

fn idle(_: &mut Parameters) -> Scenario<Idle> {
    Scenario::new(Idle, Topology::chain(2))
        .assert_always("nobody is asked", |world| world.nodes().all(|(_, &asked)| asked == 0))
}

/// A node whose timer fires again and again.
struct Ticker;

impl Protocol for Ticker {
    type State = u32;
    type Message = ();
    type Timer = ();
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.set_timer((), Duration::from_secs(1));
        0
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, (): &()) {}

    fn on_timer(&self, node: &mut Node<'_, Self>, (): &()) {
        node.set_timer((), Duration::from_secs(1));
    }
}

fn ticker(_: &mut Parameters) -> Scenario<Ticker> {
    Scenario::new(Ticker, Topology::chain(1))
        .assert_always("it stays as it is", |world| world.nodes().all(|(_, &state)| state == 0))
}

/// One node asks another until it gets an answer.
struct Talk {
    flaw: Flaw,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Flaw {
    None,
    /// An assumption, a pruning, an assertion, a goal that say nothing.
    Assumption,
    Pruning,
    Assertion,
    Goal,
    /// After the answer it asks again.
    Endless,
    /// As `Endless`, and it is asserted that it is.
    EndlessBySaying,
    /// It does not answer.
    Mute,
    /// Answers never arrive.
    Deaf,
    /// It sets no timer.
    Patient,
}

#[data]
struct Talking {
    asked: u32,
    answered: bool,
}

#[data]
enum Word {
    Question,
    Answer,
}

#[data]
struct Again;

#[data]
enum Order {
    Ask,
    Stop,
}

#[handlers]
impl Protocol for Talk {
    type State = Talking;
    type Message = Word;
    type Timer = Again;
    type Command = Order;

    fn start(&self, _: &mut Start<'_, Self>) -> Talking {
        Talking { asked: 0, answered: false }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Word) {
        match message {
            Word::Question if self.flaw == Flaw::Mute => {}
            Word::Question => node.send(from, Word::Answer),
            Word::Answer if matches!(self.flaw, Flaw::Endless | Flaw::EndlessBySaying) => {
                node.send(from, Word::Question);
            }
            Word::Answer => {
                node.state.answered = true;
                node.cancel_timer(&Again);
            }
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Again) {
        node.state.asked += 1;
        node.send(NodeId(1), Word::Question);
    }

    fn on_command(&self, node: &mut Node<'_, Self>, order: &Order) {
        match order {
            Order::Ask => {
                node.state.asked += 1;
                node.send(NodeId(1), Word::Question);
                if self.flaw != Flaw::Patient {
                    node.set_timer(Again, Duration::from_secs(1));
                }
            }
            Order::Stop => {
                node.state.answered = true;
                node.cancel_timer(&Again);
            }
        }
    }

    fn commands(&self, me: NodeId, state: &Talking) -> Vec<Order> {
        match state.asked {
            0 if me == NodeId(0) => vec![Order::Ask],
            1 => vec![Order::Stop],
            _ => Vec::new(),
        }
    }
}

fn talk(parameters: &mut Parameters) -> Scenario<Talk> {
    let flaws = [
        ("none", Flaw::None),
        ("assumption", Flaw::Assumption),
        ("pruning", Flaw::Pruning),
        ("assertion", Flaw::Assertion),
        ("goal", Flaw::Goal),
        ("endless", Flaw::Endless),
        ("endless-by-saying", Flaw::EndlessBySaying),
        ("mute", Flaw::Mute),
        ("deaf", Flaw::Deaf),
        ("patient", Flaw::Patient),
    ];
    let flaw = parameters.choice("flaw", Flaw::None, &flaws, "what is wrong with it");
    let scenario = Scenario::new(Talk { flaw }, Topology::chain(2))
        .assume("timers are slow", |world, event| {
            !matches!(event, Event::Timer { .. }) || world.packets().len() == 0
        })
        .assert_always("it asks twice at most", |world| world.node(NodeId(0)).asked <= 2)
        .assert_reachable("it asks", |world| world.node(NodeId(0)).asked > 0);
    match flaw {
        Flaw::Assumption => scenario.assume("anything goes", |_, _| true),
        Flaw::Pruning => scenario.prune("enough", |world| world.node(NodeId(0)).asked > 5),
        Flaw::Assertion => scenario.assert_always("all is well", |_| true),
        Flaw::Goal => scenario.assert_reachable("somebody is there", |world| world.nodes().len() > 0),
        Flaw::Endless => scenario.assert_at_end("it was asked", |world| world.node(NodeId(0)).asked > 0),
        Flaw::EndlessBySaying => scenario.assert_at_end("it goes on for ever", |_| false),
        Flaw::Deaf => scenario.assume("answers are lost", |_, event| {
            !matches!(event, Event::Deliver { packet, .. } if *packet.message == Word::Answer)
        }),
        _ => scenario.loss(Budget::AtMost(1)),
    }
}
