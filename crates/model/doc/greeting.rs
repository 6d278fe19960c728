// The protocol of the examples in the documentation: everyone greets all neighbours, and counts how
// often it is greeted.

use everypath_model::{Never, Node, NodeId, Protocol, Start};

pub struct Greeting;

impl Protocol for Greeting {
    type State = u32;
    type Message = String;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.broadcast("hello".to_owned());
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, _: &String) {
        *node.state += 1;
    }
}
