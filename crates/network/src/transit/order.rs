//! The order in which a network keeps its packets.

use everypath_model::{NetworkKind, Profile};

/// How a network keeps its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// A multiset: sorted by packet. Any packet can be removed.
    Sorted,
    /// In the order of sending. Any packet can be removed, equal ones separately.
    Listed,
    /// A queue for each link, in the order of sending. The first packet of each can be removed.
    PerLink,
    /// In the order of sending. The first packet for each receiver can be removed.
    PerReceiver,
    /// A mailbox of one packet for each receiver: sorted by receiver. Any packet can be removed, and
    /// a new one replaces that of its receiver.
    Mailbox,
    /// A queue of at most this many packets for each receiver, in the order of sending. The first
    /// packet of each can be removed, and is displaced if the queue is full.
    Inbox(u8),
}

impl Order {
    pub(crate) fn of(kind: NetworkKind, profile: Profile) -> Self {
        match kind {
            NetworkKind::Unordered if profile == Profile::Thesis => Self::Listed,
            NetworkKind::Unordered => Self::Sorted,
            NetworkKind::FifoPerLink => Self::PerLink,
            NetworkKind::GlobalList => Self::PerReceiver,
            NetworkKind::Inbox(packets) if packets.get() == 1 => Self::Mailbox,
            NetworkKind::Inbox(packets) => Self::Inbox(packets.get()),
        }
    }

    /// Whether a network is a list of queues, not of packets.
    pub(crate) fn has_queues(self) -> bool {
        matches!(self, Self::PerLink | Self::Inbox(_))
    }
}
