//! Snapshot of a simulated run, which the simulator hands over to the explorer.

use std::time::Duration;

use crate::{NodeId, Packet, Protocol, Topology, World, WorldView};

/// A node of a [`WorldSnapshot`].
pub struct NodeSnapshot<P: Protocol> {
    /// What the protocol keeps.
    pub state: P::State,
    /// The timers that are set, in their order.
    pub timers: Vec<P::Timer>,
    /// When each of them fires.
    pub due: Vec<Duration>,
}

/// A packet of a [`WorldSnapshot`].
pub struct PacketSnapshot<P: Protocol> {
    /// Who sent it.
    pub from: NodeId,
    /// Whom it is addressed to.
    pub to: NodeId,
    /// What it says.
    pub message: P::Message,
    /// When it arrives or comes back, if that is settled: not that of one that is about to leave.
    pub arrives: Option<Duration>,
}

impl<P: Protocol> PacketSnapshot<P> {
    fn packet(&self) -> Packet<'_, P> {
        Packet { from: self.from, to: self.to, message: &self.message }
    }
}

/// The world of one moment of a simulated run: the states of all nodes, the timers that are set, the
/// packets on their way, and who is linked to whom.
///
/// An exploration can start from it, in a scenario that was [put there](crate::Scenario::put_into).
/// It knows no time: when timers fire and packets arrive is kept for who plays a run with times.
pub struct WorldSnapshot<P: Protocol> {
    /// Of which moment it is.
    pub time: Duration,
    /// Who is whose neighbour; on a field, who is within range of whom.
    pub topology: Topology,
    /// The links that are down, in order, the smaller end of each first.
    pub down: Vec<(NodeId, NodeId)>,
    /// Whether nodes talk by radio. Then a node can send to one that is not its neighbour, and it comes
    /// back.
    pub by_radio: bool,
    /// All nodes, in order.
    pub nodes: Vec<NodeSnapshot<P>>,
    /// The packets on their way, in the order in which they arrive.
    pub packets: Vec<PacketSnapshot<P>>,
}

impl<P: Protocol> WorldSnapshot<P> {
    /// As assertions see it.
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
