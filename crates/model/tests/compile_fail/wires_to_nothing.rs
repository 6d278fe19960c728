//! There is no such component, and no such port.

extern crate everypath_model as everypath;

use everypath::{
    Never,
    component::{Component, Contract, Link, Network, PartStart, Provides, Uses},
    composite, ports,
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

#[composite(ports = Network<String>, transprot.below => network)]
struct Misspelt {
    transport: Transport,
}

#[composite(ports = TransportPorts, transport.belwo => below, above => transport.above)]
struct Unknown {
    transport: Transport,
}

fn main() {}
