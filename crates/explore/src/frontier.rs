//! Searches that keep a list of states to be explored, in whatever order.
//!
//! Every visited state has a record of how it was reached, so a trace is found by following
//! records back. With a depth bound, a state that is met again after fewer events is explored again:
//! else what lies between would be cut off, and the bound would not be explored whole.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::{
    Add, Ended, Exploration, Finding, Limit, Options, Progress, Refusal, Semantics, Space, StateId,
    Step, Strategy, Trace, TraceStep, Verdict, Witness,
    dice::Dice,
    judge::Judge,
    limits::Guard,
    queue::{Entry, Queue, Reach},
    ranker::Ranker,
    seen::{Seen, Status},
    stopwatch::{Operation, Stopwatch},
};

/// After how many events and look-ups limits are looked at.
const WORK_BETWEEN_CHECKS: u64 = 2048;
/// The record before that of an initial state.
const NOTHING: u32 = u32::MAX;

/// How a state was reached.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Record {
    state: StateId,
    /// The record of the state before it.
    before: u32,
    reach: Reach,
}

/// Where something was found: in the state of a record, or one step after it.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Place {
    /// An initial state that is not stored.
    Initial(StateId),
    At(u32),
    After(u32, TraceStep),
}

/// A search with a list of states to be explored.
pub(crate) struct Search<'a, 'w, S> {
    space: &'a mut S,
    options: &'a Options,
    guard: &'a mut Guard<'w>,
    judge: Judge<Place>,
    stopwatch: Stopwatch,
    records: Vec<Record>,
    /// How many states were stored.
    stored: u64,
    seen: Seen,
    queue: Queue,
    ranker: Ranker,
    rank: Vec<i64>,
    dice: Option<Dice>,
    /// How much was done since limits were looked at.
    work: u64,
    /// Stored states that will never be expanded although they should be.
    dropped: u64,
    /// How many states of the recursive search are being expanded.
    recursing: u64,
    refusal: Option<Refusal>,
}

impl<'a, 'w, S: Space> Search<'a, 'w, S> {
    pub(crate) fn new(space: &'a mut S, options: &'a Options, guard: &'a mut Guard<'w>) -> Self {
        Self {
            judge: Judge::new(space),
            stopwatch: Stopwatch::new(options.timings),
            space,
            guard,
            records: Vec::new(),
            stored: 0,
            seen: Seen::new(options),
            queue: Queue::new(&options.strategy, options.seed),
            ranker: Ranker::new(options.strategy.rank_by()),
            rank: Vec::new(),
            dice: options.shuffle.map(|seed| Dice::new(seed, "shuffle")),
            work: 0,
            dropped: 0,
            recursing: 0,
            refusal: None,
            options,
        }
    }

    pub(crate) fn run(mut self) -> Exploration {
        let ended = match self.search() {
            ControlFlow::Break(ended) => ended,
            ControlFlow::Continue(()) if self.bound_reached() => Ended::Depth,
            ControlFlow::Continue(()) => Ended::Exhausted,
        };
        self.conclude(ended)
    }

    fn search(&mut self) -> ControlFlow<Ended> {
        self.start()?;
        match &self.options.strategy {
            Strategy::DepthFirstRecursive => self.recursive()?,
            Strategy::Beam { width, .. } => self.beam(*width)?,
            _ => self.by_queue()?,
        }
        self.check_relation()
    }

    /// Whether there are states at the depth bound.
    fn bound_reached(&self) -> bool {
        let at_bound = |record: &Record| Some(record.reach.depth()) == self.options.max_depth;
        match self.options.semantics {
            Semantics::Exact => self.records.iter().any(at_bound),
            Semantics::Published => {
                self.judge.counts.deepest_events > 0 || self.records.iter().any(at_bound)
            }
        }
    }

    fn is_deepest(&self, depth: u32) -> bool {
        self.options.max_depth.is_some_and(|most| depth >= most)
    }

    fn start(&mut self) -> ControlFlow<Ended> {
        let mut initial = Vec::new();
        self.space.initial(&mut initial);
        let reach = Reach::new(0, false);
        for state in initial {
            let verdict = self.space.verdict(state);
            if !verdict.is_safe() {
                self.violated(verdict, state, reach, Place::Initial(state))?;
            } else if self.is_deepest(0) || self.options.add == Add::Next {
                let admitted = self.admit(state, NOTHING, reach);
                if let Some(entry) = admitted.filter(|_| !self.is_deepest(0)) {
                    self.enqueue(entry);
                }
            } else {
                self.enqueue(Entry { state, record: NOTHING, reach });
            }
        }
        ControlFlow::Continue(())
    }

    fn by_queue(&mut self) -> ControlFlow<Ended> {
        let mut steps = Vec::new();
        while let Some(entry) = self.queue.pop() {
            self.stopwatch.lap(Operation::Frontier);
            let Some(entry) = self.due(entry) else {
                self.check_limits()?;
                continue;
            };
            self.expand(entry, &mut steps)?;
            for step in &steps {
                if let Some(next) = self.take(entry, step)? {
                    self.enqueue(next);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// What to expand when an entry's turn has come, if anything.
    fn due(&mut self, entry: Entry) -> Option<Entry> {
        match self.options.add {
            // If it was met again after fewer events, another entry stands for it.
            Add::Next => {
                let record = &self.records[entry.record as usize];
                let current = record.reach == entry.reach;
                (current || self.options.semantics == Semantics::Published).then_some(entry)
            }
            Add::Current => {
                let admitted = self.admit(entry.state, entry.record, entry.reach);
                let counts = &mut self.judge.counts;
                if entry.record != NOTHING {
                    counts.tree_events += u64::from(admitted.is_some());
                    counts.non_tree_events += u64::from(admitted.is_none());
                }
                admitted
            }
        }
    }

    /// Follows the first successor of a state to its end before it looks at the second.
    fn recursive(&mut self) -> ControlFlow<Ended> {
        struct Frame {
            entry: Entry,
            steps: std::ops::Range<usize>,
            next: usize,
        }
        let mut initial = Vec::new();
        while let Some(entry) = self.queue.pop() {
            initial.push(entry);
        }
        let (mut frames, mut all_steps, mut steps) = (Vec::<Frame>::new(), Vec::new(), Vec::new());
        while let Some(start) = initial.pop() {
            let mut enter = Some(start);
            loop {
                if let Some(entry) = enter.take() {
                    self.expand(entry, &mut steps)?;
                    let next = all_steps.len();
                    all_steps.extend_from_slice(&steps);
                    frames.push(Frame { entry, steps: next..all_steps.len(), next });
                }
                self.recursing = frames.len() as u64;
                let Some(frame) = frames.last_mut() else { break };
                if frame.next == frame.steps.end {
                    all_steps.truncate(frame.steps.start);
                    frames.pop();
                    continue;
                }
                let step = all_steps[frame.next];
                frame.next += 1;
                let entry = frame.entry;
                enter = self.take(entry, &step)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Expands the best states of each level and forgets the others.
    fn beam(&mut self, width: usize) -> ControlFlow<Ended> {
        let mut steps = Vec::new();
        while self.queue.len() > 0 {
            let mut level = Vec::new();
            while level.len() < width
                && let Some(entry) = self.queue.pop()
            {
                level.push(entry);
            }
            self.dropped += self.queue.len() as u64;
            self.queue = Queue::new(&self.options.strategy, self.options.seed);
            for entry in level {
                self.expand(entry, &mut steps)?;
                for step in &steps {
                    if let Some(next) = self.take(entry, step)? {
                        self.enqueue(next);
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn expand(&mut self, entry: Entry, steps: &mut Vec<Step>) -> ControlFlow<Ended> {
        self.check_limits()?;
        let batch = [entry.state];
        steps.clear();
        self.stopwatch.start();
        self.space.expand(&batch, steps);
        self.stopwatch.lap(Operation::Expansion);
        self.work += steps.len() as u64;
        let (stop, at) = (self.options.stop, Place::At(entry.record));
        let required = self.options.required_on_path.is_none() || entry.reach.required_met();
        let ends = self.judge.survey(self.space, &batch, steps, |judge, space, state| {
            let verdict = space.verdict_at_end(state);
            if verdict.is_safe() {
                return ControlFlow::Continue(());
            }
            if !required || !space.counts(state) {
                judge.counts.unsafe_without_required += 1;
                return ControlFlow::Continue(());
            }
            judge.violation(verdict, stop, at)
        });
        if let Some(dice) = &mut self.dice {
            dice.shuffle(steps);
        }
        match ends {
            ControlFlow::Break(()) => ControlFlow::Break(Ended::Violation),
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
        }
    }

    /// Takes a step out of a state; gives what is to be explored then.
    fn take(&mut self, from: Entry, step: &Step) -> ControlFlow<Ended, Option<Entry>> {
        self.judge.executed(self.space, step);
        let depth = from.reach.depth() + 1;
        self.judge.counts.depth(depth as usize).events += 1;
        let required_met = from.reach.required_met()
            || self
                .options
                .required_on_path
                .as_ref()
                .is_some_and(|pattern| self.space.matches(from.state, step.event, pattern));
        let reach = Reach::new(depth, required_met);
        let verdict = self.space.verdict(step.target);
        self.stopwatch.lap(Operation::Assertion);
        if !verdict.is_safe() {
            self.judge.counts.unsafe_events += 1;
            let taken = TraceStep { event: step.event, state: step.target };
            self.violated(verdict, step.target, reach, Place::After(from.record, taken))?;
            return ControlFlow::Continue(None);
        }
        let deepest = self.is_deepest(depth);
        if deepest {
            self.judge.counts.deepest_events += 1;
            if self.options.semantics == Semantics::Exact {
                self.admit(step.target, from.record, reach);
            }
            return ControlFlow::Continue(None);
        }
        if self.options.add == Add::Current {
            let entry = Entry { state: step.target, record: from.record, reach };
            return ControlFlow::Continue(Some(entry));
        }
        let admitted = self.admit(step.target, from.record, reach);
        self.stopwatch.lap(Operation::Store);
        self.judge.counts.tree_events += u64::from(admitted.is_some());
        self.judge.counts.non_tree_events += u64::from(admitted.is_none());
        ControlFlow::Continue(admitted)
    }

    fn violated(
        &mut self,
        verdict: Verdict,
        state: StateId,
        reach: Reach,
        at: Place,
    ) -> ControlFlow<Ended> {
        let required = self.options.required_on_path.is_none() || reach.required_met();
        if !required || !self.space.counts(state) {
            self.judge.counts.unsafe_without_required += 1;
            return ControlFlow::Continue(());
        }
        match self.judge.violation(verdict, self.options.stop, at) {
            ControlFlow::Break(()) => ControlFlow::Break(Ended::Violation),
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
        }
    }

    /// Stores a safe state unless it is known; gives it back with its record if it is to be
    /// explored.
    fn admit(&mut self, state: StateId, before: u32, reach: Reach) -> Option<Entry> {
        let fresh = u32::try_from(self.records.len()).expect("records fit in 32 bits");
        let status = self.seen.meet(self.space, state, reach.depth(), fresh);
        let again = Record { state, before, reach };
        let record = match status {
            Status::Known => return None,
            // A record without a cycle stays one: whatever was reached from this state is deeper
            // than it was, and so than what reaches it now.
            Status::Shallower(record)
                if self.options.semantics == Semantics::Exact
                    && self.records[record as usize].state == state =>
            {
                self.records[record as usize] = again;
                record
            }
            Status::New | Status::Shallower(_) => {
                self.records.push(again);
                self.stored += 1;
                if self.judge.seeks_goals() {
                    let goals = self.space.goals_reached(state);
                    self.judge.reached(goals, Place::At(fresh));
                }
                fresh
            }
        };
        Some(Entry { state, record, reach })
    }

    fn enqueue(&mut self, entry: Entry) {
        self.stopwatch.lap(Operation::Frontier);
        self.ranker.rank(self.space, entry.state, &mut self.rank);
        self.stopwatch.lap(Operation::Ranking);
        self.queue.push(entry, &self.rank);
        self.stopwatch.lap(Operation::Frontier);
    }

    fn check_limits(&mut self) -> ControlFlow<Ended> {
        self.work += 1;
        if self.work < WORK_BETWEEN_CHECKS && self.judge.counts.events > 0 {
            return ControlFlow::Continue(());
        }
        self.work = 0;
        self.check_relation()?;
        if self.space.is_full() {
            return ControlFlow::Break(Ended::Limit(Limit::Capacity));
        }
        match self.guard.check(self.progress()) {
            Some(ended) => ControlFlow::Break(ended),
            None => ControlFlow::Continue(()),
        }
    }

    /// What an assertion reads is known only when it has been asked.
    fn check_relation(&mut self) -> ControlFlow<Ended> {
        let Some(relation) = self.options.relation else {
            return ControlFlow::Continue(());
        };
        match self.space.relation_refusal(relation) {
            None => ControlFlow::Continue(()),
            Some(reason) => {
                let relation = self.space.relations().swap_remove(relation);
                self.refusal = Some(Refusal::Relation { relation, reason });
                ControlFlow::Break(Ended::Refused)
            }
        }
    }

    fn bytes(&self) -> usize {
        self.space.bytes()
            + self.seen.bytes()
            + self.queue.bytes()
            + self.records.capacity() * size_of::<Record>()
    }

    fn progress(&self) -> Progress {
        Progress {
            states_visited: self.stored,
            states_waiting: self.waiting(),
            events: self.judge.counts.events,
            depth: u32::try_from(self.judge.counts.depths.len().saturating_sub(1)).unwrap_or(0),
            bytes: self.bytes(),
            ..Progress::default()
        }
    }

    fn waiting(&self) -> u64 {
        self.queue.len() as u64 + self.dropped + self.recursing
    }

    fn conclude(mut self, ended: Ended) -> Exploration {
        let bytes = self.bytes();
        let handler_executions = self.space.handler_executions();
        let timings = self.stopwatch.timings(self.space.handler_time());
        for record in &self.records {
            self.judge.counts.depth(record.reach.depth() as usize).states += 1;
        }
        let findings: Vec<Finding> = std::mem::take(&mut self.judge.violations)
            .into_iter()
            .map(|(assertion, at)| Finding { assertion, trace: self.trace(at) })
            .collect();
        let witnesses = std::mem::take(&mut self.judge.witnesses)
            .into_iter()
            .map(|(goal, at)| Witness { goal, trace: self.trace(at) })
            .collect();
        let deepest =
            self.judge.counts.depths.iter().rposition(|depth| *depth != Default::default());
        let store = self.seen.report();
        let narrowed =
            (self.dropped > 0).then_some("states beyond the width of the beam were not expanded");
        Exploration {
            ended,
            incomplete: narrowed.or(store.incomplete()),
            states_visited: self.stored,
            states_waiting: self.waiting(),
            handler_executions,
            depth: u32::try_from(deepest.unwrap_or(0)).unwrap_or(u32::MAX),
            bytes,
            elapsed: self.guard.elapsed(),
            findings,
            witnesses,
            store,
            timings,
            refusal: self.refusal,
            counts: self.judge.counts,
        }
    }

    fn trace(&mut self, at: Place) -> Trace {
        let (record, last) = match at {
            Place::Initial(state) => return Trace { initial: state, steps: Vec::new() },
            Place::At(record) => (record, None),
            Place::After(record, step) => (record, Some(step)),
        };
        let mut states = Vec::new();
        let mut place = record;
        while place != NOTHING {
            let Record { state, before, .. } = self.records[place as usize];
            states.push(state);
            place = before;
        }
        states.reverse();
        let mut steps: Vec<TraceStep> =
            states.windows(2).map(|pair| self.step_between(pair[0], pair[1])).collect();
        steps.extend(last);
        Trace { initial: states[0], steps }
    }

    /// A step from one state to another; one that is required, if there is such.
    fn step_between(&mut self, before: StateId, state: StateId) -> TraceStep {
        let mut steps = Vec::new();
        self.space.expand(&[before], &mut steps);
        steps.retain(|step| step.target == state);
        let required = self.options.required_on_path.as_ref().and_then(|pattern| {
            steps.iter().find(|step| self.space.matches(before, step.event, pattern))
        });
        let step = required.or(steps.first()).expect("the state was reached from the one before");
        TraceStep { event: step.event, state }
    }
}
