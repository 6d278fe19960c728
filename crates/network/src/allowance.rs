//! The memory that expansions may use.

use std::panic::resume_unwind;

use everypath_explore::{MemoryMeter, NoMemory};

/// After how many handler executions or outcomes memory is measured. A handler takes longer than
/// the measurement, and a few of them use little memory beside any limit.
const EXECUTIONS_BETWEEN_MEASURES: u32 = 16;
/// After how many steps of one expansion. The steps of an earlier expansion of this length are
/// still allocated.
const STEPS_BETWEEN_MEASURES: usize = 1 << 14;

/// The memory that expansions may use.
pub(crate) struct Allowance {
    meter: MemoryMeter,
    /// Whether memory is measured: only while a search expands states. Other executions, such as
    /// those that print a run, cannot be given up.
    measures: bool,
    /// How many executions remain before memory is measured next.
    executions: u32,
    /// At how many steps memory is measured next.
    steps: usize,
}

impl Allowance {
    /// An allowance of this many bytes for the process, or without a limit.
    pub(crate) fn new(most: Option<u64>) -> Self {
        let steps = if most.is_some() { STEPS_BETWEEN_MEASURES } else { usize::MAX };
        Self { meter: MemoryMeter::new(most), measures: false, executions: 1, steps }
    }

    /// A search begins to expand states.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.measures = true;
    }

    /// The states are expanded.
    #[inline]
    pub(crate) fn end(&mut self) {
        self.measures = false;
    }

    /// Whether to measure memory before a handler is executed or its outcome is stored.
    pub(crate) fn is_execution_measured(&mut self) -> bool {
        if !self.measures || !self.meter.is_limited() {
            return false;
        }
        self.executions -= 1;
        if self.executions > 0 {
            return false;
        }
        self.executions = EXECUTIONS_BETWEEN_MEASURES;
        true
    }

    /// Whether there is no memory for more, given the bytes that are used and those needed soon.
    pub(crate) fn is_used_up(&self, (bytes, soon): (usize, usize)) -> bool {
        self.meter.is_used_up(soon, bytes)
    }

    /// Whether to measure memory before an expansion exceeds this many steps.
    #[inline]
    pub(crate) fn is_step_measured(&self, steps: usize) -> bool {
        steps >= self.steps
    }

    /// Whether an expansion with this many steps must end, given the bytes that are used and those
    /// needed soon.
    pub(crate) fn refuses_steps(&mut self, steps: usize, taken: (usize, usize)) -> bool {
        if self.measures && self.is_used_up(taken) {
            return true;
        }
        self.steps = steps + STEPS_BETWEEN_MEASURES;
        false
    }

    /// Ends the current expansion for lack of memory.
    pub(crate) fn give_up(&mut self) -> ! {
        self.end();
        resume_unwind(Box::new(NoMemory))
    }
}
