//! The memory that expansions may use.

use std::panic::resume_unwind;

use everypath_explore::{MemoryMeter, NoMemory};

/// After how many executions of handlers, and what is made of them, memory is measured. A handler takes
/// longer than the measurement, and what a few of them leave behind is little beside any limit.
const EXECUTIONS_BETWEEN_MEASURES: u32 = 16;
/// After how many steps of one expansion. Those of as long an expansion before it are still there.
const STEPS_BETWEEN_MEASURES: usize = 1 << 14;

/// What expansions may use.
pub(crate) struct Allowance {
    meter: MemoryMeter,
    /// Whether memory is measured: while a search expands states. What is executed otherwise, to tell a story for
    /// example, cannot be given up.
    measures: bool,
    /// How many executions there are before memory is measured next.
    executions: u32,
    /// How many steps.
    steps: usize,
}

impl Allowance {
    /// For a process that may take so many bytes, or as many as it likes.
    pub(crate) fn new(most: Option<u64>) -> Self {
        let steps = if most.is_some() { STEPS_BETWEEN_MEASURES } else { usize::MAX };
        Self { meter: MemoryMeter::new(most), measures: false, executions: 1, steps }
    }

    /// A search begins to expand states.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.measures = true;
    }

    /// They are expanded.
    #[inline]
    pub(crate) fn end(&mut self) {
        self.measures = false;
    }

    /// Whether memory is to be measured before a handler is executed, or something made of what it did.
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

    /// Whether there is no memory for more, given how many bytes are taken and soon more.
    pub(crate) fn is_used_up(&self, (bytes, soon): (usize, usize)) -> bool {
        self.meter.is_used_up(soon, bytes)
    }

    /// Whether memory is to be measured before an expansion makes more than so many steps.
    #[inline]
    pub(crate) fn is_step_measured(&self, steps: usize) -> bool {
        steps >= self.steps
    }

    /// Whether an expansion with so many steps must end, given how many bytes are taken and soon more.
    pub(crate) fn refuses_steps(&mut self, steps: usize, taken: (usize, usize)) -> bool {
        if self.measures && self.is_used_up(taken) {
            return true;
        }
        self.steps = steps + STEPS_BETWEEN_MEASURES;
        false
    }

    /// Ends the expansion that is under way, for want of memory.
    pub(crate) fn give_up(&mut self) -> ! {
        self.end();
        resume_unwind(Box::new(NoMemory))
    }
}
