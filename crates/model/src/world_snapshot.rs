//! The world at one moment of a simulated run, from which an exploration can start.

use std::time::Duration;

use crate::{NodeId, Packet, Protocol, Topology, World, WorldView};

/// A node of a [`WorldSnapshot`].
pub struct NodeSnapshot<P: Protocol> {
    /// The state of the protocol.
    pub state: P::State,
    /// The timers that are set, in their order.
    pub timers: Vec<P::Timer>,
    /// When each of them fires.
    pub due: Vec<Duration>,
}

/// A packet of a [`WorldSnapshot`].
pub struct PacketSnapshot<P: Protocol> {
    /// The sender.
    pub from: NodeId,
    /// The node it is addressed to.
    pub to: NodeId,
    /// Its content.
    pub message: P::Message,
    /// Arrival or return time; `None` if not yet transmitted.
    pub arrives: Option<Duration>,
}

impl<P: Protocol> PacketSnapshot<P> {
    fn packet(&self) -> Packet<'_, P> {
        Packet { from: self.from, to: self.to, message: &self.message }
    }
}

/// The world at one moment of a simulated run: the states and timers of all nodes, the packets in
/// flight, and the links.
///
/// An exploration can start from it, in a scenario that was [put there](crate::Scenario::put_into).
/// It ignores the times of timers and packets; playing a run with times needs them.
pub struct WorldSnapshot<P: Protocol> {
    /// The moment.
    pub time: Duration,
    /// The neighbours of each node; on a field, those within range.
    pub topology: Topology,
    /// The links that are down, in order, the smaller end of each first.
    pub down: Vec<(NodeId, NodeId)>,
    /// Whether nodes use radios. Then a message to a node out of range is allowed, and comes back.
    pub by_radio: bool,
    /// All nodes, in order.
    pub nodes: Vec<NodeSnapshot<P>>,
    /// The packets in flight, in the order of arrival.
    pub packets: Vec<PacketSnapshot<P>>,
}

impl<P: Protocol> WorldSnapshot<P> {
    /// The world as assertions read it.
    #[must_use]
    pub fn world(&self) -> World<'_, P> {
        World::new(self)
    }
}

impl<P: Protocol> WorldView<P> for WorldSnapshot<P> {
    fn topology(&self) -> &Topology {
        &self.topology
    }

    fn state(&self, node: NodeId) -> &P::State {
        &self.nodes[node.index()].state
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        &self.nodes[node.index()].timers
    }

    fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        self.topology.are_neighbours(a, b) && !self.down.contains(&(a.min(b), a.max(b)))
    }

    fn packet_count(&self) -> usize {
        self.packets.len()
    }

    fn first_packet(&self) -> u64 {
        0
    }

    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, P>> {
        let packet = self.packets.get(usize::try_from(*place).ok()?)?;
        *place += 1;
        Some(packet.packet())
    }
}
