//! How messages look on a wire: for captures that other programs read.

use std::net::Ipv4Addr;

use crate::{NodeId, Protocol};

/// A message as a UDP datagram over IPv4.
///
/// ```
/// use everypath_model::{Datagram, NodeId};
///
/// let rumour = Datagram::new(NodeId(0), None, 7000, *b"psst").traffic("gossip").kind("RUMOUR");
/// assert_eq!((rumour.ttl, rumour.payload.len()), (1, 4));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Datagram {
    /// Where it comes from: for what is passed on from hop to hop, not the node that sends it now.
    pub source: NodeId,
    /// Where it is to go in the end; to all that hear it if to nobody.
    pub destination: Option<NodeId>,
    /// How many hops it may still go.
    pub ttl: u8,
    /// The UDP port of both ends.
    pub port: u16,
    /// What it carries.
    pub payload: Vec<u8>,
    /// What traces call the sort of traffic, in a word: `AODV`, `cbr`.
    pub traffic: &'static str,
    /// What traces call the message, in a word: `REQUEST`.
    pub kind: &'static str,
    /// What tells it from all others, if it is passed on from hop to hop.
    pub key: Option<u64>,
}

impl Datagram {
    /// A datagram for one hop, of the traffic `udp` and the kind `DATA`.
    #[must_use]
    pub fn new(
        source: NodeId,
        destination: Option<NodeId>,
        port: u16,
        payload: impl Into<Vec<u8>>,
    ) -> Self {
        let payload = payload.into();
        Self { source, destination, ttl: 1, port, payload, traffic: "udp", kind: "DATA", key: None }
    }

    /// The same with so many hops to go.
    #[must_use]
    pub fn ttl(mut self, hops: u8) -> Self {
        self.ttl = hops;
        self
    }

    /// The same as traffic of another sort, in a word.
    #[must_use]
    pub fn traffic(mut self, word: &'static str) -> Self {
        self.traffic = word;
        self
    }

    /// The same as a message of another kind, in a word.
    #[must_use]
    pub fn kind(mut self, word: &'static str) -> Self {
        self.kind = word;
        self
    }

    /// The same with what tells it from all others, however many hops it is passed on.
    #[must_use]
    pub fn key(mut self, key: u64) -> Self {
        self.key = Some(key);
        self
    }
}

/// How a message that one node sends to another, or to all, looks on a wire.
pub type Wire<P> =
    Box<dyn Fn(&P, NodeId, Option<NodeId>, &<P as Protocol>::Message) -> Datagram + Send + Sync>;

impl NodeId {
    /// Its address in a capture: 10.0.0.1 for node 0, and so on.
    ///
    /// ```
    /// use everypath_model::NodeId;
    ///
    /// assert_eq!(NodeId(0).address().to_string(), "10.0.0.1");
    /// assert_eq!(NodeId(300).address().to_string(), "10.0.1.45");
    /// ```
    #[must_use]
    pub fn address(self) -> Ipv4Addr {
        Ipv4Addr::from_bits(Ipv4Addr::new(10, 0, 0, 1).to_bits().wrapping_add(self.0))
    }
}
