//! Audiences of broadcasts, drawn at random.

use everypath_model::{AudiencesOf, NodeId, Protocol, Scenario};

use crate::Stream;

/// The possible audiences of each node's broadcasts, and the random numbers that draw one.
pub(crate) struct Audiences(Vec<(AudiencesOf, Stream)>);

impl Audiences {
    /// The audiences of a scenario; nothing if all neighbours hear every broadcast.
    pub(crate) fn new<P: Protocol>(
        scenario: &Scenario<P>,
        seed: u64,
        replication: u32,
    ) -> Option<Self> {
        if scenario.audience.is_all() {
            return None;
        }
        let of = |node: NodeId| {
            let neighbours = scenario.topology.neighbours(node);
            let sets = scenario.audience.of(node, neighbours).expect("the scenario is valid");
            (sets, Stream::new(seed, replication, &format!("node {} audience", node.0)))
        };
        Some(Self(scenario.topology.nodes().map(of).collect()))
    }

    /// The nodes that hear the next broadcast of a node: each possible audience is equally likely.
    pub(crate) fn draw(&mut self, sender: NodeId) -> Vec<NodeId> {
        let (sets, stream) = &mut self.0[sender.index()];
        sets.get(stream.up_to(sets.len() - 1))
    }
}
