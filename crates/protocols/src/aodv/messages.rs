//! Messages between AODV routers.

use std::{fmt, time::Duration};

use everypath_model::{
    Ignored, NodeId,
    serde::{Deserialize, Serialize},
};

use super::SequenceNumber;

/// The identity of a request: its origin, and the origin's number for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct RequestId {
    /// The origin.
    pub origin: NodeId,
    /// The origin's number of the request.
    pub id: u32,
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.origin, self.id)
    }
}

/// RREQ: a search for a route (RFC 3561, 5.1).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Request {
    /// The identity of the request.
    pub request: RequestId,
    /// The origin's own number.
    pub origin_number: SequenceNumber,
    /// The destination of the route.
    pub destination: NodeId,
    /// The newest known number of the destination; `None` is the flag U.
    pub number: Option<SequenceNumber>,
    /// How many nodes have forwarded it.
    pub hops: u8,
    /// How many more hops it may take.
    pub ttl: u8,
    /// The flag G: a node that answers for the destination also notifies the destination.
    pub gratuitous: bool,
    /// The flag D: only the destination may answer.
    pub destination_only: bool,
}

/// RREP: an offer of a route (RFC 3561, 5.2).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Reply {
    /// The destination of the route.
    pub destination: NodeId,
    /// The destination's number.
    pub number: SequenceNumber,
    /// The distance of the destination from the sender.
    pub hops: u8,
    /// The origin of the request.
    pub origin: NodeId,
    /// How many more hops it may take, if limited.
    pub ttl: Option<u8>,
    /// The flag A: the receiver acknowledges it.
    pub acknowledge: bool,
    /// The lifetime of the route. An exploration has no clock, so it does not distinguish replies.
    pub lifetime: Ignored<Duration>,
}

/// RERR: destinations that the sender no longer reaches (RFC 3561, 5.3).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Unreachable {
    /// The destinations with their new numbers; 0 if unknown.
    pub destinations: Vec<(NodeId, SequenceNumber)>,
    /// The flag N: the route was repaired and is only longer, so it stays valid.
    pub repaired: bool,
}

/// A packet of data under way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Data {
    /// Its source.
    pub source: NodeId,
    /// Its destination.
    pub destination: NodeId,
    /// The source's number of the packet.
    pub number: u32,
    /// How many more hops it may take.
    pub ttl: u8,
    /// The nodes it has visited, if recorded.
    pub visited: Vec<NodeId>,
}

impl Data {
    /// How many nodes have sent it before it was forwarded here.
    #[must_use]
    pub fn hops(&self) -> u8 {
        DATA_TTL - self.ttl
    }

    /// A number that is unique among all packets under way.
    #[must_use]
    pub fn key(&self) -> u64 {
        u64::from(self.source.0) << 32 | u64::from(self.number)
    }
}

/// A message between routers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub enum Message {
    /// A search for a route.
    Request(Request),
    /// An offer of a route.
    Reply(Reply),
    /// Destinations that the sender no longer reaches.
    Unreachable(Unreachable),
    /// RREP-ACK: acknowledges a reply (RFC 3561, 5.4).
    Acknowledgement,
    /// A hello: an unsolicited reply that is not forwarded (RFC 3561, 6.9).
    Hello {
        /// The sender's number.
        number: SequenceNumber,
    },
    /// A packet of data.
    Data(Data),
    /// No message of AODV: what the link layer of a neighbour notices when a node has rebooted.
    Reset,
}

/// The time to live of a packet of data: the usual value of IP.
pub(super) const DATA_TTL: u8 = 64;

/// The size of the headers of IP and UDP, in bytes.
const HEADERS_BYTES: usize = 28;

impl Message {
    /// Its size on the wire in bytes, given that of a payload.
    #[must_use]
    pub fn bytes(&self, payload: usize) -> usize {
        let content = match self {
            Self::Request(_) => 24,
            Self::Reply(_) | Self::Hello { .. } => 20,
            Self::Unreachable(Unreachable { destinations, .. }) => 4 + 8 * destinations.len(),
            Self::Acknowledgement => 2,
            Self::Data(_) => payload,
            Self::Reset => 0,
        };
        HEADERS_BYTES + content
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(Request {
                request, origin_number, destination, number, hops, ..
            }) => {
                write!(f, "RREQ {request:?} seq {origin_number:?} hops {hops} for {destination}")?;
                number.map_or(Ok(()), |number| write!(f, " seq {number:?}"))
            }
            Self::Reply(Reply { destination, number, hops, origin, acknowledge, .. }) => {
                write!(f, "RREP {destination} seq {number:?} hops {hops} for {origin}")?;
                f.write_str(if *acknowledge { ", to be acknowledged" } else { "" })
            }
            Self::Acknowledgement => f.write_str("RREP-ACK"),
            Self::Unreachable(Unreachable { destinations, repaired }) => {
                f.write_str(if *repaired { "RERR repaired" } else { "RERR" })?;
                destinations
                    .iter()
                    .try_for_each(|(node, number)| write!(f, " {node} seq {number:?}"))
            }
            Self::Hello { number } => write!(f, "HELLO seq {number:?}"),
            Self::Reset => f.write_str("RESET"),
            Self::Data(Data { source, destination, number, .. }) => {
                write!(f, "DATA {source}→{destination} no {number}")
            }
        }
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}→{} no {}", self.source, self.destination, self.number)
    }
}
