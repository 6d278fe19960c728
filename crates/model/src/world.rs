//! The state of the whole system, as assertions and rankings read it.

use crate::{NodeId, Protocol, Topology};

/// A message in flight.
#[derive(Debug)]
pub struct Packet<'a, P: Protocol> {
    /// Who sent it.
    pub from: NodeId,
    /// Whom it is addressed to.
    pub to: NodeId,
    /// What it says.
    pub message: &'a P::Message,
}

impl<P: Protocol> Clone for Packet<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Protocol> Copy for Packet<'_, P> {}

/// What a [`World`] is read from: a packed state of the explorer, or a running simulation.
pub trait Snapshot<P: Protocol> {
    /// Who is whose neighbour.
    fn topology(&self) -> &Topology;
    /// The state of a node.
    fn state(&self, node: NodeId) -> &P::State;
    /// The timers that are set at a node, in their order.
    fn timers(&self, node: NodeId) -> &[P::Timer];
    /// Whether a link joins two nodes and is up.
    fn is_up(&self, a: NodeId, b: NodeId) -> bool;
    /// How many packets are in flight.
    fn packet_count(&self) -> usize;
    /// One of the packets in flight.
    fn packet(&self, index: usize) -> Packet<'_, P>;
}

/// The state of all nodes and of the network at one moment.
pub struct World<'a, P: Protocol> {
    snapshot: &'a dyn Snapshot<P>,
}

impl<'a, P: Protocol> World<'a, P> {
    /// A view of a snapshot.
    #[must_use]
    pub fn new(snapshot: &'a dyn Snapshot<P>) -> Self {
        Self { snapshot }
    }

    /// Who is whose neighbour.
    #[must_use]
    pub fn topology(&self) -> &'a Topology {
        self.snapshot.topology()
    }

    /// The state of a node.
    #[must_use]
    pub fn node(&self, node: NodeId) -> &'a P::State {
        self.snapshot.state(node)
    }

    /// The states of all nodes, in order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &'a P::State)> + use<'a, P> {
        let snapshot = self.snapshot;
        snapshot.topology().nodes().map(move |node| (node, snapshot.state(node)))
    }

    /// The timers that are set at a node, in their order.
    #[must_use]
    pub fn timers(&self, node: NodeId) -> &'a [P::Timer] {
        self.snapshot.timers(node)
    }

    /// Whether a link joins two nodes and is up.
    #[must_use]
    pub fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        self.snapshot.is_up(a, b)
    }

    /// The packets in flight.
    pub fn packets(&self) -> impl ExactSizeIterator<Item = Packet<'a, P>> + use<'a, P> {
        let snapshot = self.snapshot;
        (0..snapshot.packet_count()).map(move |index| snapshot.packet(index))
    }
}
