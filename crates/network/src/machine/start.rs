//! The initial state in a world of a simulated run.

use everypath_explore::StateId;
use everypath_model::{NodeId, Protocol, WorldSnapshot};
use xxhash_rust::xxh3::xxh3_64;

use super::ProtocolMachine;
use crate::{bytes::WRITES, nodes::Slot, packed::pack, tables::Tables};

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// The state of a world.
    pub(crate) fn put_into(&mut self, tables: &mut Tables, world: &WorldSnapshot<P>) -> StateId {
        let packets: Vec<u32> = world
            .packets
            .iter()
            .map(|packet| {
                self.intern_packet(tables, packet.from, packet.to, packet.message.clone())
            })
            .collect();
        let mut slots: Vec<u32> = world
            .nodes
            .iter()
            .enumerate()
            .map(|(node, kept)| {
                let (state, timers) = (kept.state.clone(), kept.timers.clone().into());
                self.intern_slot(tables, node, Slot::Running { state, timers })
            })
            .collect();
        slots.extend(self.memories_at_start(&world.memories));
        let mut past = tables.setup.no_past();
        for &(one, other) in &world.down {
            past.links.down = past.links.down.with(tables.setup.link_between(one, other));
        }
        pack(tables.interner.tuples.intern(&slots), tables.interner.networks.make(past, &packets))
    }

    /// A digest of the world in which the space starts, if it starts in one: of its nodes, timers,
    /// packets and links. It is the same in every process.
    pub(crate) fn digest_of_start(&self) -> Option<u64> {
        let start = self.start?;
        let links: Vec<(NodeId, NodeId)> = start.topology.links().collect();
        let nodes: Vec<(&P::State, &[P::Timer])> =
            start.nodes.iter().map(|node| (&node.state, node.timers.as_slice())).collect();
        let packets: Vec<(NodeId, NodeId, &P::Message)> =
            start.packets.iter().map(|packet| (packet.from, packet.to, &packet.message)).collect();
        let content = (nodes, packets, links, &start.down, start.by_radio);
        let mut bytes = postcard::to_stdvec(&content).expect(WRITES);
        start.memories.iter().for_each(|memory| bytes.extend(memory.bytes()));
        Some(xxh3_64(&bytes))
    }
}
