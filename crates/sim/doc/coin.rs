// The protocol of the examples in the documentation: every node tosses a coin and tells its neighbours the side.

use everypath_model::{Never, Node, NodeId, Protocol, Start};

pub struct Coin;

impl Protocol for Coin {
    type State = u32;
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        let side = node.choose(2);
        node.sample("side", f64::from(side));
        node.broadcast(side);
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, side: &u32) {
        *node.state += side;
        node.count("heard");
    }
}
