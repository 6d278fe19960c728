// The protocol of the examples on medium access: the nodes of a ring pass on a baton.

use everypath_model::{
    Never, Node, NodeId, Protocol, Start,
    medium::{Access, MediumAccess},
};

#[derive(Clone)]
pub struct Baton;

impl Protocol for Baton {
    /// Whether the node has the baton.
    type State = bool;
    type Message = ();
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> bool {
        if node.id == NodeId(0) {
            node.send(NodeId(1), ());
        }
        false
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, _: &()) {
        *node.state = true;
    }
}

impl MediumAccess for Baton {
    fn may_send(&self, _: NodeId, has_it: &bool) -> bool {
        *has_it
    }

    fn access(&self, _: &()) -> Option<Access> {
        Some(Access::Right)
    }
}
