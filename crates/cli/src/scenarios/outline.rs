//! What a scenario says, but for code.

use std::time::Duration;

use everypath_model::{Faults, Field, LinkModel, NetworkKind, Part, Topology, WarmUp};

/// What a scenario says, but for code. Parts of one sort are listed by name.
pub(crate) struct Outline {
    /// The name of the protocol's type.
    pub(crate) protocol: &'static str,
    /// What `self` of the protocol is made of, if the scenario says so.
    pub(crate) configuration: Option<String>,
    /// Whether a value of the protocol's type holds anything.
    pub(crate) holds_nothing: bool,
    /// The names of the code that starts and restarts nodes.
    pub(crate) starting_code: Vec<&'static str>,
    pub(crate) about: String,
    pub(crate) topology: Topology,
    pub(crate) network: NetworkKind,
    pub(crate) faults: Faults,
    pub(crate) max_depth: Option<u32>,
    pub(crate) required: Option<String>,
    pub(crate) assumptions: Vec<String>,
    pub(crate) assertions: Vec<String>,
    pub(crate) end_assertions: Vec<String>,
    pub(crate) goals: Vec<String>,
    pub(crate) prunings: Vec<String>,
    pub(crate) relations: Vec<String>,
    pub(crate) rankings: Vec<String>,
    pub(crate) simulation: SimulationOutline,
}

/// The set-up of a simulation, but for code.
pub(crate) struct SimulationOutline {
    pub(crate) duration: Duration,
    pub(crate) replications: u32,
    pub(crate) warm_up: WarmUp,
    pub(crate) field: Option<Field>,
    pub(crate) link: LinkModel,
    /// How many directions of links have values of their own.
    pub(crate) own_links: usize,
    pub(crate) flows: usize,
    /// Whether nodes can send data to each other.
    pub(crate) sends_data: bool,
    pub(crate) measures: Vec<String>,
    /// What can go down.
    pub(crate) outages: Vec<Part>,
}
