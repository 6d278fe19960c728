//! The transport: what a textbook calls stop-and-wait ARQ.

use std::time::Duration;

use everypath_model::{
    Component, Contract, Incoming, Link, Never, NodeId, Outgoing, Ports, Record, data, handlers,
};

use super::{Frame, Packet};

/// Between a source and the transport: packets go down, acknowledgements come up.
pub struct Sending;

impl Contract for Sending {
    type Request = Packet;
    type Indication = Tell;
}

/// What the sending transport tells its application.
#[data]
pub enum Tell {
    /// The packet has arrived; the next one, please.
    Acknowledged,
}

/// Between the transport and a sink: packets come up.
pub struct Receiving;

impl Contract for Receiving {
    type Request = Never;
    type Indication = Packet;
}

/// The sending end.
#[derive(Clone, Debug)]
pub struct Sender {
    /// Where the receiver is.
    pub receiver: NodeId,
    /// How long to wait for an acknowledgement.
    pub timeout: Duration,
    /// The size of a data frame on the wire.
    pub data_bytes: usize,
    /// The error: to take any acknowledgement for the one that is waited for.
    pub ignores_number: bool,
}

/// What the sending end remembers.
#[data]
pub struct SenderState {
    /// The mark of the packet under way.
    pub bit: bool,
    /// The packet under way, if there is one.
    pub packet: Option<Packet>,
}

/// The sender's timer: no acknowledgement came in time.
#[data]
pub struct Retransmit;

impl Sender {
    fn transmit(&self, state: &SenderState, ports: &mut impl Ports<Self>) {
        if let Some(packet) = state.packet {
            let frame = Frame::Data { bit: state.bit, packet };
            ports.request(Outgoing::To(self.receiver, frame));
            ports.set_timer(Retransmit, self.timeout);
            ports.record(Record::Count { name: "transmissions", by: 1 });
        }
    }
}

#[handlers]
impl Component for Sender {
    type State = SenderState;
    type Timer = Retransmit;
    type Command = Never;
    type Above = Sending;
    type Below = Link<Frame>;

    fn start(&self, _: NodeId, _: &mut impl Ports<Self>) -> SenderState {
        // The first packet will be marked with the other bit.
        SenderState { bit: true, packet: None }
    }

    fn on_request(
        &self,
        _: NodeId,
        state: &mut SenderState,
        packet: Packet,
        ports: &mut impl Ports<Self>,
    ) {
        state.bit = !state.bit;
        state.packet = Some(packet);
        self.transmit(state, ports);
    }

    fn on_indication(
        &self,
        _: NodeId,
        state: &mut SenderState,
        Incoming { message, .. }: Incoming<Frame>,
        ports: &mut impl Ports<Self>,
    ) {
        let Frame::Ack { expected } = message else {
            return;
        };
        if expected != state.bit || self.ignores_number {
            ports.indicate(Tell::Acknowledged);
        } else {
            self.transmit(state, ports);
        }
    }

    fn on_timer(
        &self,
        _: NodeId,
        state: &mut SenderState,
        Retransmit: &Retransmit,
        ports: &mut impl Ports<Self>,
    ) {
        self.transmit(state, ports);
    }

    fn configuration(&self) -> Option<String> {
        Some(format!("{self:?}"))
    }

    fn message_bytes(&self, _: NodeId, _: &Outgoing<Frame>) -> usize {
        self.data_bytes
    }
}

/// The receiving end.
#[derive(Clone, Debug)]
pub struct Receiver {
    /// The size of an acknowledgement on the wire.
    pub ack_bytes: usize,
}

/// What the receiving end remembers.
#[data]
pub struct ReceiverState {
    /// The mark of the packet it waits for.
    pub expected: bool,
}

#[handlers]
impl Component for Receiver {
    type State = ReceiverState;
    type Timer = Never;
    type Command = Never;
    type Above = Receiving;
    type Below = Link<Frame>;

    fn start(&self, _: NodeId, _: &mut impl Ports<Self>) -> ReceiverState {
        ReceiverState { expected: false }
    }

    fn on_indication(
        &self,
        _: NodeId,
        state: &mut ReceiverState,
        Incoming { from, message }: Incoming<Frame>,
        ports: &mut impl Ports<Self>,
    ) {
        let Frame::Data { bit, packet } = message else {
            return;
        };
        if bit == state.expected {
            state.expected = !state.expected;
            ports.indicate(packet);
        }
        ports.request(Outgoing::To(from, Frame::Ack { expected: state.expected }));
    }

    fn configuration(&self) -> Option<String> {
        Some(format!("{self:?}"))
    }

    fn message_bytes(&self, _: NodeId, _: &Outgoing<Frame>) -> usize {
        self.ack_bytes
    }
}
