//! How an exploration is cut, as plain data; and what cannot be combined with that.

use std::{collections::BTreeMap, path::PathBuf};

use everypath_explore::{Add, Options, Stop, StoreKind, Strategy};
use everypath_model::{CUT_AT_DEPTH, Profile};

use crate::{
    arguments::{
        instances::{InstanceArguments, Share},
        time::TimersName,
        trial::EngineName,
    },
    check::spec::CheckSpec,
    error::CliError,
    kept::identity::{Identity, Keeper},
    scenarios::subject::Subject,
};

/// Where an exploration is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Division {
    /// At the states of a depth.
    Depth(u32),
    /// Where a cut of the scenario holds.
    Cut(String),
    /// Nowhere: the scenario gives the starts.
    Starts(String),
}

impl Division {
    /// Whether the starts may not be reachable.
    pub(super) fn is_covering(&self) -> bool {
        matches!(self, Self::Starts(_))
    }

    /// The option that asks for it.
    fn option(&self) -> &'static str {
        if self.is_covering() { "--starts" } else { "--cut" }
    }

    /// The value of the option.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Depth(depth) => format!("{CUT_AT_DEPTH}{depth}"),
            Self::Cut(name) | Self::Starts(name) => name.clone(),
        }
    }
}

/// How an exploration is cut, and which of its instances are run.
pub(super) struct InstanceSpec {
    pub(super) division: Division,
    pub(super) parts: Option<u32>,
    /// Whether a row is printed for each instance.
    pub(super) rows: bool,
    /// What the names of instances must contain.
    pub(super) only: Option<String>,
    pub(super) jobs: u32,
    pub(super) share: Option<Share>,
    pub(super) part: Option<PathBuf>,
    pub(super) first: bool,
    /// Whether digests of visited states are kept.
    pub(super) union: bool,
}

impl InstanceSpec {
    pub(super) fn new(arguments: &InstanceArguments) -> Result<Self, CliError> {
        let InstanceArguments { cut, starts, parts, instance, jobs, share, part, .. } = arguments;
        Ok(Self {
            division: division(cut.as_deref(), starts.as_deref())?,
            parts: *parts,
            rows: arguments.instances,
            only: instance.clone(),
            jobs: jobs.unwrap_or(1),
            share: *share,
            part: part.clone(),
            first: arguments.first,
            union: !arguments.no_union,
        })
    }

    /// The part file of the share, if there is a share.
    pub(super) fn part_file(&self, scenario: &str) -> Option<PathBuf> {
        let Share { number, of } = self.share?;
        let default = || format!("{scenario}.part-{number}-of-{of}").into();
        Some(self.part.clone().unwrap_or_else(default))
    }

    /// Everything that must be the same in all parts. What a checkpoint needs, a part needs for the same
    /// reasons: it holds the counts and the findings of a search.
    pub(super) fn identity(
        &self,
        built: &Subject<'_>,
        spec: &CheckSpec,
        options: &Options,
    ) -> BTreeMap<String, String> {
        let conditions = &spec.search.conditions;
        let mut identity = Identity::of(built).needed(Keeper::Checkpoint);
        let mut add = |key: &str, value: String| drop(identity.insert(key.to_owned(), value));
        let or_none = |number: Option<u64>| number.map_or("none".to_owned(), |it| it.to_string());
        add("division", format!("{} {}", self.division.option(), self.division.name()));
        add("--parts", or_none(self.parts.map(u64::from)));
        add("--first", self.first.to_string());
        add("--no-union", (!self.union).to_string());
        add("--max-depth", or_none(options.max_depth.map(u64::from)));
        add("--max-states", or_none(options.limits.states));
        let disabled: Vec<String> = conditions.disable.iter().map(ToString::to_string).collect();
        add("--disable", format!("{disabled:?}"));
        let required = conditions.require.as_ref().map(ToString::to_string);
        add("--require", required.unwrap_or_else(|| "none".to_owned()));
        let reduce = spec.search.method.reduce.as_ref().map(ToString::to_string);
        add("--reduce", reduce.unwrap_or_else(|| "as the scenario says".to_owned()));
        add("--deadlock", conditions.deadlock.to_string());
        let stop = match conditions.stop {
            Stop::First => "at the first violation",
            Stop::Each => "when each assertion was violated",
            Stop::Never => "never",
        };
        add("way of stopping", stop.to_owned());
        add("verified part", conditions.verification.name().to_owned());
        identity
    }

    /// Refuses what cannot be combined with a cut.
    pub(super) fn ensure_possible(
        &self,
        spec: &CheckSpec,
        options: &Options,
    ) -> Result<(), CliError> {
        const EXACT: &str = "only a plain breadth-first search that stores whole states can be divided into parts that visit the same states";
        const KEPT: &str = "each instance has a space of its own, in which the ids and results of others mean nothing";
        const PARTS: &str =
            "the part file of --share holds what is done; the same command goes on from it";
        const COUNTS: &str = "it needs counts of one search";
        const DROPPED: &str = "what the trunk drops must stay obsolete in every instance, and an instance does not know what to verify";
        const SMALLER: &str =
            "a start that runs reach only by a smaller audience would seem to be unreachable";
        const UNQUEUED: &str = "the start of an instance does not say for how long timers were set";
        const EXACT_ENGINE: &str = "only the usual engine can be divided";
        let CheckSpec { search, time, trial, memo, graph, regressions, output, .. } = spec;
        let long_run = &search.long_run;
        let reduce = search.method.reduce.unwrap_or_default();
        let is_covering = self.division.is_covering();
        let conflicts = [
            (search.profile == Profile::Thesis, "--profile thesis", EXACT),
            (options.strategy != Strategy::BreadthFirst, "--strategy", EXACT),
            (options.add != Add::Next, "--add", EXACT),
            (options.shuffle.is_some(), "--shuffle", EXACT),
            (options.relation.is_some(), "--relation", EXACT),
            (options.store != StoreKind::Exact, "--store", EXACT),
            (long_run.workers > 1, "--workers", "instances use threads themselves: give --jobs"),
            (long_run.checkpoint.is_some(), "--checkpoint", PARTS),
            (long_run.resume.is_some(), "--resume", PARTS),
            (memo.memo.is_some(), "--memo", KEPT),
            (graph.graph.is_some(), "--graph", KEPT),
            (regressions.folder().is_some(), "--regressions", KEPT),
            (time.max_late.is_some(), "--max-late", COUNTS),
            (time.timed, "--timed", EXACT_ENGINE),
            (time.timers == TimersName::Ordered, "--timers ordered", UNQUEUED),
            (trial.engine == EngineName::Plain, "--engine plain", EXACT_ENGINE),
            (trial.cross_check, "--cross-check", COUNTS),
            (trial.verify_relation.is_some(), "--verify-relation", COUNTS),
            (trial.verify_ignored, "--verify-ignored", COUNTS),
            (output.stats, "--stats", COUNTS),
            (output.strict, "--strict", COUNTS),
            (output.space.is_some(), "--space", "it draws one search"),
            (output.why_large, "--why-large", "it compares the states of one search"),
            (reduce.obsolete, "--reduce obsolete", DROPPED),
            (is_covering && reduce.audiences, "--reduce audiences", SMALLER),
            (
                is_covering && spec.start.is_some(),
                "--from-simulation",
                "both say where the exploration starts",
            ),
        ];
        let other = self.division.option();
        if let Some(&(_, option, why)) = conflicts.iter().find(|(given, ..)| *given) {
            return Err(CliError::NotTogether { option, other, why });
        }
        match (&self.division, options.max_depth) {
            (Division::Depth(depth), Some(most)) if *depth >= most => Err(CliError::NeverCut {
                cut: self.division.name(),
                why: format!("runs have at most {most} events (--max-depth)"),
                help: "cut at a smaller depth, or raise the bound".to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

fn division(cut: Option<&str>, starts: Option<&str>) -> Result<Division, CliError> {
    if let Some(name) = starts {
        return Ok(Division::Starts(name.to_owned()));
    }
    let cut = cut.unwrap_or_default();
    let Some(depth) = cut.strip_prefix(CUT_AT_DEPTH) else {
        return Ok(Division::Cut(cut.to_owned()));
    };
    let depth = depth.parse().map(Division::Depth);
    depth.map_err(|_| CliError::Unreadable {
        what: format!("`{cut}` is not a cut: {CUT_AT_DEPTH} needs a number of events"),
        help: Some(format!("write e.g. --cut {CUT_AT_DEPTH}6")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_is_a_depth_or_a_name() {
        assert_eq!(division(Some("depth:7"), None).unwrap(), Division::Depth(7));
        assert_eq!(division(Some("7"), None).unwrap(), Division::Cut("7".to_owned()));
        assert_eq!(division(None, Some("x")).unwrap(), Division::Starts("x".to_owned()));
        for wrong in ["depth:", "depth:-1", "depth:x", "depth:99999999999"] {
            assert!(division(Some(wrong), None).is_err(), "{wrong}");
        }
    }
}
