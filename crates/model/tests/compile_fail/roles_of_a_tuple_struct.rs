//! The roles of a tuple struct would have no names.

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
    type Message = String;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &String) {}
}

#[roles]
struct Arq(Sender, Receiver);

fn main() {}
