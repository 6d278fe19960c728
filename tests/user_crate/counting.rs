//! Two nodes that send a message back and forth for ever: runs that are as long as one likes.

use everypath::prelude::*;

struct Counting;

impl Protocol for Counting {
    /// How many messages have arrived.
    type State = u32;
    type Message = ();
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        if node.id == NodeId(0) {
            node.send(NodeId(1), ());
        }
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, _: &()) {
        *node.state += 1;
        node.send(from, ());
    }
}

fn counting(parameters: &mut Parameters) -> Scenario<Counting> {
    let steps = parameters.number("steps", 10, 1..=10_000_000, "how long the run is");
    Scenario::new(Counting, Topology::chain(2)).assert_always("not for ever", move |world| {
        world.nodes().map(|(_, &arrived)| arrived).sum::<u32>() < steps
    })
}

everypath::main!(counting);
