//! States and events packed into eight bytes.

use everypath_explore::{EventId, StateId};
use everypath_model::EventKind;

/// The tuple and the network of a state.
pub(crate) fn unpack(state: StateId) -> (u32, u32) {
    ((state.0 >> 32) as u32, state.0 as u32)
}

/// The state of a tuple and a network. The tuple comes first, so sorted states are grouped by it.
pub(crate) fn pack(tuple: u32, network: u32) -> StateId {
    StateId(u64::from(tuple) << 32 | u64::from(network))
}

/// An event's name, packed: 4 bits kind, 12 bits node, 16 bits branch, 32 bits which.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventName {
    pub(crate) kind: EventKind,
    pub(crate) node: usize,
    /// The outcome, of a handler that chooses or whose broadcasts have several possible audiences.
    pub(crate) branch: u16,
    /// The packet, or the index of the slot's timer or command.
    pub(crate) which: u32,
}

/// The largest number of outcomes of one handler: as many as an event's name can hold.
pub(crate) const BRANCHES_MAX: usize = 1 << 16;

/// The largest number of kinds of events: as many as their bits can hold.
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
