//! The parts of a scenario that a file can change, for any protocol.

use std::time::Duration;

use everypath_model::{Field, Flow, LinkModel, Measure, NodeId, Outage, Sensing, Topology, WarmUp};

/// The parts of a scenario that a file can change, and the facts that it needs for that.
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
    /// Whether there is a command with which a node sends data to another.
    pub(crate) sends_data: bool,
    /// Whether there is a command for a node that senses something.
    pub(crate) senses: bool,
}
