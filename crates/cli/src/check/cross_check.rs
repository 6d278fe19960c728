//! `--cross-check`: the same search by the plain engine, and what differs.

use everypath_explore::{Ended, Explorable, Exploration, Options, Semantics, Strategy};
use everypath_network::Reductions;
use serde::{Deserialize, Serialize};

use super::{spec::CheckSpec, watcher::Watcher};
use crate::{
    error::CliError,
    output::numbers::{counted, grouped},
    scenarios::{
        checked_space::{CheckedSpace, PlainSpace},
        subject::Subject,
    },
    searching::verdict::{Verdict, outcome},
};

/// The comparison of both engines.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "CrossCheck"))]
pub(crate) struct CrossCheck {
    /// Whether all that was compared is equal.
    pub(crate) agrees: bool,
    /// How many facts were compared: the verdict, the findings with their lengths, and every count.
    pub(crate) compared: usize,
    /// What differs.
    pub(crate) differences: Vec<Difference>,
    /// What was not compared, and why; null if everything was.
    pub(crate) not_compared: Option<String>,
    /// How often the plain engine executed handlers.
    handler_executions: u64,
    /// How long the plain engine searched.
    #[cfg_attr(test, schemars(range(min = 0)))]
    seconds: f64,
}

/// A fact that differs.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Difference"))]
pub(crate) struct Difference {
    /// The fact.
    what: String,
    /// What the usual engine says.
    usual: String,
    /// What the plain engine says.
    plain: String,
}

/// What one engine says: names and values.
type Facts = Vec<(String, String)>;

/// How much can be compared.
enum Scope {
    /// Everything.
    All,
    /// Levels that are complete, up to this depth: the engines expand the states of a level in orders of
    /// their own.
    Levels(usize),
    /// Nothing but whether a limit was reached.
    Nothing,
}

/// Searches with the plain engine, and compares.
pub(super) fn cross_check<'a>(
    built: &'a Subject<'a>,
    spec: &CheckSpec,
    options: &Options,
    (space, found): (&dyn Explorable, &Exploration),
    watcher: &mut Watcher,
) -> Result<CrossCheck, CliError> {
    let own = spec.search.space_options().reductions(Reductions::NONE);
    let own = own.timers(spec.time.timers.into());
    let mut plain = PlainSpace::open(built, own)?;
    let options = options.clone().workers(1).note_covered(None);
    let other =
        built.guarded(|| everypath_explore::Searched::explore(&mut plain, &options, watcher))?;
    let other = other.map_err(|refusal| CliError::Refused { refusal })?;
    let scope = Scope::of(&options, found, &other);
    Ok(compared(&scope, (space, found), (&plain, &other)))
}

impl Scope {
    fn of(options: &Options, found: &Exploration, other: &Exploration) -> Self {
        if found.ended.is_stopped() || other.ended.is_stopped() {
            return Self::Nothing;
        }
        let by_levels = options.strategy == Strategy::BreadthFirst
            && options.semantics == Semantics::Exact
            && options.shuffle.is_none();
        let ended_early = [found, other].into_iter().any(|it| it.ended == Ended::Violation);
        let length = found.findings.iter().map(|finding| finding.trace.steps.len()).min();
        match length {
            Some(length) if by_levels && ended_early => Self::Levels(length),
            _ => Self::All,
        }
    }

    fn not_compared(&self) -> Option<String> {
        match self {
            Self::All => None,
            Self::Levels(depth) => Some(format!(
                "the counts of depth {depth}, at which the search stopped: the engines expand the states of a level in orders of their own (--keep-going compares them)"
            )),
            Self::Nothing => Some(
                "a limit stopped one of the engines, so there is nothing to compare".to_owned(),
            ),
        }
    }
}

fn compared(
    scope: &Scope,
    (space, found): (&dyn Explorable, &Exploration),
    (plain, other): (&dyn Explorable, &Exploration),
) -> CrossCheck {
    let usual = facts(scope, space, found);
    let own = facts(scope, plain, other);
    let mut names: Vec<&String> = usual.iter().map(|(name, _)| name).collect();
    names.extend(
        own.iter()
            .map(|(name, _)| name)
            .filter(|name| usual.iter().all(|(known, _)| known != *name)),
    );
    let value = |facts: &Facts, name: &str| {
        let found = facts.iter().find(|(known, _)| known == name);
        found.map_or("none".to_owned(), |(_, value)| value.clone())
    };
    let differences: Vec<Difference> = names
        .iter()
        .map(|name| Difference {
            what: (*name).clone(),
            usual: value(&usual, name),
            plain: value(&own, name),
        })
        .filter(|it| it.usual != it.plain)
        .collect();
    CrossCheck {
        agrees: differences.is_empty(),
        compared: names.len(),
        differences,
        not_compared: scope.not_compared(),
        handler_executions: other.handler_executions,
        seconds: other.elapsed.as_secs_f64(),
    }
}

/// All that an engine says, to the extent that it can be compared.
fn facts(scope: &Scope, space: &dyn Explorable, found: &Exploration) -> Facts {
    let mut facts = Facts::new();
    let mut add = |name: String, value: String| facts.push((name, value));
    if matches!(scope, Scope::Nothing) {
        return facts;
    }
    add("verdict".to_owned(), Verdict::from(outcome(found, space.goals().len())).word().to_owned());
    add("end".to_owned(), found.ended.name().to_owned());
    let lengths = found.findings.iter().map(|finding| finding.trace.steps.len()).min();
    add("shortest run found to a violation".to_owned(), format!("{lengths:?}"));
    let (states, events) = (found.states_per_depth(), found.counts.depths.iter());
    let events: Vec<u64> = events.map(|depth| depth.events).collect();
    let most = if let Scope::Levels(depth) = scope { *depth } else { usize::MAX };
    for (depth, states) in states.iter().enumerate().take(most) {
        add(format!("states at depth {depth}"), states.to_string());
    }
    for (depth, events) in events.iter().enumerate().take(most) {
        add(format!("events to depth {depth}"), events.to_string());
    }
    if matches!(scope, Scope::All) {
        facts.extend(totals(space, found));
    }
    facts
}

/// What is known of a whole search.
fn totals(space: &dyn Explorable, found: &Exploration) -> Facts {
    let counts = &found.counts;
    let numbers = [
        ("states", found.states_visited),
        ("waiting states", found.states_waiting),
        ("depth", found.depth.into()),
        ("events", counts.events),
        ("unsafe events", counts.unsafe_events),
        ("unsafe events without the required one", counts.unsafe_without_required),
        ("tree events", counts.tree_events),
        ("non-tree events", counts.non_tree_events),
        ("deepest events", counts.deepest_events),
        ("pruned states", counts.pruned),
        ("ends", counts.ends),
    ];
    let mut facts: Facts =
        numbers.map(|(name, number)| (name.to_owned(), number.to_string())).into();
    for (kind, counts) in space.event_kinds().into_iter().zip(&counts.kinds) {
        let value = format!("{} in {} states", counts.events, counts.enabled_states);
        facts.push((format!("events of kind {kind}"), value));
    }
    for (assertion, times) in space.assertions().into_iter().zip(&counts.violations) {
        facts.push((format!("violations of `{assertion}`"), times.to_string()));
    }
    for finding in &found.findings {
        let name = &space.assertions()[finding.assertion];
        let length = finding.trace.steps.len();
        facts.push((format!("steps to violate `{name}`"), length.to_string()));
    }
    for witness in &found.witnesses {
        let name = &space.goals()[witness.goal];
        facts.push((format!("steps to reach `{name}`"), witness.trace.steps.len().to_string()));
    }
    facts
}

impl CrossCheck {
    /// In one line.
    pub(crate) fn row(&self) -> String {
        let facts = counted(self.compared as u64, "fact");
        let executions = counted(self.handler_executions, "execution");
        let cost = format!("in {:.3} s, by {executions}", self.seconds);
        match (self.agrees, self.compared) {
            (_, 0) => format!("compared with nothing; {cost}"),
            (true, _) => format!("agrees in {facts}; {cost}"),
            (false, _) => {
                let differences = grouped(self.differences.len() as u64);
                format!("DISAGREES in {differences} of {facts}; {cost}")
            }
        }
    }

    /// What differs, and what was not compared, one line each.
    pub(crate) fn details(&self) -> Vec<String> {
        let differences = self.differences.iter().map(|Difference { what, usual, plain }| {
            format!("the engines disagree on {what}: usual {usual}, plain {plain}")
        });
        let omitted = self.not_compared.iter().map(|what| format!("not compared: {what}"));
        differences.chain(omitted).collect()
    }
}
