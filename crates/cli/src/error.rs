//! What can go wrong before or instead of a result.

use std::{io, path::PathBuf};

use everypath_capture::{LogDifference, LogError};
use everypath_explore::{Conflict, Mismatch, PatternError, Refusal};
use everypath_model::{ParameterError, ScenarioError, did_you_mean};
use everypath_network::{GraphError, SpaceError};
#[cfg(feature = "png")]
use everypath_plot::PngError;
use everypath_report::{SealedFileError, TraceFileError};
use everypath_sim::{SimError, Sort, Untestable};
use miette::Diagnostic;
use thiserror::Error;

#[derive(Debug, Diagnostic, Error)]
pub(crate) enum CliError {
    #[error("there is no scenario `{name}`")]
    UnknownScenario {
        name: String,
        #[help]
        help: String,
    },
    #[error("two scenarios are called `{name}`")]
    #[diagnostic(help(
        "a scenario is called as the function that makes it, without its path; rename one"
    ))]
    SameName { name: String },
    #[error("{scenario}: {error}")]
    Parameter {
        scenario: String,
        error: ParameterError,
        #[help]
        help: String,
    },
    #[error("scenario `{scenario}` cannot be run: {error}")]
    Scenario { scenario: String, error: ScenarioError },
    #[error("scenario `{scenario}` cannot be explored: {error}")]
    Space { scenario: String, error: SpaceError },
    #[error("scenario `{scenario}` requires an event that nobody understands: {error}")]
    Required { scenario: String, error: PatternError },
    #[error("scenario `{scenario}`: {what} panicked: {panic}")]
    #[diagnostic(help(
        "that is a mistake in the scenario, not in its protocol: mend it there and run again"
    ))]
    Panicked { scenario: String, what: String, panic: String },
    #[error("{}", describe_refusal(refusal))]
    Refused { refusal: Refusal },
    #[error("a search was stopped by {by} before it had seen everything")]
    Unfinished { by: String },
    #[error("there is no {what} `{name}`")]
    Unknown {
        what: &'static str,
        name: String,
        #[help]
        help: String,
    },
    #[error(transparent)]
    Sealed(#[from] SealedFileError),
    #[error("{path} was written by another build of this program: {why}", path = path.display())]
    OtherProgram {
        path: PathBuf,
        why: String,
        #[help]
        remedy: &'static str,
    },
    #[error("{path} is a checkpoint of another search: {difference}; make them the same, or start anew", path = path.display())]
    OtherSearch { path: PathBuf, difference: Mismatch },
    #[error("cannot go on from {path}: {what}", path = path.display())]
    #[diagnostic(help("start the search anew, without --resume"))]
    Resume { path: PathBuf, what: String },
    #[error("the checkpoint {path} is in use: another check is saving its search there", path = path.display())]
    #[diagnostic(help("wait until it has ended, or name another file; nothing was run so far"))]
    InUse { path: PathBuf },
    #[error("cannot find out which program this is: {error}")]
    #[diagnostic(help("run it from a file that can be built anew"))]
    NoProgram { error: io::Error },
    #[error("what {path} says is wrong: {what} does something else", path = path.display())]
    #[diagnostic(help(
        "a handler must be a function of what it is given, and `Protocol::configuration`, if there is one, must say all that handlers read of the protocol; delete the file"
    ))]
    WrongMemo { path: PathBuf, what: String },
    #[error("{path} cannot be used: {error}; make them the same, or delete it, and it is made anew", path = path.display())]
    OtherGraph { path: PathBuf, error: GraphError },
    #[error("what {path} says is wrong: {what} leads elsewhere", path = path.display())]
    #[diagnostic(help(
        "a handler must be a function of what it is given and of the parameters of the scenario; delete the file"
    ))]
    WrongGraph { path: PathBuf, what: String },
    #[error("with a graph, `check {what}` comes to something else than without one")]
    #[diagnostic(help("that is an error of this program; please report it"))]
    Unequal { what: &'static str },
    #[error("{option} has no effect with {with}")]
    #[diagnostic(help("leave it out, or see `--help` for what it goes with"))]
    Unused { option: String, with: String },
    #[error("{option} does not go with {other}: {why}")]
    #[diagnostic(help("leave one of them out"))]
    NotTogether { option: &'static str, other: &'static str, why: &'static str },
    #[error("cannot use the folder {path}: {error}", path = path.display())]
    #[diagnostic(help("name a folder that can be read and written to, or none yet"))]
    Folder { path: PathBuf, error: io::Error },
    #[error("{error}")]
    #[diagnostic(help(
        "it is one of the earlier counterexamples that are to be run again: put a whole copy in its place, or remove it from the folder"
    ))]
    Regression { error: TraceFileError },
    #[error("{what}")]
    Unreadable {
        what: String,
        #[help]
        help: Option<String>,
    },
    #[error("search `{search}`: {error}")]
    Search {
        search: String,
        error: Box<CliError>,
        #[help]
        help: Option<String>,
    },
    #[error("search `{search}` is to be compared twice")]
    #[diagnostic(help("leave one of them out"))]
    SameSearch { search: String },
    #[error("the simulation of `{scenario}` failed: {error}")]
    Simulation {
        scenario: String,
        error: SimError,
        #[help]
        help: Option<String>,
    },
    #[error("{what}")]
    ScenarioFile {
        what: String,
        #[help]
        help: Option<String>,
    },
    #[error("another process is writing results to {path}", path = path.display())]
    #[diagnostic(help("wait until it has finished, or name another folder"))]
    ResultsInUse { path: PathBuf },
    #[error("cannot write {path}: {error}", path = path.display())]
    #[diagnostic(help(
        "results that were kept before are still whole: once there is room and a folder that can be written to, call again, and only what is missing is run"
    ))]
    Results { path: PathBuf, error: io::Error },
    #[error("{path} is no run that can be read: {what}", path = path.display())]
    #[diagnostic(help("remove the file: the run is then made again"))]
    DamagedRun { path: PathBuf, what: String },
    #[error("{option} cannot be had: scenario `{scenario}` {what}")]
    #[diagnostic(help("`check {scenario}` looks for violations on every path"))]
    Unwatchable { option: &'static str, scenario: String, what: String },
    #[error("both variants of `{scenario}` are the same")]
    #[diagnostic(help("give --versus a value that differs from what --set or the scenario says"))]
    SameVariant { scenario: String },
    #[error("the claim cannot be tested: {error}")]
    Untestable { error: Untestable },
    #[error("cannot read {path}: there is no such file", path = path.display())]
    #[diagnostic(help(
        "`replay` takes the file of a run: `check` saves one when it finds a violation, and `simulate` if it is told a file for its event log"
    ))]
    NoRun { path: PathBuf },
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("{path}:{line}: the run differs from here on\nrecorded: {recorded}\n     now: {now}", path = path.display(), line = difference.line, recorded = difference.recorded, now = difference.now)]
    #[diagnostic(help(
        "the protocol or the scenario has changed since the run was recorded; record it again with `simulate --event-log`"
    ))]
    OtherLog { path: PathBuf, difference: LogDifference },
    #[error("measure `{measure}` reads `{name}`, and nothing was {sort} under that name in {runs}")]
    Unrecorded {
        measure: String,
        name: String,
        sort: Sort,
        runs: String,
        #[help]
        help: String,
    },
    #[error("{path} was recorded with {file} as it was then, and that has changed since: its digest was {was} and is {is}", path = path.display(), file = file.display())]
    #[diagnostic(help("put the file back as it was, or record the run again"))]
    OtherFile { path: PathBuf, file: PathBuf, was: String, is: String },
    #[error(transparent)]
    TraceFile(#[from] TraceFileError),
    #[error("cannot write {path}, which {option} names: {error}", path = path.display())]
    #[diagnostic(help(
        "name a file in a folder that exists and that can be written to; nothing was run so far"
    ))]
    Unwritable { option: &'static str, path: PathBuf, error: io::Error },
    #[error("{option} and {other} name the same file {path}", path = path.display())]
    #[diagnostic(help("one would replace the other: name another file"))]
    SameFile { option: &'static str, other: &'static str, path: PathBuf },
    #[error("{option} names {path}, which is read", path = path.display())]
    #[diagnostic(help("it would be replaced: name another file"))]
    Overwritten { option: &'static str, path: PathBuf },
    #[error("cannot print: {error}")]
    #[diagnostic(help(
        "what was found was not told, or only in part: run it again where it can be"
    ))]
    Unprinted { error: io::Error },
    #[error(
        "this program is built with `panic = \"abort\"`: the first handler that panics would end it, and nothing would be found"
    )]
    #[diagnostic(help(
        "take `panic = \"abort\"` out of the profile in Cargo.toml, and build it anew"
    ))]
    Aborts,
    #[error("cannot write chart {path}: {error}", path = path.display())]
    Chart { path: PathBuf, error: io::Error },
    #[error("cannot write {path}, which {option} names: {error}", path = path.display())]
    Capture {
        option: &'static str,
        path: PathBuf,
        error: io::Error,
        #[help]
        help: Option<&'static str>,
    },
    #[error(
        "{option} needs to know how packets look on a wire, which scenario `{scenario}` does not say"
    )]
    #[diagnostic(help(
        "a scenario says so with `.wire(…)`; `--event-log` works with every scenario"
    ))]
    Unwired { option: &'static str, scenario: String },
    #[cfg(feature = "png")]
    #[error("{0}")]
    Png(PngError),
    #[cfg(not(feature = "png"))]
    #[error("--plot {path}: this program draws no PNG: it is built without the feature `png`", path = path.display())]
    #[diagnostic(help(
        "name a folder, for drawings as SVG; or build with the feature: `cargo run --features png`, or `features = [\"png\"]` where Cargo.toml names everypath"
    ))]
    Pixelless { path: PathBuf },
    #[error("cannot write plot {path}: {error}", path = path.display())]
    Plot { path: PathBuf, error: io::Error },
    #[error("{path} is a run of scenario `{scenario}`, which is not among those of this program", path = path.display())]
    ForeignScenario {
        path: PathBuf,
        scenario: String,
        #[help]
        help: String,
    },
    #[error("{path} does not fit scenario `{scenario}` any more: {error}", path = path.display())]
    ForeignParameters { path: PathBuf, scenario: String, error: ParameterError },
    #[error("{path} does not describe what the protocol does now: {what}", path = path.display())]
    #[diagnostic(help(
        "the protocol or the scenario has changed since the run was recorded; look for the violation again with `check`"
    ))]
    Diverged { path: PathBuf, what: String },
    #[error("{path} cannot be played with times: {what}", path = path.display())]
    #[diagnostic(help(
        "the handlers do something else when they are told the time: what `Effects::time_left` says must not decide what happens"
    ))]
    Unplayable { path: PathBuf, what: String },
    #[error("{path} is a damaged trace file: {what}", path = path.display())]
    DamagedTrace { path: PathBuf, what: &'static str },
}

/// Something was asked for that has no effect with something else.
pub(crate) fn unused(option: impl Into<String>, with: impl Into<String>) -> CliError {
    CliError::Unused { option: option.into(), with: with.into() }
}

/// Something was named that does not exist, among these that do.
pub(crate) fn unknown<'a>(
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> CliError {
    CliError::Unknown { what, name: name.to_owned(), help: did_you_mean(name, known) }
}

/// Why there is no result of a scenario, or of one of its variants.
pub(crate) fn not_simulated(name: &str, error: SimError, which: &str) -> CliError {
    CliError::Simulation {
        help: matches!(error, SimError::HandlerPanicked { .. })
            .then(|| format!("`check {name}` looks for the shortest run to a panic")),
        scenario: format!("{name}{which}"),
        error,
    }
}

/// A refusal in the words of the command line: its options have dashes.
pub(crate) fn describe_refusal(refusal: &Refusal) -> String {
    let Refusal::Combination { strategy, conflict, .. } = refusal else {
        return refusal.to_string();
    };
    let option = match conflict {
        Conflict::WalkStoresLate | Conflict::RecursionStoresLate | Conflict::BeamStoresLate => {
            "--add current"
        }
        other => other.option(),
    };
    let remedy = match conflict {
        Conflict::WalkUnbounded => "; give --max-depth",
        Conflict::BitsWithBound => "; use bfs with --add next, or no bound",
        _ => "",
    };
    format!("{strategy} cannot be combined with {option}: {}{remedy}", conflict.reason())
}
