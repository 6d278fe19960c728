//! Events on a medium, as slots of the event queue.

use everypath_model::NodeId;

use super::receiver::TransmissionId;

/// Something that happens on a medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MediumEvent {
    /// The beginning of a transmission reaches the next nodes that notice it.
    Front(TransmissionId),
    /// A transmission is over at its sender.
    Sent(TransmissionId),
    /// Its end reaches the next nodes that notice it.
    Tail(TransmissionId),
    /// A node has waited long enough to transmit.
    Turn(NodeId),
    /// A node acknowledges what it has received.
    Answer(NodeId),
    /// An acknowledgement should have begun to arrive at a node.
    Overdue(NodeId),
    /// The battery of a node may be empty.
    Empty(NodeId),
}

/// Set in the slots of entries that are a medium's; the others name frames that come to the nodes that hear them.
const MEDIUM: u32 = 1 << 31;
const KIND_SHIFT: u32 = 28;
const INDEX_MAX: u32 = (1 << KIND_SHIFT) - 1;

impl MediumEvent {
    /// As the slot of an entry.
    ///
    /// # Panics
    /// If there are 2^28 transmissions or nodes.
    pub(super) fn slot(self) -> u32 {
        let (kind, index) = match self {
            Self::Front(transmission) => (0, transmission),
            Self::Sent(transmission) => (1, transmission),
            Self::Tail(transmission) => (2, transmission),
            Self::Turn(node) => (3, node.0),
            Self::Answer(node) => (4, node.0),
            Self::Overdue(node) => (5, node.0),
            Self::Empty(node) => (6, node.0),
        };
        assert!(index <= INDEX_MAX, "a medium has fewer than 2^28 transmissions and nodes");
        MEDIUM | kind << KIND_SHIFT | index
    }

    /// From the slot of an entry, if it is a medium's.
    #[inline]
    pub(super) fn of(slot: u32) -> Option<Self> {
        if slot & MEDIUM == 0 {
            return None;
        }
        let index = slot & INDEX_MAX;
        Some(match (slot ^ MEDIUM) >> KIND_SHIFT {
            0 => Self::Front(index),
            1 => Self::Sent(index),
            2 => Self::Tail(index),
            3 => Self::Turn(NodeId(index)),
            4 => Self::Answer(NodeId(index)),
            5 => Self::Overdue(NodeId(index)),
            _ => Self::Empty(NodeId(index)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_says_what_happens() {
        let node = NodeId(INDEX_MAX);
        for event in [
            MediumEvent::Front(0),
            MediumEvent::Sent(7),
            MediumEvent::Tail(INDEX_MAX),
            MediumEvent::Turn(node),
            MediumEvent::Answer(NodeId(0)),
            MediumEvent::Overdue(NodeId(1)),
            MediumEvent::Empty(node),
        ] {
            assert_eq!(MediumEvent::of(event.slot()), Some(event));
        }
        assert_eq!(MediumEvent::of(7), None);
    }
}
