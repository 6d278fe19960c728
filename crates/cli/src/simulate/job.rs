//! A simulation to run, and its description.

use std::{collections::BTreeMap, path::PathBuf, time::Instant};

use everypath_model::WarmUp;
use everypath_sim::Plan;
use serde::Serialize;

use crate::{
    arguments::published::ProfileName,
    output::{lines, names, numbers::counted},
    scenarios::{subject::Subject, used::UsedReport},
    simulating::spec::RunSpec,
};

/// A simulation to run, and when it began.
pub(crate) struct Job<'a> {
    pub(crate) plan: Plan<'a>,
    pub(crate) spec: &'a RunSpec,
    pub(crate) started: Instant,
}

impl Job<'_> {
    /// What was run and which files were written, for every report.
    pub(crate) fn heading(&self, built: &Subject<'_>, pictures: &[PathBuf]) -> HeadingReport {
        let captures = self.spec.captures.targets().map(|(_, path)| path.to_owned());
        let written: Vec<PathBuf> = captures.chain(pictures.iter().cloned()).collect();
        let setup = &built.scenario.simulation;
        let (warm_up, warm_up_seconds) = match setup.warm_up {
            WarmUp::None => (WarmUpName::None, None),
            WarmUp::Until(time) => (WarmUpName::Until, Some(time.as_secs_f64())),
            WarmUp::Mser5 => (WarmUpName::Mser5, None),
        };
        HeadingReport {
            scenario: built.name.clone(),
            profile: built.parameters.profile().into(),
            parameters: built.values(),
            used: built.used(),
            seed: self.plan.seed,
            first_replication: self.plan.first,
            simulated_seconds_per_run: setup.duration.as_secs_f64(),
            warm_up,
            warm_up_seconds,
            written: names(&written),
        }
    }

    /// What was run, in one line.
    pub(crate) fn title(&self, built: &Subject<'_>, runs: u64, what: &str) -> String {
        let setup = &built.scenario.simulation;
        let each = if runs == 1 { "" } else { " each" };
        let warm_up = match setup.warm_up {
            WarmUp::None => String::new(),
            WarmUp::Until(time) => format!(", warm-up {time:?}"),
            WarmUp::Mser5 => ", warm-up by MSER-5".to_owned(),
        };
        let first = match self.plan.first {
            0 => String::new(),
            first => format!(", from replication {first} on"),
        };
        let runs = match what.split_once(' ') {
            Some((pair, of_runs)) => format!("{} {of_runs}", counted(runs, pair)),
            None => counted(runs, what),
        };
        let duration = setup.duration;
        let title = format!(
            "{}: {runs} of {duration:?}{each}, seed {}{first}{warm_up}\n",
            built.name, self.plan.seed
        );
        title + &lines(&built.used_facts())
    }

    /// How long it took, unless `--no-time` is given.
    pub(crate) fn seconds(&self) -> Option<f64> {
        (!self.spec.no_time).then(|| self.started.elapsed().as_secs_f64())
    }

    /// How many events there were, and how fast.
    pub(crate) fn speed(&self, events: u64) -> String {
        let counted = counted(events, "event");
        match self.seconds() {
            None => format!("{counted}\n"),
            Some(seconds) => {
                let rate = events as f64 / seconds.max(1e-9) / 1e6;
                format!("{counted} in {seconds:.3} s, {rate:.1} million per second\n")
            }
        }
    }
}

/// What was simulated.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Heading"))]
pub(crate) struct HeadingReport {
    /// The name of the scenario.
    scenario: String,
    /// The semantics of runs.
    profile: ProfileName,
    /// The values of all parameters that have an effect; with `--versus`, those of the first variant.
    parameters: BTreeMap<String, String>,
    /// The network, the traffic and the files that were really used.
    used: UsedReport,
    /// The seed of all random numbers.
    seed: u64,
    /// The number of the first run.
    first_replication: u32,
    /// The simulated time of each run.
    #[cfg_attr(test, schemars(range(min = 0)))]
    simulated_seconds_per_run: f64,
    /// The part of a run that does not count.
    warm_up: WarmUpName,
    /// The end of the warm-up; null if it is not a moment.
    #[cfg_attr(test, schemars(range(min = 0)))]
    warm_up_seconds: Option<f64>,
    /// The files that were written: captures, pictures and pages.
    written: Vec<String>,
}

/// A kind of warm-up.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "WarmUp"))]
enum WarmUpName {
    /// Everything counts.
    None,
    /// What is measured before a moment does not count.
    Until,
    /// What MSER-5 cuts off each distribution does not count.
    Mser5,
}
