//! The world of a packed state, as assertions, assumptions and rankings read it.

use std::cell::Cell;

use everypath_model::{Memory, NodeId, Packet, Protocol, Topology, World, WorldView};

use super::ProtocolMachine;
use crate::{answers::Reading, nodes::Slot, tables::Tables};

/// A state that notes whether its network was read.
pub(crate) struct PackedWorld<'a, P: Protocol> {
    machine: &'a ProtocolMachine<'a, P>,
    tables: &'a Tables,
    /// The slots of the nodes, and the memories of observers.
    slots: &'a [u32],
    network: u32,
    /// Whether the packets in flight were read since the last reset.
    packets_asked: Cell<bool>,
    /// Whether the packets in flight or the state of links were read.
    network_asked: Cell<bool>,
}

impl<'a, P: Protocol> PackedWorld<'a, P> {
    #[inline]
    fn slot(&self, node: NodeId) -> &'a Slot<P::State, P::Timer> {
        self.machine.nodes[node.index()].slot(self.slots[node.index()])
    }

    /// Asks one of several questions, and marks it if it reads the packets in flight. (Reading the
    /// state of links is harmless: a state and one that covers it have the same links down.)
    pub(crate) fn ask<T>(
        &self,
        reader: &Cell<bool>,
        question: impl FnOnce(&World<'_, P>) -> T,
    ) -> T {
        self.packets_asked.set(false);
        let answer = question(&World::new(self));
        if self.packets_asked.get() {
            reader.set(true);
        }
        answer
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// Asks something of a state.
    pub(crate) fn read<T>(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        ask: impl FnOnce(&World<'_, P>) -> T,
    ) -> Reading<T> {
        self.read_packed(tables, tuple, network, |world| ask(&World::new(world)))
    }

    /// Asks several things of a state.
    pub(crate) fn read_packed<T>(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        ask: impl FnOnce(&PackedWorld<'_, P>) -> T,
    ) -> Reading<T> {
        let world = PackedWorld {
            machine: self,
            tables,
            slots: tables.interner.tuples.get(tuple),
            network,
            packets_asked: Cell::new(false),
            network_asked: Cell::new(false),
        };
        let answer = ask(&world);
        Reading { answer, network_read: world.network_asked.get() }
    }
}

impl<P: Protocol> WorldView<P> for PackedWorld<'_, P> {
    fn topology(&self) -> &Topology {
        &self.machine.scenario.topology
    }

    fn state(&self, node: NodeId) -> &P::State {
        match self.slot(node) {
            Slot::Running { state, .. } => state,
            Slot::Broken(_) => unreachable!("the world of a broken node is never read"),
        }
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        match self.slot(node) {
            Slot::Running { timers, .. } => timers,
            Slot::Broken(_) => unreachable!("the world of a broken node is never read"),
        }
    }

    fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        let link = self.tables.setup.link_between(a, b);
        if link.is_empty() {
            return self.topology().are_neighbours(a, b);
        }
        self.network_asked.set(true);
        !link.meets(self.tables.interner.networks.past(self.network).links.down)
    }

    fn packet_count(&self) -> usize {
        let mut place = self.first_packet();
        std::iter::from_fn(|| self.tables.interner.networks.next_packet(self.network, &mut place))
            .count()
    }

    fn first_packet(&self) -> u64 {
        self.packets_asked.set(true);
        self.network_asked.set(true);
        self.tables.interner.networks.first_packet(self.network)
    }

    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, P>> {
        let packet = self.tables.interner.networks.next_packet(self.network, place)?;
        Some(self.machine.packet(packet))
    }

    fn memory(&self, observer: usize) -> Option<&dyn Memory> {
        let memories = self.machine.memories.get(observer)?;
        Some(memories.get(self.slots[self.machine.nodes.len() + observer]))
    }
}
