//! Canonical slots: one for all slots with the same meaning, if the scenario defines which those
//! are.

use everypath_model::{Protocol, panics};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::ProtocolMachine;
use crate::nodes::Slot;

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
