//! The set of visited states of a search by levels.

use super::{
    bit_table::BitTable, exact_set::ExactSet, fingerprint_set::FingerprintSet, lookup_workers::Crew,
};
use crate::{
    Described, StateId, StoreKind,
    exploration::StoreReport,
    stopwatch::{Operation, Stopwatch},
};

/// The visited states, or what the store keeps of them.
pub(crate) enum StateSet {
    Exact(ExactSet),
    /// The states, with worker threads.
    Crew(Crew),
    Fingerprints(FingerprintSet),
    Bits(BitTable),
}

impl StateSet {
    pub(crate) fn new(kind: StoreKind) -> Self {
        match kind {
            StoreKind::Exact => Self::Exact(ExactSet::default()),
            StoreKind::Fingerprint => Self::Fingerprints(FingerprintSet::default()),
            StoreKind::Bitstate { bytes, hashes } => Self::Bits(BitTable::new(bytes, hashes)),
        }
    }

    /// Adds states, and calls `new` with the new ones. Some are reported only by
    /// [`collect`](Self::collect).
    #[inline]
    pub(crate) fn insert(
        &mut self,
        space: &mut impl Described,
        states: &[StateId],
        stopwatch: &mut Stopwatch,
        new: impl FnMut(StateId),
    ) {
        if stopwatch.samples() {
            return self.insert_timed(space, states, |operation| stopwatch.lap(operation), new);
        }
        let each = states.iter().copied();
        match self {
            Self::Exact(set) => set.insert_all(states, |_| {}, new),
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

    /// The same, one operation after the other for all states.
    fn insert_timed(
        &mut self,
        space: &mut impl Described,
        states: &[StateId],
        mut lap: impl FnMut(Operation),
        new: impl FnMut(StateId),
    ) {
        let mut hashed = || {
            let print = |&state: &StateId| (state, space.fingerprint(state));
            states.iter().map(print).collect::<Vec<(StateId, u64)>>()
        };
        match self {
            Self::Exact(set) => set.insert_all(states, lap, new),
            Self::Crew(crew) => {
                crew.insert(states);
                crew.collect(false, new);
                // What the worker threads do meanwhile takes none of this thread's time.
                lap(Operation::Search);
            }
            Self::Fingerprints(known) => {
                let mut hashed = hashed();
                lap(Operation::Hashing);
                hashed.retain(|&(_, print)| !known.contains(print));
                lap(Operation::Search);
                let added = hashed.into_iter().filter(|&(_, print)| known.insert(print));
                added.map(|(state, _)| state).for_each(new);
                lap(Operation::Insertion);
            }
            Self::Bits(bits) => {
                let hashed = hashed();
                lap(Operation::Hashing);
                let added = hashed.into_iter().filter(|&(_, print)| bits.insert(print));
                added.map(|(state, _)| state).for_each(new);
                lap(Operation::Insertion);
            }
        }
    }

    /// Calls `new` with the new states that were not reported yet.
    pub(crate) fn collect(&mut self, new: impl FnMut(StateId)) {
        if let Self::Crew(crew) = self {
            crew.collect(true, new);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Exact(set) => set.bytes(),
            Self::Crew(crew) => crew.bytes(),
            Self::Fingerprints(known) => known.bytes(),
            Self::Bits(bits) => bits.bytes(),
        }
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        match self {
            // These grow in small steps.
            Self::Exact(_) | Self::Crew(_) | Self::Bits(_) => 0,
            Self::Fingerprints(known) => known.bytes_soon(),
        }
    }

    pub(crate) fn report(&self) -> StoreReport {
        match self {
            Self::Exact(_) | Self::Crew(_) => StoreReport::exact(self.bytes()),
            Self::Fingerprints(known) => StoreReport::fingerprints(known.len(), self.bytes()),
            Self::Bits(bits) => bits.report(),
        }
    }
}
