//! The generated enums would have to carry the parameters.

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

#[roles]
struct Arq<R> {
    sender: Sender,
    receiver: R,
}

fn main() {}
