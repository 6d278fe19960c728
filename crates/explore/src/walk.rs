//! Runs that choose at random.

use std::ops::ControlFlow;

use crate::{
    Ended, Exploration, Limit, Options, Progress, Space, StateId, Trace, TraceStep,
    dice::Dice,
    exploration::StoreReport,
    limits::Guard,
    memory::while_memory_lasts,
    stopwatch::{Operation, Stopwatch},
    tally::{Ending, REACHED, Tally, Violation},
};

/// Walks so many times from an initial state to the depth bound, choosing among the enabled events
/// at random. Nothing is stored, so a walk costs no memory beyond what the space learns; and
/// nothing is ever complete.
pub(crate) fn walk(
    space: &mut impl Space,
    options: &Options,
    guard: &mut Guard<'_>,
    walks: u64,
) -> Exploration {
    let tally = Tally::new(space);
    let mut walker = Walker {
        space,
        options,
        guard,
        tally,
        stopwatch: Stopwatch::new(options.timings),
        dice: Dice::new(options.seed, "walk"),
        trace: Trace { initial: StateId(0), steps: Vec::new() },
        runs: Vec::new(),
        work: WORK_BETWEEN_CHECKS,
    };
    let mut initial = Vec::new();
    walker.space.initial(&mut initial);
    let mut ended = Ended::Depth;
    let walks = if initial.is_empty() { 0 } else { walks };
    for _ in 0..walks {
        if let ControlFlow::Break(why) = while_memory_lasts(|| walker.walk_once(&initial)) {
            ended = why;
            break;
        }
    }
    walker.conclude(ended)
}

struct Walker<'a, 'w, S> {
    space: &'a mut S,
    options: &'a Options,
    guard: &'a mut Guard<'w>,
    /// Where something was found is a place in the list of runs.
    tally: Tally<usize>,
    stopwatch: Stopwatch,
    dice: Dice,
    /// The run so far.
    trace: Trace,
    /// The runs on which something was found.
    runs: Vec<Trace>,
    /// How many states were looked at since limits were.
    work: u32,
}

/// After how many states limits are looked at: to look at the clock takes as long as a step.
const WORK_BETWEEN_CHECKS: u32 = 256;

impl<S: Space> Walker<'_, '_, S> {
    fn walk_once(&mut self, initial: &[StateId]) -> ControlFlow<Ended> {
        let state = initial[self.dice.below(initial.len())];
        self.trace = Trace { initial: state, steps: Vec::new() };
        self.check_limits()?;
        if !self.look_at(state)? {
            return ControlFlow::Continue(());
        }
        let depth_max = self.options.max_depth.expect("a walk has a bound");
        let mut steps = Vec::new();
        for depth in 1..=depth_max {
            self.check_limits()?;
            let state = self.trace.last();
            steps.clear();
            self.stopwatch.start();
            self.space.expand_within(&[state], &mut steps);
            self.stopwatch.lap(Operation::Expansion);
            Ended::unless_flawed(self.space)?;
            let (met, stop) = (self.path_counts(), self.options.stop);
            let at = self.runs.len();
            let over = self.tally.survey::<false>(self.space, &[state], &steps, met, stop, |_| at);
            self.keep_run();
            over?;
            if steps.is_empty() {
                return ControlFlow::Continue(());
            }
            let step = steps[self.dice.below(steps.len())];
            self.tally.executed(self.space, &step);
            self.tally.counts.depth(depth as usize).events += 1;
            self.trace.steps.push(TraceStep { event: step.event, state: step.target });
            if !self.look_at(step.target)? {
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Judges the state in which the walk is; whether the walk goes on.
    fn look_at(&mut self, state: StateId) -> ControlFlow<Ended, bool> {
        let verdict = self.space.verdict(state);
        self.stopwatch.lap(Operation::Assertion);
        if !self.tally.goes_on(self.space, state, verdict) {
            self.tally.counts.unsafe_events += u64::from(!self.trace.steps.is_empty());
            let (met, stop) = (self.path_counts(), self.options.stop);
            let found = Violation { verdict, at: self.runs.len() };
            let over = self.tally.violated(found, met, stop);
            self.keep_run();
            over?;
            return ControlFlow::Continue(false);
        }
        let run = self.runs.len();
        self.tally.seek_goals(self.space, state, || run);
        self.keep_run();
        ControlFlow::Continue(true)
    }

    /// Keeps this run, if something was found on it just now.
    fn keep_run(&mut self) {
        let newest = [self.tally.violations.last(), self.tally.witnesses.last()];
        if newest.into_iter().flatten().any(|&(_, at)| at == self.runs.len()) {
            self.runs.push(self.trace.clone());
        }
    }

    /// Whether the run has the event that is required.
    fn path_counts(&self) -> bool {
        self.options.required_on_path.as_ref().is_none_or(|pattern| {
            let mut taken = self.trace.transitions();
            taken.any(|(before, step)| self.space.matches(before, step.event, pattern))
        })
    }

    fn check_limits(&mut self) -> ControlFlow<Ended> {
        self.work += 1;
        if self.work < WORK_BETWEEN_CHECKS {
            return ControlFlow::Continue(());
        }
        self.work = 0;
        if self.space.is_full() {
            return ControlFlow::Break(Ended::Limit(Limit::Capacity));
        }
        let progress = Progress {
            events: self.tally.counts.events,
            depth: u32::try_from(self.trace.steps.len()).unwrap_or(u32::MAX),
            bytes: self.space.bytes(),
            ..Progress::default()
        };
        self.guard.check(progress, || self.space.bytes_soon())
    }

    fn conclude(self, ended: Ended) -> Exploration {
        let ending = Ending {
            ended,
            incomplete: Some("random walks do not visit everything"),
            states_visited: 0,
            states_waiting: 0,
            bytes: self.space.bytes(),
            store: StoreReport::exact(0),
            refusal: None,
        };
        let runs = self.runs;
        let trace = |_: &mut S, at: usize| Some(runs[at].clone());
        let told = self.tally.conclude(ending, self.space, &self.stopwatch, self.guard, trace);
        told.expect(REACHED)
    }
}
