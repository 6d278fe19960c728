//! Meanings: a number for all tuples with the same meaning, if the scenario defines which those
//! are.

use rustc_hash::FxHashMap;

use crate::{machine::Machine, nodes::Tuples, tables::Tables};

/// The tuples of canonical slots. Tuples with the same canonical tuple have the same meaning.
pub(super) struct Meanings {
    tuples: Tuples,
    /// By node and slot, and by tuple: the results so far.
    of_slots: FxHashMap<(usize, u32), u32>,
    of_tuples: FxHashMap<u32, u32>,
}

impl Meanings {
    pub(super) fn new(columns: usize) -> Self {
        Self {
            tuples: Tuples::new(columns),
            of_slots: FxHashMap::default(),
            of_tuples: FxHashMap::default(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.tuples.bytes() + self.of_slots.capacity() * 17 + self.of_tuples.capacity() * 9
    }

    /// A number that is the same for tuples with the same meaning.
    pub(super) fn of(&mut self, tables: &Tables, machine: &mut dyn Machine, tuple: u32) -> u32 {
        if !tables.setup.has_canonical {
            return tuple;
        }
        if let Some(&known) = self.of_tuples.get(&tuple) {
            return known;
        }
        let (of_nodes, memories) =
            tables.interner.tuples.get(tuple).split_at(tables.interner.nodes.len());
        let mut slots = Vec::with_capacity(of_nodes.len() + memories.len());
        for (node, &slot) in of_nodes.iter().enumerate() {
            let known = self.of_slots.entry((node, slot));
            slots.push(*known.or_insert_with(|| machine.canonical_slot(node, slot)));
        }
        slots.extend_from_slice(memories);
        let meaning = self.tuples.intern(&slots);
        self.of_tuples.insert(tuple, meaning);
        meaning
    }
}
