//! The search engine with a frontier in the order of the strategy.
//!
//! Every visited state has a record of how it was reached, so a trace is found by following records
//! back. With a depth bound, a state that is reached again after fewer events is expanded again.
//! Otherwise states within the bound would be missed.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::{
    Add, DepthSample, Ended, EventId, Explorable, Exploration, Fate, Limit, Misfit, Options,
    Refusal, Semantics, StateId, Step, Strategy, TraceStep, Verdict,
    frame::Frame,
    limits::Guard,
    memory::while_memory_lasts,
    queue::{Entry, Queue, Reach},
    ranker::Ranker,
    records::{NOTHING, Place, Record, Records},
    rng::Rng,
    sample::sample,
    stopwatch::Operation,
    tally::{Ending, REACHED, Tally},
    visited::{DepthMap, Status},
};

/// After how many events and look-ups limits are checked.
const WORK_BETWEEN_CHECKS: u64 = 2048;
/// More states than any beam has dropped.
const DROPPED_MAX: u64 = 1 << 60;
/// A state of a recursive search whose successors are being explored.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Ancestor {
    entry: Entry,
    /// Where its steps start in the list of all steps.
    start: usize,
    /// Where its next step is.
    next: usize,
    end: usize,
}

/// The saved part of a search.
pub(crate) type Kept = (Tally<Place>, State);

/// The state of the engine, besides counts, findings and what follows from them.
#[derive(Serialize, Deserialize)]
pub(crate) struct State {
    records: Records,
    queue: Queue,
    ranker: Ranker,
    rng: Option<Rng>,
    /// The rest of the level that a beam search expands.
    level: Vec<Entry>,
    /// Stored states that are dropped although they should be expanded.
    dropped: u64,
    /// The path of a recursive search, and all steps out of its states.
    ancestors: Vec<Ancestor>,
    steps: Vec<Step>,
    /// The state to expand next: a recursive search is about to enter it, or there was not enough
    /// memory to expand it.
    entering: Option<Entry>,
}

impl State {
    fn new(options: &Options) -> Self {
        Self {
            records: Records::default(),
            queue: Queue::new(options),
            ranker: Ranker::new(options.strategy.rank_by()),
            rng: options.shuffle.map(|seed| Rng::new(seed, "shuffle")),
            level: Vec::new(),
            dropped: 0,
            ancestors: Vec::new(),
            steps: Vec::new(),
            entering: None,
        }
    }
}

/// Whether the steps of each ancestor follow those of the one below it.
fn are_stacked(ancestors: &[Ancestor], steps: usize) -> bool {
    let mut top = 0;
    ancestors.iter().all(|ancestor| {
        let above = top <= ancestor.start;
        top = ancestor.end;
        above
            && ancestor.start <= ancestor.next
            && ancestor.next <= ancestor.end
            && ancestor.end <= steps
    })
}

/// A search with a frontier.
struct Search<'a, 'w, S> {
    frame: Frame<'a, 'w, S, Place>,
    state: State,
    visited: DepthMap,
    rank: Vec<i64>,
    /// Work done since limits were checked.
    work: u64,
    refusal: Option<Refusal>,
}

/// Explores a space with a frontier.
pub(crate) fn search<S: Explorable>(
    space: &mut S,
    options: &Options,
    guard: &mut Guard<'_>,
) -> Exploration {
    let mut search = Search::new(Frame::new(space, options, guard), State::new(options));
    let flow = search.start();
    search.run(flow).expect(REACHED)
}

/// Resumes a saved search.
///
/// # Errors
/// If the saved search does not fit the space.
pub(crate) fn resume<S: Explorable>(
    space: &mut S,
    options: &Options,
    guard: &mut Guard<'_>,
    (tally, mut state): Kept,
) -> Result<Exploration, Misfit> {
    state.ranker.take_parts(Ranker::new(options.strategy.rank_by()));
    let mut search = Search::new(Frame::resumed(space, options, guard, tally), state);
    search.rebuild()?;
    search.run(ControlFlow::Continue(()))
}

impl<'a, 'w, S: Explorable> Search<'a, 'w, S> {
    fn new(frame: Frame<'a, 'w, S, Place>, state: State) -> Self {
        let visited = DepthMap::new(frame.options);
        Self { frame, state, visited, rank: Vec::new(), work: 0, refusal: None }
    }

    /// Rebuilds what follows from a saved state.
    fn rebuild(&mut self) -> Result<(), Misfit> {
        let State { records, queue, level, ancestors, steps, entering, dropped, .. } = &self.state;
        let tally = &self.frame.tally;
        if !tally.fits(self.frame.space) {
            return Err(Misfit::Counts);
        }
        if !records.fits(self.frame.space) || !queue.is_whole() || !self.state.ranker.fits() {
            return Err(Misfit::State);
        }
        for (place, record) in (0..).zip(records.iter()) {
            let (met, stopwatch) = ((record.reach.depth(), place), &mut self.frame.stopwatch);
            self.visited.restore(self.frame.space, record.state, met, stopwatch);
        }
        let followed = ancestors.iter().map(|ancestor| &ancestor.entry);
        let stored = level.iter().chain(followed).chain(entering);
        let is_stored = |entry: &Entry| records.owns(entry.record, entry.state);
        let fits = |entry: &Entry| {
            (is_stored(entry) || self.frame.options.add != Add::Next && records.knows(entry.record))
                && self.frame.space.contains(entry.state)
                && records.can_be_reached(entry.reach)
        };
        if !queue.iter().all(fits)
            || !stored.into_iter().all(|entry| is_stored(entry) && fits(entry))
            || !tally.places().all(|place| records.has(place, self.frame.space))
            || !are_stacked(ancestors, steps.len())
            || steps.iter().any(|step| !self.frame.space.contains(step.target))
            || *dropped > DROPPED_MAX
        {
            return Err(Misfit::State);
        }
        self.frame.stored = records.len() as u64;
        Ok(())
    }

    fn run(mut self, started: ControlFlow<Ended>) -> Result<Exploration, Misfit> {
        let flow = match started {
            ControlFlow::Continue(()) => self.search(),
            ended => ended,
        };
        let ended = match flow {
            ControlFlow::Break(ended) => ended,
            ControlFlow::Continue(()) if self.bound_reached() => Ended::Depth,
            ControlFlow::Continue(()) => Ended::Exhausted,
        };
        self.conclude(ended)
    }

    fn search(&mut self) -> ControlFlow<Ended> {
        while_memory_lasts(|| match &self.frame.options.strategy {
            Strategy::DepthFirstRecursive => self.recursive(),
            Strategy::Beam { width, .. } => self.beam(*width),
            _ => self.by_queue(),
        })?;
        self.check_relation()
    }

    /// Whether there are states at the depth bound.
    fn bound_reached(&self) -> bool {
        let at_bound = |record: &Record| Some(record.reach.depth()) == self.frame.options.max_depth;
        match self.frame.options.semantics {
            Semantics::Exact => self.state.records.iter().any(at_bound),
            Semantics::Published => {
                self.frame.tally.counts.deepest_events > 0
                    || self.state.records.iter().any(at_bound)
            }
        }
    }

    fn is_deepest(&self, depth: u32) -> bool {
        self.frame.options.max_depth.is_some_and(|most| depth >= most)
    }

    fn start(&mut self) -> ControlFlow<Ended> {
        let initial = self.frame.initial()?;
        let reach = Reach::new(0, false);
        for state in initial {
            let verdict = self.frame.space.verdict(state);
            if !self.goes_on(verdict, state) {
                self.violated(verdict, state, reach, Place::Initial(state))?;
            } else if self.is_deepest(0) || self.frame.options.add == Add::Next {
                let admitted = self.admit(state, NOTHING, reach);
                if let Some(entry) = admitted.filter(|_| !self.is_deepest(0)) {
                    self.enqueue(entry, None);
                }
            } else {
                self.enqueue(Entry { state, record: NOTHING, reach }, None);
            }
        }
        ControlFlow::Continue(())
    }

    fn by_queue(&mut self) -> ControlFlow<Ended> {
        let mut steps = Vec::new();
        loop {
            self.check_limits()?;
            if let Some(entry) = self.state.entering.take() {
                self.explore(entry, &mut steps)?;
            }
            let Some(entry) = self.state.queue.pop() else {
                return ControlFlow::Continue(());
            };
            self.frame.stopwatch.lap(Operation::Frontier);
            if let Some(entry) = self.due(entry) {
                self.explore(entry, &mut steps)?;
            }
        }
    }

    /// Expands a state and puts its successors into the frontier.
    fn explore(&mut self, entry: Entry, steps: &mut Vec<Step>) -> ControlFlow<Ended> {
        self.expand(entry, steps)?;
        for step in steps {
            if let Some(next) = self.take(entry, step)? {
                self.enqueue(next, Some((entry.state, step.event)));
            }
        }
        ControlFlow::Continue(())
    }

    /// The entry to expand when an entry's turn has come, if any.
    fn due(&mut self, entry: Entry) -> Option<Entry> {
        match self.frame.options.add {
            // If the state was reached again after fewer events, another entry replaces this one.
            Add::Next => {
                let record = self.state.records.get(entry.record);
                let current = record.reach == entry.reach;
                (current || self.frame.options.semantics == Semantics::Published).then_some(entry)
            }
            Add::Current | Add::Twice => {
                let admitted = self.admit(entry.state, entry.record, entry.reach);
                let counts = &mut self.frame.tally.counts;
                if entry.record != NOTHING {
                    counts.tree_events += u64::from(admitted.is_some());
                    counts.non_tree_events += u64::from(admitted.is_none());
                    if let (None, Some(noted)) = (&admitted, &mut self.frame.noted) {
                        let from = self.state.records.get(entry.record).state;
                        let newest = self.frame.options.strategy == Strategy::DepthFirst;
                        noted.was_known(from, entry.state, newest);
                    }
                }
                admitted
            }
        }
    }

    /// Explores everything behind the first successor of a state before the second.
    fn recursive(&mut self) -> ControlFlow<Ended> {
        let mut steps = Vec::new();
        loop {
            self.check_limits()?;
            if let Some(entry) = self.state.entering.take() {
                self.expand(entry, &mut steps)?;
                let start = self.state.steps.len();
                self.state.steps.extend_from_slice(&steps);
                let end = self.state.steps.len();
                self.state.ancestors.push(Ancestor { entry, start, next: start, end });
            }
            let Some(ancestor) = self.state.ancestors.last_mut() else {
                self.state.entering = self.state.queue.pop();
                if self.state.entering.is_none() {
                    return ControlFlow::Continue(());
                }
                continue;
            };
            let (entry, next) = (ancestor.entry, ancestor.next);
            if next == ancestor.end {
                let start = ancestor.start;
                self.state.steps.truncate(start);
                self.state.ancestors.pop();
                continue;
            }
            ancestor.next += 1;
            let step = self.state.steps[next];
            // Few expansions are followed by most steps, so that steps are chosen apart from them.
            self.frame.stopwatch.start(self.frame.space);
            self.state.entering = self.take(entry, &step)?;
        }
    }

    /// Expands the best states of each level and drops the others.
    fn beam(&mut self, width: usize) -> ControlFlow<Ended> {
        let mut steps = Vec::new();
        loop {
            self.check_limits()?;
            if let Some(entry) = self.state.entering.take().or_else(|| self.state.level.pop()) {
                self.explore(entry, &mut steps)?;
                continue;
            }
            while self.state.level.len() < width
                && let Some(entry) = self.state.queue.pop()
            {
                self.state.level.push(entry);
            }
            if self.state.level.is_empty() {
                return ControlFlow::Continue(());
            }
            // The best comes out first.
            self.state.level.reverse();
            self.state.dropped += self.state.queue.len() as u64;
            self.state.queue.clear();
        }
    }

    fn expand(&mut self, entry: Entry, steps: &mut Vec<Step>) -> ControlFlow<Ended> {
        let batch = [entry.state];
        // It stays set if there is not enough memory to expand it.
        self.state.entering = Some(entry);
        let flow = self.frame.expand(&batch, steps);
        self.state.entering = None;
        flow?;
        self.frame.note_expanded(&batch);
        self.work += steps.len() as u64;
        let required_met = self.required_met(entry.reach);
        let at = |_| Place::At(entry.record);
        let stop = self.frame.options.stop;
        let Frame { space, tally, .. } = &mut self.frame;
        let ends = tally.survey::<false>(*space, &batch, steps, required_met, stop, at);
        if let Some(rng) = &mut self.state.rng {
            self.frame.stopwatch.lap(Operation::Other);
            rng.shuffle(steps);
            self.frame.stopwatch.lap(Operation::Shuffling);
        }
        ends
    }

    /// Whether the path to a state has the required event, if the search requires one.
    fn required_met(&self, reach: Reach) -> bool {
        self.frame.options.required_on_path.is_none() || reach.required_met()
    }

    /// Takes a step out of a state. The result is the entry to explore next, if any.
    fn take(&mut self, from: Entry, step: &Step) -> ControlFlow<Ended, Option<Entry>> {
        self.frame.tally.executed(self.frame.space, step);
        let depth = from.reach.depth() + 1;
        self.frame.tally.counts.depth(depth as usize).events += 1;
        let required_met =
            from.reach.required_met()
                || self.frame.options.required_on_path.as_ref().is_some_and(|pattern| {
                    self.frame.space.matches(from.state, step.event, pattern)
                });
        let reach = Reach::new(depth, required_met);
        self.frame.stopwatch.lap(Operation::Other);
        if self.is_known_already(step.target, depth) {
            self.frame.tally.counts.non_tree_events += 1;
            self.frame.explored(from.state, step, Fate::Known);
            return ControlFlow::Continue(None);
        }
        let verdict = self.frame.space.verdict(step.target);
        self.frame.stopwatch.lap(Operation::Assertion);
        let at = Place::After(from.record, TraceStep { event: step.event, state: step.target });
        if !self.goes_on(verdict, step.target) {
            self.frame.tally.counts.unsafe_events += 1;
            self.frame.explored(from.state, step, Fate::Unsafe);
            self.violated(verdict, step.target, reach, at)?;
            return ControlFlow::Continue(None);
        }
        if self.is_deepest(depth) {
            self.frame.tally.counts.deepest_events += 1;
            self.frame.explored(from.state, step, Fate::Deepest);
            match self.frame.options.semantics {
                Semantics::Exact => drop(self.admit(step.target, from.record, reach)),
                Semantics::Published => {
                    self.frame.tally.seek_goals(self.frame.space, step.target, || at);
                    self.frame.stopwatch.lap(Operation::Assertion);
                }
            }
            return ControlFlow::Continue(None);
        }
        if self.frame.options.add != Add::Next {
            self.frame.explored(from.state, step, Fate::Kept);
            let entry = Entry { state: step.target, record: from.record, reach };
            return ControlFlow::Continue(Some(entry));
        }
        let admitted = self.admit(step.target, from.record, reach);
        self.frame.tally.counts.tree_events += u64::from(admitted.is_some());
        self.frame.tally.counts.non_tree_events += u64::from(admitted.is_none());
        let fate = if admitted.is_some() { Fate::Kept } else { Fate::Known };
        self.frame.explored(from.state, step, fate);
        ControlFlow::Continue(admitted)
    }

    /// Whether a state that was just generated is known, if the search looks it up before it judges it.
    fn is_known_already(&mut self, state: StateId, depth: u32) -> bool {
        if self.frame.options.add != Add::Twice {
            return false;
        }
        let known = self.visited.knows(self.frame.space, state, depth);
        self.frame.stopwatch.lap(Operation::Search);
        known
    }

    fn violated(
        &mut self,
        verdict: Verdict,
        state: StateId,
        reach: Reach,
        at: Place,
    ) -> ControlFlow<Ended> {
        let required_met = self.required_met(reach) && self.frame.space.counts(state);
        self.frame.violated(verdict, at, required_met)
    }

    /// Whether a state is to be stored and expanded. The published procedure expands no state that
    /// violates an assertion.
    fn goes_on(&mut self, verdict: Verdict, state: StateId) -> bool {
        match self.frame.options.semantics {
            Semantics::Exact => self.frame.tally.goes_on(self.frame.space, state, verdict),
            Semantics::Published => verdict.is_safe(),
        }
    }

    /// Stores a safe state unless it is known. The result is its entry if it is to be explored.
    fn admit(&mut self, state: StateId, before: u32, reach: Reach) -> Option<Entry> {
        let fresh = self.state.records.fresh();
        let Frame { space, stopwatch, .. } = &mut self.frame;
        let status = self.visited.meet(*space, state, (reach.depth(), fresh), stopwatch);
        let again = Record { state, before, reach };
        let record = match status {
            Status::Known => return None,
            Status::Shallower(record)
                if self.frame.options.semantics == Semantics::Exact
                    && self.state.records.get(record).state == state =>
            {
                self.state.records.replace(record, again);
                record
            }
            Status::New | Status::Shallower(_) => {
                self.state.records.push(again);
                self.frame.stored += 1;
                self.frame.stopwatch.lap(Operation::Insertion);
                self.frame.tally.seek_goals(self.frame.space, state, || Place::At(fresh));
                self.frame.stopwatch.lap(Operation::Assertion);
                fresh
            }
        };
        Some(Entry { state, record, reach })
    }

    fn enqueue(&mut self, entry: Entry, by: Option<(StateId, EventId)>) {
        self.frame.stopwatch.lap(Operation::Other);
        self.state.ranker.rank(self.frame.space, entry.state, by, &mut self.rank);
        if !self.rank.is_empty() {
            self.frame.stopwatch.lap(Operation::Ranking);
        }
        self.state.queue.push(entry, &self.rank);
        self.frame.stopwatch.lap(Operation::Frontier);
    }

    fn check_limits(&mut self) -> ControlFlow<Ended> {
        self.work += 1;
        // Checking the clock and the memory takes time; counting states does not.
        let few_states =
            self.frame.options.limits.states.is_none_or(|most| self.frame.stored < most);
        let started = self.frame.tally.counts.events > 0;
        if self.work < WORK_BETWEEN_CHECKS && started && few_states {
            return ControlFlow::Continue(());
        }
        self.work = 0;
        self.check_relation()?;
        if self.state.records.is_full() {
            return ControlFlow::Break(Ended::Limit(Limit::Capacity));
        }
        let depth = self.frame.tally.counts.depths.len().saturating_sub(1);
        let progress = self.frame.progress(self.waiting(), depth, self.bytes());
        let Self { frame, visited, .. } = self;
        frame.check_limits(progress, || visited.bytes_soon())?;
        if self.frame.guard.wants_sample() {
            let sample = self.sample();
            self.frame.show(&sample);
        }
        self.save(false);
        ControlFlow::Continue(())
    }

    /// A sample of the stored states.
    fn sample(&self) -> Vec<DepthSample> {
        let mut visited = Vec::new();
        for record in self.state.records.iter() {
            let depth = record.reach.depth() as usize;
            visited.resize(visited.len().max(depth + 1), 0);
            visited[depth] += 1;
        }
        let states = self.state.records.iter();
        let states = states.map(|record| (record.reach.depth() as usize, record.state));
        sample(&visited, self.frame.options.sample.unwrap_or(0), states)
    }

    fn save(&mut self, at_end: bool) {
        if self.frame.guard.wants_save(at_end) {
            self.frame.save(&self.state);
        }
    }

    /// What an assertion reads is known only after it was evaluated, so the relation is checked
    /// during the search, too.
    fn check_relation(&mut self) -> ControlFlow<Ended> {
        let Some(relation) = self.frame.options.relation else {
            return ControlFlow::Continue(());
        };
        self.refusal = Refusal::of_relation(self.frame.space, relation);
        match self.refusal {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(Ended::Refused),
        }
    }

    fn bytes(&self) -> usize {
        self.frame.space.bytes()
            + self.visited.bytes()
            + self.state.queue.bytes()
            + self.state.ranker.bytes()
            + self.state.records.bytes()
    }

    fn waiting(&self) -> u64 {
        let in_hand = self.state.level.len()
            + self.state.ancestors.len()
            + usize::from(self.state.entering.is_some());
        (self.state.queue.len() + in_hand) as u64 + self.state.dropped
    }

    fn conclude(mut self, ended: Ended) -> Result<Exploration, Misfit> {
        if ended.is_stopped() {
            self.save(true);
        }
        let sample = if self.frame.keeps_sample(ended) { self.sample() } else { Vec::new() };
        let ending = self.frame.ending(ended, self.waiting(), self.bytes(), self.visited.report());
        let incomplete = self.incomplete().or(ending.incomplete);
        let covered = self.visited.take_covered();
        let ending = Ending { incomplete, covered, refusal: self.refusal, ..ending };
        let Self { mut frame, state: State { records, .. }, .. } = self;
        records.count(&mut frame.tally.counts);
        let required = frame.options.required_on_path.as_ref();
        let found = frame.conclude(ending, |space, at| records.trace(space, at, required))?;
        Ok(Exploration { sample, ..found })
    }

    /// Why the strategy has skipped states, if it has.
    fn incomplete(&self) -> Option<&'static str> {
        let Options { semantics, relation, required_on_path, .. } = self.frame.options;
        let published = *semantics == Semantics::Published
            && (relation.is_some() || required_on_path.is_some());
        if self.state.dropped > 0 {
            Some("states beyond the width of the beam were not expanded")
        } else if published {
            Some("the published rules may skip states that matter")
        } else {
            None
        }
    }
}
