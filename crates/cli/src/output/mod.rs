//! Printing, and the ends of runs.

mod complaint;
mod json_format;
pub(crate) mod numbers;
#[cfg(any(test, not(feature = "fancy-errors")))]
mod wrapping;

use std::{
    env,
    fmt::Display,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{LazyLock, OnceLock},
};

use anstream::{AutoStream, ColorChoice};
use everypath_report::{FileIdentity, escape_controls};
use serde::Serialize;

use crate::error::CliError;
pub(crate) use complaint::complain;
use json_format::Printable;

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
    /// Nothing was found, but the check says less than it seems to, and `--strict` is given.
    Vacuous,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Fine => 0,
            Outcome::Violation => 1,
            Outcome::BadInput => 2,
            Outcome::Stopped => 3,
            Outcome::Vacuous => 4,
        })
    }
}

/// An output file, with the option that names it.
pub(crate) type Target<'a> = (&'static str, &'a Path);

/// Refuses output files that are also inputs.
pub(crate) fn ensure_unread<'a>(
    targets: impl IntoIterator<Item = Target<'a>>,
    read: &[&Path],
) -> Result<(), CliError> {
    let read: Vec<FileIdentity> = read.iter().map(|path| FileIdentity::of(path)).collect();
    let is_read = |path| read.iter().any(|read| read.is_same_as(&FileIdentity::of(path)));
    match targets.into_iter().find(|(_, path)| is_read(path)) {
        Some((option, path)) => Err(CliError::Overwritten { option, path: path.to_owned() }),
        None => Ok(()),
    }
}

/// Refuses output files that cannot be written: before a run that may take hours, not after it.
pub(crate) fn ensure_writable<'a>(
    targets: impl IntoIterator<Item = Target<'a>>,
) -> Result<(), CliError> {
    let mut known: Vec<(&'static str, FileIdentity)> = Vec::new();
    for (option, path) in targets {
        let file = FileIdentity::of(path);
        if let Some((other, _)) = known.iter().find(|(_, other)| other.is_same_as(&file)) {
            return Err(CliError::SameFile { option, other, path: path.to_owned() });
        }
        everypath_report::ensure_writable(path).map_err(|error| CliError::Unwritable {
            option,
            path: path.to_owned(),
            error,
        })?;
        known.push((option, file));
    }
    Ok(())
}

/// The words of the command line, with the program's name first. Invalid UTF-8 is replaced.
pub(crate) fn words() -> impl Iterator<Item = String> {
    env::args_os().map(|word| word.to_string_lossy().into_owned())
}

/// The name with which this program was called, without its folder.
pub(crate) fn program_name() -> String {
    let name = words().next().and_then(|called| {
        Path::new(&called).file_stem().map(|name| name.to_string_lossy().into_owned())
    });
    name.unwrap_or_else(|| "everypath".to_owned())
}

/// The command line of this program.
pub(crate) fn called() -> String {
    [program_name()].into_iter().chain(words().skip(1)).collect::<Vec<_>>().join(" ")
}

/// The names of files, for output.
pub(crate) fn names(files: &[PathBuf]) -> Vec<String> {
    files.iter().map(|path| path.display().to_string()).collect()
}

/// The command to run this program again with other arguments: as it was called, relative to the
/// working folder if it lies below.
pub(crate) fn program_path() -> String {
    let called = words().next().unwrap_or_else(|| "everypath".to_owned());
    let folder = env::current_dir().unwrap_or_default();
    match Path::new(&called).strip_prefix(folder) {
        Ok(below) => below.display().to_string(),
        Err(_) => called,
    }
}

/// A text quoted so that a shell reads it as one word.
pub(crate) fn shell_word(text: String) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-/=:".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Why the standard output could not be written to.
static UNPRINTED: OnceLock<io::Error> = OnceLock::new();

/// Writes to the standard output. A closed pipe, as of `head`, is not an error; any other error is reported at the end.
fn write_out(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => drop(UNPRINTED.set(error)),
        Ok(()) | Err(_) => {}
    }
    // Otherwise the buffer would try to write the rest once more.
    let _ = out.into_parts();
}

/// The outcome of a command, given that all its output was printed: if not, it is not fine.
pub(crate) fn ended(outcome: Outcome) -> Outcome {
    let Some(error) = UNPRINTED.get() else { return outcome };
    complain(CliError::Unprinted { error: io::Error::new(error.kind(), error.to_string()) });
    if outcome == Outcome::Violation { outcome } else { Outcome::BadInput }
}

/// Prints a message of clap, and exits.
pub(crate) fn exit(said: &clap::Error) -> ! {
    let printed = said.print().and_then(|()| io::stdout().flush());
    let code = match printed {
        Err(error) if !said.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
            complain(CliError::Unprinted { error });
            2
        }
        Ok(()) | Err(_) => said.exit_code(),
    };
    std::process::exit(code)
}

/// Prints to the standard output. Of control characters, only ends of lines, tabs and our own colours get there.
pub(crate) fn print(text: &str) {
    let kept: &[&str] =
        if has_colours() { &["\n", "\t", RED, GREEN, YELLOW, PLAIN] } else { &["\n", "\t"] };
    let shown = escape_controls(text, kept);
    write_out(|out| out.write_all(shown.as_bytes()));
}

/// Prints JSON to the standard output, piece by piece: it can be many times as large as its data in memory.
pub(crate) fn print_json(value: &impl Serialize) {
    write_out(|out| {
        let mut to = serde_json::Serializer::with_formatter(&mut *out, Printable::default());
        value.serialize(&mut to)?;
        out.write_all(b"\n")
    });
}

/// The standard output as a writer of lines.
#[derive(Default)]
pub(crate) struct Printer {
    /// Text that is not printed yet.
    text: Vec<u8>,
}

/// This much is printed at once.
const CHUNK_BYTES: usize = 1 << 16;

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        // Whole lines: no letter is cut in two.
        if self.text.len() >= CHUNK_BYTES && bytes.ends_with(b"\n") {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        print(&String::from_utf8_lossy(&self.text));
        self.text.clear();
        Ok(())
    }
}

/// Prints a remark besides the result, to the standard error like progress.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "{}", escape_controls(text, &["\n"]));
}

const RED: &str = "\u{1b}[1;31m";
const GREEN: &str = "\u{1b}[1;32m";
const YELLOW: &str = "\u{1b}[1;33m";
const PLAIN: &str = "\u{1b}[0m";

/// Whether the standard output shows colours.
fn has_colours() -> bool {
    static HAS_COLOURS: LazyLock<bool> = LazyLock::new(|| {
        let forced = env::var_os("FORCE_COLOR").is_some_and(|it| it != "0" && it != "false");
        forced || AutoStream::choice(&io::stdout()) != ColorChoice::Never
    });
    *HAS_COLOURS
}

fn coloured(text: impl Display, colour: &str) -> String {
    let text = text.to_string();
    let text = escape_controls(&text, &[]);
    if has_colours() { format!("{colour}{text}{PLAIN}") } else { text.into_owned() }
}

/// One line for each fact.
pub(crate) fn lines(facts: &[(String, String)]) -> String {
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    facts.iter().map(|(name, value)| format!("{name:width$}  {value}\n")).collect()
}

/// Lines indented below another one.
pub(crate) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("\n        {line}")).collect()
}

pub(crate) fn bad(text: impl Display) -> String {
    coloured(text, RED)
}

pub(crate) fn good(text: impl Display) -> String {
    coloured(text, GREEN)
}

pub(crate) fn unsure(text: impl Display) -> String {
    coloured(text, YELLOW)
}
