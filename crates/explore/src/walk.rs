//! Random walks.

use std::ops::ControlFlow;

use crate::{
    Ended, Explorable, Exploration, Fate, Options, StateId, Trace, TraceStep,
    exploration::StoreReport,
    frame::Frame,
    limits::Guard,
    memory::while_memory_lasts,
    rng::Rng,
    stopwatch::Operation,
    tally::{Ending, REACHED},
};

/// Walks `walks` times from an initial state to the depth bound, and chooses at random among the
/// enabled events. Nothing is stored, so a walk costs no memory except what the space learns. The
/// search is never complete.
pub(crate) fn walk(
    space: &mut impl Explorable,
    options: &Options,
    guard: &mut Guard<'_>,
    walks: u64,
) -> Exploration {
    let mut walker = Walker {
        frame: Frame::new(space, options, guard),
        rng: Rng::new(options.seed, "walk"),
        trace: Trace { initial: StateId(0), steps: Vec::new() },
        runs: Vec::new(),
        work: WORK_BETWEEN_CHECKS,
    };
    let mut initial = Vec::new();
    walker.frame.space.initial(&mut initial);
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
    /// Findings refer to an index in the list of runs.
    frame: Frame<'a, 'w, S, usize>,
    rng: Rng,
    /// The run so far.
    trace: Trace,
    /// The runs with findings.
    runs: Vec<Trace>,
    /// How many states were visited since limits were checked.
    work: u32,
}

/// After how many states limits are checked: reading the clock takes as long as a step.
const WORK_BETWEEN_CHECKS: u32 = 256;

impl<S: Explorable> Walker<'_, '_, S> {
    fn walk_once(&mut self, initial: &[StateId]) -> ControlFlow<Ended> {
        let state = initial[self.rng.below(initial.len())];
        self.trace = Trace { initial: state, steps: Vec::new() };
        self.check_limits()?;
        if !self.look_at(state)? {
            return ControlFlow::Continue(());
        }
        let depth_max = self.frame.options.max_depth.expect("a walk has a bound");
        let mut steps = Vec::new();
        for depth in 1..=depth_max {
            self.check_limits()?;
            let state = self.trace.last();
            self.frame.expand(&[state], &mut steps)?;
            let (met, stop) = (self.path_counts(), self.frame.options.stop);
            let at = self.runs.len();
            let Frame { space, tally, .. } = &mut self.frame;
            let over = tally.survey::<false>(*space, &[state], &steps, met, stop, |_| at);
            self.keep_run();
            over?;
            if steps.is_empty() {
                return ControlFlow::Continue(());
            }
            let step = steps[self.rng.below(steps.len())];
            self.frame.tally.executed(self.frame.space, &step);
            self.frame.tally.counts.depth(depth as usize).events += 1;
            self.trace.steps.push(TraceStep { event: step.event, state: step.target });
            let flow = self.look_at(step.target);
            let is_unsafe = !matches!(flow, ControlFlow::Continue(true));
            let fate = match depth == depth_max {
                _ if is_unsafe => Fate::Unsafe,
                true => Fate::Deepest,
                false => Fate::Kept,
            };
            self.frame.explored(state, &step, fate);
            if !flow? {
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Judges the current state. The result is whether the walk continues.
    fn look_at(&mut self, state: StateId) -> ControlFlow<Ended, bool> {
        let verdict = self.frame.space.verdict(state);
        self.frame.stopwatch.lap(Operation::Assertion);
        if !self.frame.tally.goes_on(self.frame.space, state, verdict) {
            self.frame.tally.counts.unsafe_events += u64::from(!self.trace.steps.is_empty());
            let met = self.path_counts();
            let over = self.frame.violated(verdict, self.runs.len(), met);
            self.keep_run();
            over?;
            return ControlFlow::Continue(false);
        }
        let run = self.runs.len();
        self.frame.tally.seek_goals(self.frame.space, state, || run);
        self.keep_run();
        ControlFlow::Continue(true)
    }

    /// Keeps this run if it has a new finding.
    fn keep_run(&mut self) {
        let newest = [self.frame.tally.violations.last(), self.frame.tally.witnesses.last()];
        if newest.into_iter().flatten().any(|&(_, at)| at == self.runs.len()) {
            self.runs.push(self.trace.clone());
        }
    }

    /// Whether the run has the required event.
    fn path_counts(&self) -> bool {
        self.frame.options.required_on_path.as_ref().is_none_or(|pattern| {
            let mut taken = self.trace.transitions();
            taken.any(|(before, step)| self.frame.space.matches(before, step.event, pattern))
        })
    }

    fn check_limits(&mut self) -> ControlFlow<Ended> {
        self.work += 1;
        if self.work < WORK_BETWEEN_CHECKS {
            return ControlFlow::Continue(());
        }
        self.work = 0;
        let bytes = self.frame.space.bytes();
        let progress = self.frame.progress(0, self.trace.steps.len(), bytes);
        self.frame.check_limits(progress, || 0)
    }

    fn conclude(self, ended: Ended) -> Exploration {
        let Self { frame, runs, .. } = self;
        let ending = frame.ending(ended, 0, frame.space.bytes(), StoreReport::exact(0));
        let incomplete = Some("random walks do not visit everything");
        let ending = Ending { incomplete, ..ending };
        frame.conclude(ending, |_, at| Some(runs[at].clone())).expect(REACHED)
    }
}
