//! Expanding states only as long as there is memory for it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use everypath_explore::{MemoryMeter, Space, StateId, Step};
use everypath_model::Protocol;

use crate::NetworkSpace;

/// After how many executions of handlers, and what is made of them, memory is measured. A handler takes
/// longer than the measurement, and what a few of them leave behind is little beside any limit.
const EXECUTIONS_BETWEEN_MEASURES: u32 = 16;
/// After how many steps of one expansion.
const STEPS_BETWEEN_MEASURES: usize = 1 << 14;

/// What an expansion may use.
pub(crate) struct Allowance {
    meter: MemoryMeter,
    /// How many executions there are before memory is measured next.
    executions: u32,
    /// How many steps.
    steps: usize,
}

/// Thrown out of an expansion for which memory does not suffice. To hand this up through every function
/// that makes a step would cost the steps that need no memory.
struct NoMemory;

impl<P: Protocol> NetworkSpace<'_, P> {
    /// Expands states as long as there is memory; whether there was. If not, it is as if it had not been
    /// tried: whatever was learned on the way, the same expansion learns first again.
    pub(crate) fn expand_allowed(
        &mut self,
        memory: &mut MemoryMeter,
        states: &[StateId],
        steps: &mut Vec<Step>,
    ) -> bool {
        let before = steps.len();
        self.allowance = Some(Allowance {
            meter: std::mem::take(memory),
            // A search that expands one state at a time may never execute many handlers at once.
            executions: 1,
            steps: before + STEPS_BETWEEN_MEASURES,
        });
        let expanded = catch_unwind(AssertUnwindSafe(|| self.expand(states, steps)));
        if let Some(allowance) = self.allowance.take() {
            *memory = allowance.meter;
        }
        match expanded {
            Ok(()) => true,
            Err(thrown) if thrown.is::<NoMemory>() => {
                steps.truncate(before);
                false
            }
            Err(panic) => resume_unwind(panic),
        }
    }

    /// Whether a handler cannot be executed, or nothing made of what it did, for want of memory.
    pub(crate) fn lacks_memory(&mut self) -> bool {
        let Some(allowance) = &mut self.allowance else { return false };
        allowance.executions -= 1;
        if allowance.executions > 0 {
            return false;
        }
        allowance.executions = EXECUTIONS_BETWEEN_MEASURES;
        self.is_used_up()
    }

    /// Ends the expansion if it has made so many steps that there is no memory for more.
    #[inline]
    pub(crate) fn allow_steps(&mut self, steps: usize) {
        if self.allowance.as_ref().is_some_and(|allowance| steps >= allowance.steps) {
            self.allow_more_steps(steps);
        }
    }

    #[cold]
    fn allow_more_steps(&mut self, steps: usize) {
        if self.is_used_up() {
            self.give_up_expansion();
        }
        if let Some(allowance) = &mut self.allowance {
            allowance.steps = steps + STEPS_BETWEEN_MEASURES;
        }
    }

    fn is_used_up(&self) -> bool {
        let allowance = self.allowance.as_ref();
        allowance
            .is_some_and(|allowance| allowance.meter.is_used_up(self.bytes_soon(), self.bytes()))
    }

    /// Ends the expansion that is under way, for want of memory.
    pub(crate) fn give_up_expansion(&self) -> ! {
        resume_unwind(Box::new(NoMemory))
    }
}
