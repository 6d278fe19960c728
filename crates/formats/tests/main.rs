//! All integration tests of this crate, in one binary: one link instead of one per file.

mod bad_files;
mod networkx;
mod page;
mod positions;
