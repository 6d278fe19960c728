//! Everypath's exploration of a case, and its findings as names and texts.

use std::{collections::BTreeMap, io::Cursor, ops::ControlFlow};

use everypath_explore::{
    Described, Ended, EventPattern, Exploration, Judged, Limit, Measured, Options, PartText,
    Progress, Refusal, Related, ResumeError, Space, StateId, Trace, Watch, WriteSearch, explore,
    resume, shrink,
};
use everypath_model::Scenario;
use everypath_network::{Changes, Memo, NetworkSpace, SpaceError, SpaceOptions, Verification};

use crate::{
    conditions::{Conditions, Pattern},
    oracle::Reading,
    protocol::Tabled,
    search::{Rerun, Reuse, Search},
};

/// One step of a run: the event, and the world after it as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldStep {
    /// The name of the kind.
    pub kind: String,
    /// Its node.
    pub node: Option<u32>,
    /// Its parameters.
    pub parameters: Vec<(String, String)>,
    /// The world afterwards.
    pub after: Reading,
}

/// A run to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The name of the assertion or of the goal.
    pub name: String,
    /// The world at the start.
    pub start: Reading,
    /// The steps.
    pub steps: Vec<ToldStep>,
}

/// The findings of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Why it ended.
    pub ended: Ended,
    /// Whether it reports that it is complete.
    pub complete: bool,
    /// States stored.
    pub states: u64,
    /// By depth.
    pub states_by_depth: Vec<u64>,
    /// By depth.
    pub events_by_depth: Vec<u64>,
    /// By kind: events, and states in which one can happen.
    pub kinds: BTreeMap<String, (u64, u64)>,
    /// Events; unsafe ones; without the required event; tree, non-tree and deepest ones; ends; pruned states.
    pub counts: [u64; 8],
    /// How often each assertion is violated.
    pub violations: BTreeMap<String, u64>,
    /// A run to each violation.
    pub findings: Vec<Told>,
    /// The same runs after shrinking, if tried.
    pub shrunk: Vec<Told>,
    /// A run to each goal.
    pub witnesses: Vec<Told>,
    /// Whether the search turned out unsound.
    pub refused: bool,
}

/// The findings of a run, and its label.
pub type ToldRun = (Option<&'static str>, Found);

/// The outcome of a search.
pub enum Came {
    /// The findings of each run, with its label.
    Runs(Vec<ToldRun>),
    /// It was refused.
    Refused(Refusal),
}

fn pattern(pattern: &Pattern) -> EventPattern {
    pattern.to_string().parse().expect("it describes events")
}

/// The options of a space under conditions.
#[must_use]
pub fn space_options(conditions: &Conditions, verify_determinism: bool) -> SpaceOptions {
    SpaceOptions::default()
        .verification(if verify_determinism { Verification::All } else { Verification::Share })
        .disabled(conditions.disabled.iter().map(pattern).collect())
        .required(conditions.required.as_ref().map(pattern))
        .deadlock(conditions.deadlock)
}

/// Whether Everypath accepts the conditions for a scenario.
///
/// # Errors
/// The reason for a refusal.
pub fn accepts(scenario: &Scenario<Tabled>, conditions: &Conditions) -> Result<(), SpaceError> {
    NetworkSpace::new(scenario, space_options(conditions, false)).map(drop)
}

/// Explores a case.
///
/// # Errors
/// An error that must not happen.
pub fn run(
    scenario: &Scenario<Tabled>,
    conditions: &Conditions,
    search: &Search,
) -> Result<Came, String> {
    let runner = Runner { scenario, conditions, search };
    let runs = match &search.reuse {
        Reuse::Nothing => runner.once().map(|found| vec![(None, found)]),
        Reuse::Memo(rerun) => runner.with_memo(*rerun),
        Reuse::Graph(rerun) => runner.with_graph(*rerun),
        Reuse::Checkpoints(splits) => runner.with_checkpoints(splits),
    };
    match runs {
        Ok(runs) => Ok(Came::Runs(runs)),
        Err(Trouble::Refused(refusal)) => Ok(Came::Refused(refusal)),
        Err(Trouble::Wrong(what)) => Err(what),
    }
}

/// The reason for a missing result.
enum Trouble {
    Refused(Refusal),
    Wrong(String),
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<ResumeError> for Trouble {
    fn from(error: ResumeError) -> Self {
        match error {
            ResumeError::Refused(refusal) => Self::Refused(refusal),
            other => Self::Wrong(format!("a search cannot be resumed: {other}")),
        }
    }
}

fn wrong(what: &str) -> impl Fn(&dyn std::fmt::Display) -> Trouble + '_ {
    move |error| Trouble::Wrong(format!("{what}: {error}"))
}

/// Saves a search when it ends.
#[derive(Default)]
struct Saver(Option<Vec<u8>>);

impl Watch for Saver {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wants_save(&mut self, at_end: bool) -> bool {
        at_end
    }

    fn save(&mut self, search: &WriteSearch<'_>) {
        let mut bytes = Vec::new();
        search(&mut bytes).expect("memory can be written");
        self.0 = Some(bytes);
    }
}

struct Runner<'a> {
    scenario: &'a Scenario<Tabled>,
    conditions: &'a Conditions,
    search: &'a Search,
}

impl<'a> Runner<'a> {
    fn space(&self) -> NetworkSpace<'a> {
        let options = space_options(self.conditions, self.search.verify_determinism);
        NetworkSpace::new(self.scenario, options).expect("the conditions were accepted")
    }

    fn options(&self, space: &impl Related) -> Options {
        let place = |name| space.relations().iter().position(|known| known == name);
        self.search.options.clone().relation(self.search.relation.and_then(place))
    }

    fn explored(&self, space: &mut NetworkSpace<'a>) -> Result<Found, Trouble> {
        let options = self.options(space);
        let found = explore(space, &options, &mut ())?;
        Ok(tell(space, &found, &options))
    }

    fn once(&self) -> Result<Found, Trouble> {
        self.explored(&mut self.space())
    }

    /// Runs a first search, which writes a file, and a second, which reads it. The findings of the
    /// first are returned only if it is the same search.
    fn twice(
        &self,
        Rerun { of_another, .. }: Rerun,
        names: [&'static str; 2],
        first: impl FnOnce(&Runner<'_>) -> Result<(Found, Vec<u8>), Trouble>,
        second: impl FnOnce(&[u8]) -> Result<Found, Trouble>,
    ) -> Result<Vec<ToldRun>, Trouble> {
        let mut runs = Vec::new();
        let written = if of_another {
            let conditions =
                Conditions { required: self.conditions.required.clone(), ..Conditions::default() };
            let search = Search::cut_off();
            let other = Runner { conditions: &conditions, search: &search, ..*self };
            first(&other)?.1
        } else {
            let (found, written) = first(self)?;
            runs.push((Some(names[0]), found));
            written
        };
        runs.push((Some(names[1]), second(&written)?));
        Ok(runs)
    }

    fn with_memo(&self, rerun: Rerun) -> Result<Vec<ToldRun>, Trouble> {
        let first = |runner: &Runner<'_>| {
            let mut space = runner.space();
            space.remember_with(Memo::default());
            let found = runner.explored(&mut space)?;
            let memo = space.memo().ok_or_else(|| Trouble::Wrong("there is no memo".into()))?;
            let mut bytes = Vec::new();
            memo.write(&mut bytes, space.handler_executions(), space.handler_time())
                .map_err(|error| wrong("a memo cannot be written")(&error))?;
            Ok((found, bytes))
        };
        self.twice(rerun, ["memo written", "memo read"], first, |mut bytes| {
            let memo =
                Memo::read(&mut bytes).map_err(|error| wrong("a memo cannot be read")(&error))?;
            let mut space = self.space();
            space.remember_with(if rerun.verifies { memo.verifying() } else { memo });
            let found = self.explored(&mut space)?;
            match space.memo().and_then(Memo::contradiction) {
                Some(what) => Err(wrong("a memo is said to be wrong")(&what)),
                None => Ok(found),
            }
        })
    }

    fn with_graph(&self, rerun: Rerun) -> Result<Vec<ToldRun>, Trouble> {
        let first = |runner: &Runner<'_>| {
            let mut space = runner.space();
            space.record_graph();
            let found = runner.explored(&mut space)?;
            let mut bytes = Vec::new();
            space.finish_graph();
            space
                .write_graph(&mut bytes)
                .map_err(|error| wrong("a graph cannot be written")(&error))?;
            Ok((found, bytes))
        };
        self.twice(rerun, ["graph written", "graph read"], first, |bytes| {
            let mut space = self.space();
            if rerun.verifies {
                space.verify_graph();
            }
            // The space may need these bytes as long as it exists.
            space
                .read_graph(Cursor::new(bytes.to_vec()), Changes::FOUND)
                .map_err(|error| wrong("a graph cannot be read")(&error))?;
            let found = self.explored(&mut space)?;
            let graph = space.graph().ok_or_else(|| Trouble::Wrong("there is no graph".into()))?;
            match graph.contradiction().or(graph.trouble()) {
                Some(what) => Err(wrong("a graph is said to be wrong")(&what)),
                None => Ok(found),
            }
        })
    }

    /// A run that is interrupted and resumed, and an uninterrupted one: both must find the same.
    fn with_checkpoints(&self, splits: &[u64]) -> Result<Vec<ToldRun>, Trouble> {
        let whole = self.once()?;
        let mut saved: Option<Vec<u8>> = None;
        for &states in splits {
            let (ended, now) = self.part(Some(states), saved.as_deref())?;
            if ended.ended != Ended::Limit(Limit::States) {
                break;
            }
            saved = now;
        }
        let Some(saved) = saved else { return Ok(vec![(None, whole)]) };
        let (resumed, _) = self.part(None, Some(&saved))?;
        if resumed != whole {
            let what = format!("resumed at {splits:?}: {resumed:?}\n  uninterrupted: {whole:?}");
            return Err(Trouble::Wrong(what));
        }
        Ok(vec![(Some("resumed"), resumed)])
    }

    fn part(
        &self,
        states: Option<u64>,
        saved: Option<&[u8]>,
    ) -> Result<(Found, Option<Vec<u8>>), Trouble> {
        let mut space = self.space();
        let mut options = self.options(&space);
        options.limits.states = states.or(options.limits.states);
        let mut saver = Saver::default();
        let found = match saved {
            None => explore(&mut space, &options, &mut saver)?,
            Some(mut saved) => resume(&mut space, &options, &mut saver, &mut saved)?,
        };
        Ok((tell(&mut space, &found, &options), saver.0))
    }
}

fn reading(space: &impl Described, state: StateId) -> Reading {
    let parts = space.state_text(state).parts.into_iter();
    parts
        .map(|(name, text)| match text {
            PartText::Value(value) => (name, vec![value]),
            PartText::Bag(mut values) => {
                values.sort_unstable();
                (name, values)
            }
        })
        .collect()
}

fn told(space: &impl Described, name: &str, trace: &Trace) -> Told {
    let steps = trace.transitions().map(|(before, step)| {
        let event = space.event_text(before, step.event);
        let after = reading(space, step.state);
        ToldStep { kind: event.kind, node: event.node, parameters: event.parameters, after }
    });
    Told { name: name.to_owned(), start: reading(space, trace.initial), steps: steps.collect() }
}

fn tell(space: &mut NetworkSpace<'_>, found: &Exploration, options: &Options) -> Found {
    let (assertions, goals) = (space.assertions(), space.goals());
    let counts = &found.counts;
    let kinds = space.event_kinds().into_iter().zip(&counts.kinds);
    let kinds = kinds.filter(|(_, kind)| kind.events > 0 || kind.enabled_states > 0);
    let violations = assertions.iter().cloned().zip(counts.violations.iter().copied());
    let mut shrunk = Vec::new();
    if !options.strategy.finds_shortest() {
        for finding in &found.findings {
            let trace = shrink(space, &finding.trace, finding.assertion, None, &|| false);
            shrunk.push(told(space, &assertions[finding.assertion], &trace));
        }
    }
    let findings = found.findings.iter();
    let witnesses = found.witnesses.iter();
    Found {
        ended: found.ended,
        complete: found.is_complete(),
        states: found.states_visited,
        states_by_depth: found.states_per_depth(),
        events_by_depth: counts.depths.iter().map(|depth| depth.events).collect(),
        kinds: kinds.map(|(name, kind)| (name, (kind.events, kind.enabled_states))).collect(),
        counts: [
            counts.events,
            counts.unsafe_events,
            counts.unsafe_without_required,
            counts.tree_events,
            counts.non_tree_events,
            counts.deepest_events,
            counts.ends,
            counts.pruned,
        ],
        violations: violations.filter(|(_, count)| *count > 0).collect(),
        findings: findings.map(|it| told(space, &assertions[it.assertion], &it.trace)).collect(),
        shrunk,
        witnesses: witnesses.map(|it| told(space, &goals[it.goal], &it.trace)).collect(),
        refused: found.refusal.is_some(),
    }
}
