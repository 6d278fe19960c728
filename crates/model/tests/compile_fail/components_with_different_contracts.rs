//! The application uses `Stream`, the transport provides `Datagrams`.

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

struct Datagrams;

impl Contract for Datagrams {
    type Request = String;
    type Indication = String;
}

struct Application;

#[ports]
struct ApplicationPorts {
    below: Uses<Stream>,
}

impl Component for Application {
    type State = ();
    type Timer = Never;
    type Command = Never;
    type Ports = ApplicationPorts;

    fn start(&self, _: &mut PartStart<'_, Self>) {}
}

struct Transport;

#[ports]
struct TransportPorts {
    above: Provides<Datagrams>,
    below: Uses<Link<String>>,
}

impl Component for Transport {
    type State = ();
    type Timer = Never;
    type Command = Never;
    type Ports = TransportPorts;

    fn start(&self, _: &mut PartStart<'_, Self>) {}
}

#[composite(
    ports = Network<String>,
    application.below => transport.above,
    transport.below => network,
)]
struct Station {
    application: Application,
    transport: Transport,
}

fn main() {}
