//! Scenarios in tests, named by the functions that make them.

use std::{any::type_name, fmt::Display};

use everypath_explore::Trace;
use everypath_model::{Parameters, Protocol, Scenario, scenario_name};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_report::Surroundings;

use crate::subject::sealed::{Buildable, CheckedSpace, Explored};

type Build<P> = Box<dyn Fn(&mut Parameters) -> Scenario<P>>;

/// A function that makes a scenario, and the parameters that a test gives it.
pub struct Builder<P: Protocol> {
    name: String,
    build: Build<P>,
    set: Vec<(String, String)>,
}

/// A scenario and its parameters.
pub struct Built<P: Protocol> {
    pub(crate) name: String,
    pub(crate) parameters: Parameters,
    pub(crate) scenario: Scenario<P>,
}

impl<P: Protocol> Builder<P> {
    pub(crate) fn new<F: Fn(&mut Parameters) -> Scenario<P> + 'static>(build: F) -> Self {
        let function = type_name::<F>().trim_end_matches("::{{closure}}");
        Self { name: scenario_name(function), build: Box::new(build), set: Vec::new() }
    }
}

impl<P: Protocol> Buildable for Builder<P> {
    type Built = Built<P>;

    fn set(&mut self, name: &str, value: &dyn Display) {
        self.set.push((name.to_owned(), value.to_string()));
    }

    #[track_caller]
    fn build(&self) -> Built<P> {
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

impl<P: Protocol> Explored for Built<P> {
    type Space<'a> = NetworkSpace<'a>;

    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    fn max_depth(&self) -> Option<u32> {
        self.scenario.max_depth
    }

    fn links(&self) -> Vec<(u32, u32)> {
        self.scenario.topology.links().map(|(a, b)| (a.0, b.0)).collect()
    }

    fn surroundings(&self) -> Surroundings {
        let Scenario { network, capacity, faults, timeouts, receivers, simulation, .. } =
            &self.scenario;
        let mut around = Surroundings::new(
            &network.to_string(),
            &capacity.to_string(),
            faults.listed(),
            !timeouts.is_empty(),
            self.parameters.environment(),
        );
        around.could_have_mailboxes &= receivers.is_none();
        around.could_have_capacity &= receivers.is_none() && simulation.field.is_none();
        around
    }

    #[track_caller]
    fn space(&self, options: &SpaceOptions) -> NetworkSpace<'_> {
        NetworkSpace::new(&self.scenario, options.clone())
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn replayed_by(&self) -> (&'static str, &'static str) {
        ("replay", "steps")
    }
}

impl CheckedSpace for NetworkSpace<'_> {
    fn unreduced(&mut self, run: &Trace) -> Trace {
        let found = self.unreduced(run);
        found.expect("what reductions rely on was verified on every step of the run")
    }

    fn empty_assertions(&self) -> Vec<String> {
        self.empty_assertions().into_iter().map(str::to_owned).collect()
    }

    fn run_as_code(&self, _: &Trace) -> Option<String> {
        None
    }
}
