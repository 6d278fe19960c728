//! Messages as datagrams on a wire, for captures.

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
    /// Its original source: not the forwarding node.
    pub source: NodeId,
    /// Its final destination; `None` for a broadcast.
    pub destination: Option<NodeId>,
    /// How many more hops it may take.
    pub ttl: u8,
    /// The UDP port of both ends.
    pub port: u16,
    /// Its payload.
    pub payload: Vec<u8>,
    /// The traffic type in traces, one word: `AODV`, `cbr`.
    pub traffic: &'static str,
    /// The message kind in traces, one word: `REQUEST`.
    pub kind: &'static str,
    /// A unique key, if it is forwarded.
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

    /// Sets how many hops it may take.
    #[must_use]
    pub fn ttl(mut self, hops: u8) -> Self {
        self.ttl = hops;
        self
    }

    /// Sets the traffic type, one word.
    #[must_use]
    pub fn traffic(mut self, word: &'static str) -> Self {
        self.traffic = word;
        self
    }

    /// Sets the message kind, one word.
    #[must_use]
    pub fn kind(mut self, word: &'static str) -> Self {
        self.kind = word;
        self
    }

    /// Sets the unique key, which stays the same over all hops.
    #[must_use]
    pub fn key(mut self, key: u64) -> Self {
        self.key = Some(key);
        self
    }
}

/// The datagram of a message that one node sends to another, or to all.
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
