//! States as bytes that mean the same in every process.

use std::borrow::Cow;

use everypath_explore::StateId;
use everypath_model::{Event, NodeId, Protocol};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use super::{Encode, Observe, ProtocolMachine};
use crate::{
    bytes::{List, WRITES},
    nodes::{Breakage, Slot},
    packed::{pack, unpack},
    tables::Tables,
    transit::{FaultsLeft, LinksPast, Order, Past, Timeouts},
};

/// Why bytes are not a state of this scenario.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_explore::{Portable, Space};
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{DecodeError, NetworkSpace, SpaceOptions};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(2));
/// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// let bytes = space.encode(initial[0]);
/// assert_eq!(space.decode(&bytes), Ok(initial[0]));
/// assert!(matches!(space.decode(&[]), Err(DecodeError::Malformed(_))));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// They cannot be read.
    #[error("these bytes are not a state of this scenario: {0}")]
    Malformed(String),
    /// They describe a wrong number of nodes.
    #[error("these bytes describe {found} nodes, but the scenario has {expected}")]
    Nodes {
        /// The number of nodes in the bytes.
        found: usize,
        /// The number of nodes in the scenario.
        expected: usize,
    },
    /// A packet has a sender or addressee that does not exist.
    #[error("these bytes describe a packet from {from} to {to}, but there is no such node")]
    UnknownNode {
        /// The sender of the packet.
        from: NodeId,
        /// Its addressee.
        to: NodeId,
    },
    /// The remaining fault budget is impossible in the scenario.
    #[error("these bytes have a remaining fault budget that the scenario does not allow")]
    Faults,
}

/// The content of a state. Packets are encoded one by one, so that they can be sorted independently
/// of the order in which they were first met.
#[derive(Serialize, Deserialize)]
struct Content<S, T, B> {
    nodes: Vec<Result<(S, List<T>), Breakage>>,
    faults: FaultsLeft,
    packets: Vec<B>,
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    pub(crate) fn encode_state(&self, tables: &Tables, state: StateId) -> Vec<u8> {
        let (tuple, network) = unpack(state);
        let nodes = (0..self.nodes.len())
            .map(|node| match self.nodes[node].slot(tables.interner.tuples.slot(tuple, node)) {
                Slot::Running { state, timers, .. } => Ok((state, List(timers.iter().collect()))),
                Slot::Broken(breakage) => Err(breakage.clone()),
            })
            .collect();
        let mut in_flight = Vec::new();
        tables.interner.networks.packets(network, &mut in_flight);
        // Each distinct packet once: among thousands in flight, most are equal to others.
        let mut encoded: FxHashMap<u32, Vec<u8>> = FxHashMap::default();
        for &packet in &in_flight {
            encoded.entry(packet).or_insert_with(|| self.packet_bytes(packet));
        }
        let mut packets: Vec<&[u8]> =
            in_flight.iter().map(|packet| encoded[packet].as_slice()).collect();
        if tables.interner.networks.order() == Order::Sorted {
            packets.sort_unstable();
        }
        let Past { left: faults, links, happened, timeouts } =
            tables.interner.networks.past(network);
        let content: Content<&P::State, &P::Timer, &[u8]> = Content { nodes, faults, packets };
        let mut bytes = postcard::to_stdvec(&content).expect(WRITES);
        if !tables.setup.links.is_empty() {
            bytes.extend(postcard::to_stdvec(&links).expect(WRITES));
        }
        for left in timeouts.left(tables.setup.timeouts.len()) {
            bytes.extend(left.to_le_bytes());
        }
        if tables.setup.options.required.is_some() {
            bytes.push(u8::from(happened));
        }
        if self.memories.is_empty() {
            return bytes;
        }
        let memories = tables.interner.tuples.get(tuple)[self.nodes.len()..].iter().enumerate();
        let memories: Vec<&[u8]> =
            memories.map(|(observer, &memory)| self.memory_bytes(observer, memory)).collect();
        postcard::to_stdvec(&(memories, bytes)).expect(WRITES)
    }

    pub(crate) fn decode_state(
        &mut self,
        tables: &mut Tables,
        bytes: &[u8],
    ) -> Result<StateId, DecodeError> {
        let (memories, bytes): (Vec<Vec<u8>>, Cow<'_, [u8]>) = match self.memories.is_empty() {
            true => (Vec::new(), Cow::Borrowed(bytes)),
            false => {
                read_all::<(_, Vec<u8>)>(bytes).map(|(memories, rest)| (memories, rest.into()))?
            }
        };
        let required = tables.setup.options.required.is_some();
        let (bytes, happened) = split_required(&bytes, required)?;
        let (bytes, timeouts) = split_timeouts(bytes, tables.setup.timeouts.len())?;
        type Owned<P> = Content<<P as Protocol>::State, <P as Protocol>::Timer, Vec<u8>>;
        let (content, links): (Owned<P>, LinksPast) = match tables.setup.links.is_empty() {
            true => (read_all(bytes)?, tables.setup.no_past().links),
            false => read_all(bytes)?,
        };
        let expected = self.nodes.len();
        if content.nodes.len() != expected {
            return Err(DecodeError::Nodes { found: content.nodes.len(), expected });
        }
        let faults = tables.setup.faults;
        if !content.faults.is_within(faults)
            || !links.is_within(faults, tables.setup.links.len())
            || !tables.setup.no_past().timeouts.covers(timeouts)
        {
            return Err(DecodeError::Faults);
        }
        let timers = content.nodes.iter().flatten().map(|(_, List(timers))| timers);
        if timers.into_iter().any(|timers| !timers.is_sorted_by(|one, next| one < next)) {
            return Err(DecodeError::Malformed("the timers of a node are not in order".to_owned()));
        }
        let mut packets = Vec::new();
        for bytes in content.packets {
            let (from, to, message): (NodeId, NodeId, P::Message) = read_all(&bytes)?;
            if from.index().max(to.index()) >= expected {
                return Err(DecodeError::UnknownNode { from, to });
            }
            packets.push(self.intern_packet(tables, from, to, message));
        }
        let mut slots: Vec<u32> = content
            .nodes
            .into_iter()
            .enumerate()
            .map(|(node, slot)| match slot {
                Ok((state, List(timers))) => {
                    self.intern_read(tables, node, Slot::Running { state, timers: timers.into() })
                }
                Err(breakage) => self.intern_slot(tables, node, Slot::Broken(breakage)),
            })
            .collect();
        if memories.len() != self.memories.len() {
            return Err(DecodeError::Malformed("the number of memories is another".to_owned()));
        }
        for (observer, bytes) in memories.into_iter().enumerate() {
            slots.push(self.intern_memory(observer, bytes).ok_or_else(|| {
                DecodeError::Malformed("a memory of an observer cannot be read".to_owned())
            })?);
        }
        let tuple = tables.interner.tuples.intern(&slots);
        let past = Past { left: content.faults, links, happened, timeouts };
        let network = tables.interner.networks.make(past, &packets);
        let mut in_flight = Vec::new();
        tables.interner.networks.packets(network, &mut in_flight);
        if in_flight.len() != packets.len() {
            return Err(DecodeError::Malformed("a mailbox has too many packets".to_owned()));
        }
        Ok(pack(tuple, network))
    }
}

pub(crate) fn encode_event<P: Protocol>(
    event: &Event<'_, P>,
    choices: &[u32],
    heard: &[Vec<NodeId>],
) -> Vec<u8> {
    let input = match event {
        Event::Command { command, .. } => postcard::to_stdvec(command),
        Event::Timer { timer, .. } => postcard::to_stdvec(timer),
        Event::Reboot { .. } => Ok(Vec::new()),
        Event::LinkDown { ends } | Event::LinkUp { ends } => postcard::to_stdvec(ends),
        Event::Undeliverable { packet } => postcard::to_stdvec(&(packet.to, packet.message)),
        Event::Deliver { node, packet } if packet.to != *node => {
            postcard::to_stdvec(&(packet.from, packet.message, packet.to))
        }
        Event::Deliver { packet, .. } | Event::Lose { packet } | Event::Duplicate { packet } => {
            postcard::to_stdvec(&(packet.from, packet.message))
        }
    };
    let content = (event.kind().name(), event.node(), input.expect(WRITES), choices);
    let mut bytes = postcard::to_stdvec(&content).expect(WRITES);
    if !heard.is_empty() {
        bytes.extend(postcard::to_stdvec(heard).expect(WRITES));
    }
    bytes
}

/// Reads a value from bytes that hold nothing else.
fn read_all<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(DecodeError::Malformed(format!("{} bytes too many", rest.len()))),
        Err(error) => Err(DecodeError::Malformed(error.to_string())),
    }
}

/// The bytes without those at the end that say what is left of this many budgets of timeouts.
fn split_timeouts(bytes: &[u8], budgets: usize) -> Result<(&[u8], Timeouts), DecodeError> {
    let Some(end) = bytes.len().checked_sub(budgets * size_of::<u32>()) else {
        let message = "they do not say how often timers may still fire";
        return Err(DecodeError::Malformed(message.to_owned()));
    };
    let (rest, left) = bytes.split_at(end);
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes each"));
    let left: Vec<u32> = left.chunks_exact(size_of::<u32>()).map(number).collect();
    Ok((rest, Timeouts::of(&left)))
}

/// The bytes without the last one. If an event is required, that byte says whether it has happened.
fn split_required(bytes: &[u8], is_required: bool) -> Result<(&[u8], bool), DecodeError> {
    if !is_required {
        return Ok((bytes, false));
    }
    match bytes.split_last() {
        Some((&happened @ 0..=1, rest)) => Ok((rest, happened == 1)),
        _ => Err(DecodeError::Malformed(
            "they do not say whether the required event has happened".to_owned(),
        )),
    }
}
