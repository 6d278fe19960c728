//! What decides a search, and what it comes to: shared by all commands that explore.

pub(crate) mod json;
pub(crate) mod spec;
pub(crate) mod verdict;
