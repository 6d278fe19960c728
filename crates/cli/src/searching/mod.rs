//! The specification and the verdict of a search: shared by all commands that explore.

pub(crate) mod json;
pub(crate) mod learning;
pub(crate) mod spec;
pub(crate) mod verdict;
