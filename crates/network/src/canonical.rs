//! Which tuples mean the same, if the scenario says which states of a node do.

use everypath_model::{Protocol, panics};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::{
    NetworkSpace,
    nodes::{Slot, Tuples},
};

type Slots<P> = IndexSet<Slot<<P as Protocol>::State, <P as Protocol>::Timer>, FxBuildHasher>;

/// The tuples of canonical slots. Tuples mean the same if theirs is the same.
pub(crate) struct Canonical<P: Protocol> {
    /// By node: the canonical slots.
    slots: Vec<Slots<P>>,
    tuples: Tuples,
    /// By node and slot, and by tuple: what was found.
    of_slots: FxHashMap<(usize, u32), u32>,
    of_tuples: FxHashMap<u32, u32>,
}

impl<P: Protocol> Canonical<P> {
    pub(crate) fn new(nodes: usize) -> Self {
        Self {
            slots: (0..nodes).map(|_| IndexSet::default()).collect(),
            tuples: Tuples::new(nodes),
            of_slots: FxHashMap::default(),
            of_tuples: FxHashMap::default(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let slots: usize = self.slots.iter().map(IndexSet::capacity).sum();
        slots * (size_of::<Slot<P::State, P::Timer>>() + 16)
            + self.tuples.bytes()
            + self.of_slots.capacity() * 17
            + self.of_tuples.capacity() * 9
    }
}

impl<P: Protocol> NetworkSpace<'_, P> {
    /// A number that is the same for tuples that mean the same.
    pub(crate) fn meaning(&mut self, tuple: u32) -> u32 {
        if self.scenario.canonical.is_none() {
            return tuple;
        }
        if let Some(&known) = self.canonical.of_tuples.get(&tuple) {
            return known;
        }
        let slots: Vec<u32> = (0..self.nodes.len())
            .map(|node| self.canonical_slot(node, self.tuples.slot(tuple, node)))
            .collect();
        let meaning = self.canonical.tuples.intern(&slots);
        self.canonical.of_tuples.insert(tuple, meaning);
        meaning
    }

    fn canonical_slot(&mut self, node: usize, slot: u32) -> u32 {
        if let Some(&known) = self.canonical.of_slots.get(&(node, slot)) {
            return known;
        }
        let form = match (self.nodes[node].slot(slot), &self.scenario.canonical) {
            (Slot::Running { state, timers }, Some(canonical)) => {
                let state = panics::within(|| "`canonical`".to_owned(), || canonical(state));
                Slot::Running { state, timers: timers.clone() }
            }
            (slot, _) => slot.clone(),
        };
        let (place, _) = self.canonical.slots[node].insert_full(form);
        let place = u32::try_from(place).expect("slots fit in 32 bits");
        self.canonical.of_slots.insert((node, slot), place);
        place
    }
}
