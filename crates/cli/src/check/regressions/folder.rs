//! The files of earlier counterexamples.

use std::path::{Path, PathBuf};

use everypath_report::{TraceFile, traces_in};

use super::Standing;
use crate::error::CliError;

/// A counterexample of an earlier version.
pub(crate) struct EarlierRun {
    pub(crate) file: PathBuf,
    pub(crate) trace: TraceFile,
    /// How many of its steps could be replayed.
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

/// All counterexamples in a folder, sorted by name; empty if the folder does not exist yet.
pub(crate) fn read_folder(folder: &Path) -> Result<Vec<EarlierRun>, CliError> {
    let files =
        traces_in(folder).map_err(|error| CliError::Folder { path: folder.to_owned(), error })?;
    let read = |file: PathBuf| match TraceFile::read(&file) {
        Ok(trace) => Ok(EarlierRun { file, trace, replayed: 0, standing: Standing::Waiting }),
        Err(error) => Err(CliError::Regression { error }),
    };
    files.into_iter().map(read).collect()
}
