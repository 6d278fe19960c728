//! Small scenarios, each with one thing that makes a check say less than it seems to.

use everypath::{
    cli::{Entry, scenario},
    prelude::*,
};

pub fn all() -> Vec<Box<dyn Entry>> {
    vec![scenario("counter", counter)]
}

/// Two nodes that send a number back and forth, five times.
struct Counter;

impl Protocol for Counter {
    /// How many messages have arrived.
    type State = u32;
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, me: NodeId, fx: &mut impl Effects<Self>) -> u32 {
        if me == NodeId(0) {
            fx.send(NodeId(1), 1);
        }
        0
    }

    fn on_message(
        &self,
        _: NodeId,
        arrived: &mut u32,
        from: NodeId,
        number: &u32,
        fx: &mut impl Effects<Self>,
    ) {
        *arrived += 1;
        if *number < 5 {
            fx.send(from, number + 1);
        }
    }
}

fn arrived(world: &World<'_, Counter>) -> u32 {
    world.nodes().map(|(_, arrived)| arrived).sum()
}

fn counter(parameters: &mut Parameters) -> Scenario<Counter> {
    let hoped = parameters.number("hoped", 5, 0..=9, "how many should arrive on some run");
    let pruned = parameters.number("pruned", 9, 0..=9, "after how many nobody looks further");
    Scenario::new(Counter, Topology::chain(2))
        .assertion("five arrive at most", |world| arrived(world) <= 5)
        .sometimes("as many as hoped arrive", move |world| arrived(world) == hoped)
        .prune("enough have arrived", move |world| arrived(world) == pruned)
}
