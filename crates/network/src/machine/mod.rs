//! The part of a space that knows the types of its protocol: it executes handlers, judges worlds,
//! and shows, writes and reads values.
//!
//! Everything else works on ids, and is compiled once for all protocols.

mod canonical;
mod contents;
mod describe;
mod divide;
mod encode;
mod execute;
mod judge;
mod native;
mod observe;
mod portable;
mod reduce;
mod repeat;
mod slots;
mod start;
mod typed;
mod unmet;
mod world;

use everypath_model::{
    NativeCounts, NodeId, Packet, Protocol, Ranking, Scenario, Timers, WorldSnapshot,
};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use self::{
    canonical::CanonicalSlots, contents::NodeContents, native::NativeNodes, observe::Memories,
};
pub(crate) use self::{
    describe::Describe,
    divide::Divide,
    encode::{Encode, OtherCommands},
    execute::Execute,
    judge::Judge,
    observe::Observe,
    reduce::{Reduce, Renaming},
};
pub use self::{
    divide::{BadStart, StartError},
    portable::DecodeError,
    typed::OwnedEvent,
    unmet::Unmet,
};
use crate::{
    heap::{heap_estimate, set_growth},
    options::SpaceOptions,
    tables::Tables,
    verify::Sort,
};

/// The interface between a space and the part that knows the types.
pub(crate) trait Machine:
    Execute + Judge + Observe + Divide + Describe + Encode + Reduce
{
    /// About how many bytes it takes.
    fn bytes(&self) -> usize;

    /// How many bytes more it takes at once if it is about to grow.
    fn bytes_soon(&self) -> usize;

    /// How native nodes were used, if there are such.
    fn native_counts(&self) -> Option<NativeCounts>;
}

/// The message of a packet, its sender and its addressee.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PacketContent<M> {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    pub(crate) message: M,
}

/// The machine of a protocol.
pub(crate) struct ProtocolMachine<'a, P: Protocol> {
    pub(crate) scenario: &'a Scenario<P>,
    /// The world in which it starts, if not in the scenario's own start.
    pub(crate) start: Option<&'a WorldSnapshot<P>>,
    pub(crate) nodes: Vec<NodeContents<P>>,
    pub(crate) packets: IndexSet<PacketContent<P::Message>, FxBuildHasher>,
    /// About how many bytes the packets hold on the heap.
    packet_heap_bytes: usize,
    pub(crate) canonical: CanonicalSlots<P>,
    pub(crate) rankings: Vec<&'a Ranking<P>>,
    /// By observer: its memories.
    memories: Vec<Memories>,
    /// The native nodes, if the protocol has such.
    native: Option<NativeNodes>,
    /// Which timers of a node can fire.
    timers: Timers,
}

impl<'a, P: Protocol> ProtocolMachine<'a, P> {
    pub(crate) fn new(
        scenario: &'a Scenario<P>,
        start: Option<&'a WorldSnapshot<P>>,
        options: &SpaceOptions,
    ) -> Self {
        let nodes = scenario.topology.len();
        Self {
            scenario,
            start,
            nodes: (0..nodes).map(|_| NodeContents::default()).collect(),
            packets: IndexSet::default(),
            packet_heap_bytes: 0,
            canonical: CanonicalSlots::new(nodes),
            rankings: scenario.all_rankings().collect(),
            memories: scenario.observers.iter().map(|_| Memories::default()).collect(),
            native: P::NATIVE.then(|| NativeNodes::new(options, nodes)),
            timers: options.timers,
        }
    }

    pub(crate) fn packet(&self, packet: u32) -> Packet<'_, P> {
        let PacketContent { from, to, message } = &self.packets[packet as usize];
        Packet { from: *from, to: *to, message }
    }

    pub(crate) fn intern_packet(
        &mut self,
        tables: &mut Tables,
        from: NodeId,
        to: NodeId,
        message: P::Message,
    ) -> u32 {
        let (packet, new) = self.packets.insert_full(PacketContent { from, to, message });
        if new {
            tables.interner.networks.add_packet(from, to);
            let message = &self.packets[packet].message;
            let whose = || format!("a message that {} sends", self.name_of(from.index()));
            let written = tables.verifier.write_back(Sort::Message, message, whose);
            self.packet_heap_bytes += heap_estimate::<P::Message>(written.bytes);
        }
        u32::try_from(packet).expect("at most 2^32 packets fit")
    }
}

impl<P: Protocol> Machine for ProtocolMachine<'_, P> {
    fn bytes(&self) -> usize {
        self.nodes.iter().map(NodeContents::bytes).sum::<usize>()
            + self.packets.capacity() * (size_of::<PacketContent<P::Message>>() + 16)
            + self.packet_heap_bytes
            + self.canonical.bytes()
            + self.memories.iter().map(Memories::bytes).sum::<usize>()
            + self.native_bytes()
    }

    fn bytes_soon(&self) -> usize {
        self.nodes.iter().map(|node| set_growth(&node.slots)).sum::<usize>()
            + set_growth(&self.packets)
    }

    fn native_counts(&self) -> Option<NativeCounts> {
        self.native.as_ref().map(NativeNodes::counts)
    }
}
