//! The states that a search by levels has visited.

use hashbrown::HashTable;

use crate::{
    Space, StateId, StoreKind, bits::Bits, exploration::StoreReport, growth, lookup_workers::Crew,
    store::Store,
};

/// The visited states, or what is kept of them.
pub(crate) enum Visited {
    Exact(Store),
    /// The states, with other threads.
    Crew(Crew),
    Fingerprints(Fingerprints),
    Bits(Bits),
}

impl Visited {
    pub(crate) fn new(kind: StoreKind) -> Self {
        match kind {
            StoreKind::Exact => Self::Exact(Store::default()),
            StoreKind::Fingerprint => Self::Fingerprints(Fingerprints::default()),
            StoreKind::Bitstate { bytes, hashes } => Self::Bits(Bits::new(bytes, hashes)),
        }
    }

    /// Adds states; gives those that are new, some of them only when
    /// [`collect`](Self::collect) is called.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        space: &mut impl Space,
        states: &[StateId],
        new: impl FnMut(StateId),
    ) {
        let each = states.iter().copied();
        match self {
            Self::Exact(store) => store.insert_all(states, new),
            Self::Crew(crew) => {
                crew.insert(states);
                crew.collect(false, new);
            }
            Self::Fingerprints(known) => {
                each.filter(|&state| known.insert(space.fingerprint(state))).for_each(new)
            }
            Self::Bits(bits) => {
                each.filter(|&state| bits.insert(space.fingerprint(state))).for_each(new)
            }
        }
    }

    /// Gives the new states that were not given yet.
    pub(crate) fn collect(&mut self, new: impl FnMut(StateId)) {
        if let Self::Crew(crew) = self {
            crew.collect(true, new);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Exact(store) => store.bytes(),
            Self::Crew(crew) => crew.bytes(),
            Self::Fingerprints(fingerprints) => fingerprints.table.allocation_size(),
            Self::Bits(bits) => bits.bytes(),
        }
    }

    /// How many bytes more it takes at once when it grows, if that is about to happen.
    pub(crate) fn bytes_soon(&self) -> usize {
        match self {
            // They grow by little.
            Self::Exact(_) | Self::Crew(_) | Self::Bits(_) => 0,
            Self::Fingerprints(Fingerprints { table }) => {
                growth(table.len(), table.capacity(), table.allocation_size())
            }
        }
    }

    pub(crate) fn report(&self) -> StoreReport {
        match self {
            Self::Exact(_) | Self::Crew(_) => StoreReport::exact(self.bytes()),
            Self::Fingerprints(fingerprints) => {
                StoreReport::fingerprints(fingerprints.table.len(), self.bytes())
            }
            Self::Bits(bits) => bits.report(),
        }
    }
}

/// A set of fingerprints, which are hashes already.
#[derive(Default)]
pub(crate) struct Fingerprints {
    table: HashTable<u64>,
}

impl Fingerprints {
    fn insert(&mut self, fingerprint: u64) -> bool {
        let place = self.table.entry(fingerprint, |&known| known == fingerprint, |&known| known);
        match place {
            hashbrown::hash_table::Entry::Occupied(_) => false,
            hashbrown::hash_table::Entry::Vacant(place) => {
                place.insert(fingerprint);
                true
            }
        }
    }
}

impl StoreReport {
    /// Why states may be missing without anybody knowing, if they may. Fingerprints are as good as
    /// states for that: their probability of missing one is given and tiny.
    pub(crate) fn incomplete(&self) -> Option<&'static str> {
        matches!(self.kind, StoreKind::Bitstate { .. })
            .then_some("bits of a table do not tell all states apart")
    }

    /// Of a store that misses nothing.
    pub(crate) fn exact(bytes: usize) -> Self {
        Self { kind: StoreKind::Exact, bytes, missed_probability: 0.0, coverage: 1.0 }
    }

    /// Of a store of 64-bit fingerprints: each pair of states looks the same with probability
    /// 2^-64.
    pub(crate) fn fingerprints(states: usize, bytes: usize) -> Self {
        let states = states as f64;
        let pairs = states * (states - 1.0).max(0.0) / 2.0;
        let missed_probability = -(-pairs / 2_f64.powi(64)).exp_m1();
        Self { kind: StoreKind::Fingerprint, bytes, missed_probability, coverage: 1.0 }
    }
}
