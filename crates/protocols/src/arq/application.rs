//! The applications at both ends of ARQ: a source and a sink.

use everypath_model::{
    Never,
    component::{Component, Part, PartStart, Uses},
    data, handlers, ports,
};

use super::{
    Packet,
    transport::{Receiving, Sending, Tell},
};

/// An application that always has a packet to send.
#[derive(Clone, Debug)]
pub struct Source {
    /// Whether packets have numbers.
    pub numbered: bool,
}

/// The state of the source.
#[data]
pub struct SourceState {
    /// How many packets it has sent.
    pub handed_down: u32,
}

/// The ports of a source.
#[ports]
pub struct SourcePorts {
    /// To the transport.
    below: Uses<Sending>,
}

impl Source {
    fn hand_down<S>(&self, node: &mut Part<'_, Self, S>, number: u32) {
        node.begin("frame time", number.into());
        node.emit(SourceOut::Below(Packet { number: self.numbered.then_some(number) }));
    }
}

#[handlers]
impl Component for Source {
    type State = SourceState;
    type Timer = Never;
    type Command = Never;
    type Ports = SourcePorts;

    fn start(&self, node: &mut PartStart<'_, Self>) -> SourceState {
        self.hand_down(node, 0);
        SourceState { handed_down: 1 }
    }

    fn on_signal(&self, node: &mut Part<'_, Self>, SourceIn::Below(Tell::Acknowledged): SourceIn) {
        let next = node.state.handed_down;
        node.end("frame time", u64::from(next) - 1);
        node.state.handed_down += 1;
        self.hand_down(node, next);
    }
}

/// An application that receives packets and checks their order.
#[derive(Clone, Debug)]
pub struct Sink;

/// The state of the sink.
#[data]
pub struct SinkState {
    /// How many packets have arrived.
    pub delivered: u32,
    /// Whether all numbered packets arrived in order.
    pub in_order: bool,
}

/// The ports of a sink.
#[ports]
pub struct SinkPorts {
    /// To the transport.
    below: Uses<Receiving>,
}

#[handlers]
impl Component for Sink {
    type State = SinkState;
    type Timer = Never;
    type Command = Never;
    type Ports = SinkPorts;

    fn start(&self, _: &mut PartStart<'_, Self>) -> SinkState {
        SinkState { delivered: 0, in_order: true }
    }

    fn on_signal(&self, node: &mut Part<'_, Self>, SinkIn::Below(packet): SinkIn) {
        let in_turn = packet.number.is_none_or(|number| number == node.state.delivered);
        node.state.in_order &= in_turn;
        node.state.delivered += 1;
        node.count("delivered");
        if !in_turn {
            node.count("out of order");
        }
    }
}
