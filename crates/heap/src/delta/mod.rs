//! Delta execution: a call is executed on many states at once, which are split where their control flow differs.

pub(crate) mod level;
pub(crate) mod merge;
pub(crate) mod shape;
mod split;

use crate::Fault;

/// What a path returned, for the states that took it.
pub(crate) enum Returned {
    /// The same for all.
    Known(i32),
    /// One for each, in the order of the states.
    Each(Vec<i32>),
}

impl Returned {
    /// The value of the state at a place.
    pub(crate) fn at(&self, place: usize) -> i32 {
        match self {
            Self::Known(value) => *value,
            Self::Each(values) => values[place],
        }
    }
}

/// A path: what it returned, or why it did not.
pub(crate) type Path = Result<Returned, Fault>;
