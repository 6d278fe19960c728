//! The order in which a network keeps its packets.

use everypath_model::{NetworkKind, Profile};

/// How a network keeps its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// A multiset: sorted by packet, any can be taken.
    Sorted,
    /// In the order of sending, any can be taken, equal ones separately.
    Listed,
    /// A queue for each link, in the order of sending; the first of each can be taken.
    PerLink,
    /// In the order of sending; the first for each receiver can be taken.
    PerReceiver,
}

impl Order {
    pub(crate) fn of(kind: NetworkKind, profile: Profile) -> Self {
        match kind {
            NetworkKind::Unordered if profile == Profile::Thesis => Self::Listed,
            NetworkKind::Unordered => Self::Sorted,
            NetworkKind::FifoPerLink => Self::PerLink,
            NetworkKind::GlobalList => Self::PerReceiver,
        }
    }
}
