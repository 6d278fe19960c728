//! # The command line
//!
//! `list`, `show`, `check`, `watch`, `compare`, `simulate` and `replay` for any set of scenarios and drivers: the bundled
//! ones, or a user's own, which get all commands through `everypath::main!`. The program with the bundled scenarios also has
//! `reproduce`.
//!
//! ## Exit codes
//!
//! 0: nothing was found, and the bound was fully explored. 1: a violation was found. 2: wrong
//! usage or bad input, or the results could not be printed. 3: nothing was found, but not everything was explored. 4:
//! nothing was found, but with `--strict` the check says less than it seems to.
//!
//! ## What is not here
//!
//! No search, no simulation and no file format: only their arguments, their order, and their
//! output.

#![warn(unreachable_pub)]

mod arguments;
mod check;
mod compare;
mod error;
mod hint;
mod instances;
mod kept;
mod list;
mod output;
mod replay;
mod reproduce;
mod running;
mod scenario_file;
mod scenarios;
#[cfg(test)]
mod schemas;
mod searching;
mod simulate;
mod simulating;
mod sweep;
mod traces;
mod typed;
mod watch;

use std::{panic::resume_unwind, path::Path, process::ExitCode, thread};

use clap::FromArgMatches;

use arguments::{Arguments, Command, reproduce::with_command as with_reproduce};
use error::CliError;
use output::Outcome;
use running::{STACK_BYTES, interrupt, watchdog};
use scenario_file::{Setting, Source};
use scenarios::entry as entries_by_name;
pub use scenarios::entry::Entry;
pub use typed::{Listed, entry, scenario};

/// Runs the command line of this process on a set of scenarios and drivers.
#[must_use]
pub fn run(entries: Vec<Box<dyn Entry>>) -> ExitCode {
    run_main(entries, cfg!(panic = "unwind"))
}

/// Like [`run`], for `everypath::main!`: only the crate of the program itself knows whether its panics can be caught.
#[doc(hidden)]
#[must_use]
pub fn run_main(entries: Vec<Box<dyn Entry>>, catches_panics: bool) -> ExitCode {
    run_command(command(&entries), &dispatch, &entries, catches_panics)
}

/// The same, for the bundled scenarios: with `reproduce`, which needs them. Only a program that calls this function
/// links that command and its tables.
#[doc(hidden)]
#[must_use]
pub fn run_bundled(entries: Vec<Box<dyn Entry>>, catches_panics: bool) -> ExitCode {
    let command = with_reproduce(command(&entries));
    run_command(command, &reproduce_or_dispatch, &entries, catches_panics)
}

/// Reads a scenario file and makes its scenario, but runs nothing: for `fuzz`.
///
/// # Errors
/// Why the file is refused.
#[doc(hidden)]
pub fn read_scenario_file(entries: &[Box<dyn Entry>], path: &Path) -> Result<(), String> {
    let read = || {
        let (source, table) = Source::read(path)?;
        let setting = Setting::read(&source, &table, &[])?;
        entries_by_name::named_by(entries, &setting)?.build_setting(&setting)
    };
    read().map(drop).map_err(|error: CliError| error.to_string())
}

fn command(entries: &[Box<dyn Entry>]) -> clap::Command {
    let example = entries.first().map_or("SCENARIO", |entry| entry.name());
    arguments::command(&output::program_name(), example)
}

/// Runs the command that the matches name.
type Dispatch = dyn Fn(&[Box<dyn Entry>], &clap::ArgMatches) -> Result<Outcome, CliError> + Sync;

fn run_command(
    command: clap::Command,
    dispatch: &Dispatch,
    entries: &[Box<dyn Entry>],
    catches_panics: bool,
) -> ExitCode {
    interrupt::survive_large_files();
    let matches = command.clone().try_get_matches().unwrap_or_else(|error| {
        let words: Vec<String> = output::words().skip(1).collect();
        output::exit(&hint::hinted(error, &command, entries, &words))
    });
    let outcome = ensure_caught(catches_panics)
        .and_then(|()| entries_by_name::distinct(entries))
        .and_then(|()| with_room(&|| dispatch(entries, &matches)));
    let outcome = outcome.unwrap_or_else(|error| {
        output::complain(error);
        Outcome::BadInput
    });
    output::ended(outcome).into()
}

/// Refuses to run if a panic of a handler cannot be reported as a finding.
fn ensure_caught(catches_panics: bool) -> Result<(), CliError> {
    if catches_panics { Ok(()) } else { Err(CliError::Aborts) }
}

/// Runs a command on a thread with a large stack.
fn with_room(run: &(impl Fn() -> Result<Outcome, CliError> + Sync)) -> Result<Outcome, CliError> {
    watchdog::watch(None);
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("main".to_owned()).stack_size(STACK_BYTES);
        match builder.spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // There is no memory for that stack.
            Err(_) => run(),
        }
    })
}

fn reproduce_or_dispatch(
    entries: &[Box<dyn Entry>],
    matches: &clap::ArgMatches,
) -> Result<Outcome, CliError> {
    match arguments::reproduce::called(matches) {
        Some(asked) => reproduce::reproduce(entries, &asked.unwrap_or_else(|it| output::exit(&it))),
        None => dispatch(entries, matches),
    }
}

fn dispatch(entries: &[Box<dyn Entry>], matches: &clap::ArgMatches) -> Result<Outcome, CliError> {
    let arguments =
        Arguments::from_arg_matches(matches).unwrap_or_else(|error| output::exit(&error));
    match arguments.command {
        Command::List { json } => Ok(list::list(entries, json)),
        Command::Show { which, published, json } => list::show(entries, &which, published, json),
        Command::Check(arguments) if arguments.instances.are_used() => {
            instances::check(entries, &arguments)
        }
        Command::Check(arguments) => check::check(entries, &arguments),
        Command::Watch(arguments) => watch::watch(entries, &arguments),
        Command::Compare(arguments) => compare::compare(entries, &arguments),
        Command::Simulate(arguments) => simulate::simulate(entries, &arguments),
        Command::Replay(arguments) => replay::replay(entries, &arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_bundled_program_reproduces_experiments() {
        let words = ["program", "reproduce", "incremental", "--quick"];
        let own = arguments::command("program", "SCENARIO");
        let error = own.clone().try_get_matches_from(words).unwrap_err();
        assert_eq!(error.kind(), clap::error::ErrorKind::InvalidSubcommand);
        assert!(!own.clone().render_long_help().to_string().contains("reproduce"));
        let bundled = with_reproduce(own);
        bundled.clone().debug_assert();
        assert!(bundled.clone().render_long_help().to_string().contains("reproduce"));
        let matches = bundled.try_get_matches_from(words).unwrap();
        let told = arguments::reproduce::called(&matches);
        assert!(told.is_some_and(|told| told.is_ok_and(|arguments| arguments.quick)));
    }
}
