//! Tuples: the slots of all nodes.

use std::hash::BuildHasher;

use everypath_explore::growth;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

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

    /// The tuple with another slot for one node.
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

    /// How many bytes more it takes at once if it is about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        growth(self.index.len(), self.index.capacity(), self.index.allocation_size())
    }
}

fn hash_words(words: &[u32]) -> u64 {
    FxBuildHasher.hash_one(words)
}
