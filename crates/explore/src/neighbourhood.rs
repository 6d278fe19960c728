//! Exploration of the neighbourhood of earlier runs, before a search.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use crate::{
    Ended, EventId, Explorable, Exploration, Limits, Options, StateId, Step, StoreReport, Trace,
    TraceStep, Watch,
    frame::Frame,
    limits::Guard,
    map_bytes, map_growth,
    memory::while_memory_lasts,
    tally::{Ending, REACHED},
};

/// How many states are expanded at a time.
const BATCH_STATES: usize = 64;

/// The extent of a neighbourhood.
///
/// ```
/// use everypath_explore::{Neighbourhood, Limits};
///
/// let around = Neighbourhood { events: 3, max_depth: Some(20), limits: Limits::default().states(10_000) };
/// assert_eq!(around.limits.states, Some(10_000));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbourhood {
    /// The largest distance from the runs, in events. With 0, only the states of the runs are
    /// judged.
    pub events: u32,
    /// The largest number of events of a run, from its initial state.
    pub max_depth: Option<u32>,
    /// The limits.
    pub limits: Limits,
}

/// Explores the neighbourhood of some runs: all states that are one event away from a state of
/// these runs, then all that are two events away, and so on. It ends with the first violation. A
/// search from the initial states with the same bound would find this violation, too: each run in
/// the result begins like one of the given runs.
///
/// ```
/// use everypath_explore::{Neighbourhood, Ended, Model, ModelAssertion, ModelSpace, Trace, TraceStep, enabled, explore_neighbourhood};
///
/// /// A counter that may grow by one or by three.
/// struct Counter;
/// impl Model for Counter {
///     type State = u32;
///     type Action = u32;
///     fn initial(&self) -> Vec<u32> { vec![0] }
///     fn actions(&self, _: &u32) -> Vec<u32> { vec![1, 3] }
///     fn next(&self, state: &u32, by: &u32) -> Option<u32> { Some(state + by) }
///     fn assertions(&self) -> Vec<ModelAssertion<Self>> {
///         vec![ModelAssertion::new("never six", |_, state| *state != 6)]
///     }
/// }
///
/// // A run to 4, by ones.
/// let mut space = ModelSpace::new(Counter);
/// let mut states = Vec::new();
/// everypath_explore::Space::initial(&mut space, &mut states);
/// let mut run = Trace { initial: states[0], steps: Vec::new() };
/// for _ in 0..4 {
///     let (step, _) = enabled(&mut space, run.last()).remove(0);
///     run.steps.push(TraceStep { event: step.event, state: step.target });
/// }
/// let around = Neighbourhood { events: 1, ..Neighbourhood::default() };
/// let found = explore_neighbourhood(&mut space, &[run], around, &mut ());
/// assert_eq!(found.ended, Ended::Violation);
/// // From 3 by three; and there is a shorter run to 3.
/// assert_eq!(found.finding().unwrap().trace.steps.len(), 2);
/// ```
pub fn explore_neighbourhood(
    space: &mut impl Explorable,
    runs: &[Trace],
    around: Neighbourhood,
    watch: &mut dyn Watch,
) -> Exploration {
    let options = Options::default().limits(around.limits).max_depth(around.max_depth);
    let mut guard = Guard::new(options.limits, space, watch);
    guard.never_save();
    let mut search = Search {
        frame: Frame::new(space, &options, &mut guard),
        around,
        records: Vec::new(),
        known: FxHashMap::default(),
        waiting: 0,
    };
    let ended = match while_memory_lasts(|| search.run(runs)) {
        ControlFlow::Break(ended) => ended,
        ControlFlow::Continue(()) => Ended::Depth,
    };
    search.conclude(ended)
}

/// How a state was reached.
#[derive(Clone, Copy)]
struct Record {
    state: StateId,
    /// The record before and the event; nothing for an initial state.
    from: Option<(u32, EventId)>,
    /// The number of events.
    depth: u32,
}

struct Search<'a, 'w, S> {
    frame: Frame<'a, 'w, S, u32>,
    around: Neighbourhood,
    records: Vec<Record>,
    /// The records of safe states.
    known: FxHashMap<StateId, u32>,
    /// How many records are not expanded yet.
    waiting: usize,
}

impl<S: Explorable> Search<'_, '_, S> {
    fn run(&mut self, runs: &[Trace]) -> ControlFlow<Ended> {
        for run in runs {
            let mut last = self.reached(run.initial, None)?;
            for step in &run.steps {
                self.executed(last, step.event, step.state);
                last = self.reached(step.state, Some((last, step.event)))?;
            }
        }
        let mut level: Vec<u32> = (0..self.records.len() as u32).collect();
        // The states of the runs are expanded in any case: an end may violate an assertion.
        for distance in 0..self.around.events.max(1) {
            let first_new = self.records.len() as u32;
            let follows = distance < self.around.events;
            let most = self.around.max_depth.unwrap_or(u32::MAX);
            level.retain(|&record| self.records[record as usize].depth < most);
            self.waiting = level.len();
            for batch in level.chunks(BATCH_STATES) {
                self.check_limits()?;
                self.expand(batch, follows)?;
                self.waiting -= batch.len();
            }
            level.clear();
            level.extend(first_new..self.records.len() as u32);
        }
        ControlFlow::Continue(())
    }

    /// Judges a state, and records it if it is new.
    fn reached(&mut self, state: StateId, from: Option<(u32, EventId)>) -> ControlFlow<Ended, u32> {
        let depth = from.map_or(0, |(before, _)| self.records[before as usize].depth + 1);
        if let Some(&at) = self.known.get(&state) {
            let record = &mut self.records[at as usize];
            if depth < record.depth {
                // The smaller depth keeps its successors within the bound. The new predecessor has
                // a smaller depth, so records cannot form a cycle.
                *record = Record { state, from, depth };
            }
            return ControlFlow::Continue(at);
        }
        let at =
            u32::try_from(self.records.len()).expect("limits are reached long before 2^32 records");
        self.records.push(Record { state, from, depth });
        let verdict = self.frame.space.verdict(state);
        if !self.frame.tally.goes_on(self.frame.space, state, verdict) {
            self.frame.tally.counts.unsafe_events += u64::from(from.is_some());
            self.frame.violated(verdict, at, true)?;
        }
        self.known.insert(state, at);
        self.frame.stored += 1;
        self.frame.tally.counts.depth(depth as usize).states += 1;
        ControlFlow::Continue(at)
    }

    fn expand(&mut self, batch: &[u32], follows: bool) -> ControlFlow<Ended> {
        let states: Vec<StateId> =
            batch.iter().map(|&record| self.records[record as usize].state).collect();
        let mut steps: Vec<Step> = Vec::new();
        self.frame.expand(&states, &mut steps)?;
        let known = &self.known;
        let at = |state: StateId| known[&state];
        let Frame { space, options, tally, .. } = &mut self.frame;
        tally.survey::<false>(*space, &states, &steps, true, options.stop, at)?;
        if !follows {
            return ControlFlow::Continue(());
        }
        for step in steps {
            let source = batch[step.source as usize];
            let before = self.records.len();
            self.executed(source, step.event, step.target);
            self.reached(step.target, Some((source, step.event)))?;
            let is_new = self.records.len() > before;
            let counts = &mut self.frame.tally.counts;
            *(if is_new { &mut counts.tree_events } else { &mut counts.non_tree_events }) += 1;
        }
        ControlFlow::Continue(())
    }

    /// Counts an executed event.
    fn executed(&mut self, source: u32, event: EventId, target: StateId) {
        self.frame.tally.executed(self.frame.space, &Step { source, event, target });
        let depth = self.records[source as usize].depth + 1;
        self.frame.tally.counts.depth(depth as usize).events += 1;
    }

    fn bytes(&self) -> usize {
        self.frame.space.bytes()
            + self.records.capacity() * size_of::<Record>()
            + map_bytes(self.known.capacity(), size_of::<(StateId, u32)>())
    }

    fn check_limits(&mut self) -> ControlFlow<Ended> {
        let depth = self.frame.tally.counts.deepest() as usize;
        let progress = self.frame.progress(self.waiting as u64, depth, self.bytes());
        let Self { frame, known, .. } = self;
        frame.check_limits(progress, || {
            map_growth(known.len(), known.capacity(), size_of::<(StateId, u32)>())
        })
    }

    fn conclude(self, ended: Ended) -> Exploration {
        let bytes = self.bytes();
        let Self { frame, records, waiting, .. } = self;
        let store = StoreReport::exact(bytes - frame.space.bytes());
        let ending = frame.ending(ended, waiting as u64, bytes, store);
        let incomplete = Some("only the neighbourhood of some runs was explored");
        let ending = Ending { incomplete, ..ending };
        frame.conclude(ending, |_, at| Some(run_to(&records, at))).expect(REACHED)
    }
}

/// The run to a record.
fn run_to(records: &[Record], at: u32) -> Trace {
    let mut steps = Vec::new();
    let mut record = records[at as usize];
    while let Some((before, event)) = record.from {
        steps.push(TraceStep { event, state: record.state });
        record = records[before as usize];
    }
    steps.reverse();
    Trace { initial: record.state, steps }
}
