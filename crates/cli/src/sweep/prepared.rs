//! A scenario that is ready to be run, without its type.

use std::{collections::BTreeMap, sync::atomic::AtomicBool, time::Duration};

use everypath_model::Protocol;
use everypath_sim::{Limits, Reading, Run, SimError, Simulation, readings};
use serde_json::Value;

use crate::{
    arguments::SimulateArguments,
    kept::identity::{Identity, Keeper},
    measured::watched::Watched,
    scenarios::entry::Built,
    simulate::overrule,
};

/// What a sweep asks of a scenario.
pub(crate) trait Prepared: Send + Sync {
    fn name(&self) -> &str;
    /// Its name, with the semantics if they are not the usual ones.
    fn title(&self) -> String;
    /// What the scenario says of itself.
    fn about(&self) -> &str;
    /// All parameters that have an effect, with their values, also those that nobody gave.
    fn parameters(&self) -> BTreeMap<String, String>;
    /// What was used, in words, and for other programs.
    fn used_facts(&self) -> Vec<(String, String)>;
    fn used_json(&self) -> Value;
    /// What decides what its runs come to, but for seed and number.
    fn identity(&self) -> BTreeMap<String, String>;
    fn duration(&self) -> Duration;
    fn replications(&self) -> u32;
    /// The names of what is computed of each run.
    fn measures(&self) -> Vec<&str>;
    /// What its measures read.
    fn readings(&self) -> Vec<Reading>;
    /// What the ends of its runs, by number, say of its assertions.
    fn watched(&self, ends: Vec<(u32, Option<String>)>) -> Watched;
    /// What the command line says comes before what the scenario or a file says.
    fn overrule(&mut self, arguments: &SimulateArguments);
    fn run(&self, seed: u64, replication: u32, stop: &AtomicBool) -> Result<Run, SimError>;
}

impl<P: Protocol> Prepared for Built<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn title(&self) -> String {
        self.subject().title()
    }

    fn about(&self) -> &str {
        &self.scenario.about
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        self.subject().values()
    }

    fn used_facts(&self) -> Vec<(String, String)> {
        self.subject().used_facts()
    }

    fn used_json(&self) -> Value {
        self.subject().used_json()
    }

    fn identity(&self) -> BTreeMap<String, String> {
        Identity::of(&self.subject()).needed(Keeper::Results)
    }

    fn duration(&self) -> Duration {
        self.scenario.simulation.duration
    }

    fn replications(&self) -> u32 {
        self.scenario.simulation.replications
    }

    fn measures(&self) -> Vec<&str> {
        self.scenario.simulation.measures.iter().map(|measure| measure.name.as_str()).collect()
    }

    fn readings(&self) -> Vec<Reading> {
        readings(&self.scenario.simulation.measures)
    }

    fn watched(&self, ends: Vec<(u32, Option<String>)>) -> Watched {
        Watched::of(&self.subject().scenario, ends.into_iter())
    }

    fn overrule(&mut self, arguments: &SimulateArguments) {
        overrule(&mut self.scenario, arguments);
    }

    fn run(&self, seed: u64, replication: u32, stop: &AtomicBool) -> Result<Run, SimError> {
        let limits = Limits::default().stop(Some(stop));
        Simulation::new(&self.scenario, seed, replication)?.run(&limits)
    }
}
