//! Supervision of a run: signals, the watchdog, the limit on memory, and the progress line.

pub(crate) mod interrupt;
pub(crate) mod memory;
pub(crate) mod progress;
pub(crate) mod watchdog;

/// The stack of handlers: deep recursion succeeds more often than on the first thread of a process, which has a few
/// megabytes. Only used parts of it take memory.
pub(crate) const STACK_BYTES: usize = 256 << 20;
