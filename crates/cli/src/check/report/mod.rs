//! The report of `check`, as text and as JSON.

pub(crate) mod json;
mod rows;
mod text;
mod verdict;

use std::{borrow::Cow, path::Path, time::Duration};

use everypath_driver::BranchText;
use everypath_explore::{EventPattern, Explorable, Exploration, Options, Strategy};
use everypath_network::NetworkSpace;

use super::{
    findings::Findings, growth::Largeness, regressions::Earlier, spec::CheckSpec, trial::Tried,
    vacuity::Vacuities,
};
use crate::{
    kept::{graph::Reused, memo::Remembered},
    output::Outcome,
    scenarios::subject::Subject,
    searching::{
        spec::Conditions,
        verdict::{outcome, stopped_by},
    },
};

/// The report of `check`.
pub(crate) struct Report<'a, 'b> {
    pub(crate) built: &'a Subject<'a>,
    pub(crate) space: &'a dyn Explorable,
    /// The same space, if it is that of a network.
    pub(crate) network: Option<&'a NetworkSpace<'b>>,
    pub(crate) options: &'a Options,
    pub(crate) spec: &'a CheckSpec,
    pub(crate) found: &'a Exploration,
    /// How many executions of handlers were compared with a second one; none if that has no use.
    pub(crate) verified: Option<u64>,
    /// The conditions in the code of calls, if they are known.
    pub(crate) branches: Option<Vec<BranchText>>,
    /// What execution has cost beyond a number of executions.
    pub(crate) costs: Vec<(&'static str, String)>,
    pub(crate) findings: &'a Findings,
    /// Why the search is large, if it was stopped or that was asked.
    pub(crate) largeness: Option<&'a Largeness>,
    /// The path and the size of the checkpoint, if one was saved.
    pub(crate) saved: Option<(&'a Path, u64)>,
    /// What was reused from earlier checks, with `--memo`.
    pub(crate) remembered: Option<&'a Remembered>,
    /// The results of earlier counterexamples, with `--regressions`.
    pub(crate) earlier: Option<&'a Earlier>,
    pub(crate) reused: Option<&'a Reused>,
    /// What was tried of what the check relies on.
    pub(crate) tried: &'a Tried,
    /// Where the state space was drawn, with `--space`.
    pub(crate) drawn: Option<&'a Path>,
    /// The unit of time, if time counts.
    pub(crate) unit: Option<Duration>,
}

impl Report<'_, '_> {
    /// How many goals were not reached.
    fn missed_goals(&self) -> u64 {
        self.findings.witnesses.iter().filter(|witness| witness.is_none()).count() as u64
    }

    /// The patterns of events that matched nothing, each with its option.
    fn unmatched(&self) -> Vec<(&'static str, &EventPattern)> {
        let Conditions { require, disable, .. } = &self.spec.search.conditions;
        let Some(space) = self.network else { return Vec::new() };
        let required = require.iter().filter(|pattern| {
            !space.required_has_happened().unwrap_or_else(|| space.has_met(pattern))
        });
        let disabled = disable.iter().filter(|pattern| !space.has_met(pattern));
        let required = required.map(|pattern| ("require", pattern));
        required.chain(disabled.map(|pattern| ("disable", pattern))).collect()
    }

    pub(crate) fn outcome(&self) -> Outcome {
        if self.tried.engines.as_ref().is_some_and(|engines| !engines.agrees) {
            return Outcome::Violation;
        }
        match outcome(self.found, self.findings.witnesses.len()) {
            Outcome::Fine if self.spec.output.strict && self.is_vacuous() => Outcome::Vacuous,
            outcome => outcome,
        }
    }

    /// Why it says less than it seems to, if the search has seen enough to know.
    fn vacuities(&self) -> Option<Vacuities> {
        // A resumed search, or one that copies steps, does not evaluate every assumption.
        let resumed = self.spec.search.long_run.resume.is_some();
        let asked_all = !resumed && self.spec.graph.graph.is_none();
        Vacuities::of(self.space, self.network, self.found, asked_all)
    }

    fn is_vacuous(&self) -> bool {
        self.vacuities().is_some_and(|vacuities| !vacuities.is_empty())
    }

    /// The keys of a scenario file that an exploration does not use.
    fn unexplored(&self) -> Vec<&str> {
        let Subject { file, start, .. } = self.built;
        file.map_or(Vec::new(), |file| file.unexplored(start.is_some()))
    }

    /// What stopped the search.
    fn stopped_by(&self) -> Cow<'static, str> {
        stopped_by(self.found.ended, self.spec.search.limits.memory)
    }

    /// Whether a violation was found before the search began.
    fn found_before(&self) -> bool {
        self.earlier.is_some_and(|earlier| earlier.found.is_some())
    }

    /// Whether the search stores no states.
    fn walks(&self) -> bool {
        !self.found_before() && matches!(self.options.strategy, Strategy::RandomWalk { .. })
    }
}
