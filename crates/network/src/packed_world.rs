//! A packed state as assertions, assumptions and rankings read it.

use std::cell::Cell;

use everypath_model::{NodeId, Packet, Protocol, Snapshot, Topology, World};

use crate::{NetworkSpace, nodes::Slot};

/// A state that notes whether its network was read.
pub(crate) struct PackedWorld<'a, P: Protocol> {
    space: &'a NetworkSpace<'a, P>,
    tuple: u32,
    network: u32,
    network_read: Cell<bool>,
}

/// An answer, and whether it holds for every network.
pub(crate) struct Reading<T> {
    pub(crate) answer: T,
    pub(crate) network_read: bool,
}

impl<'a, P: Protocol> NetworkSpace<'a, P> {
    /// Asks something of a state.
    pub(crate) fn read<T>(
        &'a self,
        tuple: u32,
        network: u32,
        ask: impl FnOnce(&World<'_, P>) -> T,
    ) -> Reading<T> {
        let world = PackedWorld { space: self, tuple, network, network_read: Cell::new(false) };
        let answer = ask(&World::new(&world));
        Reading { answer, network_read: world.network_read.get() }
    }
}

impl<P: Protocol> Snapshot<P> for PackedWorld<'_, P> {
    fn topology(&self) -> &Topology {
        &self.space.scenario.topology
    }

    fn state(&self, node: NodeId) -> &P::State {
        match self.space.slot(self.tuple, node.index()) {
            Slot::Running { state, .. } => state,
            Slot::Broken(_) => unreachable!("the world of a broken node is never read"),
        }
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        match self.space.slot(self.tuple, node.index()) {
            Slot::Running { timers, .. } => timers,
            Slot::Broken(_) => unreachable!("the world of a broken node is never read"),
        }
    }

    fn packet_count(&self) -> usize {
        self.network_read.set(true);
        self.space.networks.packets(self.network).len()
    }

    fn packet(&self, index: usize) -> Packet<'_, P> {
        self.network_read.set(true);
        self.space.packet(self.space.networks.packets(self.network)[index])
    }
}
