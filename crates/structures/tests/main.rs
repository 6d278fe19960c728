//! The integration tests of this crate, as one binary.

mod brute_force;
mod closed_forms;
mod golden;
mod modes;
#[path = "../../heap/tests/oracle.rs"]
mod oracle;
mod seeded;
mod walks;
