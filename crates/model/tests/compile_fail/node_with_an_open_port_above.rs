//! A transport alone is no node: it waits for requests that nobody makes.

extern crate everypath_model as everypath;

use everypath::{Component, Contract, Link, Never, Node, NodeId, Ports, Protocol};

struct Stream;

impl Contract for Stream {
    type Request = String;
    type Indication = String;
}

struct Transport;

impl Component for Transport {
    type State = ();
    type Timer = Never;
    type Command = Never;
    type Above = Stream;
    type Below = Link<String>;

    fn start(&self, _: NodeId, _: &mut impl Ports<Self>) {}
}

fn run(_: impl Protocol) {}

fn main() {
    run(Host(Transport));
}
