//! Trait of all captures.

use std::io;

use everypath_model::Protocol;
use everypath_sim::{Observer, Run, SimError};

/// An observer that writes what it sees to `W`.
///
/// ```
/// # mod recorded { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/recorded.rs")); }
/// # use recorded::scenario;
/// use everypath_capture::{Capture, Ns2Trace};
/// use everypath_sim::{Limits, Simulation};
///
/// let scenario = scenario();
/// let mut trace = Ns2Trace::new(Vec::new(), &scenario);
/// let run = Simulation::observed(&scenario, 1, 0, &mut trace)
///     .and_then(|simulation| simulation.run(&Limits::default()));
/// let bytes = Box::new(trace).finish(&run)?;
/// assert!(!bytes.is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Capture<P: Protocol, W>: Observer<P> {
    /// Writes the rest, given how the run ended, and returns the writer, not yet flushed.
    ///
    /// # Errors
    /// The first error that writing met; nothing was written after it.
    fn finish(self: Box<Self>, result: &Result<Run, SimError>) -> io::Result<W>;
}
