//! Two nodes that send a number back and forth, five times: a scenario with all that can be asked.

use everypath::prelude::*;

struct PingPong;

impl Protocol for PingPong {
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

fn arrived(world: &World<'_, PingPong>) -> i64 {
    world.nodes().map(|(_, &arrived)| i64::from(arrived)).sum()
}

fn ping_pong(parameters: &mut Parameters) -> Scenario<PingPong> {
    let loss = parameters.budget("loss", Budget::Off, "how often a number is lost");
    let hoped = parameters.number("hoped", 5, 0..=9, "how many should arrive on some run");
    let pruned = parameters.number("pruned", 9, 0..=9, "after how many nobody looks further");
    Scenario::new(PingPong, Topology::chain(2))
        .about("a number goes back and forth")
        .loss(loss)
        .assert_at_most("five arrive at most", arrived, |_| 5)
        .assert_at_end("five arrive in the end", |world| arrived(world) == 5)
        .assert_reachable("one arrives", |world| arrived(world) == 1)
        .assert_reachable("as many as hoped arrive", move |world| arrived(world) == hoped)
        .prune("enough have arrived", move |world| arrived(world) == pruned)
        .relation("more have arrived", |world| world.packets().len(), |world, other| {
            arrived(world) <= arrived(other)
        })
}

everypath::main!(ping_pong);
