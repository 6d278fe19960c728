//! The answers of parts of an exploration, and how they are joined.

use std::collections::BTreeMap;

use everypath_explore::{
    Described, Divergence, Ended, Exploration, StateId, Trace, replay, replay_from,
};
use everypath_network::NetworkSpace;
use everypath_report::RecordedStep;
use serde::{Deserialize, Serialize};

use super::digests::Seen;
use crate::{running::memory::MemoryLimit, searching::verdict::stopped_by};

/// How the trunk or an instance ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum End {
    /// No state was left to expand.
    Exhausted,
    /// The depth bound was reached.
    Depth,
    /// A violation was enough.
    Violation,
    /// It was stopped by this.
    Stopped(String),
}

/// The answer of the trunk, or of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answer {
    pub(super) states: u64,
    pub(super) events: u64,
    pub(super) unsafe_events: u64,
    pub(super) unsafe_without_required: u64,
    pub(super) ends: u64,
    pub(super) pruned: u64,
    pub(super) depth: u32,
    pub(super) end: End,
    /// By assertion.
    pub(super) violations: Vec<u64>,
}

impl Answer {
    pub(super) fn of(found: &Exploration, memory: MemoryLimit) -> Self {
        let counts = &found.counts;
        Self {
            states: found.states_visited,
            events: counts.events,
            unsafe_events: counts.unsafe_events,
            unsafe_without_required: counts.unsafe_without_required,
            ends: counts.ends,
            pruned: counts.pruned,
            depth: found.depth,
            end: match found.ended {
                Ended::Exhausted => End::Exhausted,
                Ended::Depth => End::Depth,
                Ended::Violation => End::Violation,
                stopped => End::Stopped(stopped_by(stopped, memory).into_owned()),
            },
            violations: counts.violations.clone(),
        }
    }

    /// Whether everything within the bound was visited.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self.end, End::Exhausted | End::Depth)
    }

    /// Whether it need not be run again.
    pub(super) fn is_final(&self) -> bool {
        !matches!(self.end, End::Stopped(_))
    }

    pub(super) fn is_violated(&self) -> bool {
        self.violations.iter().any(|&count| count > 0)
    }
}

/// A run that means the same in every process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Run {
    /// The digest of its first state.
    initial: String,
    steps: Vec<RecordedStep>,
}

impl Run {
    pub(super) fn record(space: &NetworkSpace<'_>, trace: &Trace) -> Self {
        let digest = |state| format!("{:016x}", space.digest(state));
        let steps = trace.transitions().map(|(before, step)| RecordedStep {
            event: space.event_text(before, step.event),
            digest: digest(step.state),
        });
        Self { initial: digest(trace.initial), steps: steps.collect() }
    }

    /// How many steps it has.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The same behind another run, which ends where it begins.
    pub(super) fn after(&self, before: Self) -> Self {
        let Self { initial, mut steps } = before;
        steps.extend(self.steps.iter().cloned());
        Self { initial, steps }
    }

    fn numbers(&self) -> Option<(u64, Vec<u64>)> {
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        let steps = self.steps.iter().map(|step| number(&step.digest)).collect::<Option<_>>()?;
        Some((number(&self.initial)?, steps))
    }

    /// Runs it again from an initial state.
    pub(super) fn replay(&self, space: &mut NetworkSpace<'_>) -> Result<Trace, Divergence> {
        let (initial, digests) = self.numbers().ok_or(Divergence::Initial)?;
        replay(space, initial, self.steps.iter().map(|step| &step.event).zip(digests))
    }

    /// Runs it again from any state.
    pub(super) fn replay_from(
        &self,
        space: &mut NetworkSpace<'_>,
        start: StateId,
    ) -> Result<Trace, Divergence> {
        let (_, digests) = self.numbers().ok_or(Divergence::Initial)?;
        replay_from(space, start, self.steps.iter().map(|step| &step.event).zip(digests))
    }
}

/// A run to a violation, or to a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Found {
    /// The assertion or the goal.
    pub(super) what: usize,
    /// The instance, by its place; none for the trunk.
    pub(super) instance: Option<usize>,
    /// The start of the instance where it begins, by its place.
    pub(super) start: usize,
    /// For an exact cut from the scenario's own start, otherwise from a start that it gives.
    pub(super) run: Run,
}

impl Found {
    /// Short runs come first, then those of the trunk, then by instance.
    pub(super) fn rank(&self) -> (usize, Option<usize>, usize) {
        (self.run.len(), self.instance, self.what)
    }
}

/// Of several runs, the first for each assertion or goal.
pub(super) fn first_of_each(mut all: Vec<Found>) -> Vec<Found> {
    all.sort_by_key(Found::rank);
    let mut known = Vec::new();
    all.retain(|found| {
        let is_new = !known.contains(&found.what);
        known.push(found.what);
        is_new
    });
    all
}

/// An instance, without its starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Named {
    pub(super) name: String,
    /// The names of instances with the same starts, which are not run again.
    pub(super) equal: Vec<String>,
    /// How many starts it has.
    pub(super) starts: usize,
    /// A digest of its starts and their depths.
    pub(super) digest: String,
}

/// The answers of a share of all instances, or of all.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Answers {
    /// Of the trunk; none if the scenario gives the starts.
    pub(super) trunk: Option<Answer>,
    /// All instances, in the order of their names.
    pub(super) instances: Vec<Named>,
    /// By the place of the instance.
    pub(super) answers: BTreeMap<usize, Answer>,
    /// Runs to violations: the first for each assertion, or all if starts are covering.
    pub(super) violations: Vec<Found>,
    /// The first run to each goal.
    pub(super) goals: Vec<Found>,
    /// Digests of visited states, unless they are not wanted.
    #[serde(skip)]
    pub(super) seen: Option<Seen>,
}

/// The answer of one part, with its runs and its states.
pub(super) struct PartAnswer {
    pub(super) answer: Answer,
    pub(super) violations: Vec<Found>,
    pub(super) goals: Vec<Found>,
    pub(super) seen: Option<Seen>,
}

impl Answers {
    /// Whether the scenario gives the starts.
    pub(super) fn is_covering(&self) -> bool {
        self.trunk.is_none()
    }

    /// Adds runs and states of a part.
    pub(super) fn add_findings(
        &mut self,
        violations: Vec<Found>,
        goals: Vec<Found>,
        seen: Option<&Seen>,
    ) {
        self.violations.extend(violations);
        if self.is_covering() {
            self.violations.sort_by_key(|found| (found.rank(), found.start));
            self.violations.dedup();
        } else {
            self.violations = first_of_each(std::mem::take(&mut self.violations));
        }
        self.goals.extend(goals);
        self.goals = first_of_each(std::mem::take(&mut self.goals));
        match (&mut self.seen, seen) {
            (Some(all), Some(seen)) => all.add_all(seen),
            _ => self.seen = None,
        }
    }

    /// All answers, that of the trunk first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Answer> {
        self.trunk.iter().chain(self.answers.values())
    }

    /// The places of instances without an answer.
    pub(super) fn missing(&self) -> Vec<usize> {
        (0..self.instances.len()).filter(|place| !self.answers.contains_key(place)).collect()
    }
}
