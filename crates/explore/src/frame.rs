//! The frame of a search: its space, options, limits, counts and findings.

use std::ops::ControlFlow;

use serde::Serialize;

use crate::{
    Covered, DepthSample, Ended, Explorable, Exploration, Fate, Limit, Misfit, Noted, NotedEvent,
    Options, Progress, StateId, Step, StoreReport, Trace, Verdict,
    limits::Guard,
    saved,
    stopwatch::{ONE_BATCH_IN, ONE_STATE_IN, Operation, Stopwatch},
    tally::{Ending, Tally, Violation},
};

/// The frame of a search. `L` is the type of a place in the search where something was found.
pub(crate) struct Frame<'a, 'w, S, L> {
    pub(crate) space: &'a mut S,
    pub(crate) options: &'a Options,
    pub(crate) guard: &'a mut Guard<'w>,
    pub(crate) stopwatch: Stopwatch,
    pub(crate) tally: Tally<L>,
    /// How many states were stored.
    pub(crate) stored: u64,
    /// What was done, if it is noted.
    pub(crate) noted: Option<Box<Noted>>,
}

impl<'a, 'w, S: Explorable, L: Copy> Frame<'a, 'w, S, L> {
    /// The frame of a new search.
    pub(crate) fn new(space: &'a mut S, options: &'a Options, guard: &'a mut Guard<'w>) -> Self {
        let tally = Tally::new(space);
        Self::resumed(space, options, guard, tally)
    }

    /// The frame of a resumed search.
    pub(crate) fn resumed(
        space: &'a mut S,
        options: &'a Options,
        guard: &'a mut Guard<'w>,
        tally: Tally<L>,
    ) -> Self {
        let one_in = if options.goes_by_levels() { ONE_BATCH_IN } else { ONE_STATE_IN };
        let stopwatch = Stopwatch::new(options.timings, one_in, &*space);
        let noted = options.note_events.map(|_| Box::default());
        Self { space, options, guard, stopwatch, tally, stored: 0, noted }
    }

    /// The initial states.
    pub(crate) fn initial(&mut self) -> ControlFlow<Ended, Vec<StateId>> {
        let mut initial = Vec::new();
        self.space.initial(&mut initial);
        Ended::unless_flawed(self.space)?;
        ControlFlow::Continue(initial)
    }

    /// Expands states as long as there is memory.
    #[inline]
    pub(crate) fn expand(
        &mut self,
        states: &[StateId],
        steps: &mut Vec<Step>,
    ) -> ControlFlow<Ended> {
        steps.clear();
        self.stopwatch.start(self.space);
        self.space.expand_within(states, steps);
        self.stopwatch.expanded(self.space);
        Ended::unless_flawed(self.space)
    }

    /// Whether explored events are of interest.
    #[inline]
    pub(crate) fn follows_events(&self) -> bool {
        self.noted.is_some() || self.space.follows_events()
    }

    /// Notes states that were expanded.
    #[inline]
    pub(crate) fn note_expanded(&mut self, states: &[StateId]) {
        if let Some(noted) = &mut self.noted
            && !noted.more
        {
            noted.expanded.extend_from_slice(states);
        }
    }

    /// Reports an explored event to a space that follows events, and notes it.
    #[inline]
    pub(crate) fn explored(&mut self, from: StateId, step: &Step, fate: Fate) {
        if let (Some(noted), Some(most)) = (&mut self.noted, self.options.note_events) {
            noted.event(NotedEvent { from, step: *step, fate }, most);
        }
        if self.space.follows_events() {
            self.space.explored(from, step, fate);
            // It may execute the event.
            self.stopwatch.lap(Operation::Expansion);
        }
    }

    /// Records a violation; a break ends the search.
    pub(crate) fn violated(
        &mut self,
        verdict: Verdict,
        at: L,
        required_met: bool,
    ) -> ControlFlow<Ended> {
        self.tally.violated(Violation { verdict, at }, required_met, self.options.stop)
    }

    /// The progress of the search.
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

    /// Checks the limits. `soon` is how many bytes more the engine's tables are about to take at once.
    pub(crate) fn check_limits(
        &mut self,
        progress: Progress,
        soon: impl Fn() -> usize,
    ) -> ControlFlow<Ended> {
        let Self { space, guard, stopwatch, .. } = self;
        if space.is_full() {
            return ControlFlow::Break(Ended::Limit(Limit::Capacity));
        }
        let since = stopwatch.pause();
        guard.check(progress, || space.bytes_soon() + soon())?;
        stopwatch.resume(Operation::Other, since);
        ControlFlow::Continue(())
    }

    /// Saves the search through its watcher. `state` is the state of the engine, without counts and
    /// findings.
    pub(crate) fn save(&mut self, state: &impl Serialize)
    where
        L: Serialize,
    {
        let Self { space, options, guard, tally, stopwatch, .. } = self;
        let since = stopwatch.pause();
        let elapsed = guard.elapsed();
        guard.save(&|out| saved::write(out, options, elapsed, &(&*tally, state), *space));
        stopwatch.resume(Operation::Other, since);
    }

    /// Shows a sample of what was visited to the watcher of the search.
    pub(crate) fn show(&mut self, sample: &[DepthSample]) {
        let Self { space, guard, .. } = self;
        let since = self.stopwatch.pause();
        guard.sampled(sample, &**space);
        self.stopwatch.resume(Operation::Other, since);
    }

    /// Whether the result of a search that has ended so has a sample.
    pub(crate) fn keeps_sample(&self, ended: Ended) -> bool {
        ended.is_stopped() || self.options.sample.is_some()
    }

    /// The ending of a search with nothing special to report.
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
            covered: Covered::default(),
            refusal: None,
        }
    }

    /// The result of the search, with a run to each finding.
    ///
    /// # Errors
    /// If there is no such run. This can happen only if the search was read from a checkpoint.
    pub(crate) fn conclude(
        mut self,
        ending: Ending,
        trace: impl FnMut(&mut S, L) -> Option<Trace>,
    ) -> Result<Exploration, Misfit> {
        let noted = self.noted.take().map(|noted| *noted);
        let found =
            self.tally.conclude(ending, self.space, &mut self.stopwatch, self.guard, trace)?;
        Ok(Exploration { noted, ..found })
    }
}
