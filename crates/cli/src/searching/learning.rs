//! Counterexamples of an earlier version, for the ranking `learnt`.

use std::path::{Path, PathBuf};

use everypath_explore::{EventText, Learnt};
use everypath_model::{LEARNT, Parameters};
use everypath_report::{TraceFile, traces_in};

use super::spec::Method;
use crate::{
    error::{CliError, unused},
    scenarios::{entry::Entry, subject::Subject},
    traces::rebuild::recorded_entry,
};

/// Reads what a method is to learn from: the named files and folders, or else this folder.
pub(crate) fn learn(
    entries: &[Box<dyn Entry>],
    built: &Subject<'_>,
    method: &mut Method,
    folder: Option<&Path>,
) -> Result<(), CliError> {
    let ranks = method.ranking.iter().any(|name| name == LEARNT);
    if !ranks {
        return match method.learn_from.is_empty() {
            true => Ok(()),
            false => Err(unused("--learn-from", "a search without the ranking `learnt`")),
        };
    }
    let from = match method.learn_from.as_slice() {
        [] => folder.map(Path::to_owned).into_iter().collect(),
        named => named.to_vec(),
    };
    method.learnt = learnt_from(entries, built, &from)?;
    Ok(())
}

/// What the counterexamples in these files and folders teach; nothing if none is named.
pub(crate) fn learnt_from(
    entries: &[Box<dyn Entry>],
    built: &Subject<'_>,
    from: &[PathBuf],
) -> Result<Option<Learnt>, CliError> {
    let mut runs: Vec<Vec<EventText>> = Vec::new();
    for path in from {
        let files = files_of(path)?;
        for file in &files {
            let trace = TraceFile::read(file)?;
            ensure_related(entries, built, file, &trace)?;
            let run = trace.steps.into_iter().map(|step| step.event).collect();
            if !runs.contains(&run) {
                runs.push(run);
            }
        }
        if files.is_empty() {
            let why = "no file in this folder has a name that ends in .trace.json".to_owned();
            return Err(CliError::Unteachable { path: path.clone(), why });
        }
    }
    Ok((!runs.is_empty()).then(|| Learnt::new(runs.iter().map(Vec::as_slice))))
}

fn files_of(path: &Path) -> Result<Vec<PathBuf>, CliError> {
    match path.is_dir() {
        true => traces_in(path).map_err(|error| CliError::Folder { path: path.to_owned(), error }),
        false => Ok(vec![path.to_owned()]),
    }
}

/// Refuses a run of another protocol: nothing that happens in it can happen here.
fn ensure_related(
    entries: &[Box<dyn Entry>],
    built: &Subject<'_>,
    file: &Path,
    trace: &TraceFile,
) -> Result<(), CliError> {
    if trace.scenario == built.name {
        return Ok(());
    }
    let entry = recorded_entry(entries, file, &trace.scenario)?;
    let other = entry.build_any(Parameters::new())?;
    let other = other.subject();
    let is_related = !built.is_driver() && other.scenario.protocol == built.scenario.protocol;
    match is_related {
        true => Ok(()),
        false => Err(CliError::Unteachable {
            path: file.to_owned(),
            why: format!(
                "it is a run of scenario `{}`, which has another protocol than `{}`",
                trace.scenario, built.name
            ),
        }),
    }
}
