//! What watches over a run: signals, the watchdog, the limit on memory, and the line that tells how far it is.

pub(crate) mod interrupt;
pub(crate) mod memory;
pub(crate) mod progress;
pub(crate) mod watchdog;
