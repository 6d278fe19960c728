//! A running simulation as assertions see it.

use everypath_model::{NodeId, Packet, Protocol, Snapshot, Topology};

/// A packet on its way.
#[derive(Clone)]
pub(crate) struct Flight<M> {
    /// By which sending of the run it came about.
    pub(crate) sending: u64,
    pub(crate) from: NodeId,
    /// To whom it is addressed.
    pub(crate) to: NodeId,
    /// Who receives it: another node only if addressing is late.
    pub(crate) receiver: NodeId,
    pub(crate) message: M,
}

impl<M> Flight<M> {
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
    /// On a field, for each node: who is within range.
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

    /// Links do not fail in a simulation. On a field, who is within range is linked.
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
