//! Slots: one node at one moment, running or broken.

use std::fmt;

use everypath_model::{Ignored, panics::Panic};
use serde::{Deserialize, Serialize};

/// Why a node does not run any more.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Breakage {
    /// A handler panicked.
    Panicked {
        /// What the panic said.
        message: String,
        /// Where; it does not count, for it changes with every edit of the source.
        place: Ignored<Option<String>>,
    },
    /// A handler did two different things on the same input.
    Nondeterministic {
        /// Which two; they do not count, for they differ from run to run.
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

/// A node at one moment: what the protocol keeps, and which timers are set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot<S, T> {
    /// It runs.
    Running {
        /// What the protocol keeps.
        state: S,
        /// The timers that are set, in their order.
        timers: Vec<T>,
    },
    /// One of its handlers has failed.
    Broken(Breakage),
}

impl<S, T> Slot<S, T> {
    /// What a slot is written as.
    pub(crate) fn content(&self) -> Result<(&S, &[T]), &Breakage> {
        match self {
            Self::Running { state, timers } => Ok((state, timers)),
            Self::Broken(breakage) => Err(breakage),
        }
    }
}
