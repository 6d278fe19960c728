//! Scenarios as the command line knows them: by name, without their types.

use std::{collections::HashSet, path::Path};

use everypath_capture::LogFile;
use everypath_model::{Parameters, Protocol, Scenario, panics, scenario_name};
use everypath_report::TraceFile;

use crate::{
    arguments::{CheckArguments, CompareArguments, ReplayArguments, SimulateArguments},
    check, compare,
    error::{CliError, remedy},
    list,
    output::Outcome,
    replay::{self, play},
    reproduce::{Measured, Order, measure},
    scenario_file::{Setting, effect},
    scenarios::{start::Start, used::UsedFile},
    simulate,
    sweep::Prepared,
};

/// A scenario that can be run by name. [`scenario`] makes one.
pub trait Entry: sealed::Runnable {}

impl<T: sealed::Runnable> Entry for T {}

pub(crate) mod sealed {
    use super::{
        CheckArguments, CliError, CompareArguments, LogFile, Measured, Order, Outcome, Parameters,
        Path, Prepared, ReplayArguments, Setting, SimulateArguments, TraceFile,
    };

    /// What the commands ask of a scenario.
    pub trait Runnable: Sync {
        fn name(&self) -> &str;
        fn about(&self) -> String;
        /// The names of its parameters.
        fn parameters(&self) -> Vec<String>;
        #[allow(private_interfaces)]
        fn show(&self, parameters: Parameters, json: bool) -> Result<Outcome, CliError>;
        #[allow(private_interfaces)]
        fn check(
            &self,
            arguments: &CheckArguments,
            setting: Option<&Setting>,
        ) -> Result<Outcome, CliError>;
        #[allow(private_interfaces)]
        fn compare(&self, arguments: &CompareArguments) -> Result<Outcome, CliError>;
        /// Makes a search with or without a graph, and measures it.
        #[allow(private_interfaces)]
        fn measure(
            &self,
            arguments: &CheckArguments,
            order: Order<'_>,
        ) -> Result<Measured, CliError>;
        #[allow(private_interfaces)]
        fn simulate(
            &self,
            arguments: &SimulateArguments,
            setting: Option<&Setting>,
        ) -> Result<Outcome, CliError>;
        /// The scenario as a file describes it.
        #[allow(private_interfaces)]
        fn prepare(&self, setting: &Setting) -> Result<Box<dyn Prepared>, CliError>;
        #[allow(private_interfaces)]
        fn replay(
            &self,
            trace: &TraceFile,
            setting: Option<&Setting>,
            arguments: &ReplayArguments,
        ) -> Result<Outcome, CliError>;
        /// Runs a trace, which is in this file, with times.
        #[allow(private_interfaces)]
        fn play(
            &self,
            trace: &TraceFile,
            file: &Path,
            setting: Option<&Setting>,
            arguments: &SimulateArguments,
        ) -> Result<Outcome, CliError>;
        #[allow(private_interfaces)]
        fn replay_log(
            &self,
            log: &LogFile,
            setting: Option<&Setting>,
            arguments: &ReplayArguments,
        ) -> Result<Outcome, CliError>;
    }
}

/// A function that makes a scenario of parameters.
pub(crate) struct Builder<P: Protocol> {
    name: String,
    build: fn(&mut Parameters) -> Scenario<P>,
}

/// A scenario with the parameters it was made of.
pub(crate) struct Built<P: Protocol> {
    pub(crate) name: String,
    pub(crate) parameters: Parameters,
    pub(crate) scenario: Scenario<P>,
    /// The file that said more than its name and parameters, if there was one.
    pub(crate) file: Option<UsedFile>,
    /// A digest of what that file said, and of the files that it names.
    pub(crate) settings: Option<String>,
    /// From where it is explored, if not from its own start.
    pub(crate) start: Option<Start<P>>,
}

/// Makes a scenario known to the command line under the name of the function that makes it:
/// the last part of its path, with dashes for underscores.
pub fn scenario<P: Protocol>(
    path: &str,
    build: fn(&mut Parameters) -> Scenario<P>,
) -> Box<dyn Entry> {
    Box::new(Builder { name: scenario_name(path), build })
}

/// Whether each scenario has a name of its own.
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
            "a scenario file goes with `simulate` and `check`".to_owned()
        } else {
            known_scenarios(entries, name)
        },
    })
}

/// Whether a name is that of a scenario file.
pub(crate) fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "toml")
}

/// What to say to someone who has named a scenario that does not exist.
pub(crate) fn known_scenarios(entries: &[Box<dyn Entry>], name: &str) -> String {
    remedy(name, entries.iter().map(|entry| entry.name()))
}

impl<P: Protocol> Builder<P> {
    pub(crate) fn build(&self, mut parameters: Parameters) -> Result<Built<P>, CliError> {
        let name = self.name.clone();
        let built = panics::catch(|| (self.build)(&mut parameters));
        // A value that was refused is the likelier cause of a panic than the scenario itself.
        parameters.finish().map_err(|error| CliError::Parameter {
            help: format!("`show {name}` lists its parameters"),
            scenario: name.clone(),
            error,
        })?;
        let scenario = built.map_err(|panic| CliError::Panicked {
            scenario: name.clone(),
            what: "the function that makes it".to_owned(),
            panic: panic.to_string(),
        })?;
        scenario
            .validate()
            .map_err(|error| CliError::Scenario { scenario: name.clone(), error })?;
        scenario.describe_parts();
        Ok(Built { name, parameters, scenario, file: None, settings: None, start: None })
    }
}

impl<P: Protocol> Builder<P> {
    /// The scenario as a file describes it, or if there is none, as its parameters do.
    fn built(
        &self,
        parameters: Parameters,
        setting: Option<&Setting>,
    ) -> Result<Built<P>, CliError> {
        setting.map_or_else(|| self.build(parameters), |setting| self.build_setting(setting))
    }

    /// The scenario as a file describes it.
    fn build_setting(&self, setting: &Setting) -> Result<Built<P>, CliError> {
        let mut built = self.build(setting.parameters()).map_err(|error| match error {
            CliError::Parameter { scenario, error, .. } => {
                setting.parameter_error(&scenario, &error)
            }
            other => other,
        })?;
        setting.apply(&mut built.scenario)?;
        let replaced = match setting.known_replaced() {
            Some(replaced) => replaced,
            None => {
                let build = |parameters| Ok(self.build(parameters)?.scenario);
                let declared = built.parameters.declared();
                let replaced = effect::replaced(build, setting, declared, &built.scenario)?;
                setting.refuse_replaced(&replaced)?;
                replaced
            }
        };
        built.file = UsedFile::of(setting, replaced)?;
        built.settings = Some(setting.digest()?);
        Ok(built)
    }
}

#[allow(private_interfaces)]
impl<P: Protocol> sealed::Runnable for Builder<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> String {
        self.build(Parameters::new()).map_or_else(|error| error.to_string(), |it| it.scenario.about)
    }

    fn parameters(&self) -> Vec<String> {
        let built = self.build(Parameters::new());
        let parameters = built.map_or_else(|_| Vec::new(), |it| it.parameters.declared().to_vec());
        parameters.into_iter().map(|parameter| parameter.name).collect()
    }

    fn show(&self, parameters: Parameters, json: bool) -> Result<Outcome, CliError> {
        Ok(list::show(&self.build(parameters)?.subject(), json))
    }

    fn check(
        &self,
        arguments: &CheckArguments,
        setting: Option<&Setting>,
    ) -> Result<Outcome, CliError> {
        check::check(self.built(arguments.which.parameters(), setting)?, arguments)
    }

    fn compare(&self, arguments: &CompareArguments) -> Result<Outcome, CliError> {
        compare::compare(&self.build(arguments.which.parameters())?.subject(), arguments)
    }

    fn measure(&self, arguments: &CheckArguments, order: Order<'_>) -> Result<Measured, CliError> {
        measure(&self.build(arguments.which.parameters())?.subject(), arguments, order)
    }

    fn simulate(
        &self,
        arguments: &SimulateArguments,
        setting: Option<&Setting>,
    ) -> Result<Outcome, CliError> {
        let versus = &arguments.measuring.versus;
        let (built, variant) = match setting {
            Some(setting) => {
                let set = arguments.which.with(versus).set;
                let variant = (!versus.is_empty()).then(|| setting.with(&set)).transpose()?;
                let variant = variant.map(|variant| self.build_setting(&variant)).transpose()?;
                (self.build_setting(setting)?, variant)
            }
            None => {
                let which = &arguments.which;
                let variant = (!versus.is_empty()).then(|| which.with(versus).parameters());
                let variant = variant.map(|parameters| self.build(parameters)).transpose()?;
                (self.build(which.parameters())?, variant)
            }
        };
        simulate::simulate(built, variant, arguments)
    }

    fn prepare(&self, setting: &Setting) -> Result<Box<dyn Prepared>, CliError> {
        Ok(Box::new(self.build_setting(setting)?))
    }

    fn replay(
        &self,
        trace: &TraceFile,
        setting: Option<&Setting>,
        arguments: &ReplayArguments,
    ) -> Result<Outcome, CliError> {
        replay::replay_in(|parameters| self.built(parameters, setting), trace, arguments)
    }

    fn play(
        &self,
        trace: &TraceFile,
        file: &Path,
        setting: Option<&Setting>,
        arguments: &SimulateArguments,
    ) -> Result<Outcome, CliError> {
        play::play_in(|parameters| self.built(parameters, setting), trace, file, arguments)
    }

    fn replay_log(
        &self,
        log: &LogFile,
        setting: Option<&Setting>,
        arguments: &ReplayArguments,
    ) -> Result<Outcome, CliError> {
        crate::replay::log::replay_log_in(
            |parameters| self.built(parameters, setting),
            log,
            arguments,
        )
    }
}
