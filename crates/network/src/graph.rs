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

mod file;
mod reckoning;

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use everypath_explore::{EventId, EventPattern, Space, StateId, Step};
use everypath_model::{EventKind, Protocol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    NetworkSpace,
    execute::Input,
    expand::{EVENT_KINDS_MAX, EventName},
    memo::author_of,
    nodes::Outcomes,
    space::unpack,
};

pub use self::{
    file::{GraphError, IsModified},
    reckoning::Reckoning,
};

/// Of the states that are found whole, every so many is expanded all the same, to compare …
const SAMPLE_EVERY: u64 = 16;
/// … until there are so many samples.
const SAMPLES: u64 = 64;
/// A part of the file is loaded only if at least one of so many states that were looked up was found whole.
/// Loading takes about a quarter of the time of executing (AODV, 3 nodes, depth 9), so less does not pay.
const FOUND_AT_LEAST_ONE_OF: u64 = 4;

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
#[derive(Default)]
pub struct Graph {
    records: FxHashMap<StateId, Record>,
    edges: Vec<Edge>,
    /// What was read of a file and is not yet among the records.
    unloaded: VecDeque<Vec<u8>>,
    writes: bool,
    reads: bool,
    /// Whether all that is found is executed all the same, and compared.
    verifies: bool,
    changed: Changed,
    counts: GraphCounts,
    pilot: Pilot,
    /// What is wrong with a part of the file that was loaded late.
    trouble: Option<String>,
    /// An event that led elsewhere than the graph says.
    contradiction: Option<String>,
}

/// What has changed since a graph was written.
#[derive(Default)]
struct Changed {
    /// By code that was come across: whether it has.
    code: FxHashMap<&'static str, bool>,
    /// Events that depend on a node and its slot alone, and whose code has.
    local: FxHashSet<(usize, u32, EventKind, u32)>,
    /// By packet: whether the code that handles its message has, or that which handles its return.
    packets: Vec<[bool; 2]>,
    /// By kind of event without a handler: whether it is said to have changed.
    kinds: [bool; EVENT_KINDS_MAX],
    /// Nodes with a slot in which they accept other commands now.
    commands: Vec<(usize, u32)>,
    /// What could not happen then, and can now.
    added: Vec<EventPattern>,
    /// What could happen then, and cannot now.
    removed: Vec<EventPattern>,
}

/// How much a graph was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphCounts {
    /// States that were looked up.
    pub states: u64,
    /// States of which all steps were found: nothing was executed.
    pub whole_states: u64,
    /// Steps out of those.
    pub whole_events: u64,
    /// Events whose handlers have not changed, and whose step was found.
    pub hits: u64,
    /// Events whose handlers have not changed, but whose step was not found.
    pub misses: u64,
    /// Events whose handlers have changed.
    pub modified: u64,
    /// Handler executions that were read, and need not be repeated.
    pub executions: u64,
    /// Steps that were loaded.
    pub loaded: u64,
    /// Steps that were not, since the code of their handlers has changed.
    pub left_out: u64,
    /// How long it took to read and to load.
    pub loading: Duration,
    /// Whether reading was given up, since it does not pay.
    pub given_up: bool,
}

/// What single operations take, measured on samples.
#[derive(Clone, Copy, Debug, Default)]
struct Pilot {
    samples: u64,
    events: u64,
    reading: Duration,
    executing: Duration,
    judging: Duration,
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

    pub(crate) fn bytes(&self) -> usize {
        self.records.capacity() * (size_of::<(StateId, Record)>() + 1)
            + self.edges.capacity() * size_of::<Edge>()
            + self.unloaded.iter().map(Vec::capacity).sum::<usize>()
            + self.changed.packets.capacity() * 2
    }

    fn edges(&self, record: Record) -> &[Edge] {
        &self.edges[record.start..][..record.len as usize]
    }

    /// Whether it is worth to load more of the file.
    fn is_worth_loading(&self) -> bool {
        let GraphCounts { states, whole_states, loaded, .. } = self.counts;
        loaded == 0 || self.verifies || whole_states * FOUND_AT_LEAST_ONE_OF >= states
    }

    /// Whether a state that was found whole is to be expanded all the same.
    fn is_sampled(&self) -> bool {
        self.verifies
            || self.pilot.samples < SAMPLES && self.counts.whole_states.is_multiple_of(SAMPLE_EVERY)
    }

    fn give_up(&mut self) {
        self.reads = false;
        self.counts.given_up = true;
        self.unloaded.clear();
        if !self.writes {
            self.records = FxHashMap::default();
            self.edges = Vec::new();
        }
    }

    /// Notes the steps out of a state.
    fn note(&mut self, state: StateId, steps: &[Step]) {
        let start = self.edges.len();
        let edge = |step: &Step| Edge { event: step.event, target: step.target };
        self.edges.extend(steps.iter().map(edge));
        let len = u32::try_from(steps.len()).expect("a state has less than 2^32 successors");
        self.records.insert(state, Record { start, len, whole: true, new: true });
    }
}

/// Appends the steps of a record.
fn append(steps: &mut Vec<Step>, source: u32, edges: &[Edge]) {
    steps.extend(edges.iter().map(|&Edge { event, target }| Step { source, event, target }));
}

impl<'a, P: Protocol> NetworkSpace<'a, P> {
    /// Records from now on the graph that it is asked for, so that it can be
    /// [written](Self::write_graph). A space that has [read](Self::read_graph) one adds to that.
    pub fn record_graph(&mut self) {
        self.graph.get_or_insert_default().writes = true;
    }

    /// Executes all the same what will be found in a graph that is [read](Self::read_graph) after this,
    /// and compares.
    pub fn verify_graph(&mut self) {
        self.graph.get_or_insert_default().verifies = true;
    }

    /// Has somebody told, while the exploration goes on, what the use of the graph takes, as soon as that
    /// is known.
    pub fn when_piloted(&mut self, tell: impl Fn(&Graph) + 'a) {
        self.when_piloted = Some(Box::new(tell));
    }

    /// The graph that was read or is recorded, if one is.
    #[must_use]
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.as_deref()
    }

    /// Expands states, with what is known of their steps.
    pub(crate) fn expand_with(
        &mut self,
        graph: &mut Graph,
        states: &[StateId],
        steps: &mut Vec<Step>,
    ) {
        for (source, &state) in (0..).zip(states) {
            let record = graph.reads.then(|| self.look_up(graph, state)).flatten();
            match record {
                Some(record) if record.whole && !self.prunes(state) => {
                    if graph.is_sampled() {
                        self.sample(graph, (source, state), record, steps);
                    } else {
                        append(steps, source, graph.edges(record));
                    }
                    graph.counts.whole_states += 1;
                    graph.counts.whole_events += u64::from(record.len);
                    graph.counts.hits += u64::from(record.len);
                }
                _ => {
                    let start = steps.len();
                    self.expand_one(source, state, steps);
                    let taken = &steps[start..];
                    if graph.reads {
                        self.count(graph, state, record, taken);
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
            // A state with a tuple or network that the file does not know is not in it.
            if graph.unloaded.is_empty() || !graph.is_worth_loading() {
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

    /// Reads and executes, and compares both: what they come to, and what they take.
    fn sample(
        &mut self,
        graph: &mut Graph,
        (source, state): (u32, StateId),
        record: Record,
        steps: &mut Vec<Step>,
    ) {
        let (mut other, start) = (Vec::new(), steps.len());
        // What comes second finds in the cache what the first has fetched: each is the first every other time.
        let reads_first = graph.pilot.samples.is_multiple_of(2);
        for reads in [reads_first, !reads_first] {
            let started = Instant::now();
            if reads {
                append(&mut other, source, graph.edges(record));
                graph.pilot.reading += started.elapsed();
            } else {
                self.expand_one(source, state, steps);
                graph.pilot.executing += started.elapsed();
            }
        }
        let started = Instant::now();
        for step in &other {
            std::hint::black_box(self.verdict(step.target));
        }
        graph.pilot.judging += started.elapsed();
        graph.pilot.samples += 1;
        graph.pilot.events += u64::from(record.len);
        if steps[start..] != other {
            self.contradict(graph, state, &steps[start..], &other);
        }
        if graph.pilot.samples == SAMPLES && !graph.verifies {
            let Pilot { reading, executing, .. } = graph.pilot;
            if reading >= executing {
                graph.give_up();
            }
            if let Some(tell) = &self.when_piloted {
                tell(graph);
            }
        }
    }

    fn contradict(&self, graph: &mut Graph, state: StateId, taken: &[Step], read: &[Step]) {
        let wrong = read.iter().find(|step| !taken.contains(step));
        let what = match wrong {
            Some(step) => self.describe_event(state, step.event).sentence,
            None => "a state with further events".to_owned(),
        };
        graph.contradiction.get_or_insert(what);
        graph.give_up();
    }

    /// Counts what events that were executed were: found in part, not found, or modified.
    fn count(&self, graph: &mut Graph, state: StateId, record: Option<Record>, taken: &[Step]) {
        let Graph { edges, changed, counts, contradiction, .. } = graph;
        let known = record.map_or(&[][..], |it| &edges[it.start..][..it.len as usize]);
        // Both are in the same order.
        let mut rest = known.iter();
        for step in taken {
            let edge = rest.as_slice().first().filter(|edge| edge.event == step.event);
            let edge = match edge {
                Some(_) => rest.next(),
                None => known.iter().find(|edge| edge.event == step.event),
            };
            match edge {
                Some(edge) if edge.target == step.target => counts.hits += 1,
                Some(_) => {
                    let what = self.describe_event(state, step.event).sentence;
                    contradiction.get_or_insert(what);
                }
                None if self.is_modified(changed, state, EventName::unpack(step.event)) => {
                    counts.modified += 1;
                }
                None => counts.misses += 1,
            }
        }
    }

    /// Whether the code that handles an event has changed.
    fn is_modified(&self, changed: &Changed, state: StateId, name: EventName) -> bool {
        let (tuple, _) = unpack(state);
        let slot = self.tuples.slot(tuple, name.node);
        let which = name.which;
        let input = match name.kind {
            EventKind::Command => Input::Command { which },
            EventKind::Timer => Input::Timer { which },
            EventKind::Reboot => Input::Restart,
            EventKind::Deliver => Input::Message { packet: which },
            EventKind::Undeliverable => Input::Undeliverable { packet: which },
            EventKind::Lose | EventKind::Duplicate | EventKind::LinkDown | EventKind::LinkUp => {
                return changed.kinds[name.kind as usize];
            }
        };
        let trigger = self.call(name.node, Some(slot), input).trigger();
        let (code, _) = author_of(&self.scenario.protocol, trigger);
        changed.code.get(code).copied().unwrap_or(true)
    }

    /// Whether the handler of an event that is in the file has changed, so that its steps are left out.
    fn has_changed(&self, changed: &Changed, state: StateId, name: EventName) -> bool {
        let (tuple, _) = unpack(state);
        match name.kind {
            EventKind::Deliver => changed.packets[name.which as usize][0],
            EventKind::Undeliverable => changed.packets[name.which as usize][1],
            EventKind::Command | EventKind::Timer | EventKind::Reboot => {
                let slot = self.tuples.slot(tuple, name.node);
                name.kind == EventKind::Command && changed.commands.contains(&(name.node, slot))
                    || changed.local.contains(&(name.node, slot, name.kind, name.which))
                    || self.local_event(tuple, name).is_none()
            }
            EventKind::Lose | EventKind::Duplicate | EventKind::LinkDown | EventKind::LinkUp => {
                changed.kinds[name.kind as usize]
            }
        }
    }

    /// Whether an event that is in the file cannot happen any more.
    fn is_removed(&self, changed: &Changed, state: StateId, name: EventName) -> bool {
        let mut removed = changed.removed.iter();
        removed.any(|pattern| self.describes(pattern, state, name, || self.choices_of(state, name)))
    }

    /// Whether an event that is new may happen with a tuple: a state with it is expanded anew.
    fn may_have_more(&self, changed: &Changed, tuple: u32) -> bool {
        let slots = self.tuples.get(tuple);
        changed.commands.iter().any(|&(node, slot)| slots[node] == slot)
            || changed.added.iter().any(|pattern| self.may_describe(pattern, tuple))
    }

    /// Whether a pattern may describe an event with a tuple. What it is about is not looked at: that may be
    /// what a handler chooses, which is not known before it is executed.
    fn may_describe(&self, pattern: &EventPattern, tuple: u32) -> bool {
        let EventPattern { kind: Some(kind), node, .. } = pattern else { return true };
        let mut local = [EventKind::Command, EventKind::Timer, EventKind::Reboot].into_iter();
        let Some(kind) = local.find(|local| local.name() == kind) else { return true };
        (0..).zip(self.tuples.get(tuple)).any(|(at, &slot)| {
            node.is_none_or(|node| node as usize == at)
                && self.nodes[at].local[slot as usize].iter().any(|event| event.kind == kind)
        })
    }

    /// Whether an event is about something that there is.
    fn can_be_event(&self, name: EventName) -> bool {
        let which = name.which as usize;
        name.node < self.nodes.len()
            && match name.kind {
                EventKind::Command | EventKind::Timer | EventKind::Reboot => true,
                EventKind::Deliver
                | EventKind::Undeliverable
                | EventKind::Lose
                | EventKind::Duplicate => which < self.packets.len(),
                EventKind::LinkDown | EventKind::LinkUp => which < self.links.len(),
            }
    }

    /// Whether the handler of an event that has not changed has such a branch. Only what chooses has branches; to look that up
    /// for every event takes longer.
    fn has_branch(&self, state: StateId, name: EventName) -> bool {
        let (tuple, _) = unpack(state);
        let has = |known: Outcomes| u32::from(name.branch) < known.len;
        name.branch == 0 || self.outcomes_at(tuple, name).is_some_and(has)
    }
}
