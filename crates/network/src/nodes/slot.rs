//! Slots: one node at one moment, running or broken.

use std::fmt;

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

/// A node at one moment: the state of its protocol, and the timers that are set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot<S, T> {
    /// It runs.
    Running {
        /// The state of the protocol.
        state: S,
        /// The timers that are set, in their order.
        timers: Vec<T>,
        /// The same with those that fire before them; empty if timers can fire in any order.
        queue: TimerQueue<T>,
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
