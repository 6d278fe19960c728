//! Packets in flight, and copies of a running simulation for assertions to read.

use std::cell::OnceCell;

use everypath_model::{NodeId, Packet, Protocol};

/// A packet on its way.
#[derive(Clone)]
pub(crate) struct Flight<M> {
    /// The sending that it belongs to.
    pub(crate) sending: u64,
    pub(crate) from: NodeId,
    /// The node that it is addressed to.
    pub(crate) to: NodeId,
    /// The node that receives it: another one only if addressing is late.
    pub(crate) receiver: NodeId,
    /// Whether it is on its way back to its sender, since the link is down.
    pub(crate) returns: bool,
    /// Whether it was lost on its way, to make room for another.
    pub(crate) is_displaced: bool,
    pub(crate) message: M,
}

impl<M> Flight<M> {
    /// A packet that is received by its addressee.
    pub(crate) fn new(sending: u64, from: NodeId, to: NodeId, message: M) -> Self {
        Self { sending, from, to, receiver: to, returns: false, is_displaced: false, message }
    }

    pub(crate) fn packet<P: Protocol<Message = M>>(&self) -> Packet<'_, P> {
        Packet { from: self.from, to: self.to, message: &self.message }
    }
}

/// The states of all nodes, and copies of timers and packets that are made on
/// demand: an ordinary run never makes them, nor does one whose assertions read states alone.
pub(crate) struct Picture<P: Protocol> {
    pub(crate) states: Vec<P::State>,
    pub(crate) timers: OnceCell<Vec<Vec<P::Timer>>>,
    pub(crate) packets: OnceCell<Vec<Flight<P::Message>>>,
    /// On a field, or if nodes or links can be down, for each node: the nodes that can hear it, in order.
    pub(crate) linked: OnceCell<Option<Vec<Vec<NodeId>>>>,
}

impl<P: Protocol> Picture<P> {
    pub(crate) fn new(nodes: usize) -> Self {
        Self {
            states: Vec::with_capacity(nodes),
            timers: OnceCell::new(),
            packets: OnceCell::new(),
            linked: OnceCell::new(),
        }
    }

    /// Drops the copies, which may be out of date.
    pub(crate) fn forget_copies(&mut self) {
        self.timers.take();
        self.packets.take();
        self.linked.take();
    }
}
