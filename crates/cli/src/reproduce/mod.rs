//! `reproduce`: published experiments, with the published numbers beside ours.

mod incremental;
mod manet;
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
    let (text, json) = match arguments.experiment {
        Experiment::Incremental => {
            let tables = incremental::tables(entries, arguments)?;
            (tables.to_text(), tables.to_json())
        }
        Experiment::Manet => {
            let tables = manet::tables(entries, arguments)?;
            (tables.to_text(), tables.to_json())
        }
    };
    match arguments.json {
        true => print_json(&json),
        false => print(&text),
    }
    Ok(if interrupt::happened() { Outcome::Stopped } else { Outcome::Fine })
}
