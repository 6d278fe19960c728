//! Positions of nodes, and the nodes in range of each.

use everypath_model::{Field, NodeId, Position};

use super::{neighbourhood::Neighbourhood, trajectory::Trajectories};
use crate::clock::Nanoseconds;

/// The positions of nodes.
pub(super) struct Places {
    trajectories: Trajectories,
    /// The nodes that notice each node.
    neighbourhood: Neighbourhood,
    /// The square of the distance up to which nodes understand each other; no farther than they notice
    /// each other.
    reception_squared: f64,
    /// Whether they notice each other farther than that.
    senses_farther: bool,
}

impl Places {
    /// Nodes that understand each other up to a distance, the square of which is given, and notice each other
    /// up to another.
    pub(super) fn new(
        field: &Field,
        nodes: usize,
        (seed, replication): (u64, u32),
        reception_squared: f64,
        sense: f64,
    ) -> Self {
        let trajectories = Trajectories::new("node", &field.mobility, nodes, seed, replication);
        Self {
            neighbourhood: Neighbourhood::new(sense, &trajectories),
            trajectories,
            reception_squared,
            senses_farther: reception_squared < sense * sense,
        }
    }

    /// Where a node is at a time.
    pub(super) fn position(&mut self, node: NodeId, time: Nanoseconds) -> Position {
        self.trajectories.position(node.index(), time)
    }

    /// Whether two nodes understand each other.
    pub(super) fn are_near(&mut self, one: NodeId, other: NodeId, time: Nanoseconds) -> bool {
        let place = self.trajectories.position(one.index(), time);
        let distance = place.distance_squared(self.trajectories.position(other.index(), time));
        distance <= self.reception_squared
    }

    /// Appends the nodes that understand a node, in order.
    pub(super) fn near(&mut self, node: NodeId, time: Nanoseconds, near: &mut Vec<NodeId>) {
        let trajectories = &mut self.trajectories;
        if !self.senses_farther {
            return self.neighbourhood.within_range(node, time, trajectories, near);
        }
        let most = self.reception_squared;
        self.neighbourhood.each_within_range(node, time, trajectories, |other, distance| {
            if distance <= most {
                near.push(other);
            }
        });
    }

    /// Visits the nodes that notice a node, in order: with the square of the distance, and whether it also understands.
    pub(super) fn each_sensing(
        &mut self,
        node: NodeId,
        time: Nanoseconds,
        mut visit: impl FnMut(NodeId, f64, bool),
    ) {
        let most = self.reception_squared;
        self.neighbourhood.each_within_range(
            node,
            time,
            &mut self.trajectories,
            |other, distance| visit(other, distance, distance <= most),
        );
    }
}
