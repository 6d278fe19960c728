// The components of the examples in the documentation: an application tells its number to the neighbours, through a carrier.

use everypath_model::{
    Never, composite,
    component::{
        Component, Contract, Incoming, Link, Network, Part, PartStart, Provides, Uses,
    },
    ports,
};

pub struct Numbers;

impl Contract for Numbers {
    type Request = u32;
    type Indication = u32;
}

pub struct Application;

#[ports]
pub struct ApplicationPorts {
    below: Uses<Numbers>,
}

impl Component for Application {
    type State = u32;
    type Timer = Never;
    type Command = Never;
    type Ports = ApplicationPorts;

    fn start(&self, node: &mut PartStart<'_, Self>) -> u32 {
        node.emit(ApplicationOut::Below(node.id.0));
        node.id.0
    }

    fn on_signal(&self, node: &mut Part<'_, Self>, signal: ApplicationIn) {
        let ApplicationIn::Below(number) = signal;
        *node.state = number.max(*node.state);
    }
}

pub struct Carrier;

#[ports]
pub struct CarrierPorts {
    above: Provides<Numbers>,
    below: Uses<Link<u32>>,
}

impl Component for Carrier {
    type State = ();
    type Timer = Never;
    type Command = Never;
    type Ports = CarrierPorts;

    fn start(&self, _: &mut PartStart<'_, Self>) {}

    fn on_signal(&self, node: &mut Part<'_, Self>, signal: CarrierIn) {
        match signal {
            CarrierIn::Above(number) => node.broadcast(number),
            CarrierIn::Below(Incoming::Message { message, .. }) => {
                node.emit(CarrierOut::Above(message));
            }
            CarrierIn::Below(Incoming::Undeliverable { .. }) => {}
        }
    }
}

#[composite(
    ports = Network<u32>,
    application.below => carrier.above,
    carrier.below => network,
)]
pub struct Station {
    pub application: Application,
    pub carrier: Carrier,
}
