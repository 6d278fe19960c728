//! All integration tests of this crate, in one binary: one link instead of one per file.

mod bounds;
mod page;
