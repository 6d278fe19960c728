//! The report of an exploration in parts as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Answer, InstanceReport};
use crate::{
    check::findings::Counterexample, searching::verdict::verdict, traces::story_json::StepsJson,
};

/// The report of an exploration in parts.
#[derive(Serialize)]
pub(in super::super) struct InstancesJson<'a> {
    /// The scenario.
    scenario: &'a str,
    /// Its profile.
    profile: &'static str,
    /// The values of its parameters.
    parameters: BTreeMap<String, String>,
    /// `holds`, `violated` or `inconclusive`.
    verdict: &'static str,
    /// Whether all parts are there and have visited everything within the bound.
    complete: bool,
    /// Where the exploration is cut: `depth:D` or a cut of the scenario.
    cut: Option<String>,
    /// The list of starts that the scenario gives, if they replace a cut.
    starts: Option<String>,
    /// Into how many instances the states of the cut are dealt.
    parts: Option<u32>,
    /// The depth bound.
    max_depth: Option<u32>,
    /// The states of all parts, added up.
    states_sum: u64,
    /// Distinct states, if digests were kept.
    states_union: Option<u64>,
    /// The sum divided by the union.
    redundancy: Option<f64>,
    /// The events of all parts, added up.
    events: u64,
    /// Those that lead to a state that violates an assertion.
    unsafe_events: u64,
    /// States without a successor, added up.
    states_ending: u64,
    /// Pruned states, added up.
    states_pruned: u64,
    /// The length of the longest run, from the scenario's own start.
    depth: u32,
    /// The trunk, if there is one.
    trunk: Option<PartJson>,
    /// The number of instances, with those that are equal to others.
    instance_count: usize,
    /// Each instance that has to be run.
    instances: Vec<InstanceJson<'a>>,
    /// The names of instances without an answer.
    missing: Vec<&'a str>,
    /// Why they have none.
    missing_because: Option<&'a str>,
    /// How many starts with a violation no run reaches; null if that was not in question.
    spurious_starts: Option<u64>,
    /// A violation that is possible, and not confirmed.
    possible: Option<PossibleJson<'a>>,
    /// The shortest counterexample.
    counterexample: Option<&'a Counterexample>,
    /// The shortest of each assertion, where more than one was asked for.
    counterexamples: &'a [Counterexample],
    /// The name of the instance of each counterexample; null for the trunk.
    found_in: Vec<Option<&'a str>>,
    /// The goals, each with a run that reaches it.
    goals: Vec<GoalJson<'a>>,
    /// The part file that was written.
    part: Option<String>,
    /// Time passed.
    seconds: f64,
}

/// The counts of the trunk or of an instance.
#[derive(Serialize)]
struct PartJson {
    /// States visited, without those at which a trunk stops.
    states: u64,
    /// Events executed.
    events: u64,
    /// The length of the longest run, from the scenario's own start.
    depth: u32,
}

/// An instance.
#[derive(Serialize)]
struct InstanceJson<'a> {
    /// Its name.
    name: &'a str,
    /// How many starts it has.
    starts: usize,
    /// How many instances have these starts.
    multiplicity: usize,
    /// Its counts; null if it was not run.
    counts: Option<PartJson>,
    /// Its verdict, in words.
    verdict: String,
}

/// A violation that is possible.
#[derive(Serialize)]
struct PossibleJson<'a> {
    /// The instance.
    instance: &'a str,
    /// The assertion.
    assertion: &'a str,
    /// The run, from a start of the instance.
    steps: StepsJson<'a>,
}

/// A goal, and a run that reaches it.
#[derive(Serialize)]
struct GoalJson<'a> {
    /// The goal.
    goal: &'a str,
    /// Whether it was reached.
    reached: bool,
    /// A shortest run to it.
    steps: Option<StepsJson<'a>>,
}

impl From<&Answer> for PartJson {
    fn from(answer: &Answer) -> Self {
        Self { states: answer.states, events: answer.events, depth: answer.depth }
    }
}

impl InstanceReport<'_> {
    pub(in super::super) fn to_json(&self) -> InstancesJson<'_> {
        let Self { built, answers, instances, .. } = self;
        let name = Some(instances.division.name());
        let (starts, cut) = match answers.is_covering() {
            true => (name, None),
            false => (None, name),
        };
        let possible = self.confirmed.and_then(|it| it.possible.as_ref());
        let goals = built.scenario.goals.iter().zip(&self.witnesses);
        let name_of = |&place: &usize| answers.instances[place].name.as_str();
        InstancesJson {
            scenario: &built.name,
            profile: built.parameters.profile().name(),
            parameters: built.values(),
            verdict: verdict(self.outcome()),
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
            states_ending: self.sum(|answer| answer.ends),
            states_pruned: self.sum(|answer| answer.pruned),
            depth: self.depth(),
            trunk: answers.trunk.as_ref().map(PartJson::from),
            instance_count: self.instance_count(),
            instances: self.instances_json(),
            missing: self.missing_places.iter().map(name_of).collect(),
            missing_because: self.missing.filter(|_| !self.missing_places.is_empty()),
            spurious_starts: self.confirmed.map(|it| it.spurious),
            possible: possible.map(|it| PossibleJson {
                instance: &it.instance,
                assertion: &it.assertion,
                steps: StepsJson(&it.story),
            }),
            counterexample: self.counterexamples.first(),
            counterexamples: &self.counterexamples,
            found_in: self.violations.iter().map(|found| self.part_of(found)).collect(),
            goals: goals
                .map(|(goal, witness)| GoalJson {
                    goal,
                    reached: witness.is_some(),
                    steps: witness.as_ref().map(StepsJson),
                })
                .collect(),
            part: self.part.map(|part| part.display().to_string()),
            seconds: self.seconds,
        }
    }

    fn instances_json(&self) -> Vec<InstanceJson<'_>> {
        let instances = self.answers.instances.iter().enumerate();
        instances
            .map(|(place, named)| InstanceJson {
                name: &named.name,
                starts: named.starts,
                multiplicity: 1 + named.equal.len(),
                counts: self.answers.answers.get(&place).map(PartJson::from),
                verdict: self.verdict_of(place),
            })
            .collect()
    }
}
