//! The result of a search: counts, findings and witnesses.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    DepthSample, Ended, Noted, Refusal, Space, StateId, StoreKind, Trace, timings::Timings,
};

/// A violation, and a run that leads to it.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Judged, ModelSpace, Options, explore};
///
/// let mut space = ModelSpace::new(Counter);
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// let finding = found.finding().unwrap();
/// assert_eq!(space.assertions()[finding.assertion], "never seven");
/// assert_eq!(finding.trace.steps.len(), 3);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The assertion that is violated.
    pub assertion: usize,
    /// A run to the state that violates it.
    pub trace: Trace,
}

/// A goal, and a run that reaches it.
///
/// ```
/// use everypath_explore::{Exploration, Judged};
///
/// /// The goals that were reached, each with the length of a run to it.
/// fn reached(space: &impl Judged, found: &Exploration) -> Vec<(String, usize)> {
///     let goals = space.goals();
///     let witnesses = found.witnesses.iter();
///     witnesses.map(|it| (goals[it.goal].clone(), it.trace.steps.len())).collect()
/// }
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # let mut space = everypath_explore::ModelSpace::new(counter::Counter);
/// # let found = everypath_explore::explore(&mut space, &Default::default(), &mut ()).unwrap();
/// // A plain model has no goals.
/// assert!(reached(&space, &found).is_empty());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Witness {
    /// The goal that is reached.
    pub goal: usize,
    /// A run to a state that reaches it.
    pub trace: Trace,
}

/// Counts for one kind of event.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, explore};
///
/// let options = Options::default().max_depth(1);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// // Both events happen in the initial state.
/// let actions = found.counts.kinds[0];
/// assert_eq!((actions.events, actions.enabled_states), (2, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KindCounts {
    /// How many were executed.
    pub events: u64,
    /// In how many of the expanded states at least one was enabled.
    pub enabled_states: u64,
}

/// Counts for one depth.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, explore};
///
/// let options = Options::default().max_depth(2);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// // Four events lead to depth 2, where 2, 4 and 6 are new.
/// let second = found.counts.depths[2];
/// assert_eq!((second.events, second.states), (4, 3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DepthCounts {
    /// States that were first stored at this depth.
    pub states: u64,
    /// Events that led to this depth.
    pub events: u64,
}

/// The counts of a search.
///
/// An event is unsafe if it leads to a state that violates an assertion. A safe event is a deepest
/// event if it leads to the depth bound, a tree event if it leads to a state that is then stored,
/// and a non-tree event otherwise.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, explore};
///
/// let options = Options::default().max_depth(2);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// let counts = &found.counts;
/// assert_eq!((counts.events, counts.deepest_events), (6, 4));
/// assert_eq!((counts.unsafe_events, counts.ends), (0, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Counts {
    /// Events executed.
    pub events: u64,
    /// Events to a state that violates an assertion.
    pub unsafe_events: u64,
    /// Events to a state that violates an assertion, on a run that lacks the required event. The
    /// run may still reach the required event, so these events are not among the unsafe ones. In
    /// published semantics they are, and such states are not expanded.
    pub unsafe_without_required: u64,
    /// Safe events to a state that is then stored.
    pub tree_events: u64,
    /// Safe events to a known state.
    pub non_tree_events: u64,
    /// Safe events to the depth bound.
    pub deepest_events: u64,
    /// By assertion: events to a state that violates it, plus initial states and ends that violate
    /// it.
    pub violations: Vec<u64>,
    /// By kind of event.
    pub kinds: Vec<KindCounts>,
    /// By depth.
    pub depths: Vec<DepthCounts>,
    /// Pruned states. A state that is expanded again after fewer events counts again, as in `ends`
    /// and `enabled_states`.
    pub pruned: u64,
    /// States without an enabled event.
    pub ends: u64,
}

impl Counts {
    /// The length of the longest run so far.
    pub(crate) fn deepest(&self) -> u32 {
        let deepest = self.depths.iter().rposition(|depth| *depth != DepthCounts::default());
        u32::try_from(deepest.unwrap_or(0)).unwrap_or(u32::MAX)
    }

    /// The row of a depth.
    pub(crate) fn depth(&mut self, depth: usize) -> &mut DepthCounts {
        if self.depths.len() <= depth {
            self.depths.resize(depth + 1, DepthCounts::default());
        }
        &mut self.depths[depth]
    }

    /// Whether these counts are plausible: small enough to be added to for years.
    pub(crate) fn are_possible(&self) -> bool {
        const MOST: u64 = 1 << 60;
        let Self { events, unsafe_events, unsafe_without_required, .. } = self;
        let Self { tree_events, non_tree_events, deepest_events, pruned, ends, .. } = self;
        let safe = [tree_events, non_tree_events, deepest_events];
        let others = [events, unsafe_events, unsafe_without_required, pruned, ends];
        let kinds = self.kinds.iter().flat_map(|kind| [&kind.events, &kind.enabled_states]);
        let depths = self.depths.iter().flat_map(|depth| [&depth.states, &depth.events]);
        let rest = self.violations.iter().chain(kinds).chain(depths);
        safe.into_iter().chain(others).chain(rest).all(|&count| count < MOST)
    }

    /// Adds the events of another search, but not its states.
    fn add_events(&mut self, other: &Self) {
        self.events += other.events;
        self.unsafe_events += other.unsafe_events;
        self.unsafe_without_required += other.unsafe_without_required;
        self.tree_events += other.tree_events;
        self.non_tree_events += other.non_tree_events;
        self.deepest_events += other.deepest_events;
        for (sum, events) in self.violations.iter_mut().zip(&other.violations) {
            *sum += events;
        }
        for (sum, kind) in self.kinds.iter_mut().zip(&other.kinds) {
            sum.events += kind.events;
        }
        for (depth, row) in other.depths.iter().enumerate() {
            self.depth(depth).events += row.events;
        }
    }
}

/// The store, and the states that it may have missed.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, StoreKind, explore};
///
/// let found = explore(&mut ModelSpace::new(Counter), &Options::default(), &mut ()).unwrap();
/// assert_eq!(found.store.kind, StoreKind::Exact);
/// assert_eq!((found.store.missed_probability, found.store.coverage), (0.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoreReport {
    /// What the store keeps of a state.
    pub kind: StoreKind,
    /// Bytes used by the store, without the space.
    pub bytes: usize,
    /// The probability that at least one state was missed because it looked like another.
    pub missed_probability: f64,
    /// The estimated share of states that was found.
    pub coverage: f64,
}

impl StoreReport {
    /// Why states may be missing unnoticed, if they may. Fingerprints do not count: their
    /// probability of missing a state is known and tiny.
    pub(crate) fn incomplete(&self) -> Option<&'static str> {
        matches!(self.kind, StoreKind::Bitstate { .. })
            .then_some("the bit table cannot distinguish all states")
    }

    /// The report of a store that misses nothing.
    pub(crate) fn exact(bytes: usize) -> Self {
        Self { kind: StoreKind::Exact, bytes, missed_probability: 0.0, coverage: 1.0 }
    }

    /// The report of a store of 64-bit fingerprints: two states share one with probability 2^-64.
    pub(crate) fn fingerprints(states: usize, bytes: usize) -> Self {
        let states = states as f64;
        let pairs = states * (states - 1.0).max(0.0) / 2.0;
        let missed_probability = -(-pairs / 2_f64.powi(64)).exp_m1();
        Self { kind: StoreKind::Fingerprint, bytes, missed_probability, coverage: 1.0 }
    }
}

/// The pairs of a state that a search skipped and one that covers it.
///
/// ```
/// use everypath_explore::Covered;
///
/// assert_eq!(Covered::default().met, 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Covered {
    /// How many there were, if they were counted.
    pub met: u64,
    /// Those that were [noted](crate::Options::note_covered): the skipped state, and the other.
    pub pairs: Vec<(StateId, StateId)>,
}

/// The result of an exploration.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Ended, ModelSpace, Options, explore};
///
/// let options = Options::default().max_depth(2);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// // Everything within the bound was visited, but there is more beyond.
/// assert!(found.is_complete() && !found.saw_everything());
/// assert_eq!(found.states_per_depth(), [1, 2, 3]);
/// assert!(found.finding().is_none());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exploration {
    /// Why it ended.
    pub ended: Ended,
    /// Why states within the bound are missing although the search came to its end, if any are.
    pub incomplete: Option<&'static str>,
    /// Distinct states stored, without those that violate an assertion. In published semantics, a
    /// state that is stored again counts again.
    pub states_visited: u64,
    /// Stored states that should have been expanded and were not.
    pub states_waiting: u64,
    /// The counts.
    pub counts: Counts,
    /// How often code of the user's model was executed to make successors.
    pub handler_executions: u64,
    /// The length of the longest run.
    pub depth: u32,
    /// Bytes used by the space, the store and the frontier at the end.
    pub bytes: usize,
    /// Time passed, including the search for traces.
    pub elapsed: Duration,
    /// The first violation of each assertion, in the order in which they were found.
    pub findings: Vec<Finding>,
    /// A run to each goal that was reached, in the order in which they were reached.
    pub witnesses: Vec<Witness>,
    /// The store, and the states that it may have missed.
    pub store: StoreReport,
    /// The pairs of a state that was skipped and one that covers it.
    pub covered: Covered,
    /// What was done in which order, if it was [to be noted](crate::Options::note_events).
    pub noted: Option<Noted>,
    /// A sample of the visited states, by depth: if the search was stopped, or one was [asked
    /// for](crate::Options::sample). Random walks store no states, and have none.
    pub sample: Vec<DepthSample>,
    /// Where the time was spent, if that was measured.
    pub timings: Option<Timings>,
    /// Why the search was given up: it turned out to be unsound.
    pub refusal: Option<Refusal>,
}

impl Exploration {
    /// Whether every state within the depth bound was found.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.ended.is_complete() && self.incomplete.is_none()
    }

    /// Whether every reachable state was found: no state lies beyond the depth bound or behind a
    /// pruned state.
    #[must_use]
    pub fn saw_everything(&self) -> bool {
        self.is_complete() && self.ended == Ended::Exhausted && self.counts.pruned == 0
    }

    /// Adds the results of an earlier search of the same space. Events add up, states do not, and
    /// earlier findings stay first.
    pub(crate) fn follows(&mut self, before: Self) {
        self.counts.add_events(&before.counts);
        if let (Some(timings), Some(before)) = (&mut self.timings, &before.timings) {
            timings.follows(before);
        }
        let (findings, witnesses) = (before.findings, before.witnesses);
        self.findings.retain(|new| findings.iter().all(|old| old.assertion != new.assertion));
        self.findings.splice(0..0, findings);
        self.witnesses.retain(|new| witnesses.iter().all(|old| old.goal != new.goal));
        self.witnesses.splice(0..0, witnesses);
    }

    /// The result, or the refusal if the model turned out to be faulty, or if the search turned out
    /// to be unsound before it found a violation. A violation counts even in an unsound search.
    pub(crate) fn unless_refused(self, space: &impl Space) -> Result<Self, Refusal> {
        if let Some(flaw) = space.flaw() {
            let what = format!("{flaw} (found after {})", self.so_far());
            return Err(Refusal::Flaw { what });
        }
        match &self.refusal {
            Some(refusal) if self.findings.is_empty() => Err(refusal.clone()),
            _ => Ok(self),
        }
    }

    /// The progress of the search, in words.
    fn so_far(&self) -> String {
        let counted = |number: u64, what: &str| match number {
            1 => format!("1 {what}"),
            _ => format!("{number} {what}s"),
        };
        let found = match self.counts.violations.iter().sum() {
            0 => "no violation was found by then".to_owned(),
            1 => "1 violation was found by then, which may be wrong".to_owned(),
            violations => format!("{violations} violations were found by then, which may be wrong"),
        };
        let states = counted(self.states_visited, "state");
        let events = counted(self.counts.events, "event");
        format!("{states} and {events}; {found}")
    }

    /// The first violation.
    #[must_use]
    pub fn finding(&self) -> Option<&Finding> {
        self.findings.first()
    }

    /// Memory per stored state, in bytes.
    #[must_use]
    pub fn bytes_per_state(&self) -> f64 {
        self.bytes as f64 / self.states_visited.max(1) as f64
    }

    /// New states at each depth.
    #[must_use]
    pub fn states_per_depth(&self) -> Vec<u64> {
        let mut states: Vec<u64> = self.counts.depths.iter().map(|depth| depth.states).collect();
        while states.last() == Some(&0) {
            states.pop();
        }
        states
    }
}
