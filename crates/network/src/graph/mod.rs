//! The graph of an earlier exploration: its states, and the events that lead from one to another.
//!
//! A [`NetworkSpace`] can record the graph that a search explores, and
//! [write](NetworkSpace::write_graph) it. A later space, of the next version of the protocol, can
//! [read](NetworkSpace::read_graph) it. It then takes from the graph the outcomes of handlers whose
//! code has not changed, and the steps of their events: of a state of which all are known without
//! looking at the state, and of another state event by event.
//!
//! ## Identity
//!
//! The file holds the content of all node states, packets and networks of its states. A space that
//! reads it interns them first, in the same order. So its states have the numbers that they have in
//! the file, and equal numbers mean equal content. No hash is involved, so no two states can be
//! mistaken for each other.
//!
//! ## What is believed
//!
//! An event is *modified* if the code of its handler has changed; all its records are skipped.
//! Steps to a state that violates an assertion are not recorded, so they are executed again. States
//! are judged again, unless the [print of the assertions](NetworkSpace::print_assertions) is the
//! same. Other parts that shape a graph and have no print (assumptions, receivers, the order of
//! timers) are trusted only if the program is identical.
//!
//! ## What is counted
//!
//! A search reports each event that it explores. It is a *hit* if its step was read, and otherwise
//! *modified* or a *miss*. The procedure of Sobeih's thesis executes a hit only if it leads to a new
//! state; [`GraphCounts::executed`] counts as it does.

mod changed;
mod cost_model;
mod every_event;
mod file;

use std::{
    collections::VecDeque,
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::{Duration, Instant},
};

use everypath_explore::{EventId, Fate, Judged, StateId, Step, map_bytes, map_growth};
use rustc_hash::{FxHashMap, FxHashSet};

use self::changed::Changed;
use crate::{NetworkSpace, packed::EventName, view::View};

pub use self::{
    cost_model::Reckoning,
    file::{Changes, GraphError},
};

/// One in this many states is timed: reading the clock takes as long as an expansion.
const TIMED_ONE_OF: u64 = 8;
/// Out of this many states that are found whole, the first ones are executed nevertheless: to
/// compare, and to measure the cost of execution.
const COMPARED_EVERY: u64 = 1024;
/// How many states are compared, one after the other: what neighbours share is computed once, as in
/// a search that executes everything.
const COMPARED: u64 = 16;

/// One step out of a state, without the state.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Edge {
    event: EventId,
    target: StateId,
}

/// The known steps out of one state: a range of the edges.
#[derive(Clone, Copy)]
struct Record {
    start: usize,
    len: u32,
    /// Whether all steps are there.
    whole: bool,
    /// Whether this exploration recorded it; otherwise it was read.
    new: bool,
}

/// The steps of an earlier exploration, of this one, or of both.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_explore::{Options, explore};
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{Changes, NetworkSpace, SpaceOptions};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(3));
/// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// space.record_graph();
/// explore(&mut space, &Options::default(), &mut ()).unwrap();
/// space.finish_graph();
/// let mut file = Vec::new();
/// space.write_graph(&mut file).unwrap();
///
/// // A second search finds every step in the file.
/// let mut again = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// again.read_graph(&file[..], Changes::FOUND).unwrap();
/// explore(&mut again, &Options::default(), &mut ()).unwrap();
/// let counts = again.graph().unwrap().counts();
/// assert!(counts.hits > 0 && counts.misses == 0);
/// ```
#[derive(Default)]
pub struct Graph {
    records: FxHashMap<StateId, Record>,
    edges: Vec<Edge>,
    /// Records that were read and have been replaced by those of this exploration.
    replaced: FxHashMap<StateId, Record>,
    /// The record that was read of the state whose event was explored last.
    last: Option<(StateId, Option<Record>)>,
    /// States that need not be judged, if that depends on more than their tuple.
    safe: FxHashSet<StateId>,
    /// The print of the assertions, if there is one, and whether what was read has the same.
    print: Option<u64>,
    has_same_print: bool,
    /// Whether a graph was read, so that explored events are counted.
    was_read: bool,
    /// How many parts of the file are not loaded yet.
    unloaded: usize,
    writes: bool,
    reads: bool,
    /// Whether all steps that are found are executed nevertheless, and compared.
    verifies: bool,
    changed: Changed,
    counts: GraphCounts,
    timings: Timings,
    /// Whether look-ups are timed, and the time of those that were.
    samples: bool,
    looking_up: Duration,
    /// States that were executed because they were not found.
    executed: u64,
    /// What is wrong with a part of the file that was loaded late.
    trouble: Option<String>,
    /// An event that leads to a state other than the one in the graph.
    contradiction: Option<String>,
}

/// The known steps out of a state that is being expanded, in the order in which events are
/// enumerated.
#[derive(Default)]
pub(crate) struct KnownSteps {
    edges: Vec<Edge>,
    next: usize,
}

impl KnownSteps {
    /// Where an event leads, if its step is known. Equal events of a state are known together or not
    /// at all.
    #[inline]
    pub(crate) fn take(&mut self, event: EventId) -> Option<StateId> {
        let edge = self.edges.get(self.next).filter(|edge| edge.event == event)?;
        self.next += 1;
        Some(edge.target)
    }
}

/// The graph of a space.
#[derive(Default)]
pub(crate) struct GraphInUse<'a> {
    /// The graph, if one is used and not lent to an expansion.
    kept: Option<Box<Graph>>,
    /// How many bytes more it takes soon, while it is lent.
    soon: usize,
    /// The rest of the file.
    file: Option<Box<dyn Read + 'a>>,
    /// The known steps out of the state that is being expanded, while the graph is lent.
    pub(crate) known: KnownSteps,
}

impl GraphInUse<'_> {
    /// Lends the graph, unless it is idle.
    #[inline]
    pub(crate) fn lend(&mut self) -> Option<Box<Graph>> {
        self.kept.take_if(|graph| !graph.is_idle())
    }

    /// Whether a graph was read, so that explored events are counted.
    #[inline]
    pub(crate) fn is_read(&self) -> bool {
        self.kept.as_ref().is_some_and(|graph| graph.was_read)
    }

    /// Whether a state is known to violate no assertion.
    pub(crate) fn is_safe(&self, state: StateId) -> bool {
        self.kept.as_ref().is_some_and(|graph| graph.safe.contains(&state))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.kept.as_ref().map_or(0, |graph| graph.bytes())
    }

    pub(crate) fn reading_time(&self) -> Duration {
        self.kept.as_ref().map_or(Duration::ZERO, |graph| graph.counts.loading)
    }

    pub(crate) fn look_up_time(&self) -> Duration {
        self.kept.as_ref().map_or(Duration::ZERO, |graph| graph.looking_up)
    }

    pub(crate) fn sample(&mut self, on: bool) {
        if let Some(graph) = &mut self.kept {
            graph.samples = on;
        }
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        self.kept.as_ref().map_or(self.soon, |graph| graph.bytes_soon())
    }
}

/// How a graph was used.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_explore::{Options, explore};
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{Changes, NetworkSpace, SpaceOptions};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(3));
/// # let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// # space.record_graph();
/// # explore(&mut space, &Options::default(), &mut ()).unwrap();
/// # space.finish_graph();
/// # let mut file = Vec::new();
/// # space.write_graph(&mut file).unwrap();
/// let mut again = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// again.read_graph(&file[..], Changes::FOUND).unwrap();
/// explore(&mut again, &Options::default(), &mut ()).unwrap();
/// let counts = again.graph().unwrap().counts();
/// // Nothing has changed, so every step was found.
/// assert!(counts.whole_states > 0);
/// assert_eq!((counts.misses, counts.modified), (0, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphCounts {
    /// States looked up to expand them.
    pub states: u64,
    /// Those of which all steps were found, so that they were not even enumerated.
    pub whole_states: u64,
    /// Those of which some steps were found.
    pub part_states: u64,
    /// Events explored. It is the sum of hits, misses and modified events.
    pub events: u64,
    /// Explored events whose step was found.
    pub hits: u64,
    /// Explored events that are not known to have changed, and whose step was not found.
    pub misses: u64,
    /// Explored events that have changed: their code has changed, they are declared as changed, or
    /// they were disabled then.
    pub modified: u64,
    /// Hits that lead to a state that is kept: those that the thesis executes.
    pub kept_hits: u64,
    /// Hits out of states of which all steps were found.
    pub whole_events: u64,
    /// Explored events out of states of which some steps were found.
    pub part_events: u64,
    /// Hits whose state needed no judging, since the assertions are the same.
    pub unjudged: u64,
    /// Handler executions that were read and need not be repeated.
    pub executions: u64,
    /// Steps loaded.
    pub loaded: u64,
    /// Steps skipped, because the code of their handlers has changed.
    pub left_out: u64,
    /// The time to read and load the graph.
    pub loading: Duration,
    /// Whether nothing was read, because all code or all events are declared as changed.
    pub all_modified: bool,
}

impl GraphCounts {
    /// The events that the procedure of Sobeih's thesis executes: all but hits that lead to a known
    /// state or to one at the depth bound.
    ///
    /// ```
    /// use everypath_network::GraphCounts;
    ///
    /// assert_eq!(GraphCounts::default().executed(), 0);
    /// ```
    #[must_use]
    pub fn executed(&self) -> u64 {
        self.events - self.hits + self.kept_hits
    }
}

/// The cost of single operations, measured on samples. It is reported, and decides nothing.
#[derive(Default)]
struct Timings {
    reading: Samples,
    judging: Samples,
    executing: Samples,
    /// Expanding states of which some steps are known.
    completing: Samples,
    /// Executing the handler of an event once more.
    handling: Samples,
    /// Evaluating the assertions in a state once more.
    judging_once_more: Samples,
}

/// The time of an operation, for a number of states.
#[derive(Default)]
struct Samples {
    states: u64,
    /// The time of the samples since the last group was full.
    time: Duration,
    events: u64,
    /// The latest groups of samples, each in nanoseconds per event.
    groups: VecDeque<f64>,
}

impl Samples {
    const GROUP: u64 = 8;
    const GROUPS_MAX: usize = 64;

    fn add(&mut self, since: Instant, events: usize) {
        self.time += since.elapsed();
        self.events += events as u64;
        self.states += 1;
        if self.states.is_multiple_of(Self::GROUP) && self.events > 0 {
            self.groups.truncate(Self::GROUPS_MAX - 1);
            self.groups.push_front(self.last());
            (self.time, self.events) = (Duration::ZERO, 0);
        }
    }

    fn last(&self) -> f64 {
        self.time.as_secs_f64() * 1e9 / self.events as f64
    }

    /// The median of all groups, in nanoseconds per event: moments in which another process had the
    /// processor do not count.
    fn per_event(&self) -> Option<f64> {
        let mut groups: Vec<f64> = self.groups.iter().copied().collect();
        groups.sort_unstable_by(f64::total_cmp);
        let middle = groups.get(groups.len() / 2).copied();
        middle.or_else(|| (self.events > 0).then(|| self.last()))
    }
}

impl Graph {
    /// How the graph was used.
    #[must_use]
    pub fn counts(&self) -> GraphCounts {
        self.counts
    }

    /// How many states it has records of.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it has no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The names of changed code, for all code met so far, in order.
    #[must_use]
    pub fn changed(&self) -> Vec<&'static str> {
        let changed = self.changed.code.iter().filter(|(_, changed)| **changed);
        let mut names: Vec<&str> = changed.map(|(name, _)| *name).collect();
        names.sort_unstable();
        names
    }

    /// A fault in the file that was found during the exploration. The graph was not used from then
    /// on.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// An event that leads to a state other than the one in the graph, if one was found.
    #[must_use]
    pub fn contradiction(&self) -> Option<&str> {
        self.contradiction.as_deref()
    }

    fn bytes(&self) -> usize {
        map_bytes(self.records.capacity(), size_of::<(StateId, Record)>())
            + map_bytes(self.replaced.capacity(), size_of::<(StateId, Record)>())
            + map_bytes(self.safe.capacity(), size_of::<StateId>())
            + self.edges.capacity() * size_of::<Edge>()
            + self.changed.packets.capacity() * 2
    }

    /// How many bytes more it takes at once: when its table is about to grow, and when it is
    /// finished.
    fn bytes_soon(&self) -> usize {
        let entry = size_of::<(StateId, Record)>();
        let finished = self.edges.len() * size_of::<Edge>() + self.records.len() * entry;
        map_growth(self.records.len(), self.records.capacity(), entry)
            + map_growth(self.replaced.len(), self.replaced.capacity(), entry)
            + map_growth(self.safe.len(), self.safe.capacity(), size_of::<StateId>())
            + if self.writes { finished } else { 0 }
    }

    fn edges(&self, record: Record) -> &[Edge] {
        &self.edges[record.start..][..record.len as usize]
    }

    /// Whether the graph is neither read nor written any more.
    fn is_idle(&self) -> bool {
        !self.reads && !self.writes
    }

    fn drop_records(&mut self) {
        if self.is_idle() {
            self.records = FxHashMap::default();
            self.replaced = FxHashMap::default();
            self.edges = Vec::new();
            self.last = None;
        }
    }

    /// Stops reading, because something is wrong with the file.
    fn give_up(&mut self) {
        self.reads = false;
        self.unloaded = 0;
        self.drop_records();
    }

    /// Records the steps out of a state.
    fn note(&mut self, state: StateId, steps: &[Step]) {
        let start = self.edges.len();
        let edge = |step: &Step| Edge { event: step.event, target: step.target };
        self.edges.extend(steps.iter().map(edge));
        let len = u32::try_from(steps.len()).expect("a state has less than 2^32 successors");
        self.records.insert(state, Record { start, len, whole: true, new: true });
    }

    /// What was read of a state.
    fn record_read(&self, state: StateId) -> Option<Record> {
        match self.records.get(&state) {
            Some(record) if record.new => self.replaced.get(&state).copied(),
            record => record.copied(),
        }
    }

    /// Counts an explored event. The result is whether its step was read.
    fn count(&mut self, view: View<'_>, from: StateId, step: &Step, fate: Fate) -> bool {
        let record = match self.last {
            Some((state, record)) if state == from => record,
            _ => self.record_read(from),
        };
        self.last = Some((from, record));
        let is_whole = record.is_some_and(|record| record.whole);
        let is_hit = is_whole
            || record
                .is_some_and(|record| self.edges(record).iter().any(|edge| is_step(edge, step)));
        let Self { counts, changed, has_same_print, .. } = self;
        counts.events += 1;
        counts.whole_events += u64::from(is_whole);
        counts.part_events += u64::from(record.is_some() && !is_whole);
        if is_hit {
            counts.hits += 1;
            counts.kept_hits += u64::from(fate == Fate::Kept);
            counts.unjudged += u64::from(*has_same_print);
        } else if changed.is_modified(view, from, EventName::unpack(step.event)) {
            counts.modified += 1;
        } else {
            counts.misses += 1;
        }
        is_hit
    }

    fn contradict(&mut self, view: View<'_>, state: StateId, taken: &[Step], read: &[Step]) {
        let wrong = read.iter().find(|step| !taken.contains(step));
        let what = match wrong {
            Some(step) => view.describe_event(state, step.event).sentence,
            None => "a state with further events".to_owned(),
        };
        self.contradiction.get_or_insert(what);
        self.give_up();
    }
}

fn is_step(edge: &Edge, step: &Step) -> bool {
    edge.event == step.event && edge.target == step.target
}

/// Appends the steps of a record.
fn append(steps: &mut Vec<Step>, source: u32, edges: &[Edge]) {
    steps.extend(edges.iter().map(|&Edge { event, target }| Step { source, event, target }));
}

impl NetworkSpace<'_> {
    /// Starts to record the graph that the search explores, for [`write_graph`](Self::write_graph).
    /// If the space has [read](Self::read_graph) a graph, it adds to that one.
    pub fn record_graph(&mut self) {
        self.graph.kept.get_or_insert_default().writes = true;
    }

    /// Executes all steps found in a graph that is [read](Self::read_graph) after this, and
    /// compares them.
    pub fn verify_graph(&mut self) {
        self.graph.kept.get_or_insert_default().verifies = true;
    }

    /// Gives the assertions a print: as long as it is the same, they have the same answers in every
    /// state. With a graph whose assertions had the same print, states that it knows need not be
    /// judged. Without a print, they are judged again.
    pub fn print_assertions(&mut self, print: u64) {
        self.graph.kept.get_or_insert_default().print = Some(print);
    }

    /// The graph that was read or is recorded, if there is one.
    #[must_use]
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.kept.as_deref()
    }

    /// Expands states with a graph, and returns the graph to the space even if that panics.
    pub(crate) fn expand_by(
        &mut self,
        mut graph: Box<Graph>,
        states: &[StateId],
        steps: &mut Vec<Step>,
    ) {
        let counts = graph.counts;
        self.graph.soon = graph.bytes_soon();
        let expand = AssertUnwindSafe(|| self.expand_with(&mut graph, states, steps));
        let expanded = catch_unwind(expand);
        if expanded.is_err() {
            // These states will be expanded and counted again.
            graph.counts = counts;
        }
        self.graph.kept = Some(graph);
        if let Err(thrown) = expanded {
            resume_unwind(thrown);
        }
    }

    /// Expands states, using their known steps.
    fn expand_with(&mut self, graph: &mut Graph, states: &[StateId], steps: &mut Vec<Step>) {
        for (source, &state) in (0..).zip(states) {
            let record = graph.reads.then(|| self.look_up_timed(graph, state)).flatten();
            let record = record.filter(|_| !self.is_pruned(state));
            let start = steps.len();
            match record {
                Some(record) if record.whole => {
                    self.take_whole(graph, (source, state), record, steps);
                    continue;
                }
                Some(record) => self.take_part(graph, (source, state), record, steps),
                None => {
                    let timed = graph.executed.is_multiple_of(TIMED_ONE_OF).then(Instant::now);
                    self.expand_one(source, state, steps);
                    graph.executed += 1;
                    if let Some(since) = timed {
                        graph.timings.executing.add(since, steps.len() - start);
                    }
                }
            }
            let noted = graph.records.get(&state).is_some_and(|record| record.new);
            // The next version might not prune a state that is pruned now.
            if graph.writes && !noted && steps.len() > start {
                graph.replaced.extend(record.map(|record| (state, record)));
                graph.note(state, &steps[start..]);
            }
        }
    }

    /// Expands a state of which some steps are known; those are not executed.
    fn take_part(
        &mut self,
        graph: &mut Graph,
        (source, state): (u32, StateId),
        record: Record,
        steps: &mut Vec<Step>,
    ) {
        let number = graph.counts.part_states;
        let start = steps.len();
        let timed = number.is_multiple_of(TIMED_ONE_OF).then(Instant::now);
        let known = &mut self.graph.known;
        known.edges.clear();
        known.edges.extend_from_slice(graph.edges(record));
        known.next = 0;
        self.expand_known(state, steps);
        steps[start..].iter_mut().for_each(|step| step.source = source);
        if let Some(since) = timed {
            graph.timings.completing.add(since, steps.len() - start);
        }
        let known = &self.graph.known;
        let is_taken = |edge: &&Edge| steps[start..].iter().any(|step| step.event == edge.event);
        if let Some(edge) = known.edges[known.next..].iter().find(|edge| !is_taken(edge)) {
            let what = self.view().describe_event(state, edge.event).sentence;
            graph.contradiction.get_or_insert(what);
        }
        if graph.verifies || number % COMPARED_EVERY < COMPARED {
            self.compare(graph, (source, state), steps, start);
        }
        graph.counts.part_states += 1;
    }

    /// Removals the steps out of a state whose steps are all known.
    fn take_whole(
        &mut self,
        graph: &mut Graph,
        (source, state): (u32, StateId),
        record: Record,
        steps: &mut Vec<Step>,
    ) {
        let number = graph.counts.whole_states;
        let start = steps.len();
        if number.is_multiple_of(TIMED_ONE_OF) {
            self.sample(graph, source, record, steps);
        } else {
            append(steps, source, graph.edges(record));
        }
        if graph.verifies || number % COMPARED_EVERY < COMPARED {
            self.compare(graph, (source, state), steps, start);
        }
        graph.counts.whole_states += 1;
    }

    fn expand_one(&mut self, source: u32, state: StateId, steps: &mut Vec<Step>) {
        let start = steps.len();
        self.expand_anew(&[state], steps);
        steps[start..].iter_mut().for_each(|step| step.source = source);
    }

    /// As [`look_up`](Self::look_up); with its time, without that of loading, where it is sampled.
    fn look_up_timed(&mut self, graph: &mut Graph, state: StateId) -> Option<Record> {
        if !graph.samples {
            return self.look_up(graph, state);
        }
        let (since, loaded) = (Instant::now(), graph.counts.loading);
        let record = self.look_up(graph, state);
        let loading = graph.counts.loading - loaded;
        graph.looking_up += since.elapsed().saturating_sub(loading);
        record
    }

    /// The steps out of a state that were read. Loads more of the file if necessary.
    fn look_up(&mut self, graph: &mut Graph, state: StateId) -> Option<Record> {
        graph.counts.states += 1;
        loop {
            if let Some(&record) = graph.records.get(&state) {
                return (!record.new).then_some(record);
            }
            if graph.unloaded == 0 {
                return None;
            }
            let started = Instant::now();
            if let Err(error) = self.load(graph) {
                graph.trouble = Some(error.to_string());
                graph.give_up();
            }
            graph.counts.loading += started.elapsed();
        }
    }

    /// Reads the steps out of a state and judges their targets, and measures the time of both.
    fn sample(&mut self, graph: &mut Graph, source: u32, record: Record, steps: &mut Vec<Step>) {
        let start = steps.len();
        let since = Instant::now();
        append(steps, source, graph.edges(record));
        let read = steps.len() - start;
        graph.timings.reading.add(since, read);
        let since = Instant::now();
        for step in &steps[start..] {
            std::hint::black_box(self.verdict(step.target));
        }
        graph.timings.judging.add(since, read);
    }

    /// Executes the steps that were read, and compares them.
    fn compare(
        &mut self,
        graph: &mut Graph,
        (source, state): (u32, StateId),
        steps: &mut Vec<Step>,
        start: usize,
    ) {
        let read = steps.split_off(start);
        let since = Instant::now();
        self.expand_one(source, state, steps);
        graph.timings.executing.add(since, read.len());
        if steps[start..] != read {
            graph.contradict(self.view(), state, &steps[start..], &read);
        }
    }
}
