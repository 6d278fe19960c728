//! Scenarios and drivers as the command line knows them: by name, without their types.

use std::{collections::HashSet, path::Path};

use everypath_model::{Parameters, did_you_mean};

use super::{any_scenario::AnyScenario, driver::Built};
use crate::{error::CliError, scenario_file::Setting};

/// A scenario or driver that can be run by name. [`entry`](crate::entry) makes one.
pub trait Entry: sealed::Buildable {}

impl<T: sealed::Buildable> Entry for T {}

pub(crate) mod sealed {
    use super::{AnyScenario, Built, CliError, Parameters, Setting};

    /// A scenario or driver that can be made.
    pub trait Buildable: Sync {
        fn name(&self) -> &str;
        /// Makes the scenario from its parameters; an error for a driver.
        #[allow(private_interfaces)]
        fn build(&self, parameters: Parameters) -> Result<Box<dyn AnyScenario>, CliError>;
        /// Makes the scenario from a scenario file.
        #[allow(private_interfaces)]
        fn build_setting(&self, setting: &Setting) -> Result<Box<dyn AnyScenario>, CliError>;
        /// Makes the scenario or driver from its parameters.
        #[allow(private_interfaces)]
        fn build_any(&self, parameters: Parameters) -> Result<Built, CliError> {
            Ok(Built::Scenario(self.build(parameters)?))
        }
    }
}

/// Makes the scenario from a file, or without one from its parameters.
pub(crate) fn built(
    entry: &dyn Entry,
    parameters: Parameters,
    setting: Option<&Setting>,
) -> Result<Box<dyn AnyScenario>, CliError> {
    setting.map_or_else(|| entry.build(parameters), |setting| entry.build_setting(setting))
}

/// The same, or a driver.
pub(crate) fn built_any(
    entry: &dyn Entry,
    parameters: Parameters,
    setting: Option<&Setting>,
) -> Result<Built, CliError> {
    match setting {
        Some(setting) => Ok(Built::Scenario(entry.build_setting(setting)?)),
        None => entry.build_any(parameters),
    }
}

/// The description of a scenario or driver.
pub(crate) fn about(entry: &dyn Entry) -> String {
    let built = entry.build_any(Parameters::new());
    built.map_or_else(|error| error.to_string(), |built| built.about())
}

/// The names of the parameters of a scenario.
pub(crate) fn parameters(entry: &dyn Entry) -> Vec<String> {
    let Ok(built) = entry.build_any(Parameters::new()) else { return Vec::new() };
    let declared = built.origins().parameters.declared();
    declared.iter().map(|parameter| parameter.name.clone()).collect()
}

/// Refuses two scenarios with the same name.
pub(crate) fn distinct(entries: &[Box<dyn Entry>]) -> Result<(), CliError> {
    let mut seen = HashSet::new();
    match entries.iter().find(|entry| !seen.insert(entry.name())) {
        Some(twin) => Err(CliError::SameName { name: twin.name().to_owned() }),
        None => Ok(()),
    }
}

/// The scenario of a name.
pub(crate) fn find<'a>(
    entries: &'a [Box<dyn Entry>],
    name: &str,
) -> Result<&'a dyn Entry, CliError> {
    let found = entries.iter().find(|entry| entry.name() == name);
    found.map(AsRef::as_ref).ok_or_else(|| CliError::UnknownScenario {
        name: name.to_owned(),
        help: if is_file(name) {
            "only `simulate` and `check` read scenario files".to_owned()
        } else {
            known_scenarios(entries, name)
        },
    })
}

/// Whether a name is that of a scenario file.
pub(crate) fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "toml")
}

/// The help for an unknown scenario.
pub(crate) fn known_scenarios(entries: &[Box<dyn Entry>], name: &str) -> String {
    did_you_mean(name, entries.iter().map(|entry| entry.name()))
}

/// The scenario that a file names.
pub(crate) fn named_by<'a>(
    entries: &'a [Box<dyn Entry>],
    setting: &Setting,
) -> Result<&'a dyn Entry, CliError> {
    let name = &setting.scenario.0;
    let found = entries.iter().find(|entry| entry.name() == name);
    let found = found.map(AsRef::as_ref);
    found.ok_or_else(|| setting.unknown_scenario(known_scenarios(entries, name)))
}
