//! Slots, packets, states and events as bytes.

use std::io;

use everypath_explore::StateId;
use everypath_model::{Ignored, NodeId, Protocol};
use serde::{Deserialize, Serialize};

use super::{
    Describe, ProtocolMachine,
    portable::{DecodeError, encode_event},
};
use crate::{
    bytes::{self, List, Sink, Source, WRITES, ensure, outdated},
    nodes::{Breakage, Decided, Slot},
    packed::EventName,
    tables::Tables,
};

/// A slot as it is written. Unlike a portable state, it includes the details of a breakage, which
/// do not count but are shown.
#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>, T: Deserialize<'de>"))]
enum SavedSlot<S, T> {
    Running {
        state: S,
        #[serde(deserialize_with = "bytes::list")]
        timers: Vec<T>,
    },
    Panicked {
        message: String,
        place: Option<String>,
    },
    Nondeterministic {
        what: String,
    },
}

/// A node that accepts other commands in one of its slots than when the slot was saved.
pub(crate) struct OtherCommands {
    pub(crate) node: usize,
    pub(crate) slot: u32,
    pub(crate) name: String,
}

/// Writes and reads the meaning of ids.
pub(crate) trait Encode {
    /// A digest of the world in which the space starts, if it starts in one. It is the same in
    /// every process.
    fn start_digest(&self) -> Option<u64>;

    /// Writes all slots, with their commands.
    fn write_slots(&self, out: &mut Sink<'_>) -> io::Result<()>;

    /// Writes all packets.
    fn write_packets(&self, out: &mut Sink<'_>) -> io::Result<()>;

    /// Reads the slots into a new space. Reports each node that accepts other commands in a state
    /// than before.
    fn read_slots(
        &mut self,
        tables: &mut Tables,
        input: &mut Source<'_>,
        otherwise: &mut dyn FnMut(OtherCommands) -> io::Result<()>,
    ) -> io::Result<()>;

    /// Reads the packets into a new space.
    fn read_packets(&mut self, tables: &mut Tables, input: &mut Source<'_>) -> io::Result<()>;

    /// The content of a slot.
    fn slot_bytes(&self, node: usize, slot: u32) -> Vec<u8>;

    /// The content of a packet.
    fn packet_bytes(&self, packet: u32) -> Vec<u8>;

    /// The content of a state; see [`Portable::encode`](everypath_explore::Portable::encode).
    fn encode(&self, tables: &Tables, state: StateId) -> Vec<u8>;

    /// The state that bytes describe.
    fn decode(&mut self, tables: &mut Tables, bytes: &[u8]) -> Result<StateId, DecodeError>;

    /// The content of an event of a node in this slot.
    fn encode_event(
        &self,
        tables: &Tables,
        slot: u32,
        event: EventName,
        decided: &Decided,
    ) -> Vec<u8>;
}

impl<P: Protocol> Encode for ProtocolMachine<'_, P> {
    fn start_digest(&self) -> Option<u64> {
        self.digest_of_start()
    }

    fn write_slots(&self, out: &mut Sink<'_>) -> io::Result<()> {
        for node in &self.nodes {
            out.put(&node.slots.len())?;
            for (slot, commands) in node.slots.iter().zip(&node.commands) {
                out.block(&(saved_slot(slot), commands))?;
            }
        }
        Ok(())
    }

    fn write_packets(&self, out: &mut Sink<'_>) -> io::Result<()> {
        out.put(&self.packets.len())?;
        self.packets
            .iter()
            .try_for_each(|packet| out.block(&(packet.from, packet.to, &packet.message)))
    }

    fn read_slots(
        &mut self,
        tables: &mut Tables,
        input: &mut Source<'_>,
        otherwise: &mut dyn FnMut(OtherCommands) -> io::Result<()>,
    ) -> io::Result<()> {
        for node in 0..self.nodes.len() {
            for _ in 0..input.get::<usize>()? {
                let (slot, List(commands)) = input.block()?;
                let slot = self.read_slot(tables, node, slot)?;
                if self.nodes[node].commands[slot as usize] != commands {
                    otherwise(OtherCommands { node, slot, name: self.name_of(node) })?;
                }
            }
        }
        self.find_start();
        Ok(())
    }

    fn read_packets(&mut self, tables: &mut Tables, input: &mut Source<'_>) -> io::Result<()> {
        for _ in 0..input.get::<usize>()? {
            let (from, to, message): (NodeId, NodeId, P::Message) = input.block()?;
            let there = from.index().max(to.index()) < self.nodes.len();
            ensure(there, "a packet names a node that does not exist")?;
            let packets = self.packets.len();
            self.intern_packet(tables, from, to, message);
            ensure(self.packets.len() > packets, "a packet is listed twice")?;
        }
        Ok(())
    }

    fn slot_bytes(&self, node: usize, slot: u32) -> Vec<u8> {
        let slot = self.nodes[node].slot(slot);
        let mut bytes = postcard::to_stdvec(&slot.content()).expect(WRITES);
        if let Slot::Running { timers, .. } = slot
            && let Some(queue) = timers.queue()
        {
            bytes.extend(postcard::to_stdvec(queue).expect(WRITES));
        }
        bytes
    }

    fn packet_bytes(&self, packet: u32) -> Vec<u8> {
        let packet = self.packet(packet);
        postcard::to_stdvec(&(packet.from, packet.to, packet.message)).expect(WRITES)
    }

    fn encode(&self, tables: &Tables, state: StateId) -> Vec<u8> {
        self.encode_state(tables, state)
    }

    fn decode(&mut self, tables: &mut Tables, bytes: &[u8]) -> Result<StateId, DecodeError> {
        self.decode_state(tables, bytes)
    }

    fn encode_event(
        &self,
        tables: &Tables,
        slot: u32,
        event: EventName,
        decided: &Decided,
    ) -> Vec<u8> {
        let heard = tables.setup.audiences_heard(event.node, &decided.audiences);
        encode_event(&self.event(tables, slot, event), &decided.choices, &heard)
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    fn read_slot(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: SavedSlot<P::State, P::Timer>,
    ) -> io::Result<u32> {
        let slot = match slot {
            SavedSlot::Running { state, timers } => {
                let in_order = timers.is_sorted_by(|one, next| one < next);
                ensure(in_order, "the timers of a node are not in order")?;
                Slot::Running { state, timers: timers.into() }
            }
            SavedSlot::Panicked { message, place } => {
                Slot::Broken(Breakage::Panicked { message, place: Ignored(place) })
            }
            SavedSlot::Nondeterministic { what } => {
                Slot::Broken(Breakage::Nondeterministic { what: Ignored(what) })
            }
        };
        let runs = matches!(slot, Slot::Running { .. });
        let slots = self.nodes[node].slots.len();
        let place = self.intern_read(tables, node, slot);
        if runs != matches!(self.nodes[node].slot(place), Slot::Running { .. }) {
            return Err(outdated(&format!("{} cannot list its commands", self.name_of(node))));
        }
        ensure(place as usize == slots, "a node state is listed twice")?;
        Ok(place)
    }
}

fn saved_slot<S, T>(slot: &Slot<S, T>) -> SavedSlot<&S, &T> {
    match slot {
        Slot::Running { state, timers, .. } => {
            SavedSlot::Running { state, timers: timers.iter().collect() }
        }
        Slot::Broken(Breakage::Panicked { message, place }) => {
            SavedSlot::Panicked { message: message.clone(), place: (**place).clone() }
        }
        Slot::Broken(Breakage::Nondeterministic { what }) => {
            SavedSlot::Nondeterministic { what: (**what).clone() }
        }
    }
}
