//! `reproduce`: published experiments, with the published numbers beside ours.

mod incremental;
mod measured;

use crate::{
    arguments::reproduce::{Experiment, ReproduceArguments},
    error::CliError,
    output::{Outcome, print, print_json},
    running::interrupt,
    scenarios::entry::Entry,
};

/// Runs experiments with scenarios of this program.
pub(crate) fn reproduce(
    entries: &[Box<dyn Entry>],
    arguments: &ReproduceArguments,
) -> Result<Outcome, CliError> {
    interrupt::flag();
    let Experiment::Incremental = arguments.experiment;
    let tables = incremental::tables(entries, arguments)?;
    if arguments.json {
        print_json(&tables.to_json());
    } else {
        print(&tables.to_text());
    }
    Ok(if interrupt::happened() { Outcome::Stopped } else { Outcome::Fine })
}
