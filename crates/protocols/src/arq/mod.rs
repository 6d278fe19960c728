//! Stop-and-wait automatic repeat request (ARQ).
//!
//! The sender sends one data packet, marked with a bit, and waits. The receiver answers each data
//! packet with an acknowledgement that names the bit it expects next. When the acknowledgement asks
//! for the other bit, the sender sends the next packet; when none comes in time, it repeats the
//! packet.
//!
//! Each end has two components: an application over the transport. The applications ([`Source`],
//! [`Sink`]) send packets and check received ones; the transports ([`Sender`], [`Receiver`]) do not
//! look into packets.
//!
//! The erroneous variant ignores the number in an acknowledgement. On a clean link that has no
//! effect; see the scenario `arq-erroneous`. If acknowledgements carry no number, the sender has no
//! choice: that is the error of the paper at MEMOCODE 2004.

mod application;
mod class;
mod scenarios;
mod transport;

use std::fmt;

use everypath_model::{
    NodeId,
    component::{Host, Network},
    composite, data, roles,
    serde::{Deserialize, Serialize},
};

pub use application::{
    Sink, SinkIn, SinkOut, SinkPorts, SinkState, Source, SourceIn, SourceOut, SourcePorts,
    SourceState,
};
pub use scenarios::{arq, arq_erroneous};
pub use transport::{
    Receiver, ReceiverIn, ReceiverOut, ReceiverPorts, ReceiverState, Receiving, Retransmit, Sender,
    SenderIn, SenderOut, SenderPorts, SenderState, Sending, Tell,
};

/// A frame between the two ends. It prints as in a textbook: `D0`, `D1`, `A0`, `A1`, or `A` without a
/// number, followed by the packet's number if it has one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub enum Frame {
    /// A packet of the application, marked with a bit.
    Data {
        /// Distinguishes a packet from the previous and the next.
        bit: bool,
        /// The packet of the application.
        packet: Packet,
    },
    /// An acknowledgement.
    Ack {
        /// The bit of the packet it expects next, if acknowledgements carry it.
        expected: Option<bool>,
    },
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data { bit, packet: Packet { number: None } } => write!(f, "D{}", u8::from(*bit)),
            Self::Data { bit, packet: Packet { number: Some(number) } } => {
                write!(f, "D{} #{number}", u8::from(*bit))
            }
            Self::Ack { expected: Some(expected) } => write!(f, "A{}", u8::from(*expected)),
            Self::Ack { expected: None } => f.write_str("A"),
        }
    }
}

/// A packet of the application, with a number if the other end checks the order.
#[data]
#[derive(Copy)]
pub struct Packet {
    /// Its number, from 0, if packets are numbered.
    pub number: Option<u32>,
}

/// The end that sends: an application over the transport.
#[composite(
    ports = Network<Frame>,
    source.below => sender.above,
    sender.below => network,
)]
#[derive(Clone, Debug)]
pub struct SendingEnd {
    /// The application.
    pub source: Source,
    /// The transport.
    pub sender: Sender,
}

/// The end that receives: an application over the transport.
#[composite(
    ports = Network<Frame>,
    sink.below => receiver.above,
    receiver.below => network,
)]
#[derive(Clone, Debug)]
pub struct ReceivingEnd {
    /// The application.
    pub sink: Sink,
    /// The transport.
    pub receiver: Receiver,
}

/// Stop-and-wait ARQ between two nodes: node 0 sends, node 1 receives.
#[roles]
#[derive(Clone, Debug)]
pub struct Arq {
    /// An application that always has a packet to send.
    pub sender: Host<SendingEnd>,
    /// An application that receives packets.
    pub receiver: Host<ReceivingEnd>,
}

impl Arq {
    /// The node that sends.
    pub const SENDER: NodeId = NodeId(0);
    /// The node that receives.
    pub const RECEIVER: NodeId = NodeId(1);

    fn role_of(&self, me: NodeId) -> ArqRole {
        if me == Self::SENDER { ArqRole::Sender } else { ArqRole::Receiver }
    }
}
