//! What the sender sends, the receiver must understand.

extern crate everypath_model as everypath;

use everypath::{Effects, Never, NodeId, Protocol, roles};

struct Sender;

impl Protocol for Sender {
    type State = ();
    type Message = String;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: NodeId, _: &mut impl Effects<Self>) {}

    fn on_message(&self, _: NodeId, _: &mut (), _: NodeId, _: &String, _: &mut impl Effects<Self>) {}
}

struct Receiver;

impl Protocol for Receiver {
    type State = ();
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: NodeId, _: &mut impl Effects<Self>) {}

    fn on_message(&self, _: NodeId, _: &mut (), _: NodeId, _: &u32, _: &mut impl Effects<Self>) {}
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
