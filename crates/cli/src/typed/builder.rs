//! Making scenarios from parameters and scenario files.

use everypath_model::{Parameters, Protocol, Scenario, panics, scenario_name};

use super::{built::Built, described};
use crate::{
    error::CliError,
    scenario_file::{Setting, effect},
    scenarios::{
        any_scenario::{AnyScenario, Origins},
        entry::{Entry, sealed::Buildable},
        used_file::UsedFile,
    },
};

/// A function that makes a scenario from parameters.
struct Builder<P: Protocol> {
    name: String,
    build: fn(&mut Parameters) -> Scenario<P>,
}

/// What `everypath::main!` lists: a [`Scenario`], a driver, or a subject with its settings.
pub trait Listed: Sized {
    /// Makes it known to the command line under the name of the function that makes it.
    #[doc(hidden)]
    fn entry(path: &str, build: fn(&mut Parameters) -> Self) -> Box<dyn Entry>;
}

impl<P: Protocol> Listed for Scenario<P> {
    fn entry(path: &str, build: fn(&mut Parameters) -> Self) -> Box<dyn Entry> {
        scenario(path, build)
    }
}

/// Makes a scenario, a driver or a subject known to the command line under the name of the function that makes
/// it: the last part of its path, with dashes for underscores.
pub fn entry<L: Listed>(path: &str, build: fn(&mut Parameters) -> L) -> Box<dyn Entry> {
    L::entry(path, build)
}

/// Makes a scenario known to the command line under the name of the function that makes it:
/// the last part of its path, with dashes for underscores.
pub fn scenario<P: Protocol>(
    path: &str,
    build: fn(&mut Parameters) -> Scenario<P>,
) -> Box<dyn Entry> {
    Box::new(Builder { name: scenario_name(path), build })
}

impl<P: Protocol> Builder<P> {
    fn built(&self, mut parameters: Parameters) -> Result<Built<P>, CliError> {
        let name = self.name.clone();
        let built = panics::catch(|| (self.build)(&mut parameters));
        // A refused value is a likelier cause of a panic than the scenario itself.
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
        let origins = Origins { name, parameters, file: None, settings: None };
        Ok(Built { origins, scenario, start: None })
    }

    /// Applies the file, without one of its keys, to a scenario with these parameters, if that is possible.
    fn trial(
        &self,
        setting: &Setting,
        parameters: Parameters,
        without: Option<&str>,
    ) -> Result<effect::Trial, CliError> {
        let mut scenario = self.built(parameters)?.scenario;
        let plain = described::description(&scenario);
        let applied = described::apply(setting, without, &mut scenario);
        let made = applied.is_ok().then(|| described::description(&scenario));
        Ok(effect::Trial { plain, made })
    }
}

#[allow(private_interfaces)]
impl<P: Protocol> Buildable for Builder<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn build(&self, parameters: Parameters) -> Result<Box<dyn AnyScenario>, CliError> {
        Ok(Box::new(self.built(parameters)?))
    }

    fn build_setting(&self, setting: &Setting) -> Result<Box<dyn AnyScenario>, CliError> {
        let mut built = self.built(setting.parameters()).map_err(|error| match error {
            CliError::Parameter { scenario, error, .. } => {
                setting.parameter_error(&scenario, &error)
            }
            other => other,
        })?;
        described::apply(setting, None, &mut built.scenario)?;
        let replaced = match setting.known_replaced() {
            Some(replaced) => replaced,
            None => {
                let made = described::description(&built.scenario);
                let declared = built.origins.parameters.declared();
                let replaced =
                    effect::replaced(setting, declared, &made, &|parameters, without| {
                        self.trial(setting, parameters, without)
                    })?;
                setting.refuse_replaced(&replaced)?;
                replaced
            }
        };
        built.origins.file = UsedFile::of(setting, replaced)?;
        built.origins.settings = Some(setting.digest()?);
        Ok(Box::new(built))
    }
}
