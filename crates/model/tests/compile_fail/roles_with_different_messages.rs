//! What the sender sends, the receiver must understand.

extern crate everypath_model as everypath;

use everypath::{Never, Node, NodeId, Protocol, Start, roles};

struct Sender;

impl Protocol for Sender {
    type State = ();
    type Message = String;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &String) {}
}

struct Receiver;

impl Protocol for Receiver {
    type State = ();
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &u32) {}
}

#[roles]
struct Arq {
    sender: Sender,
    receiver: Receiver,
}

impl Arq {
    fn role_of(&self, me: NodeId) -> ArqRole {
        if me.0 == 0 { ArqRole::Sender } else { ArqRole::Receiver }
    }
}

fn main() {}
