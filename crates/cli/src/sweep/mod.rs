//! Sweeps: a scenario at many points, each run several times, with results on disk.
//!
//! A run is identified by a digest of everything that decides it, its seed and its number. A run with the same name in
//! the folder is not made again: a stopped sweep continues where it was, and an extended one makes only new runs.

mod curves;
mod execute;
mod folder;
mod grid;
pub(crate) mod json;
mod page;
mod record;
mod report;

use std::{
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_128;

use crate::{
    arguments::simulate::SimulateArguments,
    error::{CliError, unused},
    kept::identity::{Identity, Keeper},
    output::{Outcome, names, print, print_json, words},
    running::progress::Line,
    scenario_file::{Setting, Source, Table, Value as Written},
    scenarios::{
        any_scenario::AnyScenario,
        entry::{self, Entry},
    },
    simulating::spec::RunSpec,
};
use execute::Execution;
use folder::{Folder, Left};
use json::Call;
use report::Report;

/// A point of a sweep, ready to be run.
pub(crate) struct StudyPoint {
    pub(crate) scenario: Box<dyn AnyScenario>,
    /// The keys that are swept, with their values.
    pub(crate) swept: Map<String, Value>,
    /// The same in words.
    pub(crate) words: String,
    pub(crate) hash: String,
}

/// Everything to run.
pub(crate) struct Study {
    pub(crate) name: String,
    pub(crate) seed: u64,
    pub(crate) points: Vec<StudyPoint>,
    /// The keys that are swept, those that change together in one list.
    pub(crate) axes: Vec<Vec<String>>,
    /// Whether results are kept.
    pub(crate) is_kept: bool,
}

/// Makes the runs of all points of a scenario file, or the missing ones.
pub(crate) fn sweep(
    entries: &[Box<dyn Entry>],
    source: &Source,
    table: &Table,
    arguments: &SimulateArguments,
) -> Result<Outcome, CliError> {
    let (study, spec) = planned(entries, source, table, arguments)?;
    spec.pictures.ensure_curves(curves::are_possible(&study))?;
    let folder = spec.out.as_deref().map(Folder::open).transpose()?;
    let execution = Execution {
        points: &study.points,
        seed: study.seed,
        workers: spec.workers,
        precision: spec.precision.as_ref(),
        folder: folder.as_ref(),
    };
    let executed = execution.execute(Line::new(!spec.json))?;
    let left = folder.as_ref().map_or(Ok(Left::default()), |folder| folder.left(&study))?;
    let report = Report { study: &study, executed: &executed, left };
    report.ensure_recorded()?;
    tell(&report, folder.as_ref(), &spec)?;
    Ok(if executed.stopped { Outcome::Stopped } else { Outcome::Fine })
}

/// All points, and how they are run.
fn planned(
    entries: &[Box<dyn Entry>],
    source: &Source,
    table: &Table,
    arguments: &SimulateArguments,
) -> Result<(Study, RunSpec), CliError> {
    let mut spec = RunSpec::new(arguments, None);
    refuse_unused(&spec)?;
    let mut points = Vec::new();
    let grid = grid::points(source, table)?;
    for point in grid.points {
        refuse_set(&point, &spec.scenario.set)?;
        let setting = Setting::read(source, &point.table, &spec.scenario.set)?;
        setting.ensure_profile(spec.scenario.profile)?;
        spec = RunSpec::new(arguments, Some(&setting));
        points.push(prepared(entry::named_by(entries, &setting)?, &setting, &spec, point.values)?);
    }
    let name = points.first().map(|point| point.scenario.origins().name.clone());
    let study = Study {
        name: name.unwrap_or_default(),
        seed: spec.seed,
        points,
        axes: grid.axes,
        is_kept: spec.out.is_some(),
    };
    Ok((study, spec))
}

/// Prints, writes and draws the measurements.
fn tell(report: &Report<'_>, folder: Option<&Folder>, spec: &RunSpec) -> Result<(), CliError> {
    // The measurements are not lost if a file cannot be written.
    if !spec.json {
        print(&report.to_text());
    }
    let tables = folder.map_or(Ok(Vec::new()), |folder| write(folder, report))?;
    let pictures = report.draw(spec)?;
    if spec.json {
        print_json(&report.to_json(&[tables, pictures].concat()));
        return Ok(());
    }
    if !tables.is_empty() {
        print(&format!("\nwritten: {}\n", names(&tables).join(", ")));
    }
    pictures.iter().for_each(|path| print(&format!("drew {}\n", path.display())));
    Ok(())
}

/// A point that is ready to be run.
fn prepared(
    entry: &dyn Entry,
    setting: &Setting,
    spec: &RunSpec,
    values: Vec<(String, Written)>,
) -> Result<StudyPoint, CliError> {
    let mut scenario = entry.build_setting(setting)?;
    spec.overrule(scenario.as_mut());
    spec.ensure_measured(scenario.as_ref())?;
    let words = values.iter().map(|(key, value)| format!("{key} = {value}"));
    Ok(StudyPoint {
        words: words.collect::<Vec<_>>().join(", "),
        hash: hash(scenario.as_ref()),
        swept: values.into_iter().map(|(key, value)| (key, as_json(&value))).collect(),
        scenario,
    })
}

/// Refuses to set a parameter that is swept.
fn refuse_set(point: &grid::Point, set: &[(String, String)]) -> Result<(), CliError> {
    let is_set = |key: &str| {
        let name = key.strip_prefix("parameters.").unwrap_or(key);
        set.iter().any(|(other, _)| other == name)
    };
    match point.values.iter().find(|(key, _)| is_set(key)) {
        None => Ok(()),
        Some((key, _)) => Err(unused(format!("--set of `{key}`"), "a sweep of it")),
    }
}

/// Refuses options for something other than runs of all points.
fn refuse_unused(spec: &RunSpec) -> Result<(), CliError> {
    if let Some((option, _)) = spec.captures.targets().next() {
        return Err(unused(option, "a sweep; it needs a single point"));
    }
    let given = [
        ("--log", spec.log),
        ("--first", spec.first > 0),
        ("--versus", !spec.versus.is_empty()),
        ("--assert", spec.assert),
        ("--probability", spec.probability.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(unused(*option, "a sweep or --out")),
    }
}

/// Writes tables of all runs, and the manifest of the folder. Returns the files.
fn write(folder: &Folder, report: &Report<'_>) -> Result<Vec<PathBuf>, CliError> {
    let finished = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let call = Call { command: words().collect(), finished_unix_s: finished };
    let manifest = serde_json::to_string_pretty(&report.manifest(call)).expect("it is plain data");
    let files = [
        ("results.csv", report.results_csv()),
        ("summary.csv", report.summary_csv()),
        ("manifest.json", manifest + "\n"),
    ];
    files.iter().map(|(name, text)| folder.write(name, text)).collect()
}

fn as_json(value: &Written) -> Value {
    match value {
        Written::Text(text) => json!(text),
        Written::Whole(number) => json!(number),
        Written::Real(number) => json!(number),
        Written::Flag(flag) => json!(flag),
        other => json!(other.to_string()),
    }
}

/// A digest of everything that decides the results of a point, except seed and replication.
fn hash(scenario: &dyn AnyScenario) -> String {
    let identity = Identity::of(&scenario.subject()).needed(Keeper::Results);
    let text = json!({ "format": record::FORMAT, "identity": identity }).to_string();
    // Half of it: enough to distinguish all runs that a folder can hold.
    format!("{:032x}", xxh3_128(text.as_bytes()))[..16].to_owned()
}
