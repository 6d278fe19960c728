//! Files that are kept from one check to the next, and whether they may be used.

mod changes;
pub(crate) mod graph;
pub(crate) mod identity;
pub(crate) mod memo;
