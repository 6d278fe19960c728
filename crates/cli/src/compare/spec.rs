//! The specification of a comparison, as plain data.

use std::path::PathBuf;

use crate::{
    arguments::{
        compare::{CompareArguments, CompareOutput, Quantity},
        seeds::Seeds,
    },
    scenarios::spec::ScenarioSpec,
    searching::spec::{Conditions, LongRun, Method, SearchLimits, SearchSpec},
};

/// Everything that decides a comparison, except the compared methods.
pub(crate) struct CompareSpec {
    pub(crate) scenario: ScenarioSpec,
    pub(crate) conditions: Conditions,
    pub(crate) limits: SearchLimits,
    /// Whether the events of each state are shuffled.
    pub(crate) shuffle: bool,
    pub(crate) seeds: Option<Seeds>,
    /// How often a search without random choices is run.
    pub(crate) repeat: u32,
    /// From which searches others differ, by their names.
    pub(crate) against: Vec<String>,
    /// The confidence level of all intervals.
    pub(crate) confidence: f64,
    /// How many runs are made at once.
    pub(crate) jobs: u32,
    pub(crate) output: OutputSpec,
}

/// What is printed and drawn.
pub(crate) struct OutputSpec {
    pub(crate) no_time: bool,
    /// Whether the time of each operation is measured.
    pub(crate) stats: bool,
    pub(crate) json: bool,
    pub(crate) csv: bool,
    pub(crate) plot: Option<PathBuf>,
    pub(crate) plot_of: Vec<Quantity>,
}

impl From<&CompareArguments> for CompareSpec {
    fn from(arguments: &CompareArguments) -> Self {
        let CompareArguments { which, compared, limits, conditions, output, published } = arguments;
        let CompareOutput { no_time, stats, json, csv, plot, plot_of } = output.clone();
        Self {
            scenario: ScenarioSpec::new(which, *published),
            conditions: conditions.into(),
            limits: limits.into(),
            shuffle: compared.shuffle,
            seeds: compared.seeds.clone(),
            repeat: compared.repeat.unwrap_or(1),
            against: compared.against.clone(),
            confidence: compared.confidence,
            jobs: compared.jobs,
            output: OutputSpec { no_time, stats, json, csv, plot, plot_of },
        }
    }
}

impl CompareSpec {
    /// One of the searches. Nothing is saved: the runs of a comparison can be repeated.
    pub(super) fn search(&self, method: Method) -> SearchSpec {
        SearchSpec {
            method,
            conditions: self.conditions.clone(),
            limits: self.limits.clone(),
            long_run: LongRun::SHORT,
            profile: self.scenario.profile,
            timings: self.output.stats,
            no_shrink: false,
        }
    }
}
