// The protocol of the examples in the documentation: everyone greets all neighbours, and counts how
// often it is greeted.

use everypath_model::{Effects, Never, NodeId, Protocol};

pub struct Greeting;

impl Protocol for Greeting {
    type State = u32;
    type Message = String;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: NodeId, fx: &mut impl Effects<Self>) -> u32 {
        fx.broadcast("hello".to_owned());
        0
    }

    fn on_message(
        &self,
        _: NodeId,
        greeted: &mut u32,
        _: NodeId,
        _: &String,
        _: &mut impl Effects<Self>,
    ) {
        *greeted += 1;
    }
}
