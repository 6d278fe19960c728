//! The transport of ARQ: sender and receiver of the textbook.

use std::{fmt, time::Duration};

use everypath_model::{
    Never, NodeId,
    component::{Component, Contract, Incoming, Link, Part, PartStart, Provides, Uses},
    data, handlers, ports,
    serde::{Deserialize, Serialize},
};

use super::{Frame, Packet};

/// The contract between a source and the transport: packets go down, acknowledgements come up.
pub struct Sending;

impl Contract for Sending {
    type Request = Packet;
    type Indication = Tell;
}

/// An indication of the sending transport.
#[data]
pub enum Tell {
    /// The packet has arrived; the next can be sent.
    Acknowledged,
}

/// The contract between the transport and a sink: packets come up.
pub struct Receiving;

impl Contract for Receiving {
    type Request = Never;
    type Indication = Packet;
}

/// The sending end.
#[derive(Clone, Debug)]
pub struct Sender {
    /// The node of the receiver.
    pub receiver: NodeId,
    /// How long to wait for an acknowledgement.
    pub timeout: Duration,
    /// The error: to accept any acknowledgement.
    pub ignores_number: bool,
    /// How many frames it sends before it stops, repeated ones included; without limit if `None`.
    pub frames_max: Option<u32>,
}

/// The state of the sending end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct SenderState {
    /// The bit of the packet under way.
    pub bit: bool,
    /// The packet under way, if any.
    pub packet: Option<Packet>,
    /// How many frames it may still send, if that is limited.
    pub left: Option<u32>,
}

impl fmt::Debug for SenderState {
    /// Shows the limit only where there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("SenderState");
        shown.field("bit", &self.bit).field("packet", &self.packet);
        if let Some(left) = self.left {
            shown.field("left", &left);
        }
        shown.finish()
    }
}

/// The sender's timer: no acknowledgement came in time.
#[data]
pub struct Retransmit;

/// The ports of a sender.
#[ports]
pub struct SenderPorts {
    /// To the application.
    above: Provides<Sending>,
    /// To the network.
    below: Uses<Link<Frame>>,
}

impl Sender {
    fn transmit(&self, node: &mut Part<'_, Self>) {
        if node.state.left == Some(0) {
            return;
        }
        if let Some(packet) = node.state.packet {
            node.state.left = node.state.left.map(|left| left - 1);
            node.send(self.receiver, Frame::Data { bit: node.state.bit, packet });
            node.set_timer(Retransmit, self.timeout);
            node.count("transmissions");
        }
    }
}

#[handlers]
impl Component for Sender {
    type State = SenderState;
    type Timer = Retransmit;
    type Command = Never;
    type Ports = SenderPorts;

    fn start(&self, _: &mut PartStart<'_, Self>) -> SenderState {
        // The first packet has the other bit.
        SenderState { bit: true, packet: None, left: self.frames_max }
    }

    fn on_signal(&self, node: &mut Part<'_, Self>, signal: SenderIn) {
        match signal {
            SenderIn::Above(packet) => {
                node.state.bit = !node.state.bit;
                node.state.packet = Some(packet);
                self.transmit(node);
            }
            SenderIn::Below(Incoming::Message { message: Frame::Ack { expected }, .. })
                if node.state.left != Some(0) =>
            {
                let is_new = expected.is_none_or(|expected| expected != node.state.bit);
                if is_new || self.ignores_number {
                    node.emit(SenderOut::Above(Tell::Acknowledged));
                } else {
                    self.transmit(node);
                }
            }
            SenderIn::Below(_) => {}
        }
    }

    fn on_timer(&self, node: &mut Part<'_, Self>, Retransmit: &Retransmit) {
        self.transmit(node);
    }
}

/// The receiving end.
#[derive(Clone, Debug)]
pub struct Receiver {
    /// Whether its acknowledgements carry the bit that it expects.
    pub numbers_acks: bool,
}

/// The state of the receiving end.
#[data]
pub struct ReceiverState {
    /// The bit of the packet it waits for.
    pub expected: bool,
}

/// The ports of a receiver.
#[ports]
pub struct ReceiverPorts {
    /// To the application.
    above: Provides<Receiving>,
    /// To the network.
    below: Uses<Link<Frame>>,
}

#[handlers]
impl Component for Receiver {
    type State = ReceiverState;
    type Timer = Never;
    type Command = Never;
    type Ports = ReceiverPorts;

    fn start(&self, _: &mut PartStart<'_, Self>) -> ReceiverState {
        ReceiverState { expected: false }
    }

    fn on_signal(&self, node: &mut Part<'_, Self>, signal: ReceiverIn) {
        let ReceiverIn::Below(Incoming::Message { from, message: Frame::Data { bit, packet } }) =
            signal
        else {
            return;
        };
        if bit == node.state.expected {
            node.state.expected = !node.state.expected;
            node.emit(ReceiverOut::Above(packet));
        }
        let expected = self.numbers_acks.then_some(node.state.expected);
        node.send(from, Frame::Ack { expected });
    }
}
