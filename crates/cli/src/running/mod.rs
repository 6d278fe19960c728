//! What watches over a run: signals, the watchdog, the limit on memory, and the line that tells how far it is.

pub(crate) mod interrupt;
pub(crate) mod memory;
pub(crate) mod progress;
pub(crate) mod watchdog;

/// How much room handlers have for calls: deep recursion is survived more often than on the first thread of a process, which has a few
/// megabytes. Only what is used takes memory.
pub(crate) const STACK_BYTES: usize = 256 << 20;
