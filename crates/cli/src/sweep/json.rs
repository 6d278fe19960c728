//! The report of a sweep and the manifest of its folder, as JSON has them.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use super::{StudyPoint, execute::estimates, record::Record, report::Report};
use crate::{
    kept::identity,
    output::names,
    scenarios::used::UsedReport,
    simulating::{
        estimates::{EstimateReport, estimate_reports},
        watched::AssertionsReport,
    },
};

/// A sweep, or one point with `--out`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Swept"))]
pub(crate) struct SweepReport {
    /// The name of the scenario.
    scenario: String,
    /// The seed of all random numbers.
    seed: u64,
    /// Whether it ended by itself.
    complete: bool,
    /// Assertions during the simulation.
    assertions: AssertionsReport,
    /// How many runs were made.
    made: usize,
    /// How many runs were kept from before.
    kept: usize,
    /// The runs in the folder that were not used.
    not_used: UnusedRuns,
    /// The points, in the order of the file.
    points: Vec<PointReport>,
    /// The files that were written: tables, pictures and pages, but not the single runs, which `--out` keeps in `runs`.
    written: Vec<String>,
}

/// Numbers of runs that were not used.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "UnusedRuns"))]
struct UnusedRuns {
    /// Those of another program.
    other_program: u64,
    /// Those of this program, under other settings.
    other_settings: u64,
}

/// A point of a sweep.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Point"))]
struct PointReport {
    /// Its number.
    point: usize,
    /// A digest of everything that decides its runs, except seed and replication.
    hash: String,
    /// The values of the swept keys.
    swept: Map<String, Value>,
    /// The network, the traffic and the files that were really used.
    used: UsedReport,
    /// How many runs the estimates are over.
    runs: usize,
    /// The measures of the scenario, in its order.
    measures: Vec<EstimateReport>,
}

/// The content of a folder of results, and the command that made it.
#[derive(Serialize)]
pub(super) struct Manifest {
    format: &'static str,
    program_version: &'static str,
    program: String,
    scenario: String,
    seed: u64,
    complete: bool,
    points: Vec<ManifestPoint>,
    call: Call,
}

/// A point in a manifest.
#[derive(Serialize)]
struct ManifestPoint {
    point: usize,
    hash: String,
    swept: Map<String, Value>,
    parameters: BTreeMap<String, String>,
    used: UsedReport,
    simulated_seconds: f64,
    runs: usize,
}

/// How a program was called, and when it finished.
#[derive(Serialize)]
pub(super) struct Call {
    pub(super) command: Vec<String>,
    pub(super) finished_unix_s: u64,
}

impl Report<'_> {
    /// The points with their numbers and their runs.
    fn points(&self) -> impl Iterator<Item = (usize, &StudyPoint, &Vec<Record>)> {
        let points = self.study.points.iter().zip(&self.executed.runs).enumerate();
        points.map(|(number, (point, runs))| (number, point, runs))
    }

    /// The report as JSON has it, with the files that were written besides the runs.
    pub(crate) fn to_json(&self, written: &[PathBuf]) -> SweepReport {
        let point = |(number, point, runs): (usize, &StudyPoint, &Vec<Record>)| PointReport {
            point: number,
            hash: point.hash.clone(),
            swept: point.swept.clone(),
            used: point.scenario.subject().used(),
            runs: runs.len(),
            measures: estimate_reports(&estimates(runs)),
        };
        SweepReport {
            scenario: self.study.name.clone(),
            seed: self.study.seed,
            complete: !self.executed.stopped,
            assertions: self.watched().report(),
            made: self.executed.made,
            kept: self.executed.kept,
            not_used: UnusedRuns {
                other_program: self.left.program,
                other_settings: self.left.settings,
            },
            points: self.points().map(point).collect(),
            written: names(written),
        }
    }

    /// The content of the folder, and the command that made it.
    pub(super) fn manifest(&self, call: Call) -> Manifest {
        let point = |(number, point, runs): (usize, &StudyPoint, &Vec<Record>)| ManifestPoint {
            point: number,
            hash: point.hash.clone(),
            swept: point.swept.clone(),
            parameters: point.scenario.subject().values(),
            used: point.scenario.subject().used(),
            simulated_seconds: point.scenario.timing().duration.as_secs_f64(),
            runs: runs.len(),
        };
        Manifest {
            format: "everypath results 2",
            program_version: env!("CARGO_PKG_VERSION"),
            program: identity::program(),
            scenario: self.study.name.clone(),
            seed: self.study.seed,
            complete: !self.executed.stopped,
            points: self.points().map(point).collect(),
            call,
        }
    }
}
