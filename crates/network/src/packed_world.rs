//! A packed state as assertions, assumptions and rankings read it.

use std::cell::{Cell, OnceCell};

use everypath_model::{NodeId, Packet, Protocol, Snapshot, Topology, World};

use crate::{NetworkSpace, nodes::Slot};

/// A state that notes whether its network was read.
pub(crate) struct PackedWorld<'a, P: Protocol> {
    space: &'a NetworkSpace<'a, P>,
    tuple: u32,
    network: u32,
    /// The packets in flight, once somebody has asked for them.
    packets: OnceCell<Vec<u32>>,
    /// Whether somebody has asked for them since this was last reset.
    asked: Cell<bool>,
    /// Whether somebody has asked which links are up.
    links_asked: Cell<bool>,
}

/// An answer, and whether it holds for every network.
pub(crate) struct Reading<T> {
    pub(crate) answer: T,
    pub(crate) network_read: bool,
}

/// A list that is used again for each world, to spare an allocation.
#[derive(Default)]
pub(crate) struct Spare {
    list: Cell<Vec<u32>>,
}

impl<P: Protocol> PackedWorld<'_, P> {
    /// Asks one of several questions, and marks it if it reads the packets in flight. (To read which
    /// links are up is no obstacle to one state standing for another: they are equal in that.)
    pub(crate) fn ask<T>(
        &self,
        reader: &Cell<bool>,
        question: impl FnOnce(&World<'_, P>) -> T,
    ) -> T {
        self.asked.set(false);
        let answer = question(&World::new(self));
        if self.asked.get() {
            reader.set(true);
        }
        answer
    }

    fn packets(&self) -> &[u32] {
        self.asked.set(true);
        self.packets.get_or_init(|| {
            let mut list = self.space.spare.list.take();
            list.clear();
            self.space.networks.packets(self.network, &mut list);
            list
        })
    }
}

impl<'a, P: Protocol> NetworkSpace<'a, P> {
    /// Asks something of a state.
    pub(crate) fn read<T>(
        &'a self,
        tuple: u32,
        network: u32,
        ask: impl FnOnce(&World<'_, P>) -> T,
    ) -> Reading<T> {
        self.read_packed(tuple, network, |world| ask(&World::new(world)))
    }

    /// Asks several things of a state.
    pub(crate) fn read_packed<T>(
        &'a self,
        tuple: u32,
        network: u32,
        ask: impl FnOnce(&PackedWorld<'a, P>) -> T,
    ) -> Reading<T> {
        let world = PackedWorld {
            space: self,
            tuple,
            network,
            packets: OnceCell::new(),
            asked: Cell::new(false),
            links_asked: Cell::new(false),
        };
        let answer = ask(&world);
        let packets = world.packets.into_inner();
        let network_read = packets.is_some() || world.links_asked.get();
        if let Some(list) = packets {
            self.spare.list.set(list);
        }
        Reading { answer, network_read }
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

    fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        let link = self.space.link_between(a, b);
        if link.is_empty() {
            return self.topology().are_neighbours(a, b);
        }
        self.links_asked.set(true);
        !link.meets(self.space.networks.past(self.network).links.down)
    }

    fn packet_count(&self) -> usize {
        self.packets().len()
    }

    fn packet(&self, index: usize) -> Packet<'_, P> {
        self.space.packet(self.packets()[index])
    }
}
