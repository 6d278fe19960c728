//! Expanding states only as long as there is memory for it.

use std::panic::resume_unwind;

use everypath_explore::{MemoryMeter, NoMemory, Space};

use crate::{NetworkSpace, tables::Tables};

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
}

impl Tables {
    /// Whether a handler cannot be executed, or nothing made of what it did, for want of memory: given what the machine takes, and
    /// soon takes more.
    pub(crate) fn lacks_memory(&mut self, machine: impl FnOnce() -> (usize, usize)) -> bool {
        let Allowance { meter, measures, executions, .. } = &mut self.allowance;
        if !*measures || !meter.is_limited() {
            return false;
        }
        *executions -= 1;
        if *executions > 0 {
            return false;
        }
        *executions = EXECUTIONS_BETWEEN_MEASURES;
        let (bytes, soon) = machine();
        self.allowance.meter.is_used_up(self.bytes_soon() + soon, self.bytes() + bytes)
    }

    /// Ends the expansion that is under way, for want of memory.
    pub(crate) fn give_up_expansion(&mut self) -> ! {
        self.allowance.end();
        resume_unwind(Box::new(NoMemory))
    }
}

impl NetworkSpace<'_> {
    /// Ends the expansion if it has made so many steps that there is no memory for more.
    #[inline]
    pub(crate) fn allow_steps(&mut self, steps: usize) {
        if steps >= self.tables.allowance.steps {
            self.allow_more_steps(steps);
        }
    }

    #[cold]
    fn allow_more_steps(&mut self, steps: usize) {
        let Allowance { meter, measures, .. } = &self.tables.allowance;
        if *measures && meter.is_used_up(self.bytes_soon(), self.bytes()) {
            self.tables.give_up_expansion();
        }
        self.tables.allowance.steps = steps + STEPS_BETWEEN_MEASURES;
    }
}
