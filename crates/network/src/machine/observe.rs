//! Observers: their memories, each kept once, and what a step makes of them.

use std::io;

use everypath_explore::{EventId, HistoryText, OperationText, StateId};
use everypath_model::{
    Memory, NodeId, Nodes, ObservedStep, Packet, Protocol, Topology, WorldView,
    history::{ToldHistory, ToldOperation},
};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::ProtocolMachine;
use crate::{
    bytes::{Sink, Source, damaged, ensure},
    nodes::Slot,
    packed::{EventName, unpack},
    tables::Tables,
    verify::Sort,
};

/// The memories of one observer: each by its bytes.
#[derive(Default)]
pub(crate) struct Memories {
    known: IndexMap<Box<[u8]>, Box<dyn Memory>, FxBuildHasher>,
    /// How many bytes they take as bytes; about as many again as values.
    written: usize,
}

impl Memories {
    fn intern(&mut self, memory: Box<dyn Memory>, bytes: Vec<u8>) -> u32 {
        let entry = self.known.entry(bytes.into_boxed_slice());
        let place = entry.index();
        if let indexmap::map::Entry::Vacant(entry) = entry {
            self.written += entry.key().len();
            entry.insert(memory);
        }
        u32::try_from(place).expect("at most 2^32 memories fit")
    }

    pub(crate) fn get(&self, memory: u32) -> &dyn Memory {
        &*self.known[memory as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.known.capacity() * (size_of::<(Box<[u8]>, Box<dyn Memory>)>() + 16) + 2 * self.written
    }
}

/// A memory after a step, equal to another if its bytes are.
struct Observed {
    memory: Box<dyn Memory>,
    bytes: Vec<u8>,
}

impl PartialEq for Observed {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

/// Follows steps with the observers of the scenario. Their memories are the columns of a tuple behind the slots of its
/// nodes.
pub(crate) trait Observe {
    /// The memories before the first step.
    fn first_memories(&mut self) -> Vec<u32>;

    /// Puts the memories after a step behind the slots after it.
    fn observe(&mut self, tables: &Tables, tuple: u32, event: EventName, after: &mut [u32]);

    /// The name of an observer, and the text of its memory; nothing if it is not shown.
    fn memory_text(&self, observer: usize, memory: u32) -> Option<(String, String)>;

    /// The content of a memory.
    fn memory_bytes(&self, observer: usize, memory: u32) -> &[u8];

    /// Writes all memories.
    fn write_memories(&self, out: &mut Sink<'_>) -> io::Result<()>;

    /// Reads the memories into a new space.
    fn read_memories(&mut self, input: &mut Source<'_>) -> io::Result<()>;

    /// How many memories of an observer there are.
    fn known_memories(&self, observer: usize) -> usize;

    /// The histories of a run.
    fn histories(&self, tables: &Tables, run: &[(StateId, EventId, StateId)]) -> Vec<HistoryText>;
}

impl<P: Protocol> Observe for ProtocolMachine<'_, P> {
    fn first_memories(&mut self) -> Vec<u32> {
        let observers = self.scenario.observers.iter().zip(&mut self.memories);
        let first = observers.map(|(observer, memories)| {
            let memory = observer.start();
            let bytes = memory.bytes();
            memories.intern(memory, bytes)
        });
        first.collect()
    }

    fn observe(&mut self, tables: &Tables, tuple: u32, event: EventName, after: &mut [u32]) {
        let before = tables.interner.tuples.get(tuple);
        let nodes = self.nodes.len();
        let observed: Vec<Observed> = {
            let event = self.event(tables, before[event.node], event);
            let view = |slots| NodeSlots { machine: self, slots };
            let (earlier, later) = (view(before), view(after));
            let step = ObservedStep {
                before: Nodes::new(&earlier),
                event: &event,
                after: Nodes::new(&later),
            };
            let content = || u64::from(tuple) << 32 | u64::from(after[0]);
            let twice = tables.verifier.is_due(Sort::Observer, content);
            let observers = self.scenario.observers.iter().zip(&self.memories);
            let observe = observers.zip(&before[nodes..]).map(|((observer, memories), &memory)| {
                let memory = memories.get(memory);
                tables.verifier.ask("observer", &observer.name, twice, || {
                    let memory = observer.observe(memory, &step);
                    Observed { bytes: memory.bytes(), memory }
                })
            });
            observe.collect()
        };
        let columns = after[nodes..].iter_mut().zip(&mut self.memories);
        for ((column, memories), Observed { memory, bytes }) in columns.zip(observed) {
            *column = memories.intern(memory, bytes);
        }
    }

    fn memory_text(&self, observer: usize, memory: u32) -> Option<(String, String)> {
        let told = &self.scenario.observers[observer];
        told.is_shown.then(|| (told.name.clone(), self.memories[observer].get(memory).text()))
    }

    fn memory_bytes(&self, observer: usize, memory: u32) -> &[u8] {
        let known = self.memories[observer].known.get_index(memory as usize);
        known.expect("it is known").0
    }

    fn write_memories(&self, out: &mut Sink<'_>) -> io::Result<()> {
        for memories in &self.memories {
            out.put(&memories.known.len())?;
            memories.known.keys().try_for_each(|bytes| out.bytes(bytes))?;
        }
        Ok(())
    }

    fn read_memories(&mut self, input: &mut Source<'_>) -> io::Result<()> {
        for (observer, memories) in self.scenario.observers.iter().zip(&mut self.memories) {
            for _ in 0..input.get::<usize>()? {
                let bytes = input.bytes()?;
                let memory = observer.read(&bytes);
                let memory = memory.ok_or_else(|| {
                    damaged(format!(
                        "the memory of the observer `{}` cannot be read",
                        observer.name
                    ))
                })?;
                ensure(memory.bytes() == bytes, "a memory is written in another way")?;
                let known = memories.known.len();
                ensure(
                    memories.intern(memory, bytes) as usize == known,
                    "a memory is listed twice",
                )?;
            }
        }
        Ok(())
    }

    fn known_memories(&self, observer: usize) -> usize {
        self.memories[observer].known.len()
    }

    fn histories(&self, tables: &Tables, run: &[(StateId, EventId, StateId)]) -> Vec<HistoryText> {
        let steps = run.iter().map(|&(before, event, after)| {
            (unpack(before).0, EventName::unpack(event), unpack(after).0)
        });
        // A handler that has failed ends the run.
        let steps = steps.take_while(|(.., after)| tables.interner.breakage(*after).is_none());
        let steps: Vec<_> = steps.collect();
        let told = self.scenario.histories.iter().map(|history| {
            history.tell(|observe| {
                for &(before, event, after) in &steps {
                    let [before, after] = [before, after].map(|it| tables.interner.tuples.get(it));
                    let event = self.event(tables, before[event.node], event);
                    let view = |slots| NodeSlots { machine: self, slots };
                    let (before, after) = (view(before), view(after));
                    let (before, after) = (Nodes::new(&before), Nodes::new(&after));
                    observe(&ObservedStep { before, event: &event, after });
                }
            })
        });
        let text = |ToldHistory { name, operations, reasons }| HistoryText {
            name,
            operations: operations.into_iter().map(operation_text).collect(),
            reasons,
        };
        told.map(text).collect()
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// Copies of the memories of a tuple.
    pub(super) fn memories_of(&self, tables: &Tables, tuple: u32) -> Vec<Box<dyn Memory>> {
        let columns = &tables.interner.tuples.get(tuple)[self.nodes.len()..];
        let memories = self.memories.iter().zip(columns);
        memories.map(|(memories, &memory)| memories.get(memory).copy()).collect()
    }

    /// The memories in which an exploration starts: those of a simulated run, or the first ones.
    pub(super) fn memories_at_start(&mut self, kept: &[Box<dyn Memory>]) -> Vec<u32> {
        if kept.is_empty() {
            return self.first_memories();
        }
        let memories = kept.iter().zip(&mut self.memories);
        memories.map(|(memory, known)| known.intern(memory.copy(), memory.bytes())).collect()
    }

    /// The number of a memory that was read from bytes.
    pub(super) fn intern_memory(&mut self, observer: usize, bytes: Vec<u8>) -> Option<u32> {
        let memory = self.scenario.observers[observer].read(&bytes)?;
        (memory.bytes() == bytes).then(|| self.memories[observer].intern(memory, bytes))
    }
}

fn operation_text(operation: ToldOperation) -> OperationText {
    let ToldOperation { client, operation, invoked, answered } = operation;
    OperationText { client: client.0, operation, invoked, answered }
}

/// The nodes in their slots. An observer cannot ask it for the network.
struct NodeSlots<'a, P: Protocol> {
    machine: &'a ProtocolMachine<'a, P>,
    slots: &'a [u32],
}

impl<'a, P: Protocol> NodeSlots<'a, P> {
    fn slot(&self, node: NodeId) -> &'a Slot<P::State, P::Timer> {
        self.machine.nodes[node.index()].slot(self.slots[node.index()])
    }
}

const NO_NETWORK: &str = "an observer sees no network";

impl<P: Protocol> WorldView<P> for NodeSlots<'_, P> {
    fn topology(&self) -> &Topology {
        &self.machine.scenario.topology
    }

    fn state(&self, node: NodeId) -> &P::State {
        match self.slot(node) {
            Slot::Running { state, .. } => state,
            Slot::Broken(_) => unreachable!("no step from or to a broken node is observed"),
        }
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        match self.slot(node) {
            Slot::Running { timers, .. } => timers,
            Slot::Broken(_) => unreachable!("no step from or to a broken node is observed"),
        }
    }

    fn is_up(&self, _: NodeId, _: NodeId) -> bool {
        unreachable!("{NO_NETWORK}")
    }

    fn packet_count(&self) -> usize {
        unreachable!("{NO_NETWORK}")
    }

    fn first_packet(&self) -> u64 {
        unreachable!("{NO_NETWORK}")
    }

    fn next_packet(&self, _: &mut u64) -> Option<Packet<'_, P>> {
        unreachable!("{NO_NETWORK}")
    }
}
