//! What is known of each node: what its slots hold, and what its handlers do in them.

use everypath_explore::{growth, map_bytes, map_growth};
use everypath_model::{EventKind, Ignored, Protocol, panics::Panic};
use hashbrown::HashTable;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::{
    fmt,
    hash::{BuildHasher, Hash},
};

use crate::execute::Input;

/// Why a node does not run any more.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Breakage {
    /// A handler panicked.
    Panicked {
        /// What the panic said.
        message: String,
        /// Where; it does not count, for it changes with every edit of the source.
        place: Ignored<Option<String>>,
    },
    /// A handler did two different things on the same input.
    Nondeterministic {
        /// Which two; they do not count, for they differ from run to run.
        what: Ignored<String>,
    },
}

impl From<Panic> for Breakage {
    fn from(Panic { message, place, .. }: Panic) -> Self {
        Self::Panicked { message, place: Ignored(place) }
    }
}

impl fmt::Display for Breakage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked { message, place } => {
                Panic { message: message.clone(), place: (**place).clone(), part: None }.fmt(f)
            }
            Self::Nondeterministic { what } => f.write_str(what),
        }
    }
}

/// A node at one moment: what the protocol keeps, and which timers are set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot<S, T> {
    /// It runs.
    Running {
        /// What the protocol keeps.
        state: S,
        /// The timers that are set, in their order.
        timers: Vec<T>,
    },
    /// One of its handlers has failed.
    Broken(Breakage),
}

impl<S, T> Slot<S, T> {
    /// What a slot is written as.
    pub(crate) fn content(&self) -> Result<(&S, &[T]), &Breakage> {
        match self {
            Self::Running { state, timers } => Ok((state, timers)),
            Self::Broken(breakage) => Err(breakage),
        }
    }
}

/// What a handler does to its node and the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    /// The node's next slot.
    pub(crate) slot: u32,
    /// What happens to the network.
    pub(crate) output: u32,
}

/// The outcomes of one handler execution, one per sequence of choices: a range of a common list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcomes {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// An event that depends on the node alone: a command, a timer, a reboot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalEvent {
    pub(crate) kind: EventKind,
    /// In the place of which kind it is tried.
    pub(crate) tried_as: EventKind,
    /// Which command or timer of the slot.
    pub(crate) which: u32,
    /// What it leads to, once it has been executed.
    pub(crate) outcomes: Option<Outcomes>,
}

/// What is known of one node by ids alone: what its handlers lead to.
#[derive(Default)]
pub(crate) struct NodeTable {
    /// What its first start leads to, once it has been executed.
    pub(crate) start: Option<Outcomes>,
    /// By slot: the events that depend on the node alone.
    pub(crate) local: Vec<Vec<LocalEvent>>,
    /// How many bytes the lists of those events hold.
    pub(crate) local_bytes: usize,
    /// The slots in which one of its handlers has failed.
    pub(crate) broken: FxHashMap<u32, Breakage>,
    /// By slot and packet: what the packet's delivery leads to.
    pub(crate) deliveries: FxHashMap<(u32, u32), Outcomes>,
    /// By slot and packet: what it leads to that the node's own packet comes back.
    pub(crate) returns: FxHashMap<(u32, u32), Outcomes>,
    /// By slot and packet: who can receive a packet that the node sent, while it is in this slot; if
    /// that cannot be told, the broken slot that says why.
    pub(crate) receivers: FxHashMap<(u32, u32), Result<Receivers, u32>>,
}

/// What one node's slots hold.
pub(crate) struct NodeContents<P: Protocol> {
    /// The slots met so far.
    pub(crate) slots: IndexSet<Slot<P::State, P::Timer>, FxBuildHasher>,
    /// By slot: the commands that the environment may give.
    pub(crate) commands: Vec<Vec<P::Command>>,
    /// About how many bytes the slots and commands hold on the heap.
    pub(crate) heap_bytes: usize,
    /// Whether something in its states is ignored.
    pub(crate) ignores: bool,
    /// By slot, where something is ignored: what is known of how it was come to again.
    pub(crate) visits: FxHashMap<u32, Visits<P::State>>,
}

/// What is known of a slot in which something is ignored.
pub(crate) struct Visits<S> {
    /// What handlers were executed on.
    pub(crate) inputs: Vec<Input>,
    /// How often the slot was come to again.
    pub(crate) arrivals: u32,
    /// The state with which that was looked at last: equal, but what is ignored may be another.
    pub(crate) newcomer: Option<S>,
}

impl<S> Default for Visits<S> {
    fn default() -> Self {
        Self { inputs: Vec::new(), arrivals: 0, newcomer: None }
    }
}

/// The bytes of an entry of a table by slot and packet.
const HANDLED_BYTES: usize = size_of::<((u32, u32), Outcomes)>();
const RECEIVERS_BYTES: usize = size_of::<((u32, u32), Result<Receivers, u32>)>();

/// How many bytes more the index of a set takes at once when it grows, if that is about to happen.
pub(crate) fn set_growth<T>(set: &IndexSet<T, FxBuildHasher>) -> usize {
    map_growth(set.len(), set.capacity(), size_of::<usize>())
}

/// Who can receive a packet, mostly one: nodes in order.
pub(crate) type Receivers = SmallVec<[u16; 4]>;

impl<P: Protocol> Default for NodeContents<P> {
    fn default() -> Self {
        Self {
            slots: IndexSet::default(),
            commands: Vec::new(),
            heap_bytes: 0,
            ignores: false,
            visits: FxHashMap::default(),
        }
    }
}

impl<P: Protocol> NodeContents<P> {
    #[inline]
    pub(crate) fn slot(&self, slot: u32) -> &Slot<P::State, P::Timer> {
        &self.slots[slot as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * (size_of::<Slot<P::State, P::Timer>>() + 16)
            + self.heap_bytes
            + self.commands.capacity() * size_of::<Vec<P::Command>>()
            + self.visits.capacity() * (size_of::<Visits<P::State>>() + 8 + 4 * size_of::<Input>())
    }
}

impl NodeTable {
    /// How many slots were met so far.
    pub(crate) fn slots(&self) -> usize {
        self.local.len()
    }

    /// Whether a slot exists in which the node runs.
    pub(crate) fn runs_in(&self, slot: u32) -> bool {
        (slot as usize) < self.slots() && !self.broken.contains_key(&slot)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.local_bytes
            + self.local.capacity() * size_of::<Vec<LocalEvent>>()
            + map_bytes(self.broken.capacity(), size_of::<(u32, Breakage)>())
            + map_bytes(self.deliveries.capacity(), HANDLED_BYTES)
            + map_bytes(self.returns.capacity(), HANDLED_BYTES)
            + map_bytes(self.receivers.capacity(), RECEIVERS_BYTES)
    }

    /// How many bytes more its tables take at once when they grow, as far as that is about to happen.
    pub(crate) fn bytes_soon(&self) -> usize {
        let Self { deliveries, returns, receivers, .. } = self;
        map_growth(deliveries.len(), deliveries.capacity(), HANDLED_BYTES)
            + map_growth(returns.len(), returns.capacity(), HANDLED_BYTES)
            + map_growth(receivers.len(), receivers.capacity(), RECEIVERS_BYTES)
    }
}

/// The tuples of slots, one slot per node: each distinct one is kept once.
pub(crate) struct Tuples {
    nodes: usize,
    slots: Vec<u32>,
    index: HashTable<u32>,
    scratch: Vec<u32>,
}

impl Tuples {
    pub(crate) fn new(nodes: usize) -> Self {
        Self { nodes, slots: Vec::new(), index: HashTable::new(), scratch: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() / self.nodes
    }

    pub(crate) fn get(&self, tuple: u32) -> &[u32] {
        let start = tuple as usize * self.nodes;
        &self.slots[start..start + self.nodes]
    }

    #[inline]
    pub(crate) fn slot(&self, tuple: u32, node: usize) -> u32 {
        self.slots[tuple as usize * self.nodes + node]
    }

    pub(crate) fn intern(&mut self, tuple: &[u32]) -> u32 {
        debug_assert_eq!(tuple.len(), self.nodes);
        let Self { nodes, slots, index, .. } = self;
        let at = |tuple: u32| &slots[tuple as usize * *nodes..][..*nodes];
        let place = index.entry(
            hash_words(tuple),
            |&known| at(known) == tuple,
            |&known| hash_words(at(known)),
        );
        match place {
            hashbrown::hash_table::Entry::Occupied(known) => *known.get(),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let new = u32::try_from(slots.len() / *nodes).expect("at most 2^32 tuples fit");
                place.insert(new);
                slots.extend_from_slice(tuple);
                new
            }
        }
    }

    /// The tuple in which one node has another slot.
    pub(crate) fn replace(&mut self, tuple: u32, node: usize, slot: u32) -> u32 {
        if self.slot(tuple, node) == slot {
            return tuple;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend_from_slice(self.get(tuple));
        scratch[node] = slot;
        let replaced = self.intern(&scratch);
        self.scratch = scratch;
        replaced
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>() + self.index.allocation_size()
    }

    /// How many bytes more it takes at once when it grows, if that is about to happen.
    pub(crate) fn bytes_soon(&self) -> usize {
        growth(self.index.len(), self.index.capacity(), self.index.allocation_size())
    }
}

pub(crate) fn hash_words(words: &[u32]) -> u64 {
    FxBuildHasher.hash_one(words)
}
