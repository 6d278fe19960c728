//! Files of failing tests: counterexamples, charts, and replays.

use std::{
    env, fs,
    path::{Path, PathBuf},
    thread,
};

use everypath_report::{TRACE_ENDING, TraceFile, TraceFileError, write_atomically};

/// The environment variable with a run to replay instead of a search.
pub(crate) const REPLAY: &str = "EVERYPATH_REPLAY";

/// The name of the running test, if its thread has one.
pub(crate) fn test_name() -> Option<String> {
    let name = thread::current().name()?.to_owned();
    (name != "main").then_some(name)
}

/// The folder for files of failing tests: in cargo's target folder, which is not a source.
pub(crate) fn folder() -> PathBuf {
    let built = env::current_exe().ok();
    let target = built.as_deref().and_then(target_of).map(Path::to_owned);
    target.unwrap_or_else(env::temp_dir).join("everypath")
}

/// Cargo's target folder. It has a tag, unless it existed before cargo used it; tests are in its
/// `PROFILE/deps`.
fn target_of(exe: &Path) -> Option<&Path> {
    let tagged = exe.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    let in_deps = || exe.parent().filter(|folder| folder.ends_with("deps"))?.ancestors().nth(2);
    tagged.or_else(in_deps)
}

/// The file for the counterexample of a test.
pub(crate) fn own_file(scenario: &str) -> PathBuf {
    let name = test_name().unwrap_or_else(|| scenario.to_owned()).replace("::", ".");
    let is_odd = |c: char| !c.is_alphanumeric() && !"-_.".contains(c);
    folder().join(format!("{}{TRACE_ENDING}", name.replace(is_odd, "-")))
}

/// The file for its chart, beside it.
pub(crate) fn chart_of(path: &Path) -> PathBuf {
    let path = path.to_string_lossy();
    PathBuf::from(format!("{}.html", path.trim_end_matches(TRACE_ENDING)))
}

/// The run that the environment variable names, and its path.
///
/// # Errors
/// If there is no such file, or it is not a trace.
pub(crate) fn named_run() -> Option<Result<(PathBuf, TraceFile), TraceFileError>> {
    let path = PathBuf::from(env::var_os(REPLAY)?);
    Some(TraceFile::read(&path).map(|trace| (path, trace)))
}

/// Writes a counterexample.
pub(crate) fn write_run(path: &Path, trace: &TraceFile) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    trace.write(path).map_err(|error| error.to_string())
}

/// Writes a counterexample with a chart beside it, and returns the chart's path.
pub(crate) fn write(path: &Path, trace: &TraceFile, chart: &str) -> Result<PathBuf, String> {
    write_run(path, trace)?;
    let drawn = chart_of(path);
    write_atomically(&drawn, chart.as_bytes())
        .map_err(|error| format!("{}: {error}", drawn.display()))?;
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_folder_is_found_by_its_tag_or_by_what_is_in_it() {
        let target = tempfile::tempdir().unwrap();
        let exe = target.path().join("debug/deps/lock-0123");
        assert_eq!(target_of(&exe), Some(target.path()));
        assert_eq!(target_of(&target.path().join("elsewhere/lock")), None);
        fs::write(target.path().join("CACHEDIR.TAG"), "").unwrap();
        assert_eq!(target_of(&target.path().join("elsewhere/lock")), Some(target.path()));
    }
}
