//! A single role is a protocol already.

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

#[roles]
struct Arq {
    sender: Sender,
}

fn main() {}
