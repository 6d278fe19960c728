//! Scenarios in tests, named by the functions that make them.

use std::{any::type_name, fmt::Display};

use everypath_model::{Parameters, Protocol, Scenario, scenario_name};
use everypath_network::{NetworkSpace, SpaceOptions};

type Build<P> = Box<dyn Fn(&mut Parameters) -> Scenario<P>>;

/// A function that makes a scenario, and the parameters that a test gives it.
pub(crate) struct Builder<P: Protocol> {
    name: String,
    build: Build<P>,
    set: Vec<(String, String)>,
}

/// A scenario and its parameters.
pub(crate) struct Built<P: Protocol> {
    pub(crate) name: String,
    pub(crate) parameters: Parameters,
    pub(crate) scenario: Scenario<P>,
}

impl<P: Protocol> Builder<P> {
    pub(crate) fn new<F: Fn(&mut Parameters) -> Scenario<P> + 'static>(build: F) -> Self {
        let function = type_name::<F>().trim_end_matches("::{{closure}}");
        Self { name: scenario_name(function), build: Box::new(build), set: Vec::new() }
    }

    pub(crate) fn set(&mut self, name: &str, value: &dyn Display) {
        self.set.push((name.to_owned(), value.to_string()));
    }

    /// Makes the scenario; panics if a parameter does not exist or the scenario cannot be run.
    #[track_caller]
    pub(crate) fn build(&self) -> Built<P> {
        let name = self.name.clone();
        let mut parameters = Parameters::with(self.set.iter().cloned());
        let scenario = (self.build)(&mut parameters);
        if let Err(error) = parameters.finish() {
            panic!("{name}: {error}");
        }
        if let Err(error) = scenario.validate() {
            panic!("{name}: {error}");
        }
        Built { name, parameters, scenario }
    }
}

impl<P: Protocol> Built<P> {
    /// The scenario as a space; panics if it cannot be explored.
    #[track_caller]
    pub(crate) fn space(&self, options: &SpaceOptions) -> NetworkSpace<'_> {
        NetworkSpace::new(&self.scenario, options.clone())
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}
