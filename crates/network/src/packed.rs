//! States and events packed into eight bytes.

use everypath_explore::{EventId, StateId};
use everypath_model::EventKind;

/// A state as the pair that it is.
pub(crate) fn unpack(state: StateId) -> (u32, u32) {
    ((state.0 >> 32) as u32, state.0 as u32)
}

/// A state from the pair that it is. The tuple comes first, so sorted states are grouped by it.
pub(crate) fn pack(tuple: u32, network: u32) -> StateId {
    StateId(u64::from(tuple) << 32 | u64::from(network))
}

/// An event's name, packed: 4 bits kind, 12 bits node, 16 bits branch, 32 bits which.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventName {
    pub(crate) kind: EventKind,
    pub(crate) node: usize,
    /// Which of the outcomes of a handler that chooses.
    pub(crate) branch: u16,
    /// Which packet, or which of the slot's timers or commands.
    pub(crate) which: u32,
}

/// As many kinds of events as their bits can tell apart.
pub(crate) const EVENT_KINDS_MAX: usize = 16;

/// The number of an event's kind.
#[inline]
pub(crate) fn kind_number(event: EventId) -> usize {
    (event.0 >> 60) as usize
}

impl EventName {
    pub(crate) fn pack(self) -> EventId {
        EventId(
            (self.kind as u64) << 60
                | (self.node as u64) << 48
                | u64::from(self.branch) << 32
                | u64::from(self.which),
        )
    }

    pub(crate) fn unpack(event: EventId) -> Self {
        Self {
            kind: EventKind::ALL[kind_number(event)],
            node: (event.0 >> 48 & 0xfff) as usize,
            branch: (event.0 >> 32) as u16,
            which: event.0 as u32,
        }
    }
}
