//! The breadth-first search engine, which works level by level.

use std::{ops::ControlFlow, thread};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::{
    DepthSample, Ended, Explorable, Exploration, ExploredPart, Fate, IsCut, Misfit, Options,
    Progress, Start, Starts, StateId, Step, TraceStep,
    frame::Frame,
    limits::Guard,
    memory::while_memory_lasts,
    packed_level::PackedLevel,
    part::Levels,
    sample::sample,
    stopwatch::Operation,
    tally::{REACHED, Tally},
    trace::back_to_start,
    visited::{Crew, StateSet},
};

/// How many states are expanded at a time, at first and at most.
const BATCH_STATES: usize = 256;
/// How many steps a batch should have. They take 24 bytes each and stay in the cache, and limits
/// are checked often even where a state has thousands of successors.
const BATCH_STEPS: usize = 2048;

/// Explores a space breadth-first: all runs of length 1, then all of length 2, …
///
/// The search finds every state within the depth bound. The first violation is a shortest one.
pub(crate) fn search<S: Explorable>(
    space: &mut S,
    options: &Options,
    guard: &mut Guard<'_>,
) -> Exploration {
    let state = State { batch: 1, ..State::default() };
    with_visited(options, |visited| {
        let mut search = Search::new(Frame::new(space, options, guard), state, visited);
        let ended = match search.start() {
            ControlFlow::Break(ended) => ended,
            ControlFlow::Continue(()) => search.run(),
        };
        search.conclude(ended).expect(REACHED).found
    })
}

/// Explores a part of a space: from some states, to those where it is cut.
pub(crate) fn search_part<S: Explorable>(
    space: &mut S,
    options: &Options,
    guard: &mut Guard<'_>,
    starts: Starts<'_>,
    is_cut: &mut IsCut<'_, S>,
) -> ExploredPart {
    let state = State { batch: 1, ..State::default() };
    let (waiting, are_judged) = match starts {
        Starts::Initial => (&[][..], false),
        Starts::Reached(starts) => (starts, true),
        Starts::Given(starts) => (starts, false),
    };
    let mut waiting = waiting.to_vec();
    waiting.sort_unstable();
    let entered = Vec::new();
    let division = Division { is_cut, stopped: Vec::new(), waiting, entered, are_judged };
    with_visited(options, |visited| {
        let mut search = Search::new(Frame::new(space, options, guard), state, visited);
        search.division = Some(division);
        let flow = match starts {
            Starts::Initial => search.start(),
            Starts::Reached(_) | Starts::Given(_) => ControlFlow::Continue(()),
        };
        let ended = match flow {
            ControlFlow::Break(ended) => ended,
            ControlFlow::Continue(()) => search.run(),
        };
        search.conclude(ended).expect(REACHED)
    })
}

/// Resumes a saved search.
///
/// # Errors
/// If the saved search does not fit the space.
pub(crate) fn resume<S: Explorable>(
    space: &mut S,
    options: &Options,
    guard: &mut Guard<'_>,
    (tally, state): Kept,
) -> Result<Exploration, Misfit> {
    with_visited(options, |visited| {
        let frame = Frame::resumed(space, options, guard, tally);
        let mut search = Search::new(frame, state, visited);
        search.rebuild()?;
        let ended = search.run();
        Ok(search.conclude(ended)?.found)
    })
}

/// Runs a search with a store of visited states, which may have worker threads.
fn with_visited<T>(options: &Options, search: impl FnOnce(StateSet) -> T) -> T {
    match options.workers {
        0 | 1 => search(StateSet::new(options.store)),
        // One of the workers expands.
        workers => {
            thread::scope(|scope| search(StateSet::Crew(Crew::start(scope, workers as usize - 1))))
        }
    }
}

/// Where something was found: in a stored state, or one step after it.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Place {
    /// The depth of the stored state.
    depth: usize,
    state: StateId,
    step: Option<TraceStep>,
}

/// The saved part of a search.
pub(crate) type Kept = (Tally<Place>, State);

/// The state of the engine, besides counts, findings and what follows from them.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// The expanded levels.
    past: Vec<PackedLevel>,
    /// The level being expanded.
    current: Vec<StateId>,
    /// How many of its states are expanded.
    expanded: usize,
    /// The states of the next level so far.
    next: Vec<StateId>,
    /// How many states the next batch has. It decides which violation of a level is found first.
    batch: usize,
}

/// What distinguishes a part of an exploration from a whole one.
struct Division<'a, S> {
    is_cut: &'a mut IsCut<'a, S>,
    /// The states at which it has stopped.
    stopped: Vec<Start>,
    /// The starts that have not entered yet, by depth.
    waiting: Vec<Start>,
    /// The starts that have entered and were new.
    entered: Vec<Start>,
    /// Whether another part has judged the starts.
    are_judged: bool,
}

struct Search<'a, 'w, S> {
    frame: Frame<'a, 'w, S, Place>,
    state: State,
    visited: StateSet,
    /// For a part of an exploration.
    division: Option<Division<'a, S>>,
    /// The safe targets of a batch.
    targets: Vec<StateId>,
    past_bytes: usize,
}

impl<'a, 'w, S: Explorable> Search<'a, 'w, S> {
    fn new(frame: Frame<'a, 'w, S, Place>, state: State, visited: StateSet) -> Self {
        Self { frame, state, visited, division: None, targets: Vec::new(), past_bytes: 0 }
    }

    /// Rebuilds what follows from a saved state.
    fn rebuild(&mut self) -> Result<(), Misfit> {
        let State { past, current, expanded, next, batch } = &self.state;
        let tally = &self.frame.tally;
        let batch_fits = (1..=BATCH_STATES).contains(batch);
        if !tally.fits(self.frame.space) || *expanded > current.len() || !batch_fits {
            return Err(Misfit::Counts);
        }
        if tally.places().any(|place| place.depth > past.len()) {
            return Err(Misfit::Level);
        }
        let contains = |state| self.frame.space.contains(state);
        let is_there =
            |Place { state, step, .. }| contains(state) && step.is_none_or(|it| contains(it.state));
        if !tally.places().all(is_there) {
            return Err(Misfit::Finding);
        }
        let states = past.iter().flat_map(PackedLevel::iter);
        for state in states.chain(current.iter().copied()).chain(next.iter().copied()) {
            if !self.frame.space.contains(state) {
                return Err(Misfit::State);
            }
            self.targets.push(state);
            if self.targets.len() == BATCH_STEPS {
                let stopwatch = &mut self.frame.stopwatch;
                self.visited.insert(self.frame.space, &self.targets, stopwatch, |_| {});
                self.targets.clear();
            }
        }
        let stopwatch = &mut self.frame.stopwatch;
        self.visited.insert(self.frame.space, &self.targets, stopwatch, |_| {});
        self.visited.collect(|_| {});
        if past.iter().any(|level| level.iter().count() != level.len()) {
            return Err(Misfit::LevelLength);
        }
        let levels = past.iter().map(PackedLevel::len);
        self.frame.stored = levels.chain([current.len(), next.len()]).sum::<usize>() as u64;
        self.past_bytes = past.iter().map(PackedLevel::bytes).sum();
        Ok(())
    }
}

impl<S: Explorable> Search<'_, '_, S> {
    fn run(&mut self) -> Ended {
        loop {
            let depth = self.state.past.len();
            if let ControlFlow::Break(ended) = self.enter_starts(depth) {
                return ended;
            }
            if self.state.current.is_empty() && self.all_entered() {
                return Ended::Exhausted;
            }
            if self.frame.options.max_depth.is_some_and(|most| depth >= most as usize) {
                return Ended::Depth;
            }
            if let ControlFlow::Break(ended) = self.stop_where_cut(depth) {
                return ended;
            }
            if let ControlFlow::Break(ended) = while_memory_lasts(|| self.expand_level()) {
                return ended;
            }
            self.next_level();
        }
    }

    fn start(&mut self) -> ControlFlow<Ended> {
        let initial = self.frame.initial()?;
        let flow = initial.into_iter().try_for_each(|state| {
            let verdict = self.frame.space.verdict(state);
            let at = Place { depth: 0, state, step: None };
            if self.frame.tally.goes_on(self.frame.space, state, verdict) {
                self.reached(state, || at);
                return ControlFlow::Continue(());
            }
            self.frame.violated(verdict, at, true)
        });
        self.store_targets();
        self.enter_next();
        flow
    }

    /// Whether all starts of a part have entered.
    fn all_entered(&self) -> bool {
        self.division.as_ref().is_none_or(|division| division.waiting.is_empty())
    }

    /// Lets the starts of a part enter that have this depth.
    fn enter_starts(&mut self, depth: usize) -> ControlFlow<Ended> {
        let Some(division) = &mut self.division else { return ControlFlow::Continue(()) };
        let later = division.waiting.partition_point(|start| start.depth as usize <= depth);
        let starts: Vec<Start> = division.waiting.drain(..later).collect();
        let are_judged = division.are_judged;
        let flow = starts.iter().try_for_each(|&Start { state, .. }| {
            if are_judged {
                self.targets.push(state);
                return ControlFlow::Continue(());
            }
            let verdict = self.frame.space.verdict(state);
            let at = Place { depth, state, step: None };
            if self.frame.tally.goes_on(self.frame.space, state, verdict) {
                self.reached(state, || at);
                return ControlFlow::Continue(());
            }
            self.frame.violated(verdict, at, true)
        });
        self.store_targets();
        self.collect();
        let new = std::mem::take(&mut self.state.next);
        if let Some(division) = &mut self.division {
            let depth = depth as u32;
            division.entered.extend(new.iter().map(|&state| Start { depth, state }));
        }
        self.state.current.extend(new);
        flow?;
        Ended::unless_flawed(self.frame.space)
    }

    /// Removes the states from the level where a part is cut.
    fn stop_where_cut(&mut self, depth: usize) -> ControlFlow<Ended> {
        let Some(division) = &mut self.division else { return ControlFlow::Continue(()) };
        let (space, depth) = (&mut *self.frame.space, depth as u32);
        self.state.current.sort_unstable();
        self.state.current.retain(|&state| {
            let is_cut = (division.is_cut)(space, depth, state);
            if is_cut {
                division.stopped.push(Start { depth, state });
            }
            !is_cut
        });
        Ended::unless_flawed(self.frame.space)
    }

    /// Queues a safe state for the store.
    #[inline]
    fn reached(&mut self, state: StateId, at: impl Fn() -> Place) {
        self.targets.push(state);
        self.frame.tally.seek_goals(self.frame.space, state, at);
    }

    /// Stores the targets that are new. Worker threads may report new states later.
    fn store_targets(&mut self) {
        let Self { frame, visited, targets, state, .. } = self;
        let Frame { space, stored, stopwatch, .. } = frame;
        visited.insert(*space, targets, stopwatch, |new| {
            state.next.push(new);
            *stored += 1;
        });
        targets.clear();
    }

    /// Waits until every target is known to be new or not.
    fn collect(&mut self) {
        let Self { visited, state, frame, .. } = self;
        let since = frame.stopwatch.pause();
        visited.collect(|new| {
            state.next.push(new);
            frame.stored += 1;
        });
        frame.stopwatch.resume(Operation::Search, since);
    }

    fn expand_level(&mut self) -> ControlFlow<Ended> {
        if self.state.expanded == 0 {
            // Brings states with equal nodes together: 2.3 times as fast on ARQ over an unordered
            // network to depth 26, 1.2 times over FIFO links to depth 45.
            let since = self.frame.stopwatch.pause();
            self.state.current.sort_unstable();
            self.frame.stopwatch.resume(Operation::Frontier, since);
        }
        let (mut batch, mut steps) = (Vec::new(), Vec::new());
        while self.state.expanded < self.state.current.len() {
            self.check_limits()?;
            let rest = &self.state.current[self.state.expanded..];
            batch.clear();
            let wanted = self.frame.space.batch().unwrap_or(self.state.batch);
            batch.extend_from_slice(&rest[..wanted.min(rest.len())]);
            self.frame.expand(&batch, &mut steps)?;
            let steps_per_state = steps.len().div_ceil(batch.len()).max(1);
            self.state.batch = (BATCH_STEPS / steps_per_state).clamp(1, BATCH_STATES);
            self.take(&batch, &steps)?;
        }
        ControlFlow::Continue(())
    }

    fn check_limits(&mut self) -> ControlFlow<Ended> {
        if self.frame.options.limits.states.is_some() {
            // The search must end after the same number of states with any number of threads.
            self.collect();
        }
        let progress = self.progress();
        let Self { frame, visited, state, .. } = self;
        // A finished level is packed, mostly into two bytes per state.
        frame.check_limits(progress, || visited.bytes_soon() + 2 * state.current.len())?;
        if self.frame.guard.wants_sample() {
            let sample = self.sample();
            self.frame.show(&sample);
        }
        self.save(false);
        ControlFlow::Continue(())
    }

    /// A sample of the levels that are known as a whole.
    fn sample(&self) -> Vec<DepthSample> {
        let State { past, current, .. } = &self.state;
        let lengths = past.iter().map(PackedLevel::len).chain([current.len()]);
        let lengths: Vec<u64> = lengths.map(|states| states as u64).collect();
        let at = past.iter().enumerate();
        let states = at.flat_map(|(depth, level)| level.iter().map(move |state| (depth, state)));
        let current = current.iter().map(|&state| (past.len(), state));
        sample(&lengths, self.frame.options.sample.unwrap_or(0), states.chain(current))
    }

    fn save(&mut self, at_end: bool) {
        if self.frame.guard.wants_save(at_end) {
            self.collect();
            self.frame.save(&self.state);
        }
    }

    /// Examines the successors of a batch.
    fn take(&mut self, batch: &[StateId], steps: &[Step]) -> ControlFlow<Ended> {
        let depth = self.state.past.len();
        let mut flow = ControlFlow::Continue(());
        let mut taken = 0;
        let mut violations = Vec::new();
        let unsafe_before = self.frame.tally.counts.unsafe_events;
        for step in steps {
            taken += 1;
            let verdict = self.frame.space.verdict(step.target);
            let at = || Place {
                depth,
                state: batch[step.source as usize],
                step: Some(TraceStep { event: step.event, state: step.target }),
            };
            if self.frame.tally.goes_on(self.frame.space, step.target, verdict) {
                self.reached(step.target, at);
                continue;
            }
            self.frame.tally.counts.unsafe_events += 1;
            violations.push(taken - 1);
            flow = self.frame.violated(verdict, at(), true);
            if flow.is_break() {
                break;
            }
        }
        self.frame.stopwatch.lap(Operation::Assertion);
        let stored = self.state.next.len();
        self.store_targets();
        if self.frame.follows_events() {
            self.report(batch, &steps[..taken], &violations, stored);
        }
        let sources = match flow {
            ControlFlow::Continue(()) => batch.len(),
            ControlFlow::Break(_) => steps[taken - 1].source as usize + 1,
        };
        self.state.expanded += sources;
        self.frame.note_expanded(&batch[..sources]);
        let counts = &mut self.frame.tally.counts;
        counts.depth(depth + 1).events += taken as u64;
        if self.frame.options.max_depth.is_some_and(|most| depth + 1 >= most as usize) {
            counts.deepest_events += taken as u64 - (counts.unsafe_events - unsafe_before);
        }
        let stop = self.frame.options.stop;
        let (batch, steps) = (&batch[..sources], &steps[..taken]);
        let at = |state| Place { depth, state, step: None };
        let ends = self.frame.tally.survey::<true>(self.frame.space, batch, steps, true, stop, at);
        flow?;
        ends
    }

    /// Reports the explored events of a batch to a space that follows them. `stored` is how many
    /// states the next level had before.
    fn report(&mut self, batch: &[StateId], steps: &[Step], violations: &[usize], stored: usize) {
        // Which states are new must be known now, with any number of threads.
        self.collect();
        let mut new: FxHashSet<StateId> = self.state.next[stored..].iter().copied().collect();
        let deepest = self.state.past.len() + 1;
        let is_deepest = self.frame.options.max_depth.is_some_and(|most| deepest >= most as usize);
        let mut violations = violations.iter().copied().peekable();
        for (place, step) in steps.iter().enumerate() {
            // The first step to a new state is the one that has found it.
            let fate = if violations.next_if_eq(&place).is_some() {
                Fate::Unsafe
            } else if is_deepest {
                Fate::Deepest
            } else if new.remove(&step.target) {
                Fate::Kept
            } else {
                Fate::Known
            };
            self.frame.explored(batch[step.source as usize], step, fate);
        }
    }

    fn next_level(&mut self) {
        let since = self.frame.stopwatch.pause();
        let level = PackedLevel::of(&self.state.current);
        self.past_bytes += level.bytes();
        self.state.past.push(level);
        self.frame.stopwatch.resume(Operation::Frontier, since);
        self.enter_next();
    }

    /// Moves on to the next level.
    fn enter_next(&mut self) {
        self.collect();
        self.state.current = std::mem::take(&mut self.state.next);
        self.state.expanded = 0;
    }

    fn bytes(&self) -> usize {
        self.visited.bytes()
            + self.frame.space.bytes()
            + self.past_bytes
            + (self.state.current.capacity() + self.state.next.capacity()) * size_of::<StateId>()
    }

    fn progress(&self) -> Progress {
        let State { past, current, expanded, .. } = &self.state;
        let share = *expanded as f64 / current.len().max(1) as f64;
        let progress = self.frame.progress(self.waiting(), past.len(), self.bytes());
        Progress { level_share: Some(share), ..progress }
    }

    fn waiting(&self) -> u64 {
        (self.state.current.len() - self.state.expanded + self.state.next.len()) as u64
    }

    fn conclude(mut self, ended: Ended) -> Result<ExploredPart, Misfit> {
        self.collect();
        // Saved before traces are sought: that executes no new handler, but may let the space grow.
        if ended.is_stopped() {
            self.save(true);
        }
        let samples = self.division.is_none() && self.frame.keeps_sample(ended);
        if samples && self.state.expanded == 0 {
            // Worker threads store the states of a level in any order.
            self.state.current.sort_unstable();
        }
        let sample = if samples { self.sample() } else { Vec::new() };
        self.count_levels();
        let (stopped, mut entered) = match self.division.take() {
            Some(Division { stopped, entered, .. }) => (stopped, entered),
            None => (Vec::new(), Vec::new()),
        };
        entered.sort_unstable();
        self.frame.stored -= stopped.len() as u64;
        let waiting = if ended.is_complete() { 0 } else { self.waiting() };
        let ending = self.frame.ending(ended, waiting, self.bytes(), self.visited.report());
        let State { past, current, expanded, next, .. } = self.state;
        let found = self.frame.conclude(ending, |space, at| {
            if at.step.is_some_and(|step| !step.leads_from(at.state, space)) {
                return None;
            }
            let has_entered = |start: Start| entered.binary_search(&start).is_ok();
            let mut trace = back_to_start(space, &past[..at.depth], at.state, has_entered)?;
            trace.steps.extend(at.step);
            Some(trace)
        })?;
        let found = Exploration { sample, ..found };
        Ok(ExploredPart { found, stopped, levels: Levels { past, current, expanded, next } })
    }

    /// Counts what follows from the sizes of the levels.
    fn count_levels(&mut self) {
        let counts = &mut self.frame.tally.counts;
        let levels = self.state.past.iter().map(PackedLevel::len);
        let levels = levels.chain([self.state.current.len(), self.state.next.len()]);
        for (depth, states) in levels.enumerate().filter(|(_, states)| *states > 0) {
            counts.depth(depth).states = states as u64;
        }
        let deepest = self.frame.options.max_depth.unwrap_or(u32::MAX) as usize;
        let states_before: u64 =
            counts.depths.iter().take(deepest).skip(1).map(|depth| depth.states).sum();
        counts.tree_events = states_before;
        if let Some(Division { stopped, entered, .. }) = &self.division {
            // Events lead to the states at which a part stops, and to no start.
            let within = |it: &&Start| (1..deepest).contains(&(it.depth as usize));
            counts.tree_events += stopped.iter().filter(within).count() as u64;
            counts.tree_events -= entered.iter().filter(within).count() as u64;
        }
        // Saturating: counts of a search that was read from a checkpoint may be wrong.
        let known = counts.unsafe_events + counts.tree_events + counts.deepest_events;
        counts.non_tree_events = counts.events.saturating_sub(known);
    }
}
