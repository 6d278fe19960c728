//! The frame of a search: its space, its options, its limits, and what it has counted and found.

use std::ops::ControlFlow;

use serde::Serialize;

use crate::{
    Ended, Explorable, Exploration, Limit, Misfit, Options, Progress, StateId, Step, StoreReport,
    Trace, Verdict,
    limits::Guard,
    saved,
    stopwatch::{Operation, Stopwatch},
    tally::{Ending, Tally, Violation},
};

/// The frame of a search. `L` says where in the search something was found.
pub(crate) struct Frame<'a, 'w, S, L> {
    pub(crate) space: &'a mut S,
    pub(crate) options: &'a Options,
    pub(crate) guard: &'a mut Guard<'w>,
    pub(crate) stopwatch: Stopwatch,
    pub(crate) tally: Tally<L>,
    /// How many states were stored.
    pub(crate) stored: u64,
}

impl<'a, 'w, S: Explorable, L: Copy> Frame<'a, 'w, S, L> {
    /// Of a search that begins.
    pub(crate) fn new(space: &'a mut S, options: &'a Options, guard: &'a mut Guard<'w>) -> Self {
        let tally = Tally::new(space);
        Self::resumed(space, options, guard, tally)
    }

    /// Of a search that has counted and found something before.
    pub(crate) fn resumed(
        space: &'a mut S,
        options: &'a Options,
        guard: &'a mut Guard<'w>,
        tally: Tally<L>,
    ) -> Self {
        let stopwatch = Stopwatch::new(options.timings);
        Self { space, options, guard, stopwatch, tally, stored: 0 }
    }

    /// The initial states.
    pub(crate) fn initial(&mut self) -> ControlFlow<Ended, Vec<StateId>> {
        let mut initial = Vec::new();
        self.space.initial(&mut initial);
        Ended::unless_flawed(self.space)?;
        ControlFlow::Continue(initial)
    }

    /// Finds the steps out of some states, as long as there is memory for it.
    #[inline]
    pub(crate) fn expand(
        &mut self,
        states: &[StateId],
        steps: &mut Vec<Step>,
    ) -> ControlFlow<Ended> {
        steps.clear();
        self.stopwatch.start();
        self.space.expand_within(states, steps);
        self.stopwatch.lap(Operation::Expansion);
        Ended::unless_flawed(self.space)
    }

    /// A state violates assertions; a break ends the search.
    pub(crate) fn violated(
        &mut self,
        verdict: Verdict,
        at: L,
        required_met: bool,
    ) -> ControlFlow<Ended> {
        self.tally.violated(Violation { verdict, at }, required_met, self.options.stop)
    }

    /// How far the search is.
    pub(crate) fn progress(&self, states_waiting: u64, depth: usize, bytes: usize) -> Progress {
        Progress {
            states_visited: self.stored,
            states_waiting,
            events: self.tally.counts.events,
            depth: u32::try_from(depth).unwrap_or(u32::MAX),
            bytes,
            ..Progress::default()
        }
    }

    /// Whether the search goes on. Its own tables take this many bytes more at once soon, if they are about to grow.
    pub(crate) fn check_limits(
        &mut self,
        progress: Progress,
        soon: impl Fn() -> usize,
    ) -> ControlFlow<Ended> {
        let Self { space, guard, .. } = self;
        if space.is_full() {
            return ControlFlow::Break(Ended::Limit(Limit::Capacity));
        }
        guard.check(progress, || space.bytes_soon() + soon())
    }

    /// Saves the search with what it knows besides what was counted and found, as its watcher wants it.
    pub(crate) fn save(&mut self, state: &impl Serialize)
    where
        L: Serialize,
    {
        let Self { space, options, guard, tally, .. } = self;
        let elapsed = guard.elapsed();
        guard.save(&|out| saved::write(out, options, elapsed, &(&*tally, state), *space));
    }

    /// What there is to say of the search when it has ended, unless there is more to say.
    pub(crate) fn ending(
        &self,
        ended: Ended,
        states_waiting: u64,
        bytes: usize,
        store: StoreReport,
    ) -> Ending {
        Ending {
            ended,
            incomplete: store.incomplete(),
            states_visited: self.stored,
            states_waiting,
            bytes,
            store,
            refusal: None,
        }
    }

    /// The result of the search, with a run to whatever was found.
    ///
    /// # Errors
    /// If there is no such run, which can only be if the search was read from somewhere.
    pub(crate) fn conclude(
        self,
        ending: Ending,
        trace: impl FnMut(&mut S, L) -> Option<Trace>,
    ) -> Result<Exploration, Misfit> {
        self.tally.conclude(ending, self.space, &self.stopwatch, self.guard, trace)
    }
}
