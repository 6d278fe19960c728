//! Transmission on a medium: its content, and the nodes that notice it.

use everypath_model::NodeId;

use crate::clock::Nanoseconds;

/// The content of a transmission.
#[derive(Clone, Copy)]
pub(super) enum Content {
    Frame(u32),
    Acknowledgement { to: NodeId },
}

/// A node that notices a transmission.
pub(super) struct Listener {
    pub(super) node: NodeId,
    pub(super) delay: Nanoseconds,
    pub(super) is_near: bool,
    pub(super) power: f64,
}

/// A transmission under way.
pub(super) struct Transmission {
    pub(super) from: NodeId,
    pub(super) content: Content,
    pub(super) begins: Nanoseconds,
    pub(super) ends: Nanoseconds,
    /// From the nearest to the farthest.
    pub(super) listeners: Vec<Listener>,
    /// How many of them its front has reached, and its tail.
    pub(super) fronts: usize,
    pub(super) tails: usize,
    /// Its sender went off before it was over.
    pub(super) is_cut: bool,
}
