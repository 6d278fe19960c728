//! The visited states, exact, in the order of discovery.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

use crate::StateId;

/// The visited states: a list in the order of discovery, and an index into it. The list is also
/// the frontier of a breadth-first search, whose levels are slices of it. 8 bytes per state for
/// the list, 5 to 11 for the index.
#[derive(Default)]
pub(crate) struct Store {
    states: Vec<StateId>,
    index: HashTable<u32>,
}

fn hash(state: StateId) -> u64 {
    FxBuildHasher.hash_one(state.0)
}

impl Store {
    /// Adds a state; whether it is new.
    pub(crate) fn insert(&mut self, state: StateId) -> bool {
        let Self { states, index } = self;
        let found = index.entry(
            hash(state),
            |&at| states[at as usize] == state,
            |&at| hash(states[at as usize]),
        );
        match found {
            hashbrown::hash_table::Entry::Occupied(_) => false,
            hashbrown::hash_table::Entry::Vacant(place) => {
                place.insert(u32::try_from(states.len()).expect("at most 2^32 states fit"));
                states.push(state);
                true
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The states of some places in the order of discovery.
    pub(crate) fn slice(&self, places: std::ops::Range<usize>) -> &[StateId] {
        &self.states[places]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<StateId>() + self.index.allocation_size()
    }
}
