//! A running simulation as assertions see it.

use everypath_model::{NodeId, Packet, Protocol, Snapshot, Topology};

/// A packet on its way.
#[derive(Clone)]
pub(crate) struct Flight<M> {
    pub(crate) from: NodeId,
    /// To whom it is addressed.
    pub(crate) to: NodeId,
    /// Who receives it: another node only if addressing is late.
    pub(crate) receiver: NodeId,
    /// Whether it is on its way back to its sender, since the link is down.
    pub(crate) returns: bool,
    pub(crate) message: M,
}

impl<M> Flight<M> {
    /// A packet that is received by whom it is for.
    pub(crate) fn new(from: NodeId, to: NodeId, message: M) -> Self {
        Self { from, to, receiver: to, returns: false, message }
    }

    pub(crate) fn packet<P: Protocol<Message = M>>(&self) -> Packet<'_, P> {
        Packet { from: self.from, to: self.to, message: &self.message }
    }
}

/// The states of all nodes, and copies of timers and packets that are made when a world is asked
/// for: an ordinary run never makes them.
pub(crate) struct Picture<'a, P: Protocol> {
    pub(crate) topology: &'a Topology,
    pub(crate) states: Vec<P::State>,
    pub(crate) timers: Vec<Vec<P::Timer>>,
    pub(crate) packets: Vec<Flight<P::Message>>,
    /// On a field, or if nodes or links can be down, for each node: who can hear it, in order.
    pub(crate) up: Option<Vec<Vec<NodeId>>>,
}

impl<P: Protocol> Snapshot<P> for Picture<'_, P> {
    fn topology(&self) -> &Topology {
        self.topology
    }

    fn state(&self, node: NodeId) -> &P::State {
        &self.states[node.index()]
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        &self.timers[node.index()]
    }

    /// On a field, who is within range is linked.
    fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        match &self.up {
            None => self.topology.are_neighbours(a, b),
            Some(near) => near[a.index()].binary_search(&b).is_ok(),
        }
    }

    fn packet_count(&self) -> usize {
        self.packets.len()
    }

    fn first_packet(&self) -> u64 {
        0
    }

    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, P>> {
        let flight = self.packets.get(*place as usize)?;
        *place += 1;
        Some(flight.packet())
    }
}
