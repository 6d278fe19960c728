// The protocol of the examples on transports: node 0 sends numbered letters to node 1, one at a time,
// and goes on when node 1 asks for the next.

use everypath_model::{
    Never, Node, NodeId, Protocol, Start,
    transport::{Carried, Sent, Transport},
};

#[derive(Clone)]
pub struct Letters;

impl Protocol for Letters {
    /// At node 0, how many letters are confirmed; at node 1, how many have arrived.
    type State = u64;
    /// A letter, or which one is asked for.
    type Message = Result<u64, u64>;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u64 {
        if node.id == NodeId(0) {
            node.send(NodeId(1), Ok(0));
        }
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Result<u64, u64>) {
        match *message {
            Ok(letter) => {
                *node.state += u64::from(letter == *node.state);
                let wanted = *node.state;
                node.send(from, Err(wanted));
            }
            Err(wanted) => {
                *node.state = wanted;
                node.send(from, Ok(wanted));
            }
        }
    }
}

impl Transport for Letters {
    type Connection = ();

    fn sending(&self, me: NodeId, confirmed: &u64) -> impl Iterator<Item = ((), Sent)> {
        let sent = Sent { accepted: confirmed + 1, acknowledged: *confirmed };
        (me == NodeId(0)).then_some(((), sent)).into_iter()
    }

    fn delivered(&self, me: NodeId, arrived: &u64) -> impl Iterator<Item = ((), u64)> {
        (me == NodeId(1)).then_some(((), *arrived)).into_iter()
    }

    fn carries(&self, message: &Result<u64, u64>) -> Option<((), Carried)> {
        let carried = if message.is_ok() { Carried::Item } else { Carried::Acknowledgement };
        Some(((), carried))
    }
}
