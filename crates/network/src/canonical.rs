//! Which tuples mean the same, if the scenario says which states of a node do.

use everypath_model::{Protocol, panics};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::{
    NetworkSpace,
    machine::ProtocolMachine,
    nodes::{Slot, Tuples},
};

type Slots<P> = IndexSet<Slot<<P as Protocol>::State, <P as Protocol>::Timer>, FxBuildHasher>;

/// By node: the canonical slots.
pub(crate) struct CanonicalSlots<P: Protocol>(Vec<Slots<P>>);

impl<P: Protocol> CanonicalSlots<P> {
    pub(crate) fn new(nodes: usize) -> Self {
        Self((0..nodes).map(|_| IndexSet::default()).collect())
    }

    pub(crate) fn bytes(&self) -> usize {
        let slots: usize = self.0.iter().map(IndexSet::capacity).sum();
        slots * (size_of::<Slot<P::State, P::Timer>>() + 16)
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    pub(crate) fn intern_canonical(&mut self, node: usize, slot: u32) -> u32 {
        let form = match (self.nodes[node].slot(slot), &self.scenario.canonical) {
            (Slot::Running { state, timers }, Some(canonical)) => {
                let state = panics::within(|| "`canonical`".to_owned(), || canonical(state));
                Slot::Running { state, timers: timers.clone() }
            }
            (slot, _) => slot.clone(),
        };
        let (place, _) = self.canonical.0[node].insert_full(form);
        u32::try_from(place).expect("slots fit in 32 bits")
    }
}

/// The tuples of canonical slots. Tuples mean the same if theirs is the same.
pub(crate) struct Meanings {
    tuples: Tuples,
    /// By node and slot, and by tuple: what was found.
    of_slots: FxHashMap<(usize, u32), u32>,
    of_tuples: FxHashMap<u32, u32>,
}

impl Meanings {
    pub(crate) fn new(nodes: usize) -> Self {
        Self {
            tuples: Tuples::new(nodes),
            of_slots: FxHashMap::default(),
            of_tuples: FxHashMap::default(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tuples.bytes() + self.of_slots.capacity() * 17 + self.of_tuples.capacity() * 9
    }
}

impl NetworkSpace<'_> {
    /// A number that is the same for tuples that mean the same.
    pub(crate) fn meaning(&mut self, tuple: u32) -> u32 {
        if !self.tables.setup.has_canonical {
            return tuple;
        }
        let Self { tables, machine, .. } = self;
        let meanings = &mut tables.meanings;
        if let Some(&known) = meanings.of_tuples.get(&tuple) {
            return known;
        }
        let mut slots = Vec::with_capacity(tables.nodes.len());
        for (node, &slot) in tables.tuples.get(tuple).iter().enumerate() {
            let known = meanings.of_slots.entry((node, slot));
            slots.push(*known.or_insert_with(|| machine.canonical_slot(node, slot)));
        }
        let meaning = meanings.tuples.intern(&slots);
        meanings.of_tuples.insert(tuple, meaning);
        meaning
    }
}
