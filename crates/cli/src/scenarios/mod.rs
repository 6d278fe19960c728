//! Scenarios by name, and what commands know of one that was made.

pub(crate) mod entry;
pub(crate) mod start;
pub(crate) mod subject;
pub(crate) mod used;
