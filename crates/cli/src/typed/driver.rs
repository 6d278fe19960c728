//! Making drivers, and subjects of heaps, from parameters.

use everypath_driver::{Driven, Driver};
use everypath_heap::Bounded;
use everypath_model::{Parameters, panics, scenario_name};

use super::builder::Listed;
use crate::{
    error::CliError,
    scenario_file::Setting,
    scenarios::{
        any_scenario::AnyScenario,
        driver::{Built, BuiltDriver},
        entry::{Entry, sealed::Buildable},
    },
};

/// A function that makes a driver, or a subject, from parameters.
struct DriverBuilder<D> {
    name: String,
    build: fn(&mut Parameters) -> D,
}

impl<T: 'static, M: 'static> Listed for Driver<T, M> {
    fn entry(path: &str, build: fn(&mut Parameters) -> Self) -> Box<dyn Entry> {
        Box::new(DriverBuilder { name: scenario_name(path), build })
    }
}

impl Listed for Bounded {
    fn entry(path: &str, build: fn(&mut Parameters) -> Self) -> Box<dyn Entry> {
        Box::new(DriverBuilder { name: scenario_name(path), build })
    }
}

impl<D: Driven + 'static> DriverBuilder<D> {
    fn built(&self, mut parameters: Parameters) -> Result<BuiltDriver, CliError> {
        let name = self.name.clone();
        let built = panics::catch(|| (self.build)(&mut parameters));
        // A refused value is a likelier cause of a panic than the driver itself.
        parameters.finish().map_err(|error| CliError::Parameter {
            help: format!("`show {name}` lists its parameters"),
            scenario: name.clone(),
            error,
        })?;
        let driver = built.map_err(|panic| CliError::Panicked {
            scenario: name.clone(),
            what: "the function that makes it".to_owned(),
            panic: panic.to_string(),
        })?;
        driver.validate().map_err(|error| CliError::Driver { name: name.clone(), error })?;
        Ok(BuiltDriver::new(name, parameters, Box::new(driver)))
    }

    fn not_a_scenario<S>(&self) -> Result<S, CliError> {
        Err(CliError::NotAScenario { name: self.name.clone() })
    }
}

#[allow(private_interfaces)]
impl<D: Driven + 'static> Buildable for DriverBuilder<D> {
    fn name(&self) -> &str {
        &self.name
    }

    fn build(&self, _: Parameters) -> Result<Box<dyn AnyScenario>, CliError> {
        self.not_a_scenario()
    }

    fn build_setting(&self, _: &Setting) -> Result<Box<dyn AnyScenario>, CliError> {
        self.not_a_scenario()
    }

    fn build_any(&self, parameters: Parameters) -> Result<Built, CliError> {
        Ok(Built::Driver(Box::new(self.built(parameters)?)))
    }
}
