//! Starting in a world of a simulated run.

use everypath_explore::StateId;
use everypath_model::{KeptWorld, NodeId, Protocol};
use xxhash_rust::xxh3::xxh3_64;

use crate::{NetworkSpace, networks::Past, nodes::Slot, portable::WRITES, space::pack};

impl<P: Protocol> NetworkSpace<'_, P> {
    /// The state of a world.
    pub(crate) fn put_into(&mut self, world: &KeptWorld<P>) -> StateId {
        let packets: Vec<u32> = world
            .packets
            .iter()
            .map(|packet| self.intern_packet(packet.from, packet.to, packet.message.clone()))
            .collect();
        let slots: Vec<u32> = world
            .nodes
            .iter()
            .enumerate()
            .map(|(node, kept)| {
                let (state, timers) = (kept.state.clone(), kept.timers.clone());
                self.intern_slot(node, Slot::Running { state, timers })
            })
            .collect();
        let mut past = Past::none(self.scenario.faults);
        for &(one, other) in &world.down {
            past.links.down = past.links.down.with(self.link_between(one, other));
        }
        pack(self.tuples.intern(&slots), self.networks.make(past, &packets))
    }

    /// A number for the world in which the space starts, if it starts in one: for its nodes, timers,
    /// packets and links. It is the same in every process.
    #[must_use]
    pub fn start_digest(&self) -> Option<u64> {
        let start = self.start?;
        let links: Vec<(NodeId, NodeId)> = start.topology.links().collect();
        let nodes: Vec<(&P::State, &[P::Timer])> =
            start.nodes.iter().map(|node| (&node.state, node.timers.as_slice())).collect();
        let packets: Vec<(NodeId, NodeId, &P::Message)> =
            start.packets.iter().map(|packet| (packet.from, packet.to, &packet.message)).collect();
        let content = (nodes, packets, links, &start.down, start.by_radio);
        Some(xxh3_64(&postcard::to_stdvec(&content).expect(WRITES)))
    }

    /// Whether nodes talk by radio, so that they can send to those that are not near.
    #[inline]
    pub(crate) fn is_by_radio(&self) -> bool {
        self.start.is_some_and(|start| start.by_radio)
    }

    /// Whether what one node sends to another comes back, since it is out of range.
    pub(crate) fn is_beyond(&self, from: NodeId, to: NodeId) -> bool {
        self.is_by_radio() && !self.scenario.topology.are_neighbours(from, to)
    }
}
