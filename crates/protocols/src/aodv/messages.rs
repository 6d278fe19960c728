//! What routers tell each other.

use std::{fmt, time::Duration};

use everypath_model::{
    Ignored, NodeId,
    serde::{Deserialize, Serialize},
};

use super::SequenceNumber;

/// Which request: its origin, and the origin's number for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct RequestId {
    /// Who asks.
    pub origin: NodeId,
    /// Its how manieth request it is.
    pub id: u32,
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.origin, self.id)
    }
}

/// RREQ: who knows a route (RFC 3561, 5.1)?
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Request {
    /// Which request it is.
    pub request: RequestId,
    /// The origin's own number.
    pub origin_number: SequenceNumber,
    /// To whom a route is sought.
    pub destination: NodeId,
    /// The newest number of the destination that is known so far; none is the flag U.
    pub number: Option<SequenceNumber>,
    /// How many nodes have passed it on.
    pub hops: u8,
    /// How many hops it may still go.
    pub ttl: u8,
    /// The flag G: who answers for the destination is to tell the destination.
    pub gratuitous: bool,
    /// The flag D: nobody is to answer for the destination.
    pub destination_only: bool,
}

/// RREP: here is a route (RFC 3561, 5.2).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Reply {
    /// Where the route leads.
    pub destination: NodeId,
    /// The destination's number.
    pub number: SequenceNumber,
    /// How far it is from the one that sends this.
    pub hops: u8,
    /// Who asked for it.
    pub origin: NodeId,
    /// How many hops it may still go, if that is limited.
    pub ttl: Option<u8>,
    /// The flag A: whoever receives it is to say so.
    pub acknowledge: bool,
    /// For how long the route is good. An exploration has no clock, so it does not tell replies
    /// apart.
    pub lifetime: Ignored<Duration>,
}

/// RERR: these cannot be reached through me any more (RFC 3561, 5.3).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Unreachable {
    /// The destinations and what their numbers are from now on; 0 if none is known.
    pub destinations: Vec<(NodeId, SequenceNumber)>,
    /// The flag N: the route was repaired and is only longer, so it need not be given up.
    pub repaired: bool,
}

/// A packet of data on its way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Data {
    /// Who sent it.
    pub source: NodeId,
    /// For whom it is.
    pub destination: NodeId,
    /// The source's how manieth packet it is.
    pub number: u32,
    /// How many hops it may still go.
    pub ttl: u8,
    /// Where it has been, if that is watched.
    pub visited: Vec<NodeId>,
}

impl Data {
    /// A number that tells the packet from all others that are under way.
    #[must_use]
    pub fn key(&self) -> u64 {
        u64::from(self.source.0) << 32 | u64::from(self.number)
    }
}

/// What routers send each other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub enum Message {
    /// Who knows a route?
    Request(Request),
    /// Here is a route.
    Reply(Reply),
    /// These cannot be reached through me any more.
    Unreachable(Unreachable),
    /// RREP-ACK: I have received your reply (RFC 3561, 5.4).
    Acknowledgement,
    /// I am here: a reply that nobody asked for and that is not passed on (RFC 3561, 6.9).
    Hello {
        /// The sender's own number.
        number: SequenceNumber,
    },
    /// What all this is for.
    Data(Data),
}

/// The headers of IP and UDP.
const HEADERS_BYTES: usize = 28;

impl Message {
    /// Its size on the wire, given that of a payload.
    #[must_use]
    pub fn bytes(&self, payload: usize) -> usize {
        let content = match self {
            Self::Request(_) => 24,
            Self::Reply(_) | Self::Hello { .. } => 20,
            Self::Unreachable(Unreachable { destinations, .. }) => 4 + 8 * destinations.len(),
            Self::Acknowledgement => 2,
            Self::Data(_) => payload,
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
