//! The graph of an earlier exploration: which event led from which state to which other.
//!
//! A [`NetworkSpace`] can record the graph that it is asked for, and [write](NetworkSpace::write_graph)
//! it; a later one, of the next version of the protocol, can [read](NetworkSpace::read_graph) it, and then takes from it
//! what the handlers do whose code has not changed, and whole expansions of states in which no
//! other event can happen.
//!
//! ## Identity
//!
//! The file holds the content of all node states, packets and networks that its states are made of. A space that
//! reads it interns them first, in the same order: so its states have the numbers that they have in the
//! file, and equal numbers mean equal content. Nothing is told apart by a hash, so no two states
//! can be mistaken for each other.
//!
//! ## What is believed
//!
//! An event is *modified* if the code of its handler is not what it was; all such records are left out. Steps to a state that
//! violates an assertion are not recorded, so those are taken anew; and every state is judged anew, since assertions have no print.
//! What else shapes a graph and has no print (assumptions, receivers, the order of timers) is believed only if the program is the very same.

mod changed;
mod cost_model;
mod file;

use std::{
    collections::VecDeque,
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::{Duration, Instant},
};

use everypath_explore::{EventId, Judged, StateId, Step, map_bytes, map_growth};
use rustc_hash::FxHashMap;

use self::changed::Changed;
use crate::{NetworkSpace, packed::EventName, view::View};

pub use self::{
    cost_model::Reckoning,
    file::{Changes, GraphError},
};

/// Of so many states, the time of one is taken: looking at the clock takes as long as expanding does.
const TIMED_ONE_OF: u64 = 8;
/// Of so many states that are found whole, the first ones are executed all the same: to compare, and to know what executing
/// takes.
const COMPARED_EVERY: u64 = 1024;
/// So many, one after the other: what neighbours have in common is worked out once, as in a search that executes everything.
const COMPARED: u64 = 16;

/// One step out of a state, without the state.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Edge {
    event: EventId,
    target: StateId,
}

/// What is known of the steps out of one state: a range of the edges.
#[derive(Clone, Copy)]
struct Record {
    start: usize,
    len: u32,
    /// Whether all steps are there.
    whole: bool,
    /// Whether it was recorded by this exploration, and not read.
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
    /// How many parts of the file are not yet among the records.
    unloaded: usize,
    writes: bool,
    reads: bool,
    /// Whether all that is found is executed all the same, and compared.
    verifies: bool,
    changed: Changed,
    counts: GraphCounts,
    timings: Timings,
    /// States that were executed since they were not found whole.
    executed: u64,
    /// What is wrong with a part of the file that was loaded late.
    trouble: Option<String>,
    /// An event that led elsewhere than the graph says.
    contradiction: Option<String>,
}

/// The graph of a space.
#[derive(Default)]
pub(crate) struct GraphInUse<'a> {
    /// What is known of the steps out of states, if that is used and not lent to an expansion.
    kept: Option<Box<Graph>>,
    /// How many bytes more it takes soon, while it is lent.
    soon: usize,
    /// Where more of it can be read.
    file: Option<Box<dyn Read + 'a>>,
}

impl GraphInUse<'_> {
    /// Lends the graph, if something is to be done with it.
    #[inline]
    pub(crate) fn lend(&mut self) -> Option<Box<Graph>> {
        self.kept.take_if(|graph| !graph.is_idle())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.kept.as_ref().map_or(0, |graph| graph.bytes())
    }

    /// How many bytes more it takes at once, if that is about to happen.
    pub(crate) fn bytes_soon(&self) -> usize {
        self.kept.as_ref().map_or(self.soon, |graph| graph.bytes_soon())
    }
}

/// How much a graph was used.
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
    /// States that were looked up.
    pub states: u64,
    /// States of which all steps were found: nothing was executed.
    pub whole_states: u64,
    /// Steps out of those.
    pub whole_events: u64,
    /// Steps that were found.
    pub hits: u64,
    /// Steps that were not found, of events that have not changed as far as is known.
    pub misses: u64,
    /// Steps that were not found, of events that have changed: their code has, or they are said to have, or they
    /// could not happen then.
    pub modified: u64,
    /// Handler executions that were read, and need not be repeated.
    pub executions: u64,
    /// Steps that were loaded.
    pub loaded: u64,
    /// Steps that were not, since the code of their handlers has changed.
    pub left_out: u64,
    /// How long it took to read and to load.
    pub loading: Duration,
    /// Whether nothing was read, since all code is said to have changed.
    pub all_modified: bool,
}

/// What single operations take, measured on samples. It is told, and decides nothing.
#[derive(Default)]
struct Timings {
    reading: Samples,
    judging: Samples,
    executing: Samples,
}

/// How long something took, for so many states.
#[derive(Default)]
struct Samples {
    states: u64,
    /// In the samples since the last group was full.
    time: Duration,
    events: u64,
    /// For each of the latest groups of samples, in nanoseconds for each event.
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

    /// In nanoseconds for each event, in the middle of all groups: a moment in which something else had the processor
    /// does not count.
    fn per_event(&self) -> Option<f64> {
        let mut groups: Vec<f64> = self.groups.iter().copied().collect();
        groups.sort_unstable_by(f64::total_cmp);
        let middle = groups.get(groups.len() / 2).copied();
        middle.or_else(|| (self.events > 0).then(|| self.last()))
    }
}

impl Graph {
    /// How much it was used.
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

    /// The names of the code that has changed, as far as it was come across, in order.
    #[must_use]
    pub fn changed(&self) -> Vec<&'static str> {
        let changed = self.changed.code.iter().filter(|(_, changed)| **changed);
        let mut names: Vec<&str> = changed.map(|(name, _)| *name).collect();
        names.sort_unstable();
        names
    }

    /// What was found wrong with the file after the exploration had begun: from there on, it was not used.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// An event that led elsewhere than the graph says, if one was found.
    #[must_use]
    pub fn contradiction(&self) -> Option<&str> {
        self.contradiction.as_deref()
    }

    fn bytes(&self) -> usize {
        map_bytes(self.records.capacity(), size_of::<(StateId, Record)>())
            + self.edges.capacity() * size_of::<Edge>()
            + self.changed.packets.capacity() * 2
    }

    /// How many bytes more it takes at once: when its table grows, if that is about to happen, and when it is finished.
    fn bytes_soon(&self) -> usize {
        let entry = size_of::<(StateId, Record)>();
        let finished = self.edges.len() * size_of::<Edge>() + self.records.len() * entry;
        map_growth(self.records.len(), self.records.capacity(), entry)
            + if self.writes { finished } else { 0 }
    }

    fn edges(&self, record: Record) -> &[Edge] {
        &self.edges[record.start..][..record.len as usize]
    }

    /// Whether nothing is to be done with it any more.
    fn is_idle(&self) -> bool {
        !self.reads && !self.writes
    }

    fn drop_records(&mut self) {
        if self.is_idle() {
            self.records = FxHashMap::default();
            self.edges = Vec::new();
        }
    }

    /// Reads no more of it: something is wrong with it.
    fn give_up(&mut self) {
        self.reads = false;
        self.unloaded = 0;
        self.drop_records();
    }

    /// Notes the steps out of a state.
    fn note(&mut self, state: StateId, steps: &[Step]) {
        let start = self.edges.len();
        let edge = |step: &Step| Edge { event: step.event, target: step.target };
        self.edges.extend(steps.iter().map(edge));
        let len = u32::try_from(steps.len()).expect("a state has less than 2^32 successors");
        self.records.insert(state, Record { start, len, whole: true, new: true });
    }

    /// Counts what events that were executed were: found in part, not found, or modified.
    fn count(&mut self, view: View<'_>, state: StateId, record: Option<Record>, taken: &[Step]) {
        let Graph { edges, changed, counts, contradiction, .. } = self;
        let mut known = record.map_or(&[][..], |it| &edges[it.start..][..it.len as usize]);
        for step in taken {
            match known {
                // Both are in the same order.
                [edge, later @ ..] if is_step(edge, step) => {
                    counts.hits += 1;
                    known = later;
                }
                _ if changed.is_modified(view, state, EventName::unpack(step.event)) => {
                    counts.modified += 1;
                }
                _ => counts.misses += 1,
            }
        }
        let is_taken = |edge: &&Edge| taken.iter().any(|step| is_step(edge, step));
        if let Some(edge) = known.iter().find(|edge| !is_taken(edge)) {
            let what = view.describe_event(state, edge.event).sentence;
            contradiction.get_or_insert(what);
        }
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
    /// Records from now on the graph that it is asked for, so that it can be
    /// [written](Self::write_graph). A space that has [read](Self::read_graph) one adds to that.
    pub fn record_graph(&mut self) {
        self.graph.kept.get_or_insert_default().writes = true;
    }

    /// Executes all the same what will be found in a graph that is [read](Self::read_graph) after this,
    /// and compares.
    pub fn verify_graph(&mut self) {
        self.graph.kept.get_or_insert_default().verifies = true;
    }

    /// The graph that was read or is recorded, if one is.
    #[must_use]
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.kept.as_deref()
    }

    /// Expands states with a graph, which stays the space's, however that ends.
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
            // The states are still to be expanded, and are counted then.
            graph.counts = counts;
        }
        self.graph.kept = Some(graph);
        if let Err(thrown) = expanded {
            resume_unwind(thrown);
        }
    }

    /// Expands states, with what is known of their steps.
    fn expand_with(&mut self, graph: &mut Graph, states: &[StateId], steps: &mut Vec<Step>) {
        for (source, &state) in (0..).zip(states) {
            let record = graph.reads.then(|| self.look_up(graph, state)).flatten();
            match record {
                Some(record) if record.whole && !self.is_pruned(state) => {
                    self.take_whole(graph, (source, state), record, steps);
                }
                _ => {
                    let start = steps.len();
                    let timed = graph.executed.is_multiple_of(TIMED_ONE_OF).then(Instant::now);
                    self.expand_one(source, state, steps);
                    let taken = &steps[start..];
                    graph.executed += 1;
                    if let Some(since) = timed {
                        graph.timings.executing.add(since, taken.len());
                    }
                    if graph.reads {
                        graph.count(self.view(), state, record, taken);
                    }
                    let noted = graph.records.get(&state).is_some_and(|record| record.new);
                    // A state that is pruned may not be pruned by the next version.
                    if graph.writes && !noted && !taken.is_empty() {
                        graph.note(state, taken);
                    }
                }
            }
        }
    }

    /// Takes the steps out of a state of which all are known.
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
        graph.counts.whole_events += u64::from(record.len);
        graph.counts.hits += u64::from(record.len);
    }

    fn expand_one(&mut self, source: u32, state: StateId, steps: &mut Vec<Step>) {
        let start = steps.len();
        self.expand_anew(&[state], steps);
        steps[start..].iter_mut().for_each(|step| step.source = source);
    }

    /// What was read of the steps out of a state; loads more of the file if that may help.
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

    /// Reads the steps out of a state and judges where they lead, and notes what both take.
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

    /// Executes what was read, and compares.
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
