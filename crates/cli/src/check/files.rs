//! The files that a check writes, and their locks.

use std::path::{Path, PathBuf};

use everypath_report::{FileIdentity, FileLock};

use super::spec::CheckSpec;
use crate::{
    arguments::values::ChartFile,
    error::CliError,
    output::{Target, ensure_unread, ensure_writable},
    scenarios::subject::Subject,
};

/// Locks on the saved files, until the check or the process ends.
pub(super) struct Locks {
    _checkpoint: Option<FileLock>,
    /// `None` if another process holds it.
    pub(super) memo: Option<FileLock>,
    pub(super) graph: Option<FileLock>,
}

impl Locks {
    pub(super) fn take(spec: &CheckSpec) -> Result<Self, CliError> {
        let checkpoint = spec.search.long_run.checkpoint_path();
        Ok(Self {
            _checkpoint: checkpoint.map(checkpoint_lock).transpose()?,
            memo: spec.memo.lock()?,
            graph: spec.graph.lock()?,
        })
    }
}

/// Locks the checkpoint: a search is not saved if another one overwrites its file.
fn checkpoint_lock(path: &Path) -> Result<FileLock, CliError> {
    match FileLock::take(path) {
        Ok(Some(lock)) => Ok(lock),
        Ok(None) => Err(CliError::InUse { path: path.to_owned() }),
        Err(error) => {
            Err(CliError::Unwritable { option: "--checkpoint", path: path.to_owned(), error })
        }
    }
}

/// Refuses output files that cannot be written or are not distinct.
pub(crate) fn ensure_files(built: &Subject<'_>, spec: &CheckSpec) -> Result<(), CliError> {
    let long_run = &spec.search.long_run;
    // Users usually resume a search and save it in the same file.
    let goes_on = |path: &&Path| {
        let same = |it: &Path| FileIdentity::of(it).is_same_as(&FileIdentity::of(path));
        long_run.checkpoint_path().is_some_and(same)
    };
    let read = long_run.resume.as_deref().into_iter().filter(|path| !goes_on(path));
    let learn_from = &spec.search.method.learn_from;
    let read = read.chain(learn_from.iter().map(PathBuf::as_path));
    ensure_unread(targets(spec), &read.collect::<Vec<_>>())?;
    ensure_writable(targets(spec))?;
    if spec.output.trace.is_none() {
        let trace = default_trace(&built.name);
        let default = FileIdentity::of(&trace);
        let mut taken = targets(spec).map(|(option, path)| (option, FileIdentity::of(path)));
        if let Some((option, _)) = taken.find(|(_, file)| file.is_same_as(&default)) {
            let other = "--trace, by default,";
            return Err(CliError::SameFile { option, other, path: trace });
        }
        // The run of the new version would replace that of the one before.
        if learn_from.iter().any(|path| FileIdentity::of(path).is_same_as(&default)) {
            let (option, other) = ("--learn-from", "--trace, by default,");
            return Err(CliError::SameFile { option, other, path: trace });
        }
    }
    Ok(())
}

/// The output files that the user has named.
fn targets(spec: &CheckSpec) -> impl Iterator<Item = Target<'_>> {
    let CheckSpec { search, memo, graph, output, .. } = spec;
    let checkpoint = search.long_run.checkpoint_path().map(|path| ("--checkpoint", path));
    let trace = output.trace.as_deref().map(|path| ("--trace", path));
    let files = checkpoint.into_iter().chain(memo.target()).chain(graph.target()).chain(trace);
    let space = output.space.as_ref().map(|file| ("--space", file.path.as_path()));
    files.chain(output.charts.iter().map(ChartFile::target)).chain(space)
}

/// The default file of a counterexample.
pub(super) fn default_trace(scenario: &str) -> PathBuf {
    format!("{scenario}.trace.json").into()
}

/// The file of the first counterexample, or one beside it for the others: `x.trace.json`, `x.2.trace.json`.
pub(super) fn numbered(file: PathBuf, number: usize) -> PathBuf {
    if number == 1 {
        return file;
    }
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or("trace.json");
    let name = match name.split_once('.') {
        Some((stem, extension)) => format!("{stem}.{number}.{extension}"),
        None => format!("{name}.{number}"),
    };
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_counterexamples_lie_beside_the_first() {
        assert_eq!(numbered("a/x.trace.json".into(), 1), PathBuf::from("a/x.trace.json"));
        assert_eq!(numbered("a/x.trace.json".into(), 2), PathBuf::from("a/x.2.trace.json"));
        assert_eq!(numbered("trace".into(), 3), PathBuf::from("trace.3"));
    }
}
