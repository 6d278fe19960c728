//! The parts of a scenario that a file can change, whatever its protocol is.

use std::time::Duration;

use everypath_model::{Field, Flow, LinkModel, Measure, NodeId, Outage, Sensing, Topology, WarmUp};

/// The parts of a scenario that a file can change, and what it must know to do so.
pub(crate) struct Parts<'a> {
    pub(crate) topology: &'a Topology,
    pub(crate) duration: &'a mut Duration,
    pub(crate) warm_up: &'a mut WarmUp,
    pub(crate) link: &'a mut LinkModel,
    pub(crate) links: &'a mut Vec<((NodeId, NodeId), LinkModel)>,
    pub(crate) field: &'a mut Option<Field>,
    pub(crate) sensing: &'a mut Option<Sensing>,
    pub(crate) outages: &'a mut Vec<Outage>,
    pub(crate) flows: &'a mut Vec<Flow>,
    pub(crate) measures: &'a mut Vec<Measure>,
    /// Whether a command says how a node sends data to another.
    pub(crate) sends_data: bool,
    /// Whether a command says what a node does that senses something.
    pub(crate) senses: bool,
}
