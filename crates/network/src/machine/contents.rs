//! The contents of a node's slots: states, timers and commands.

use everypath_model::Protocol;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::nodes::{Input, Slot};

/// The contents of one node's slots.
pub(crate) struct NodeContents<P: Protocol> {
    /// The slots met so far.
    pub(crate) slots: IndexSet<Slot<P::State, P::Timer>, FxBuildHasher>,
    /// By slot: the commands that the environment may give.
    pub(crate) commands: Vec<Vec<P::Command>>,
    /// About how many bytes the slots and commands hold on the heap.
    pub(crate) heap_bytes: usize,
    /// Whether something in its states is ignored.
    pub(crate) ignores: bool,
    /// By slot with ignored values: its later visits.
    pub(crate) visits: FxHashMap<u32, Visits<P::State>>,
}

/// The later visits to a slot in which something is ignored.
pub(crate) struct Visits<S> {
    /// The inputs on which handlers were executed.
    pub(crate) inputs: Vec<Input>,
    /// How often the slot was reached again.
    pub(crate) arrivals: u32,
    /// The state of the last visit that was examined: equal, but its ignored values may differ.
    pub(crate) newcomer: Option<S>,
}

impl<S> Default for Visits<S> {
    fn default() -> Self {
        Self { inputs: Vec::new(), arrivals: 0, newcomer: None }
    }
}

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
