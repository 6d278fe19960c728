//! A simulation to run, and its description.

use std::{path::PathBuf, time::Instant};

use everypath_model::WarmUp;
use everypath_sim::Plan;
use serde_json::{Value, json};

use crate::{
    output::{lines, names, numbers::counted},
    scenarios::subject::Subject,
    simulating::spec::RunSpec,
};

/// A simulation to run, and when it began.
pub(crate) struct Job<'a> {
    pub(crate) plan: Plan<'a>,
    pub(crate) spec: &'a RunSpec,
    pub(crate) started: Instant,
}

impl Job<'_> {
    /// What was run and which files were written, for every JSON object.
    pub(crate) fn heading(&self, built: &Subject<'_>, pictures: &[PathBuf]) -> Value {
        let captures = self.spec.captures.targets().map(|(_, path)| path.to_owned());
        let written: Vec<PathBuf> = captures.chain(pictures.iter().cloned()).collect();
        let setup = &built.scenario.simulation;
        let (warm_up, seconds) = match setup.warm_up {
            WarmUp::None => ("none", None),
            WarmUp::Until(time) => ("until", Some(time.as_secs_f64())),
            WarmUp::Mser5 => ("mser5", None),
        };
        json!({
            "scenario": built.name,
            "profile": built.parameters.profile().name(),
            "parameters": built.values(),
            "used": built.used(),
            "seed": self.plan.seed,
            "first_replication": self.plan.first,
            "simulated_seconds_per_run": setup.duration.as_secs_f64(),
            "warm_up": warm_up,
            "warm_up_seconds": seconds,
            "written": names(&written),
        })
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
