//! Tuples: the slots of all nodes, and the memories of all observers.

use std::hash::BuildHasher;

use everypath_explore::growth;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// The tuples of slots, one slot per node, and of memories, one per observer: each distinct one is
/// kept once.
pub(crate) struct Tuples {
    /// How many columns a tuple has.
    columns: usize,
    slots: Vec<u32>,
    index: HashTable<u32>,
    scratch: Vec<u32>,
}

impl Tuples {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns, slots: Vec::new(), index: HashTable::new(), scratch: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() / self.columns
    }

    pub(crate) fn get(&self, tuple: u32) -> &[u32] {
        let start = tuple as usize * self.columns;
        &self.slots[start..start + self.columns]
    }

    #[inline]
    pub(crate) fn slot(&self, tuple: u32, node: usize) -> u32 {
        self.slots[tuple as usize * self.columns + node]
    }

    pub(crate) fn intern(&mut self, tuple: &[u32]) -> u32 {
        debug_assert_eq!(tuple.len(), self.columns);
        let Self { columns, slots, index, .. } = self;
        let at = |tuple: u32| &slots[tuple as usize * *columns..][..*columns];
        let place = index.entry(
            hash_words(tuple),
            |&known| at(known) == tuple,
            |&known| hash_words(at(known)),
        );
        match place {
            hashbrown::hash_table::Entry::Occupied(known) => *known.get(),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let new = u32::try_from(slots.len() / *columns).expect("at most 2^32 tuples fit");
                place.insert(new);
                slots.extend_from_slice(tuple);
                new
            }
        }
    }

    /// The tuple with another slot for one node.
    pub(crate) fn replace(&mut self, tuple: u32, node: usize, slot: u32) -> u32 {
        if self.slot(tuple, node) == slot {
            return tuple;
        }
        let mut scratch = self.scratch_of(tuple);
        scratch[node] = slot;
        self.intern_scratch(scratch)
    }

    /// A copy of a tuple to be changed, for [`intern_scratch`](Self::intern_scratch).
    pub(crate) fn scratch_of(&mut self, tuple: u32) -> Vec<u32> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend_from_slice(self.get(tuple));
        scratch
    }

    /// The number of a changed copy.
    pub(crate) fn intern_scratch(&mut self, scratch: Vec<u32>) -> u32 {
        let tuple = self.intern(&scratch);
        self.scratch = scratch;
        tuple
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>() + self.index.allocation_size()
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        growth(self.index.len(), self.index.capacity(), self.index.allocation_size())
    }
}

fn hash_words(words: &[u32]) -> u64 {
    FxBuildHasher.hash_one(words)
}
