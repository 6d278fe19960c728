//! Drivers in tests, named by the functions that make them.

use std::{any::type_name, fmt::Display};

use everypath_driver::{Driven, DrivenSpace, DriverOptions, Repetition};
use everypath_explore::Trace;
use everypath_model::{Parameters, scenario_name};
use everypath_network::{SpaceOptions, Verification};
use everypath_report::Surroundings;

use crate::subject::sealed::{Buildable, CheckedSpace, Explored};

type Build = Box<dyn Fn(&mut Parameters) -> Box<dyn Driven>>;

/// A function that makes a driver, and the parameters that a test gives it.
pub struct DriverBuilder {
    name: String,
    build: Build,
    set: Vec<(String, String)>,
}

/// A driver and its parameters.
pub struct BuiltDriver {
    name: String,
    parameters: Parameters,
    driver: Box<dyn Driven>,
}

impl DriverBuilder {
    pub(crate) fn new<D: Driven + 'static, F>(build: F) -> Self
    where
        F: Fn(&mut Parameters) -> D + 'static,
    {
        let function = type_name::<F>().trim_end_matches("::{{closure}}");
        let build =
            move |parameters: &mut Parameters| -> Box<dyn Driven> { Box::new(build(parameters)) };
        Self { name: scenario_name(function), build: Box::new(build), set: Vec::new() }
    }
}

impl Buildable for DriverBuilder {
    type Built = BuiltDriver;

    fn set(&mut self, name: &str, value: &dyn Display) {
        self.set.push((name.to_owned(), value.to_string()));
    }

    #[track_caller]
    fn build(&self) -> BuiltDriver {
        let name = self.name.clone();
        let mut parameters = Parameters::with(self.set.iter().cloned());
        let driver = (self.build)(&mut parameters);
        if let Err(error) = parameters.finish() {
            panic!("{name}: {error}");
        }
        BuiltDriver { name, parameters, driver }
    }
}

/// The options of a driver's space; those of a network have no place there.
fn options(options: &SpaceOptions) -> DriverOptions {
    DriverOptions {
        disabled: options.disabled.clone(),
        deadlock: options.deadlock,
        repetition: match options.verification {
            Verification::All => Repetition::All,
            Verification::Nothing => Repetition::Nothing,
            _ => Repetition::Share,
        },
    }
}

impl Explored for BuiltDriver {
    type Space<'a> = Box<dyn DrivenSpace + 'a>;

    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    fn max_depth(&self) -> Option<u32> {
        self.driver.max_depth()
    }

    fn links(&self) -> Vec<(u32, u32)> {
        Vec::new()
    }

    fn surroundings(&self) -> Surroundings {
        Surroundings::default()
    }

    #[track_caller]
    fn space(&self, given: &SpaceOptions) -> Self::Space<'_> {
        let space = self.driver.open(options(given));
        space.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn replayed_by(&self) -> (&'static str, &'static str) {
        ("replay_driver", "calls")
    }
}

impl CheckedSpace for Box<dyn DrivenSpace + '_> {
    fn unreduced(&mut self, run: &Trace) -> Trace {
        run.clone()
    }

    fn empty_assertions(&self) -> Vec<String> {
        Vec::new()
    }

    fn run_as_code(&self, run: &Trace) -> Option<String> {
        (**self).run_as_code(run)
    }
}
