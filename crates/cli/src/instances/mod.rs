//! `check --cut`, `--starts` and `--merge`: an exploration in parts that run apart.
//!
//! Every way ends in the same place: the answers of all parts are joined into one, whether they come
//! from threads of this process or from part files, and [`conclude`] makes the report of them.

mod answer;
mod conclude;
mod confirm;
mod digests;
mod merge;
mod part_file;
pub(crate) mod report;
mod run;
mod share;
mod spec;
mod trunk;

use crate::{
    arguments::check::CheckArguments, check::check_by, error::CliError, output::Outcome,
    scenarios::entry::Entry,
};
use spec::InstanceSpec;

/// Explores a scenario in parts, or joins the answers of parts.
pub(crate) fn check(
    entries: &[Box<dyn Entry>],
    arguments: &CheckArguments,
) -> Result<Outcome, CliError> {
    if !arguments.instances.merge.is_empty() {
        return merge::merge(entries, arguments);
    }
    let instances = InstanceSpec::new(&arguments.instances)?;
    check_by(entries, arguments, |built, spec| match built.is_driver() {
        true => Err(CliError::NotForDrivers {
            option: "--cut, --starts or --share",
            why: "its states are values, which cannot leave the process",
        }),
        false => share::explore(built, spec, &instances),
    })
}
