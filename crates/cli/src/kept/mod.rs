//! What is kept from one check to the next, and whether it may be used.

mod changes;
pub(crate) mod graph;
pub(crate) mod identity;
pub(crate) mod memo;
