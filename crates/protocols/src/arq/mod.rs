//! Stop-and-wait automatic repeat request (ARQ).
//!
//! The sender sends one data packet, marked with a bit, and waits. The receiver answers each data
//! packet with an acknowledgement that names the bit it expects next. When the acknowledgement asks
//! for the other bit, the sender goes on to the next packet; when none comes in time, it sends the
//! same one again.
//!
//! Each end is made of two components: an application over the transport. The applications
//! ([`Source`], [`Sink`]) hand packets down and check what comes up; the transports ([`Sender`],
//! [`Receiver`]) know nothing of what they carry.
//!
//! The erroneous variant ignores the number in an acknowledgement, as if there were none. On a
//! clean link nobody notices; see the scenario `arq-erroneous`.

mod application;
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

/// What travels between the two ends. It prints as in a textbook: `D0`, `D1`, `A0`, `A1`, with
/// the packet's number behind it if it has one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub enum Frame {
    /// A packet of the application, marked with a bit.
    Data {
        /// Tells a packet from the one before and the one after it.
        bit: bool,
        /// What the application has handed down.
        packet: Packet,
    },
    /// What the receiver expects next.
    Ack {
        /// The bit of the packet it expects next.
        expected: bool,
    },
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data { bit, packet: Packet { number: None } } => write!(f, "D{}", u8::from(*bit)),
            Self::Data { bit, packet: Packet { number: Some(number) } } => {
                write!(f, "D{} #{number}", u8::from(*bit))
            }
            Self::Ack { expected } => write!(f, "A{}", u8::from(*expected)),
        }
    }
}

/// What the application hands down: a packet that may carry its number, so that the other end can
/// check the order.
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
    /// An application that takes what arrives.
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
