//! `check`: explore every path.

pub(crate) mod cross_check;
pub(crate) mod driver;
mod exploring;
pub(crate) mod files;
pub(crate) mod findings;
pub(crate) mod growth;
pub(crate) mod regressions;
pub(crate) mod report;
mod space_picture;
pub(crate) mod spec;
pub(crate) mod trial;
mod vacuity;
mod watcher;

use std::path::Path;

use everypath_sim::SimError;

use crate::{
    arguments::check::CheckArguments,
    error::{CliError, not_simulated},
    output::{Outcome, complain},
    scenario_file::{Setting, Source},
    scenarios::{
        driver::Built,
        entry::{self, Entry},
        subject::Subject,
    },
    searching::learning::learn,
};
use spec::CheckSpec;

/// Checks the named scenario, or the one that a scenario file describes.
pub(crate) fn check(
    entries: &[Box<dyn Entry>],
    arguments: &CheckArguments,
) -> Result<Outcome, CliError> {
    check_by(entries, arguments, exploring::explore_all)
}

/// The same, by another way to explore it.
pub(crate) fn check_by(
    entries: &[Box<dyn Entry>],
    arguments: &CheckArguments,
    explore: impl FnOnce(&Subject<'_>, &CheckSpec) -> Result<Outcome, CliError>,
) -> Result<Outcome, CliError> {
    let which = &arguments.which;
    if !entry::is_file(&which.scenario) {
        let entry = entry::find(entries, &which.scenario)?;
        return check_entry(entries, entry, CheckSpec::new(arguments, None), None, explore);
    }
    let (source, table) = Source::read(Path::new(&which.scenario))?;
    let setting = Setting::read(&source, &table, &which.set)?;
    setting.ensure_one("`check`", arguments.published.profile.into())?;
    let entry = entry::named_by(entries, &setting)?;
    check_entry(entries, entry, CheckSpec::new(arguments, Some(&setting)), Some(&setting), explore)
}

fn check_entry(
    entries: &[Box<dyn Entry>],
    entry: &dyn Entry,
    mut spec: CheckSpec,
    setting: Option<&Setting>,
    explore: impl FnOnce(&Subject<'_>, &CheckSpec) -> Result<Outcome, CliError>,
) -> Result<Outcome, CliError> {
    growth::ensure_possible(&spec)?;
    trial::ensure_possible(&spec)?;
    space_picture::ensure_drawable(&spec)?;
    let mut built = entry::built_any(entry, spec.scenario.parameters(), setting)?;
    let started = match &mut built {
        Built::Scenario(scenario) => spec.start.map(|moment| scenario.start_at(moment)),
        Built::Driver(_) => {
            driver::refuse_unsuited(&spec)?;
            None
        }
    };
    match started {
        // A finding about the protocol, not a mistake of the user.
        Some(Err(error @ SimError::HandlerPanicked { .. })) => {
            complain(not_simulated(&built.origins().name, error, ""));
            return Ok(Outcome::Violation);
        }
        Some(Err(error)) => return Err(not_simulated(&built.origins().name, error, "")),
        Some(Ok(())) | None => {}
    }
    let built = &built.subject().with_time(spec.time.time());
    spec.search.conditions.require_own(built)?;
    learn(entries, built, &mut spec.search.method, spec.regressions.folder())?;
    explore(built, &spec)
}
