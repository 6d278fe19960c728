//! Sweeps: a scenario at many points, each run several times, with results that are kept.
//!
//! A run is known by a digest of all that decides it, its seed and its number. What was kept under the same
//! name is not run again; so a sweep that was stopped goes on where it was, and one that is extended runs
//! only what is new.

mod curves;
mod execute;
mod folder;
mod grid;
mod page;
mod prepared;
mod record;
mod report;

use std::{
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_128;

use crate::{
    arguments::SimulateArguments,
    error::{CliError, remedy},
    output::{Line, Outcome, names, print, print_json, words},
    scenario_file::{Setting, Source, Table},
    scenarios::entry::{Entry, known_scenarios},
};
use execute::Execution;
use folder::{Folder, Left};
pub(crate) use prepared::Prepared;
use report::Report;

/// A point of a sweep, ready to be run.
pub(crate) struct StudyPoint {
    pub(crate) prepared: Box<dyn Prepared>,
    /// The keys that are swept, with their values.
    pub(crate) swept: Map<String, Value>,
    /// The same in words.
    pub(crate) words: String,
    pub(crate) hash: String,
}

/// All that is to be run.
pub(crate) struct Study {
    pub(crate) name: String,
    pub(crate) seed: u64,
    pub(crate) points: Vec<StudyPoint>,
    /// The keys that are swept, those that change together in one list.
    pub(crate) axes: Vec<Vec<String>>,
    /// Whether results are kept.
    pub(crate) is_kept: bool,
}

/// How precisely measures are to be known.
pub(crate) struct Precise {
    pub(crate) share: f64,
    pub(crate) of: Option<String>,
}

/// The entry that a setting names.
pub(crate) fn entry_of<'a>(
    entries: &'a [Box<dyn Entry>],
    setting: &Setting,
) -> Result<&'a dyn Entry, CliError> {
    let name = &setting.scenario.0;
    let found = entries.iter().find(|entry| entry.name() == name);
    let found = found.map(AsRef::as_ref);
    found.ok_or_else(|| setting.unknown_scenario(known_scenarios(entries, name)))
}

/// Runs all points of a scenario file, or those that are missing.
pub(crate) fn sweep(
    entries: &[Box<dyn Entry>],
    source: &Source,
    table: &Table,
    arguments: &SimulateArguments,
) -> Result<Outcome, CliError> {
    refuse_unused(arguments)?;
    let mut points = Vec::new();
    let mut completed = arguments.clone();
    let grid = grid::points(source, table)?;
    for point in grid.points {
        refuse_set(&point, &arguments.which.set)?;
        let setting = Setting::read(source, &point.table, &arguments.which.set)?;
        setting.ensure_profile(arguments.which.profile.into())?;
        let mut prepared = entry_of(entries, &setting)?.prepare(&setting)?;
        completed = setting.completed(arguments);
        prepared.overrule(&completed);
        ensure_measured(prepared.as_ref(), &completed)?;
        let plain = |(key, value): (String, crate::scenario_file::Value)| (key, as_json(&value));
        let words = point.values.iter().map(|(key, value)| format!("{key} = {value}"));
        points.push(StudyPoint {
            words: words.collect::<Vec<_>>().join(", "),
            hash: hash(prepared.as_ref()),
            swept: point.values.into_iter().map(plain).collect(),
            prepared,
        });
    }
    let study = Study {
        name: points.first().map_or(String::new(), |point| point.prepared.name().to_owned()),
        seed: completed.seed.unwrap_or(1),
        points,
        axes: grid.axes,
        is_kept: arguments.out.is_some(),
    };
    arguments.pictures.ensure_curves(curves::are_possible(&study))?;
    let of = completed.measuring.of;
    let precise = completed.measuring.precision.map(|share| Precise { share, of });
    let folder = arguments.out.as_deref().map(Folder::open).transpose()?;
    let execution = Execution {
        points: &study.points,
        seed: study.seed,
        workers: arguments.workers,
        precise: precise.as_ref(),
        folder: folder.as_ref(),
    };
    let executed = execution.execute(Line::new(!arguments.json))?;
    let left = folder.as_ref().map_or(Ok(Left::default()), |folder| folder.left(&study))?;
    let report = Report { study: &study, executed: &executed, left };
    report.ensure_recorded()?;
    // What was measured is not lost if something cannot be written.
    if !arguments.json {
        print(&report.to_text());
    }
    let tables = folder.as_ref().map_or(Ok(Vec::new()), |folder| write(folder, &report))?;
    let pictures = report.draw(arguments)?;
    if !arguments.json {
        if !tables.is_empty() {
            print(&format!("\nwritten: {}\n", names(&tables).join(", ")));
        }
        pictures.iter().for_each(|path| print(&format!("drew {}\n", path.display())));
    }
    if arguments.json {
        print_json(&report.to_json(&[tables, pictures].concat()));
    }
    Ok(if executed.stopped { Outcome::Stopped } else { Outcome::Fine })
}

/// Whether what is to be known precisely is measured.
fn ensure_measured(prepared: &dyn Prepared, arguments: &SimulateArguments) -> Result<(), CliError> {
    let measures = prepared.measures();
    let unused = || CliError::Unused {
        option: "--precision".to_owned(),
        with: "a scenario that computes no measures".to_owned(),
    };
    match (arguments.measuring.precision, &arguments.measuring.of) {
        (Some(_), _) if measures.is_empty() => Err(unused()),
        (Some(_), Some(of)) if !measures.contains(&of.as_str()) => Err(CliError::Unknown {
            what: "measure",
            name: of.clone(),
            help: remedy(of, measures.into_iter()),
        }),
        _ => Ok(()),
    }
}

/// A parameter cannot be swept and set.
fn refuse_set(point: &grid::Point, set: &[(String, String)]) -> Result<(), CliError> {
    let is_set = |key: &str| {
        let name = key.strip_prefix("parameters.").unwrap_or(key);
        set.iter().any(|(other, _)| other == name)
    };
    match point.values.iter().find(|(key, _)| is_set(key)) {
        None => Ok(()),
        Some((key, _)) => Err(CliError::Unused {
            option: format!("--set of `{key}`"),
            with: "a sweep of it".to_owned(),
        }),
    }
}

/// What asks for something else than runs of all points.
fn refuse_unused(arguments: &SimulateArguments) -> Result<(), CliError> {
    let SimulateArguments { measuring, claims, .. } = arguments;
    let given = [
        ("--log", arguments.log),
        ("--first", arguments.first > 0),
        ("--versus", !measuring.versus.is_empty()),
        ("--assert", claims.assert),
        ("--probability", claims.probability.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(CliError::Unused {
            option: (*option).to_owned(),
            with: "a sweep or --out".to_owned(),
        }),
    }
}

/// Writes tables of all runs, and what is in the folder; which files.
fn write(folder: &Folder, report: &Report<'_>) -> Result<Vec<PathBuf>, CliError> {
    let finished = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let command: Vec<String> = words().collect();
    let call = json!({ "command": command, "finished_unix_s": finished });
    let files = [
        ("results.csv", report.results_csv()),
        ("summary.csv", report.summary_csv()),
        ("manifest.json", format!("{:#}\n", report.manifest(&call))),
    ];
    files.iter().map(|(name, text)| folder.write(name, text)).collect()
}

fn as_json(value: &crate::scenario_file::Value) -> Value {
    use crate::scenario_file::Value as Written;
    match value {
        Written::Text(text) => json!(text),
        Written::Whole(number) => json!(number),
        Written::Real(number) => json!(number),
        Written::Flag(flag) => json!(flag),
        other => json!(other.to_string()),
    }
}

/// A digest of all that decides the results of a point, but for seed and replication.
fn hash(prepared: &dyn Prepared) -> String {
    let text = json!({ "format": record::FORMAT, "identity": prepared.identity() }).to_string();
    // Half of it: enough to tell apart as many runs as a folder can hold.
    format!("{:032x}", xxh3_128(text.as_bytes()))[..16].to_owned()
}
