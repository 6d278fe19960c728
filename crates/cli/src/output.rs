//! What is printed, and how a run ends.

use std::{
    fmt::Display,
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

use everypath_explore::{Progress, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use owo_colors::{OwoColorize, Stream};
use serde_json::Value;

use crate::{
    error::CliError,
    interrupt,
    numbers::{grouped, size},
};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing was found, and the bound was fully explored; or the command did what it is for.
    Fine,
    /// A violation was found.
    Violation,
    /// Wrong usage or bad input.
    BadInput,
    /// Nothing was found, but not everything was explored.
    Stopped,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Fine => 0,
            Outcome::Violation => 1,
            Outcome::BadInput => 2,
            Outcome::Stopped => 3,
        })
    }
}

/// A file that is to be written, with the option that names it.
pub(crate) type Target<'a> = (&'static str, &'a Path);

/// Whether all files that are to be written can be: before a run that may take hours, not after it.
pub(crate) fn ensure_writable<'a>(
    targets: impl IntoIterator<Item = Target<'a>>,
) -> Result<(), CliError> {
    let mut known: Vec<Target<'_>> = Vec::new();
    for (option, path) in targets {
        if let Some((other, _)) = known.iter().find(|(_, other)| *other == path) {
            return Err(CliError::SameFile { option, other, path: path.to_owned() });
        }
        everypath_report::ensure_writable(path).map_err(|error| CliError::Unwritable {
            option,
            path: path.to_owned(),
            error,
        })?;
        known.push((option, path));
    }
    Ok(())
}

/// What this program was called as, without its folder.
pub(crate) fn program_name() -> String {
    let called = std::env::args().next().unwrap_or_default();
    let name = Path::new(&called).file_stem().and_then(|name| name.to_str());
    name.unwrap_or("everypath").to_owned()
}

/// What was typed to run this program.
pub(crate) fn called() -> String {
    let arguments = std::env::args().skip(1);
    [program_name()].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Files, as they are told.
pub(crate) fn names(files: &[PathBuf]) -> Vec<String> {
    files.iter().map(|path| path.display().to_string()).collect()
}

/// What to type to run this program again with other arguments: as it was called, from the
/// working folder if it lies below.
pub(crate) fn program_path() -> String {
    let called = std::env::args().next().unwrap_or_else(|| "everypath".to_owned());
    let folder = std::env::current_dir().unwrap_or_default();
    match Path::new(&called).strip_prefix(folder) {
        Ok(below) => below.display().to_string(),
        Err(_) => called,
    }
}

/// Prints to the standard output. A reader that has gone away, as `head` does, is no error.
pub(crate) fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

pub(crate) fn print_json(value: &Value) {
    print(&format!("{value:#}\n"));
}

/// Prints what went wrong to the standard error.
pub(crate) fn complain(error: CliError) {
    let _ = writeln!(io::stderr(), "{:?}", miette::Report::new(error));
}

pub(crate) fn bad(text: impl Display) -> String {
    text.if_supports_color(Stream::Stdout, |text| text.red().bold().to_string()).to_string()
}

pub(crate) fn good(text: impl Display) -> String {
    text.if_supports_color(Stream::Stdout, |text| text.green().bold().to_string()).to_string()
}

pub(crate) fn unsure(text: impl Display) -> String {
    text.if_supports_color(Stream::Stdout, |text| text.yellow().bold().to_string()).to_string()
}

/// A line on the standard error that says how far a run is; only a terminal shows it.
pub(crate) struct Line {
    bar: ProgressBar,
    shown: Instant,
}

/// How often the line is renewed: often enough to look alive.
const REFRESH: Duration = Duration::from_millis(200);

impl Line {
    pub(crate) fn new(visible: bool) -> Self {
        let bar = if visible { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        bar.set_style(
            ProgressStyle::with_template("{spinner} {msg}").expect("the template is well formed"),
        );
        Self { bar, shown: Instant::now() }
    }

    /// Makes the line vanish.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints something else meanwhile.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    pub(crate) fn update(&mut self, text: impl FnOnce() -> String) {
        if self.shown.elapsed() >= REFRESH {
            self.shown = Instant::now();
            self.bar.set_message(text());
            self.bar.tick();
        }
    }
}

/// How far a search is.
pub(crate) fn progress_text(progress: &Progress) -> String {
    if progress.states_visited == 0 {
        // A walk stores none.
        let (events, bytes) = (grouped(progress.events), size(progress.bytes as u64));
        return format!("{events} events, {bytes}");
    }
    let rate = progress.events as f64 / progress.elapsed.as_secs_f64().max(1e-9) / 1e6;
    let share = progress
        .level_share
        .map_or(String::new(), |share| format!(" ({:.0} % expanded)", share * 100.0));
    format!(
        "depth {}{share}: {} states, {} waiting, {} events ({rate:.1} million/s), {}",
        progress.depth,
        grouped(progress.states_visited),
        grouped(progress.states_waiting),
        grouped(progress.events),
        size(progress.bytes as u64),
    )
}

impl Drop for Line {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Watch for Line {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if interrupt::happened() {
            return ControlFlow::Break(());
        }
        self.update(|| progress_text(progress));
        ControlFlow::Continue(())
    }

    fn concluding(&mut self) {
        self.bar.set_message("the search is over: looking for runs to what was found");
        self.bar.tick();
    }
}
