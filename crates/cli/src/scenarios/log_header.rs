//! The header of the event log of a run.

use std::path::Path;

use everypath_capture::LogHeader;
use everypath_sim::radio_range;

use super::any_scenario::{AnyScenario, RunNumber};

impl dyn AnyScenario {
    /// The facts that are needed to repeat a run, for a log in a folder.
    pub(crate) fn log_header(&self, number: RunNumber, folder: &Path) -> LogHeader {
        let built = self.subject();
        let roles = self.roles();
        let topology = &built.scenario.topology;
        let setup = &built.scenario.simulation;
        LogHeader {
            scenario: built.name.clone(),
            setting: built.logged_setting(folder),
            profile: built.parameters.profile().name().to_owned(),
            parameters: built.values(),
            seed: number.seed,
            replication: number.replication,
            duration_ns: u64::try_from(setup.duration.as_nanos()).unwrap_or(u64::MAX),
            nodes: topology.len(),
            roles: if roles.iter().all(String::is_empty) { Vec::new() } else { roles },
            links: topology.links().map(|(a, b)| (a.0, b.0)).collect(),
            range: setup.field.as_ref().map(|field| radio_range(&field.radio)),
        }
    }
}
