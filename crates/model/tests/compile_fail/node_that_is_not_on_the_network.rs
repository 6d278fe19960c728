//! A transport alone is no node: it waits for requests that nobody makes.

extern crate everypath_model as everypath;

use everypath::{
    Never,
    component::{Component, Contract, Host, Link, PartStart, Provides, Uses},
    Protocol, ports,
};

struct Stream;

impl Contract for Stream {
    type Request = String;
    type Indication = String;
}

struct Transport;

#[ports]
struct TransportPorts {
    above: Provides<Stream>,
    below: Uses<Link<String>>,
}

impl Component for Transport {
    type State = ();
    type Timer = Never;
    type Command = Never;
    type Ports = TransportPorts;

    fn start(&self, _: &mut PartStart<'_, Self>) {}
}

fn run(_: impl Protocol) {}

fn main() {
    run(Host(Transport));
}
