//! One search, with or without the graph of another, and its cost.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
    time::{Duration, Instant},
};

use everypath_explore::{
    Counts, Described, Ended, EventPattern, Explorable, Exploration, Judged, Options, Searched,
    Space, StateId, Timings,
};
use everypath_network::{Changes, GraphCounts, NetworkSpace, Reckoning};

use super::laboratory::Halt;
use crate::{
    error::CliError,
    kept::graph,
    running::progress::Line,
    scenarios::{
        checked_space::{CheckedSpace, PlainSpace},
        subject::Subject,
    },
    searching::{spec::SearchSpec, verdict::stopped_by},
};

/// This many states are compared one by one.
const COMPARED_STATES: usize = 20_000;

/// The print of the assertions in graphs: the scenarios of a table have the same ones, so a hit needs no judging, as in
/// Sobeih's thesis.
const SAME_ASSERTIONS: u64 = 1;

/// The use of graphs.
#[derive(Clone, Copy)]
pub(crate) struct Order<'a> {
    /// The graph to read.
    pub(super) reads: Option<&'a Path>,
    /// The graph to write.
    pub(super) writes: Option<&'a Path>,
    /// The events that are treated as modified.
    pub(super) modified: &'a [EventPattern],
    /// Whether all states are compared; the time for that is not measured.
    pub(super) compares: bool,
}

impl Order<'_> {
    /// No graph is read or written.
    pub(crate) const FROM_SCRATCH: Self =
        Self { reads: None, writes: None, modified: &[], compares: false };
}

/// The result and the cost of a search.
pub(crate) struct Measured {
    /// Including reading and writing the graph.
    pub(super) time: Duration,
    pub(super) bytes: usize,
    /// The states that were stored.
    pub(super) states: u64,
    /// The states in the list of those to be explored.
    pub(super) waiting: u64,
    pub(super) counts: Counts,
    pub(super) graph: GraphCounts,
    pub(super) reckoning: Option<Reckoning>,
    /// The time of each operation, with `--stats`.
    pub(super) timings: Option<Timings>,
    /// A digest of the content of all states and steps, if they were compared.
    pub(super) content: Option<u64>,
    /// The first run to a violation, in sentences; empty if there is none.
    pub(super) run: Vec<String>,
}

impl Measured {
    /// Ensures that another engine has made the same search: it has visited the same states by the same events.
    ///
    /// # Panics
    /// If it has not: then one of the engines is wrong.
    pub(super) fn ensure_same(&self, other: &Self, words: &str) {
        let all = |it: &Self| (it.states, it.waiting, it.counts.clone(), it.run.clone());
        assert_eq!(all(self), all(other), "both engines make the same search: {words}");
    }

    /// The events that the thesis executes: those that are not taken from a graph, or lead to a new state.
    pub(super) fn executed(&self) -> u64 {
        match self.graph.events {
            0 => self.counts.events,
            _ => self.graph.executed(),
        }
    }
}

/// Makes a search.
pub(super) fn measure(
    built: &Subject<'_>,
    search: &SearchSpec,
    order: Order<'_>,
    line: &mut Line,
) -> Result<Measured, Halt> {
    let mut search = search.clone();
    search.conditions.require_own(built)?;
    let started = Instant::now();
    let mut space = built.space(search.space_options())?;
    let options = search.options(&space, built.scenario.max_depth)?;
    let changes = Changes { code: &|_, _, _| false, events: order.modified };
    if order.reads.is_some() || order.writes.is_some() {
        space.print_assertions(SAME_ASSERTIONS);
    }
    if let Some(path) = order.reads {
        graph::read(path, &BTreeMap::new(), &mut space, changes)?;
    }
    if order.writes.is_some() {
        space.record_graph();
    }
    let found = explored(built, &mut space, &search, &options, line)?;
    let bytes = found.bytes;
    let used = space.graph().map(|graph| (graph.counts(), graph.reckoning(&found)));
    if let Some(path) = order.writes {
        graph::write(path, &BTreeMap::new(), &mut space).map_err(CliError::from)?;
    }
    let time = started.elapsed();
    let (graph, reckoning) = used.unwrap_or_default();
    let depth = options.max_depth.unwrap_or(u32::MAX);
    let run = sentences(&space, &found);
    let content = order.compares.then(|| content(&mut space, depth));
    Ok(Measured {
        time,
        bytes,
        states: found.states_visited,
        waiting: found.states_waiting,
        counts: found.counts,
        graph,
        reckoning,
        timings: found.timings,
        content,
        run,
    })
}

/// Makes a search with the plain engine.
pub(super) fn measure_plain(
    built: &Subject<'_>,
    search: &SearchSpec,
    line: &mut Line,
) -> Result<Measured, Halt> {
    let mut search = search.clone();
    search.conditions.require_own(built)?;
    let started = Instant::now();
    let mut space = PlainSpace::open(built, search.space_options())?;
    let options = search.options(&space, built.scenario.max_depth)?;
    let found = explored(built, &mut space, &search, &options, line)?;
    Ok(Measured {
        time: started.elapsed(),
        bytes: found.bytes,
        states: found.states_visited,
        waiting: found.states_waiting,
        graph: GraphCounts::default(),
        reckoning: None,
        content: None,
        run: sentences(&space, &found),
        timings: found.timings,
        counts: found.counts,
    })
}

/// Makes a search in a space, and ensures that nothing has stopped it.
fn explored(
    built: &Subject<'_>,
    space: &mut impl Searched,
    search: &SearchSpec,
    options: &Options,
    line: &mut Line,
) -> Result<Exploration, Halt> {
    let found = built.guarded(|| space.explore(options, line))?;
    let found = found.map_err(|refusal| CliError::Refused { refusal })?;
    if found.ended == Ended::Interrupted {
        return Err(Halt::Interrupted);
    }
    if found.ended.is_stopped() {
        let by = stopped_by(found.ended, search.limits.memory).into_owned();
        return Err(CliError::Unfinished { by }.into());
    }
    Ok(found)
}

/// The first run to a violation, in sentences.
fn sentences(space: &impl Explorable, found: &Exploration) -> Vec<String> {
    let Some(finding) = found.finding() else { return Vec::new() };
    let steps = finding.trace.transitions();
    steps.map(|(before, step)| space.event_text(before, step.event).sentence).collect()
}

/// A digest of the content of all states and steps within a depth, or of the first ones: found without a search, level by
/// level.
fn content(space: &mut NetworkSpace<'_>, depth: u32) -> u64 {
    let mut prints: HashMap<StateId, u64> = HashMap::new();
    let mut seen = HashSet::new();
    let mut level = Vec::new();
    space.initial(&mut level);
    let mut sum = 0_u64;
    let (mut steps, mut next) = (Vec::new(), Vec::new());
    for _ in 0..depth {
        for &state in &level {
            let from = print_of(space, &mut prints, state);
            steps.clear();
            space.expand(&[state], &mut steps);
            for step in &steps {
                let to = print_of(space, &mut prints, step.target);
                // An event is identified by its kind and the state that it leads to.
                let kind = space.event_kind(step.event) as u64;
                let mixed = from.rotate_left(17) ^ to.rotate_left(41) ^ kind;
                sum = sum.wrapping_add(mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                if space.verdict(step.target).is_safe() && seen.insert(step.target) {
                    next.push(step.target);
                }
            }
        }
        if seen.len() > COMPARED_STATES {
            break;
        }
        level = std::mem::take(&mut next);
    }
    sum
}

fn print_of(space: &mut impl Described, prints: &mut HashMap<StateId, u64>, state: StateId) -> u64 {
    *prints.entry(state).or_insert_with(|| space.fingerprint(state))
}
