//! The report of an exploration in parts, as JSON has it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Answer, InstanceReport};
use crate::{
    arguments::published::ProfileName,
    check::report::json::{CounterexampleReport, GoalReport},
    searching::{json::ConditionsReport, verdict::Verdict},
    traces::story_json::{StepReport, StepsReport},
};

/// What `everypath check --json` prints of an exploration in parts: with `--cut`, `--starts` or `--merge`.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Instances"))]
pub(crate) struct InstancesReport<Steps = Vec<StepReport>> {
    /// The name of the scenario.
    scenario: String,
    /// The semantics of runs.
    profile: ProfileName,
    /// The values of all parameters that have an effect.
    parameters: BTreeMap<String, String>,
    /// The verdict.
    verdict: Verdict,
    /// Whether all parts are there, and each has visited everything within the bound.
    complete: bool,
    /// Where the exploration is cut: `depth:D` or a cut of the scenario; null if the scenario gives the starts.
    cut: Option<String>,
    /// The list of starts that the scenario gives; null if the exploration is cut.
    starts: Option<String>,
    /// The number of instances into which the states of the cut are dealt; null if they are not dealt.
    parts: Option<u32>,
    /// The bound on the number of events of a run; null if there was none.
    max_depth: Option<u32>,
    /// The states of all parts, added up.
    states_sum: u64,
    /// How many of them are distinct; null with `--no-union`.
    states_union: Option<u64>,
    /// The sum divided by the number of distinct states: how often a state was visited.
    #[cfg_attr(test, schemars(range(min = 0)))]
    redundancy: Option<f64>,
    /// The events of all parts, added up.
    events: u64,
    /// How many events led to a state that violates an assertion, added up.
    unsafe_events: u64,
    /// How many violations are on runs without the event of `--require`, added up: they are not reported.
    unsafe_without_required: u64,
    /// How many expanded states had no enabled event, added up.
    states_ending: u64,
    /// How many expanded states the scenario asked to prune, added up.
    states_pruned: u64,
    /// The length of the longest run, from the scenario's own start.
    depth: u32,
    /// The counts of the trunk; null if the scenario gives the starts.
    trunk: Option<PartCounts>,
    /// The number of instances, including those that are equal to others.
    instance_count: usize,
    /// Each instance that has to be run.
    instances: Vec<InstanceRow>,
    /// The names of instances without an answer.
    missing: Vec<String>,
    /// Why they have none; null if none is missing.
    missing_because: Option<String>,
    /// How many starts with a violation no run reaches; null if there was no violation from a start that the scenario gives.
    spurious_starts: Option<u64>,
    /// A violation from a start of which it is not known whether a run reaches it; null if there is none.
    possible: Option<PossibleViolation<Steps>>,
    /// The first violation, by a shortest run; null if there was none.
    counterexample: Option<CounterexampleReport<Steps>>,
    /// The first violation of each violated assertion.
    counterexamples: Vec<CounterexampleReport<Steps>>,
    /// The name of the instance in which each was found; null for the trunk.
    found_in: Vec<Option<String>>,
    /// The goals of the scenario.
    goals: Vec<GoalReport<Steps>>,
    /// The part file that was written; null without `--share`.
    part: Option<String>,
    /// The conditions of the search; null where one does not apply.
    options: ConditionsReport,
    /// The time from the beginning of the command.
    #[cfg_attr(test, schemars(range(min = 0)))]
    seconds: f64,
}

/// The counts of the trunk, or of an instance.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PartCounts {
    /// How many distinct states were stored, without those at which a trunk stops.
    states: u64,
    /// How many events were executed.
    events: u64,
    /// The length of the longest run, from the scenario's own start.
    depth: u32,
}

/// An instance.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Instance"))]
struct InstanceRow {
    /// Its name.
    name: String,
    /// How many starts it has.
    starts: usize,
    /// How many instances have these starts. They are run once.
    #[cfg_attr(test, schemars(range(min = 1)))]
    multiplicity: usize,
    /// Its counts; null if it was not run.
    counts: Option<PartCounts>,
    /// Its verdict: `holds`, `violated`, `possibly violated`, `spurious`, `not run`, or `stopped by` a limit.
    verdict: String,
}

/// A violation from a start of which it is not known whether a run reaches it.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PossibleViolation<Steps> {
    /// The name of the instance.
    instance: String,
    /// The violated assertion.
    assertion: String,
    /// The run, from a start of the instance.
    steps: Steps,
}

impl From<&Answer> for PartCounts {
    fn from(answer: &Answer) -> Self {
        Self { states: answer.states, events: answer.events, depth: answer.depth }
    }
}

impl InstanceReport<'_> {
    /// The report as JSON has it.
    pub(in super::super) fn to_json(&self) -> InstancesReport<StepsReport<'_>> {
        let Self { built, answers, instances, .. } = self;
        let name = Some(instances.division.name());
        let (starts, cut) = match answers.is_covering() {
            true => (name, None),
            false => (None, name),
        };
        let possible = self.confirmed.and_then(|it| it.possible.as_ref());
        let counterexamples = self.counterexamples.iter();
        let counterexamples: Vec<_> = counterexamples.map(CounterexampleReport::from).collect();
        let goals = built.scenario.goals.iter().zip(&self.witnesses);
        let name_of = |&place: &usize| answers.instances[place].name.clone();
        InstancesReport {
            scenario: built.name.clone(),
            profile: built.parameters.profile().into(),
            parameters: built.values(),
            verdict: self.outcome().into(),
            complete: self.is_complete(),
            cut,
            starts,
            parts: instances.parts,
            max_depth: self.options.max_depth,
            states_sum: self.sum(|answer| answer.states),
            states_union: self.union.map(|(union, _)| union),
            redundancy: self.redundancy(),
            events: self.sum(|answer| answer.events),
            unsafe_events: self.sum(|answer| answer.unsafe_events),
            unsafe_without_required: self.sum(|answer| answer.unsafe_without_required),
            states_ending: self.sum(|answer| answer.ends),
            states_pruned: self.sum(|answer| answer.pruned),
            depth: self.depth(),
            trunk: answers.trunk.as_ref().map(PartCounts::from),
            instance_count: self.instance_count(),
            instances: self.instance_rows(),
            missing: self.missing_places.iter().map(name_of).collect(),
            missing_because: self
                .missing
                .filter(|_| !self.missing_places.is_empty())
                .map(str::to_owned),
            spurious_starts: self.confirmed.map(|it| it.spurious),
            possible: possible.map(|it| PossibleViolation {
                instance: it.instance.clone(),
                assertion: it.assertion.clone(),
                steps: StepsReport(&it.story),
            }),
            counterexample: counterexamples.first().cloned(),
            counterexamples,
            found_in: self
                .violations
                .iter()
                .map(|found| self.part_of(found).map(str::to_owned))
                .collect(),
            goals: goals
                .map(|(goal, witness)| GoalReport::new(goal.clone(), witness.as_ref()))
                .collect(),
            part: self.part.map(|part| part.display().to_string()),
            options: (&self.spec.search.conditions).into(),
            seconds: self.seconds,
        }
    }

    fn instance_rows(&self) -> Vec<InstanceRow> {
        let instances = self.answers.instances.iter().enumerate();
        instances
            .map(|(place, named)| InstanceRow {
                name: named.name.clone(),
                starts: named.starts,
                multiplicity: 1 + named.equal.len(),
                counts: self.answers.answers.get(&place).map(PartCounts::from),
                verdict: self.verdict_of(place),
            })
            .collect()
    }
}
