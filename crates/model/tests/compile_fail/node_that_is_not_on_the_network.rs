//! An application alone is no node: its lower port is not the network.

extern crate everypath_model as everypath;

use everypath::{Component, Contract, Never, Node, NodeId, Nothing, Ports, Protocol};

struct Stream;

impl Contract for Stream {
    type Request = String;
    type Indication = String;
}

struct Application;

impl Component for Application {
    type State = ();
    type Timer = Never;
    type Command = Never;
    type Above = Nothing;
    type Below = Stream;

    fn start(&self, _: NodeId, _: &mut impl Ports<Self>) {}
}

fn run(_: impl Protocol) {}

fn main() {
    run(Host(Application));
}
