//! A set of fingerprints of states.

use hashbrown::HashTable;

use crate::growth;

/// A set of fingerprints, which are hashes already.
#[derive(Default)]
pub(crate) struct FingerprintSet {
    table: HashTable<u64>,
}

impl FingerprintSet {
    /// Adds a fingerprint. The result is whether it is new.
    pub(super) fn insert(&mut self, fingerprint: u64) -> bool {
        let place = self.table.entry(fingerprint, |&known| known == fingerprint, |&known| known);
        match place {
            hashbrown::hash_table::Entry::Occupied(_) => false,
            hashbrown::hash_table::Entry::Vacant(place) => {
                place.insert(fingerprint);
                true
            }
        }
    }

    pub(super) fn contains(&self, fingerprint: u64) -> bool {
        self.table.find(fingerprint, |&known| known == fingerprint).is_some()
    }

    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.allocation_size()
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(super) fn bytes_soon(&self) -> usize {
        growth(self.table.len(), self.table.capacity(), self.bytes())
    }
}
