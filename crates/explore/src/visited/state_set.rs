//! The set of visited states of a search by levels.

use super::{
    bit_table::BitTable, exact_set::ExactSet, fingerprint_set::FingerprintSet, lookup_workers::Crew,
};
use crate::{Described, StateId, StoreKind, exploration::StoreReport};

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
        new: impl FnMut(StateId),
    ) {
        let each = states.iter().copied();
        match self {
            Self::Exact(set) => set.insert_all(states, new),
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
