//! The code that knows the types of a protocol, and so is compiled once for each.

pub(crate) mod captures;
pub(crate) mod film;
pub(crate) mod observed;
