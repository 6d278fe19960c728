//! The content of a scenario, except code.

use std::time::Duration;

use everypath_driver::CallText;
use everypath_model::{
    Capacity, Faults, Field, LinkModel, NetworkKind, NodeId, Part, TimeoutBudget, Topology, WarmUp,
};

/// The content of a scenario, except code. Assertions and the like are listed by name.
pub(crate) struct Outline {
    /// The calls of a driver, which has no network and is not simulated; none for a scenario.
    pub(crate) calls: Option<Vec<CallText>>,
    /// The name of the protocol's type.
    pub(crate) protocol: &'static str,
    /// The content of `self` of the protocol, if the scenario gives it.
    pub(crate) configuration: Option<String>,
    /// Whether a value of the protocol's type holds nothing.
    pub(crate) holds_nothing: bool,
    /// The names of the code that starts and restarts nodes.
    pub(crate) starting_code: Vec<&'static str>,
    pub(crate) about: String,
    /// The scenario of which it is a version, if it is one.
    pub(crate) version_of: Option<String>,
    /// The parameters that distinguish versions.
    pub(crate) version_parameters: Vec<String>,
    pub(crate) topology: Topology,
    pub(crate) network: NetworkKind,
    /// Whether nodes other than the addressee can receive a packet.
    pub(crate) has_receivers: bool,
    pub(crate) capacity: Capacity,
    pub(crate) faults: Faults,
    /// The nodes that may reboot, if not all may.
    pub(crate) rebooting: Option<Vec<NodeId>>,
    pub(crate) timeouts: Vec<TimeoutBudget>,
    pub(crate) max_depth: Option<u32>,
    pub(crate) required: Option<String>,
    pub(crate) assumptions: Vec<String>,
    /// The names of the observers, without step assertions.
    pub(crate) observers: Vec<String>,
    pub(crate) assertions: Vec<String>,
    pub(crate) end_assertions: Vec<String>,
    pub(crate) goals: Vec<String>,
    pub(crate) prunings: Vec<String>,
    pub(crate) cuts: Vec<String>,
    /// The lists of worlds from which it can start.
    pub(crate) starts: Vec<String>,
    pub(crate) relations: Vec<String>,
    pub(crate) rankings: Vec<String>,
    pub(crate) simulation: SimulationOutline,
}

/// The set-up of a simulation, except code.
pub(crate) struct SimulationOutline {
    pub(crate) duration: Duration,
    pub(crate) replications: u32,
    pub(crate) warm_up: WarmUp,
    pub(crate) field: Option<Field>,
    pub(crate) link: LinkModel,
    /// The number of link directions with their own values.
    pub(crate) own_links: usize,
    pub(crate) flows: usize,
    /// Whether nodes can send data to each other.
    pub(crate) sends_data: bool,
    pub(crate) measures: Vec<String>,
    /// The nodes and links that can go down.
    pub(crate) outages: Vec<Part>,
}
