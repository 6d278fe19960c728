//! Assertions and rankings of directed diffusion.

use std::collections::BTreeSet;

use everypath_model::{
    NodeId, World,
    routing::{Hop, Routing},
};

use super::{Diffusion, Message, NodeState, Reinforcement, Task};

/// A destination is a stream of data: the data of one source for one task. It ends at the sinks,
/// which may also forward it to others.
impl Routing for Diffusion {
    type Destination = (Task, NodeId);

    fn hops(&self, _: NodeId, state: &NodeState) -> impl Iterator<Item = Hop<(Task, NodeId)>> {
        state.gradients().flat_map(|(task, gradient)| {
            let origins = gradient.reinforced.iter();
            origins
                .map(move |&origin| Hop { destination: (task, origin), next: gradient.neighbour })
        })
    }

    fn is_at(&self, node: NodeId, (task, _): (Task, NodeId)) -> bool {
        self.tasks_of(node).any(|wanted| wanted == task)
    }

    fn establishes(&self, message: &Message) -> impl Iterator<Item = (Task, NodeId)> {
        let stream = match message {
            Message::Reinforce(Reinforcement { task, origin, .. }) => Some((*task, *origin)),
            Message::Interest { .. } | Message::Data(_) | Message::Degrade { .. } => None,
        };
        stream.into_iter()
    }

    /// Gradients that can still be reinforced.
    fn groundwork(&self, state: &NodeState) -> usize {
        state.gradients().filter(|(_, gradient)| gradient.reinforced.is_empty()).count()
    }
}

/// The tasks and sources with a reinforced gradient.
fn streams(world: &World<'_, Diffusion>) -> BTreeSet<(Task, NodeId)> {
    let all = world.nodes().flat_map(|(_, state)| state.gradients());
    all.flat_map(|(task, gradient)| gradient.reinforced.iter().map(move |&origin| (task, origin)))
        .collect()
}

/// The nodes to which a node sends the data of a source that are for a task.
fn next<'a>(
    world: &World<'a, Diffusion>,
    (task, origin): (Task, NodeId),
    node: NodeId,
) -> impl Iterator<Item = NodeId> + use<'a> {
    let entry = world.node(node).interest(&task);
    let gradients = entry.into_iter().flat_map(|entry| &entry.gradients);
    gradients.filter(move |it| it.is_reinforced(origin)).map(|it| it.neighbour)
}

/// The nodes that data reach from some nodes.
fn reached(
    world: &World<'_, Diffusion>,
    stream: (Task, NodeId),
    from: impl Iterator<Item = NodeId>,
) -> Vec<bool> {
    let mut reached = vec![false; world.nodes().len()];
    let mut open: Vec<NodeId> = from.collect();
    while let Some(node) = open.pop() {
        for next in next(world, stream, node) {
            if !std::mem::replace(&mut reached[next.index()], true) {
                open.push(next);
            }
        }
    }
    reached
}

/// Whether every reinforced path begins at the source, or where a reinforcement is still under way
/// to it.
pub(super) fn is_fed(world: &World<'_, Diffusion>) -> bool {
    streams(world).into_iter().all(|stream| {
        let (task, origin) = stream;
        let under_way = world.packets().filter_map(|packet| match packet.message {
            Message::Reinforce(Reinforcement { task: other, origin: source, .. })
                if (*other, *source) == stream =>
            {
                Some(packet.from)
            }
            _ => None,
        });
        let mut fed: Vec<NodeId> = under_way.collect();
        fed.push(origin);
        let downstream = reached(world, stream, fed.iter().copied());
        world.topology().nodes().all(|node| {
            next(world, (task, origin), node).next().is_none()
                || downstream[node.index()]
                || fed.contains(&node)
        })
    })
}

/// The number of gradients.
pub(super) fn gradients(world: &World<'_, Diffusion>) -> i64 {
    world.nodes().map(|(_, state)| state.gradients().count() as i64).sum()
}

/// The number of reinforced gradients.
pub(super) fn reinforced(world: &World<'_, Diffusion>) -> i64 {
    let all = world.nodes().flat_map(|(_, state)| state.gradients());
    all.filter(|(_, gradient)| !gradient.reinforced.is_empty()).count() as i64
}

/// The number of positive reinforcements in flight.
pub(super) fn reinforcements(world: &World<'_, Diffusion>) -> i64 {
    world.packets().filter(|packet| matches!(packet.message, Message::Reinforce(_))).count() as i64
}

/// The number of remembered data.
pub(super) fn remembered(world: &World<'_, Diffusion>) -> i64 {
    world.nodes().map(|(_, state)| state.data.len() as i64).sum()
}
