//! The files of earlier counterexamples.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use everypath_report::TraceFile;

use crate::{error::CliError, regressions::Standing};

/// How the names of the files end.
const ENDING: &str = ".trace.json";
/// How much of an assertion's name is in the name of a file.
const NAME_MAX: usize = 40;

/// A counterexample of an earlier version.
pub(crate) struct EarlierRun {
    pub(crate) file: PathBuf,
    pub(crate) trace: TraceFile,
    /// How many of its steps could be run again.
    pub(crate) replayed: usize,
    pub(crate) standing: Standing,
}

impl EarlierRun {
    /// The file's name without the folder.
    pub(crate) fn name(&self) -> String {
        let name = self.file.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// All counterexamples in a folder, in the order of their names; none if there is no folder yet.
pub(crate) fn read_folder(folder: &Path) -> Result<Vec<EarlierRun>, CliError> {
    let listed = fs::read_dir(folder).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()
    });
    let mut files = match listed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        other => other.map_err(|error| CliError::Folder { path: folder.to_owned(), error })?,
    };
    files.retain(|file| {
        file.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(ENDING.as_bytes()))
    });
    files.sort_unstable();
    let read = |file: PathBuf| match TraceFile::read(&file) {
        Ok(trace) => Ok(EarlierRun { file, trace, replayed: 0, standing: Standing::Waiting }),
        Err(error) => Err(CliError::Regression { error }),
    };
    files.into_iter().map(read).collect()
}

/// The name of a counterexample's file: what it violates, and a digest by which it is known.
pub(crate) fn name_of(recorded: &TraceFile) -> String {
    let mut name = String::new();
    for letter in recorded.assertion.chars() {
        match letter {
            letter if letter.is_ascii_alphanumeric() => name.push(letter.to_ascii_lowercase()),
            _ if name.ends_with('-') || name.is_empty() => {}
            _ => name.push('-'),
        }
    }
    name.truncate(NAME_MAX);
    let name = name.trim_end_matches('-');
    let name = if name.is_empty() { "assertion" } else { name };
    format!("{name}-{:016x}{ENDING}", recorded.run_digest())
}
