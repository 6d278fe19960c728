//! What all captures have in common.

use std::io;

use everypath_model::Protocol;
use everypath_sim::{Observer, Run, SimError};

/// An observer that writes what it sees to `W`.
pub trait Capture<P: Protocol, W>: Observer<P> {
    /// Writes what is left to write, now that it is known how the run ended, and gives back what was
    /// written to, not yet flushed.
    ///
    /// # Errors
    /// The first error that writing met; nothing was written after it.
    fn finish(self: Box<Self>, result: &Result<Run, SimError>) -> io::Result<W>;
}
