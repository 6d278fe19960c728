//! Native values: made, copied, and made again by re-execution.

use super::states::States;
use crate::{
    call::{Call, Told},
    driver::Driver,
};

/// A value under test, and its reference.
pub(super) struct Native<T, M> {
    pub(super) value: T,
    pub(super) model: M,
}

/// One call with one argument: the place of the call, and that of the argument.
#[derive(Clone, Copy)]
pub(super) struct Event {
    pub(super) call: u32,
    pub(super) argument: u32,
}

/// Executes the calls of a driver.
pub(super) struct Machine<'a, T, M> {
    pub(super) driver: &'a Driver<T, M>,
}

impl<T, M> Clone for Machine<'_, T, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, M> Copy for Machine<'_, T, M> {}

impl<'a, T: 'static, M: 'static> Machine<'a, T, M> {
    pub(super) fn make(self) -> Native<T, M> {
        Native { value: (self.driver.make)(), model: (self.driver.reference.make)() }
    }

    /// A copy, if values can be copied.
    fn copy(self, native: &Native<T, M>) -> Option<Native<T, M>> {
        let copying = self.driver.copying?;
        let model = (self.driver.reference.copying.copy)(&native.model);
        Some(Native { value: (copying.copy)(&native.value), model })
    }

    /// A copy in place of another value, whose memory it may use, if values can be copied.
    pub(super) fn overwritten(
        self,
        mut used: Native<T, M>,
        by: &Native<T, M>,
    ) -> Option<Native<T, M>> {
        let copying = self.driver.copying?;
        (copying.copy_to)(&mut used.value, &by.value);
        (self.driver.reference.copying.copy_to)(&mut used.model, &by.model);
        Some(used)
    }

    /// A value like that of a state: a copy of it, or one that is made again.
    pub(super) fn another(
        self,
        native: &Native<T, M>,
        states: &States,
        state: u32,
    ) -> Native<T, M> {
        self.copy(native).unwrap_or_else(|| self.again(states, state))
    }

    /// The value of a state, made again from the constructor.
    pub(super) fn again(self, states: &States, state: u32) -> Native<T, M> {
        let mut native = self.make();
        for event in states.calls_to(state) {
            self.run(&mut native, event);
        }
        native
    }

    fn call(self, event: Event) -> (&'a Call<T, M>, usize) {
        (&self.driver.calls[event.call as usize], event.argument as usize)
    }

    /// Makes a call, and says whether the results agree.
    pub(super) fn run(self, native: &mut Native<T, M>, event: Event) -> bool {
        let (call, argument) = self.call(event);
        (call.run)(&mut native.value, &mut native.model, argument)
    }

    /// Makes a call, and gives the results in words.
    pub(super) fn tell(self, native: &mut Native<T, M>, event: Event) -> Told {
        let (call, argument) = self.call(event);
        (call.tell)(&mut native.value, &mut native.model, argument)
    }

    /// Whether a call may be made.
    pub(super) fn allows(self, native: &Native<T, M>, event: Event) -> bool {
        let (call, argument) = self.call(event);
        call.guard.as_ref().is_none_or(|guard| guard(&native.value, argument))
    }

    /// A call as it is written.
    pub(super) fn sentence(self, event: Event) -> String {
        let (call, argument) = self.call(event);
        format!("{}({})", call.name, call.arguments[argument])
    }
}

/// How many values a path keeps.
const PATH_MAX: usize = 1024;

/// The values on the way from the constructor to the state that was made last. The next state often
/// shares most of the way.
pub(super) struct Path<T, M> {
    /// How many states of the way come before the first that is kept.
    skipped: usize,
    kept: Vec<(u32, Native<T, M>)>,
}

impl<T, M> Default for Path<T, M> {
    fn default() -> Self {
        Self { skipped: 0, kept: Vec::new() }
    }
}

impl<T: 'static, M: 'static> Path<T, M> {
    /// The value of a state. Panics if a call on the way now panics.
    pub(super) fn reach(
        &mut self,
        machine: Machine<'_, T, M>,
        states: &States,
        state: u32,
    ) -> &Native<T, M> {
        let way = states.way_to(state);
        let is_shared = |at: &usize| {
            let place = at.checked_sub(self.skipped);
            let kept = place.and_then(|place| self.kept.get(place));
            kept.is_some_and(|(kept, _)| *kept == way[*at])
        };
        let shared = (0..way.len()).rev().find(is_shared);
        let next = match shared {
            Some(at) => {
                self.kept.truncate(at + 1 - self.skipped);
                at + 1
            }
            None => {
                *self = Self { skipped: 0, kept: vec![(way[0], machine.make())] };
                1
            }
        };
        for &later in &way[next..] {
            self.extend(machine, states, later);
        }
        &self.kept.last().expect("the way has at least the state").1
    }

    /// One call more.
    fn extend(&mut self, machine: Machine<'_, T, M>, states: &States, state: u32) {
        let (_, last) = self.kept.last().expect("it begins with the constructor");
        let mut native = match machine.copy(last) {
            Some(copy) => copy,
            // Values that cannot be copied move on, and nothing is kept behind them.
            None => {
                self.skipped += 1;
                self.kept.pop().expect("it was just there").1
            }
        };
        machine.run(&mut native, states.call_to(state));
        self.kept.push((state, native));
        if self.kept.len() > PATH_MAX {
            self.kept.drain(..PATH_MAX / 2);
            self.skipped += PATH_MAX / 2;
        }
    }
}
