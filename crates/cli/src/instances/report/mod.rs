//! The report of an exploration in parts, as text and as JSON.

pub(crate) mod json;
mod text;

use std::path::Path;

use everypath_explore::Options;
use everypath_report::Story;

use super::{
    answer::{Answer, Answers, End, Found},
    confirm::{Confirmed, Standing},
    spec::InstanceSpec,
};
use crate::{
    check::{findings::Counterexample, spec::CheckSpec},
    scenarios::subject::Subject,
};

/// The report of an exploration in parts.
pub(super) struct InstanceReport<'a> {
    pub(super) built: &'a Subject<'a>,
    pub(super) spec: &'a CheckSpec,
    pub(super) options: &'a Options,
    pub(super) instances: &'a InstanceSpec,
    pub(super) answers: &'a Answers,
    /// How many distinct states were visited, and how many of them were not expanded.
    pub(super) union: Option<(u64, u64)>,
    /// The runs of the counterexamples.
    pub(super) violations: &'a [Found],
    pub(super) counterexamples: Vec<Counterexample>,
    /// By goal: a run that reaches it, if there is one.
    pub(super) witnesses: Vec<Option<Story>>,
    /// What became of violations from starts that the scenario gives.
    pub(super) confirmed: Option<&'a Confirmed>,
    /// The instances without an answer.
    pub(super) missing_places: Vec<usize>,
    /// Why they have none.
    pub(super) missing: Option<&'a str>,
    /// The part file that was written.
    pub(super) part: Option<&'a Path>,
    pub(super) seconds: f64,
}

impl InstanceReport<'_> {
    fn sum(&self, count: impl Fn(&Answer) -> u64) -> u64 {
        self.answers.all().map(count).sum()
    }

    /// The length of the longest run.
    fn depth(&self) -> u32 {
        self.answers.all().map(|answer| answer.depth).max().unwrap_or(0)
    }

    /// How often a state was visited, on average.
    fn redundancy(&self) -> Option<f64> {
        let (union, _) = self.union?;
        Some(self.sum(|answer| answer.states) as f64 / union.max(1) as f64)
    }

    /// How many instances there are, with those that are equal to others.
    fn instance_count(&self) -> usize {
        self.answers.instances.iter().map(|named| 1 + named.equal.len()).sum()
    }

    /// The sizes of all instances that were run, in order.
    fn sizes(&self) -> Vec<u64> {
        let mut sizes: Vec<u64> = self.answers.answers.values().map(|it| it.states).collect();
        sizes.sort_unstable();
        sizes
    }

    /// The name of the part in which a run was found.
    fn part_of(&self, found: &Found) -> Option<&str> {
        found.instance.map(|place| self.answers.instances[place].name.as_str())
    }

    /// The verdict of an instance, in a few words.
    fn verdict_of(&self, place: usize) -> String {
        let Some(answer) = self.answers.answers.get(&place) else { return "not run".to_owned() };
        let standing = self.confirmed.and_then(|it| it.standings.get(&place));
        let words = match (standing, &answer.end) {
            (Some(Standing::Possible), _) => "possibly violated",
            (Some(Standing::Spurious), _) => "spurious",
            (Some(Standing::Confirmed), _) => "violated",
            (None, _) if answer.is_violated() => "violated",
            (None, End::Stopped(by)) => return format!("stopped by {by}"),
            (None, _) => "holds",
        };
        words.to_owned()
    }
}
