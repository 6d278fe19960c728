//! `Measured`: the memory and the time that a space uses.

use std::time::Duration;

use super::{Space, StateId, Step};

/// A space that reports its cost: memory, ids, and the time of the user's model. All methods are
/// optional.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Measured, ModelSpace, Space};
///
/// let mut space = ModelSpace::new(Counter);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// space.expand(&initial, &mut Vec::new());
/// assert_eq!(space.handler_executions(), 2);
/// ```
pub trait Measured: Space {
    /// How often the user's model was executed to compute successors.
    fn handler_executions(&self) -> u64 {
        0
    }

    /// How long that took.
    fn handler_time(&self) -> Duration {
        Duration::ZERO
    }

    /// How long it read results of earlier explorations from files, before and during this one.
    fn reading_time(&self) -> Duration {
        Duration::ZERO
    }

    /// How long it looked for such results while it was [sampled](Self::sample).
    fn look_up_time(&self) -> Duration {
        Duration::ZERO
    }

    /// Says whether the expansions that follow are measured. What is done often is to be timed only
    /// then.
    fn sample(&mut self, on: bool) {
        let _ = on;
    }

    /// About how many bytes the space occupies; 0 if it does not know. Called often; must be cheap.
    fn bytes(&self) -> usize {
        0
    }

    /// How many bytes more it takes at once if its tables are about to grow.
    fn bytes_soon(&self) -> usize {
        0
    }

    /// Whether the space is about to run out of ids for states. A search then ends cleanly.
    fn is_full(&self) -> bool {
        false
    }

    /// Sets how many bytes the process may take while a search [expands](Self::expand_within)
    /// states.
    fn limit_memory(&mut self, most: Option<u64>) {
        let _ = most;
    }

    /// Expands states as [`expand`](Space::expand) does, as long as there is memory. Otherwise it
    /// unwinds with [`NoMemory`](crate::NoMemory), which the search catches. The same states can
    /// then be expanded later as if this had not been tried.
    fn expand_within(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        self.expand(states, steps);
    }
}
