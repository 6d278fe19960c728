//! The integration tests of this crate, as one binary.

mod compile_fail;
mod delta;
mod features;
mod oracle;
mod random;
mod resume;
