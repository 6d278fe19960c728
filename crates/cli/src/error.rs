//! The errors of the command line, with their remedies.

use std::{io, path::PathBuf};

use everypath_capture::{LogDifference, LogError};
use everypath_driver::DriverError;
use everypath_explore::{Conflict, Divergence, Mismatch, PatternError, Refusal};
use everypath_model::{ParameterError, ScenarioError, did_you_mean};
use everypath_network::{BadStart, GraphError, SpaceError};
use everypath_plain::PlainError;
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
        "a scenario is named after the function that makes it, without its path; rename one"
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
    #[error("driver `{name}` cannot be explored: {error}")]
    Driver { name: String, error: DriverError },
    #[error("`{name}` is a driver of calls: it has no network, no time and no scenario file")]
    #[diagnostic(help("`check {name}` makes every sequence of its calls"))]
    NotAScenario { name: String },
    #[error("scenario `{scenario}`: {error}")]
    Plain { scenario: String, error: PlainError },
    #[error("{option} is not for drivers: {why}")]
    #[diagnostic(help("remove it"))]
    NotForDrivers { option: &'static str, why: &'static str },
    #[error(
        "{option} has no use for `{name}`: its calls can read nothing but their heap and their arguments, so that there is nothing to verify"
    )]
    #[diagnostic(help("remove it"))]
    NothingToVerify { option: &'static str, name: String },
    #[error("scenario `{scenario}` requires an event pattern that cannot be parsed: {error}")]
    Required { scenario: String, error: PatternError },
    #[error("scenario `{scenario}`: {what} panicked: {panic}")]
    #[diagnostic(help(
        "this is a mistake in the scenario, not in its protocol: fix it there and run again"
    ))]
    Panicked { scenario: String, what: String, panic: String },
    #[error("{}", describe_refusal(refusal))]
    Refused { refusal: Refusal },
    #[error("a search was stopped by {by} before it was complete")]
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
    #[error("{path} is a checkpoint of another search: {difference}; make them the same, or start from scratch", path = path.display())]
    OtherSearch { path: PathBuf, difference: Mismatch },
    #[error("cannot resume from {path}: {what}", path = path.display())]
    #[diagnostic(help("start the search from scratch, without --resume"))]
    Resume { path: PathBuf, what: String },
    #[error("the checkpoint {path} is in use: another check is saving its search there", path = path.display())]
    #[diagnostic(help("wait until it has ended, or name another file; nothing was run so far"))]
    InUse { path: PathBuf },
    #[error("the cut `{cut}` never happens: {why}")]
    NeverCut {
        cut: String,
        why: String,
        #[help]
        help: String,
    },
    #[error(
        "the starts `{starts}` of scenario `{scenario}` are not worlds of its protocol: {error}"
    )]
    #[diagnostic(help("this is a mistake in the scenario: fix it there and run again"))]
    BadStart { scenario: String, starts: String, error: BadStart },
    #[error("no instance has a name that contains `{text}`")]
    NoInstance {
        text: String,
        #[help]
        help: String,
    },
    #[error("the part file {path} is in use: another check is saving its share there", path = path.display())]
    #[diagnostic(help("wait until it has ended, or name another file with --part"))]
    PartInUse { path: PathBuf },
    #[error("{path} holds share {number} of {of}, and this is another share", path = path.display())]
    #[diagnostic(help("name another file with --part, or delete this one"))]
    OtherShare { path: PathBuf, number: u32, of: u32 },
    #[error("{path} has another trunk or other instances, although scenario, options and program are the same", path = path.display())]
    #[diagnostic(help(
        "a handler or a cut depends on something outside: `check --verify-determinism` looks for it"
    ))]
    OtherTrunk { path: PathBuf },
    #[error("{path} is a part of another search than {first}: it has {key} {here}, and the other has {there}", path = path.display(), first = first.display())]
    #[diagnostic(help("merge only parts of one search"))]
    OtherPart { path: PathBuf, first: PathBuf, key: String, here: String, there: String },
    #[error("{path} is a part of scenario `{scenario}`, not of `{asked}`", path = path.display())]
    #[diagnostic(help("name the right scenario, or none: the files know it"))]
    PartOf { path: PathBuf, scenario: String, asked: String },
    #[error("{path} and {other} both hold {what}", path = path.display(), other = other.display())]
    #[diagnostic(help("name each part once"))]
    PartTwice { path: PathBuf, other: PathBuf, what: String },
    #[error("no part file could be used")]
    #[diagnostic(help("run the shares again: `check SCENARIO --cut … --share I/M`"))]
    NoParts,
    #[error("a run that was found cannot be repeated: {divergence}")]
    #[diagnostic(help(
        "a handler depends on something outside its arguments: `check --verify-determinism` looks for it"
    ))]
    Unrepeated { divergence: Divergence },
    #[error("cannot find the file of this program: {error}")]
    #[diagnostic(help("run it from the file that the build writes"))]
    NoProgram { error: io::Error },
    #[error("{path} has a wrong result: {what} does something else", path = path.display())]
    #[diagnostic(help(
        "a handler must be a function of its arguments, and `Protocol::configuration`, if there is one, must contain everything that handlers read of the protocol; delete the file"
    ))]
    WrongMemo { path: PathBuf, what: String },
    #[error("{path} cannot be used: {error}; make them the same, or delete it to start from scratch", path = path.display())]
    OtherGraph { path: PathBuf, error: GraphError },
    #[error("{path} is a graph of another version: it was saved with {what}", path = path.display())]
    #[diagnostic(help(
        "what differs between versions is yours to say: name the events with `--modified`, such as `--modified timer:Expire`"
    ))]
    OtherVersion { path: PathBuf, what: String },
    #[error("{path} has a wrong step: {what} leads to another state", path = path.display())]
    #[diagnostic(help(
        "a handler must be a function of its arguments and of the parameters of the scenario; delete the file"
    ))]
    WrongGraph { path: PathBuf, what: String },
    #[error("`check {what}` gives another result with a graph than without one")]
    #[diagnostic(help("this is a bug of Everypath; please report it"))]
    Unequal { what: &'static str },
    #[error("{option} has no effect with {with}")]
    #[diagnostic(help("remove it, or see `--help` for what it goes with"))]
    Unused { option: String, with: String },
    #[error("{option} cannot be combined with {other}: {why}")]
    #[diagnostic(help("remove one of them"))]
    NotTogether { option: &'static str, other: &'static str, why: &'static str },
    #[error("cannot use the folder {path}: {error}", path = path.display())]
    #[diagnostic(help(
        "name a folder that can be read and written, or one that does not exist yet"
    ))]
    Folder { path: PathBuf, error: io::Error },
    #[error("{error}")]
    #[diagnostic(help(
        "it is one of the earlier counterexamples to replay: replace it with an intact copy, or remove it from the folder"
    ))]
    Regression { error: TraceFileError },
    #[error("the ranking `learnt` needs counterexamples of an earlier version")]
    #[diagnostic(help(
        "name their files or folders: --learn-from FILE; `check` saves a counterexample as SCENARIO.trace.json, and keeps those of --regressions in a folder"
    ))]
    NothingToLearn,
    #[error("there is nothing to learn from {path}: {why}", path = path.display())]
    #[diagnostic(help(
        "name a counterexample that `check` has saved, or a folder of them, as --regressions keeps"
    ))]
    Unteachable { path: PathBuf, why: String },
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
    #[error("search `{search}` is listed twice")]
    #[diagnostic(help("remove one of them"))]
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
        "earlier results are intact: free some space, or make the folder writable, and run the command again; it makes only the missing runs"
    ))]
    Results { path: PathBuf, error: io::Error },
    #[error("{path} cannot be read as a run: {what}", path = path.display())]
    #[diagnostic(help("remove the file; the run is then made again"))]
    DamagedRun { path: PathBuf, what: String },
    #[error("{option} is not available: scenario `{scenario}` {what}")]
    #[diagnostic(help("`check {scenario}` looks for violations on every path"))]
    Unwatchable { option: &'static str, scenario: String, what: String },
    #[error("both variants of `{scenario}` are identical")]
    #[diagnostic(help("give --versus a value that differs from that of --set or of the scenario"))]
    SameVariant { scenario: String },
    #[error("the claim cannot be tested: {error}")]
    Untestable { error: Untestable },
    #[error("cannot read {path}: there is no such file", path = path.display())]
    #[diagnostic(help(
        "`replay` takes the file of a run: `check` saves one when it finds a violation, `simulate` with --event-log"
    ))]
    NoRun { path: PathBuf },
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("{path}:{line}: the run differs from here on\nrecorded: {recorded}\n     now: {now}", path = path.display(), line = difference.line, recorded = difference.recorded, now = difference.now)]
    #[diagnostic(help(
        "the protocol or the scenario has changed since the run was recorded; record it again with `simulate --event-log`"
    ))]
    OtherLog { path: PathBuf, difference: LogDifference },
    #[error("measure `{measure}` reads `{name}`, but nothing was {sort} under that name in {runs}")]
    Unrecorded {
        measure: String,
        name: String,
        sort: Sort,
        runs: String,
        #[help]
        help: String,
    },
    #[error("{file} has changed since {path} was recorded: its digest was {was} and is {is}", path = path.display(), file = file.display())]
    #[diagnostic(help("restore the file, or record the run again"))]
    OtherFile { path: PathBuf, file: PathBuf, was: String, is: String },
    #[error(transparent)]
    TraceFile(#[from] TraceFileError),
    #[error("cannot write {path}, which {option} names: {error}", path = path.display())]
    #[diagnostic(help(
        "name a file in a folder that exists and is writable; nothing was run so far"
    ))]
    Unwritable { option: &'static str, path: PathBuf, error: io::Error },
    #[error("{option} and {other} name the same file {path}", path = path.display())]
    #[diagnostic(help("one would replace the other: name another file"))]
    SameFile { option: &'static str, other: &'static str, path: PathBuf },
    #[error("{option} names {path}, which is an input", path = path.display())]
    #[diagnostic(help("the output would replace it: name another file"))]
    Overwritten { option: &'static str, path: PathBuf },
    #[error("cannot print: {error}")]
    #[diagnostic(help(
        "the results were not printed, or only in part: run it again where they can be"
    ))]
    Unprinted { error: io::Error },
    #[error(
        "this program is built with `panic = \"abort\"`: the first handler that panics would end it, and nothing would be reported"
    )]
    #[diagnostic(help(
        "remove `panic = \"abort\"` from the profile in Cargo.toml, and build again"
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
        "{option} needs the wire format of packets, which scenario `{scenario}` does not define"
    )]
    #[diagnostic(help("define it with `.wire(…)`; `--event-log` works with every scenario"))]
    Unwired { option: &'static str, scenario: String },
    #[cfg(feature = "png")]
    #[error("{0}")]
    Png(PngError),
    #[cfg(not(feature = "png"))]
    #[error("--plot {path}: this program cannot draw PNG: it is built without the feature `png`", path = path.display())]
    #[diagnostic(help(
        "name a folder, for SVG drawings; or build with the feature: `cargo run --features png`, or `features = [\"png\"]` where Cargo.toml names everypath"
    ))]
    Pixelless { path: PathBuf },
    #[error("the state space is not drawn: it has more than {most} states, or too many events")]
    #[diagnostic(help(
        "make it smaller: --max-depth, --max-states, or smaller parameters by --set"
    ))]
    TooManyStates { most: usize },
    #[error("cannot write plot {path}: {error}", path = path.display())]
    Plot { path: PathBuf, error: io::Error },
    #[error("{path} is a run of scenario `{scenario}`, which this program does not have", path = path.display())]
    ForeignScenario {
        path: PathBuf,
        scenario: String,
        #[help]
        help: String,
    },
    #[error("{path} no longer fits scenario `{scenario}`: {error}", path = path.display())]
    ForeignParameters { path: PathBuf, scenario: String, error: ParameterError },
    #[error("{path} no longer matches the protocol: {what}", path = path.display())]
    #[diagnostic(help(
        "the protocol or the scenario has changed since the run was recorded; look for the violation again with `check`"
    ))]
    Diverged { path: PathBuf, what: String },
    #[error("{path} cannot be played with times: {what}", path = path.display())]
    #[diagnostic(help(
        "the handlers behave differently when they know the time: `Effects::time_left` must not decide what happens"
    ))]
    Unplayable { path: PathBuf, what: String },
    #[error("{path} is a damaged trace file: {what}", path = path.display())]
    DamagedTrace { path: PathBuf, what: &'static str },
}

/// An option has no effect with another one.
pub(crate) fn unused(option: impl Into<String>, with: impl Into<String>) -> CliError {
    CliError::Unused { option: option.into(), with: with.into() }
}

/// A name does not exist; these names do.
pub(crate) fn unknown<'a>(
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> CliError {
    CliError::Unknown { what, name: name.to_owned(), help: did_you_mean(name, known) }
}

/// The simulation of a scenario, or of one of its variants, failed.
pub(crate) fn not_simulated(name: &str, error: SimError, which: &str) -> CliError {
    CliError::Simulation {
        help: matches!(error, SimError::HandlerPanicked { .. })
            .then(|| format!("`check {name}` looks for the shortest run to a panic")),
        scenario: format!("{name}{which}"),
        error,
    }
}

/// A refusal with the options of the command line, which have dashes.
pub(crate) fn describe_refusal(refusal: &Refusal) -> String {
    let Refusal::Combination { strategy, conflict, .. } = refusal else {
        return refusal.to_string();
    };
    let option = match conflict {
        Conflict::WalkStoresLate | Conflict::RecursionStoresLate | Conflict::BeamStoresLate => {
            "--add current or twice"
        }
        Conflict::LooksUpTwice => "--add twice",
        other => other.option(),
    };
    let remedy = match conflict {
        Conflict::WalkUnbounded => "; give --max-depth",
        Conflict::BitsWithBound => "; use bfs with --add next, or no bound",
        _ => "",
    };
    format!("{strategy} cannot be combined with {option}: {}{remedy}", conflict.reason())
}
