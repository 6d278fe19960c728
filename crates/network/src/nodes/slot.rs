//! Slots: one node at one moment, running or broken.

use std::{
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
};

use everypath_model::{Ignored, TimerQueue, panics::Panic};
use serde::{Deserialize, Serialize};

/// Why a node no longer runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Breakage {
    /// A handler panicked.
    Panicked {
        /// The message of the panic.
        message: String,
        /// The place in the source. It does not count, because it changes with every edit.
        place: Ignored<Option<String>>,
    },
    /// A handler had different effects on the same input.
    Nondeterministic {
        /// The difference. It does not count, because it differs from run to run.
        what: Ignored<String>,
    },
}

impl From<Panic> for Breakage {
    fn from(Panic { message, place, .. }: Panic) -> Self {
        Self::Panicked { message, place: Ignored(place) }
    }
}

impl fmt::Display for Breakage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked { message, place } => {
                Panic { message: message.clone(), place: (**place).clone(), part: None }.fmt(f)
            }
            Self::Nondeterministic { what } => f.write_str(what),
        }
    }
}

/// The timers of a node that are set, in their order. No larger than a list, since there are many slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SlotTimers<T> {
    /// They can fire in any order.
    Any(Vec<T>),
    /// The same with those that fire before them.
    Ordered(Box<(Vec<T>, TimerQueue<T>)>),
}

impl<T> SlotTimers<T> {
    /// Those that fire before others, if that is kept.
    pub(crate) fn queue(&self) -> Option<&TimerQueue<T>> {
        match self {
            Self::Any(_) => None,
            Self::Ordered(ordered) => Some(&ordered.1),
        }
    }
}

impl<T> From<Vec<T>> for SlotTimers<T> {
    fn from(timers: Vec<T>) -> Self {
        Self::Any(timers)
    }
}

impl<T> Deref for SlotTimers<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Any(timers) => timers,
            Self::Ordered(ordered) => &ordered.0,
        }
    }
}

impl<T: Hash> Hash for SlotTimers<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
        if let Some(queue) = self.queue() {
            queue.hash(state);
        }
    }
}

/// A node at one moment: the state of its protocol, and the timers that are set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot<S, T> {
    /// It runs.
    Running {
        /// The state of the protocol.
        state: S,
        /// The timers that are set.
        timers: SlotTimers<T>,
    },
    /// One of its handlers has failed.
    Broken(Breakage),
}

impl<S, T> Slot<S, T> {
    /// The content of a slot, as it is written.
    pub(crate) fn content(&self) -> Result<(&S, &[T]), &Breakage> {
        match self {
            Self::Running { state, timers, .. } => Ok((state, timers)),
            Self::Broken(breakage) => Err(breakage),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_of_timers_costs_no_slot_without_one() {
        assert_eq!(size_of::<SlotTimers<u64>>(), size_of::<Vec<u64>>());
    }
}
