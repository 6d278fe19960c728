//! What a check tries of what it relies on: its engine by another, a relation, ignored values.

use everypath_explore::{Exploration, RelationFailure, RelationTrial, try_relation};
use everypath_model::EQUAL;
use everypath_network::{NetworkSpace, Reductions, SpaceOptions};
use everypath_report::state_lines;
use serde::{Deserialize, Serialize};

use super::{cross_check::CrossCheck, spec::CheckSpec};
use crate::{
    arguments::{
        search::{StoreName, StrategyName, word},
        time::TimersName,
        trial::EngineName,
    },
    error::{CliError, unused},
    output::numbers::{counted, grouped},
    running::interrupt,
    scenarios::checked_space::CheckedSpace,
};

/// What was tried.
#[derive(Default)]
pub(crate) struct Tried {
    /// With `--cross-check`.
    pub(crate) engines: Option<CrossCheck>,
    /// With `--verify-relation`.
    pub(crate) relation: Option<TriedRelation>,
    /// With `--verify-ignored`: how many executions were compared; nothing if nothing is ignored.
    pub(crate) ignored: Option<Option<u64>>,
}

/// What came of trying a relation.
pub(crate) struct TriedRelation {
    /// How many pairs the search has met.
    pub(crate) met: u64,
    pub(crate) trial: RelationTrial,
    /// The failure in words.
    pub(crate) failure: Option<String>,
}

/// A relation that was tried, as JSON has it.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "RelationTrial"))]
pub(crate) struct RelationReport {
    /// How many pairs of a skipped state and one that covers it the search has met.
    pairs_met: u64,
    /// How many of them were tried.
    pairs_tried: u64,
    /// For how many steps of skipped states a match was sought.
    steps: u64,
    /// What a covered state can do and the one that covers it cannot, with both states; null if nothing was found.
    failure: Option<String>,
}

/// Ignored values that were tried, as JSON has them.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "IgnoredTrial"))]
pub(crate) struct IgnoredReport {
    /// Whether something in the states is ignored.
    present: bool,
    /// How many executions were compared with one in an equal state with other ignored values.
    executions: u64,
}

impl Tried {
    /// The relation as JSON has it.
    pub(crate) fn relation_report(&self) -> Option<RelationReport> {
        let TriedRelation { met, trial, failure } = self.relation.as_ref()?;
        let (pairs_tried, steps) = (trial.pairs, trial.steps);
        Some(RelationReport { pairs_met: *met, pairs_tried, steps, failure: failure.clone() })
    }

    /// Ignored values as JSON has them.
    pub(crate) fn ignored_report(&self) -> Option<IgnoredReport> {
        let compared = self.ignored?;
        Some(IgnoredReport { present: compared.is_some(), executions: compared.unwrap_or(0) })
    }
}

impl TriedRelation {
    /// In one line.
    pub(crate) fn row(&self) -> String {
        let Self { met, trial, failure } = self;
        let tried = format!(
            "{} of {} tried, with {}",
            grouped(trial.pairs),
            counted(*met, "pair"),
            counted(trial.steps, "step")
        );
        match failure {
            None => format!("{tried}: each step is matched"),
            Some(_) => format!("{tried}: it is no simulation, see below"),
        }
    }
}

/// Why a search that ended by itself is not trusted.
pub(crate) const NO_SIMULATION: &str =
    "the relation is not a simulation, so states that matter may have been skipped";

/// The options of the space, if they are to suit the plain engine or to try ignored values.
pub(crate) fn space_options(spec: &CheckSpec) -> SpaceOptions {
    let own = spec.search.space_options().verify_ignored(spec.trial.verify_ignored);
    let own = own.timers(spec.time.timers.into());
    match spec.trial.cross_check {
        true => own.reductions(Reductions::NONE),
        false => own,
    }
}

/// Refuses what cannot be combined with the plain engine, or with trying something.
pub(crate) fn ensure_possible(spec: &CheckSpec) -> Result<(), CliError> {
    const NOT_KEPT: &str = "the plain engine executes every handler every time";
    const ONE: &str = "the plain engine has no parts that several threads could share";
    const WHOLE: &str = "the plain engine compares whole states";
    const AS_IT_IS: &str = "the plain engine explores every state as it is";
    const UNSAVED: &str = "the plain engine cannot be saved";
    const TWICE: &str = "the plain engine executes no handler twice to compare; the usual one does";
    const FRESH: &str = "the native nodes of the plain engine are made again each time";
    const UNTIMED: &str = "the plain engine does not play its runs with times";
    const RETRY: &str = "the plain engine explores no neighbourhoods of earlier runs";
    let CheckSpec { search, time, memo, graph, regressions, trial, .. } = spec;
    let (method, long_run) = (&search.method, &search.long_run);
    let is_plain = trial.engine == EngineName::Plain || time.timed;
    let other = match (time.timed, is_plain) {
        (true, _) => "--timed",
        (_, true) => "--engine plain",
        _ => "--cross-check",
    };
    let conflicts = [
        (memo.memo.is_some(), "--memo", NOT_KEPT),
        (graph.graph.is_some(), "--graph", NOT_KEPT),
        (regressions.folder().is_some(), "--regressions", RETRY),
        (is_plain && long_run.workers > 1, "--workers", ONE),
        (long_run.checkpoint.is_some(), "--checkpoint", UNSAVED),
        (long_run.resume.is_some(), "--resume", UNSAVED),
        (!matches!(method.store, StoreName::Exact), "--store", WHOLE),
        (method.reduce.unwrap_or(Reductions::NONE) != Reductions::NONE, "--reduce", AS_IT_IS),
        (method.native.is_some(), "--native", FRESH),
        (method.native_nodes.is_some(), "--native-nodes", FRESH),
        (is_plain && search.conditions.verifies_all(), "--verify-determinism", TWICE),
        (is_plain && search.conditions.verifies_nothing(), "--trust-handlers", TWICE),
        (is_plain && time.max_late.is_some(), "--max-late", UNTIMED),
        (is_plain && trial.verify_ignored, "--verify-ignored", TWICE),
        (is_plain && trial.cross_check, "--cross-check", "it runs both engines"),
        (
            !is_plain && search.limits.states.is_some(),
            "--max-states",
            "the engines would stop at different places; bound the depth instead",
        ),
    ];
    ensure_unkept(spec)?;
    let conflict = conflicts.into_iter().find(|(given, ..)| *given);
    match conflict.filter(|_| is_plain || trial.cross_check) {
        Some((_, option, why)) => Err(CliError::NotTogether { option, other, why }),
        None => ensure_tried(spec),
    }
}

/// Refuses to keep results of a search whose timers fire in order, and to replay what may not count.
fn ensure_unkept(spec: &CheckSpec) -> Result<(), CliError> {
    const WHY: &str = "what is kept of a search does not say for how long timers were set";
    let CheckSpec { search, time, memo, graph, regressions, .. } = spec;
    let kept = [
        (memo.memo.is_some(), "--memo"),
        (graph.graph.is_some(), "--graph"),
        (search.long_run.checkpoint.is_some(), "--checkpoint"),
        (search.long_run.resume.is_some(), "--resume"),
        (regressions.folder().is_some(), "--regressions"),
    ];
    if time.max_late.is_some() && regressions.folder().is_some() {
        let why = "an earlier counterexample that is too late would end the check before anything is searched";
        return Err(CliError::NotTogether { option: "--regressions", other: "--max-late", why });
    }
    match kept.into_iter().find(|(given, _)| *given && time.timers == TimersName::Ordered) {
        Some((_, option)) => {
            Err(CliError::NotTogether { option, other: "--timers ordered", why: WHY })
        }
        None => Ok(()),
    }
}

/// Refuses to try what the check does not have.
fn ensure_tried(spec: &CheckSpec) -> Result<(), CliError> {
    const RECALLED: &str = "what is recalled is not executed, and so not tried";
    let CheckSpec { search, memo, graph, trial, .. } = spec;
    let recalled = [(memo.memo.is_some(), "--memo"), (graph.graph.is_some(), "--graph")];
    if trial.verify_ignored
        && let Some((_, option)) = recalled.into_iter().find(|(given, _)| *given)
    {
        return Err(CliError::NotTogether { option, other: "--verify-ignored", why: RECALLED });
    }
    if trial.verify_relation.is_none() {
        return Ok(());
    }
    if search.method.relation == EQUAL {
        return Err(unused(
            "--verify-relation",
            "--relation equal, by which a state covers itself",
        ));
    }
    if search.long_run.resume.is_some() {
        let why = "the pairs that were met before are not saved";
        return Err(CliError::NotTogether { option: "--resume", other: "--verify-relation", why });
    }
    match search.method.strategy {
        StrategyName::Deepening | StrategyName::Walk => {
            let strategy = word(&search.method.strategy);
            Err(unused("--verify-relation", format!("--strategy {strategy}")))
        }
        _ => Ok(()),
    }
}

/// Refuses to try ignored values of native nodes, which are not plain data.
pub(crate) fn ensure_has_data(
    network: Option<&NetworkSpace<'_>>,
    spec: &CheckSpec,
) -> Result<(), CliError> {
    let is_native = network.is_some_and(|network| network.native_counts().is_some());
    match spec.trial.verify_ignored && is_native {
        true => Err(unused(
            "--verify-ignored",
            "native nodes, of which nothing is ignored but what is not seen",
        )),
        false => Ok(()),
    }
}

/// Tries a relation on the pairs that the search has noted.
pub(crate) fn relation<'a>(
    space: &mut impl CheckedSpace<'a>,
    relation: usize,
    found: &Exploration,
) -> TriedRelation {
    let trial = try_relation(space, relation, &found.covered.pairs, &interrupt::happened);
    let failure = trial.failure.as_ref().map(|failure| failure_text(space, failure));
    TriedRelation { met: found.covered.met, trial, failure }
}

/// A failure in words, with both states.
fn failure_text<'a>(space: &impl CheckedSpace<'a>, failure: &RelationFailure) -> String {
    let (state, other) = failure.states();
    let shown = |state| {
        let lines = state_lines(&space.state_text(state)).into_iter();
        lines.map(|line| format!("    {line}\n")).collect::<String>()
    };
    let mut text =
        format!("  this state:\n{}  is covered by this one:\n{}", shown(state), shown(other));
    text += &match failure {
        RelationFailure::Step { step, .. } => format!(
            "  but no step of the second matches this step of the first: {}\n  which leads to:\n{}",
            space.event_text(state, step.event).sentence,
            shown(step.target)
        ),
        RelationFailure::Assertion { assertion, .. } => {
            format!("  but only the first violates: {}\n", space.assertions()[*assertion])
        }
        RelationFailure::Goal { goal, .. } => {
            format!("  but only the first reaches: {}\n", space.goals()[*goal])
        }
        _ => String::new(),
    };
    text
}
