//! Properties of distance vector routing: loops, counting to infinity, convergence.

use std::collections::VecDeque;

use everypath_model::{
    NodeId, World,
    routing::{Hop, Routing},
};

use super::{
    DistanceVector, INFINITY, Message, NEAREST, RouterState,
    patience::{is_busy, is_refreshed},
};

impl Routing for DistanceVector {
    type Destination = NodeId;

    fn hops(&self, me: NodeId, state: &RouterState) -> impl Iterator<Item = Hop<NodeId>> {
        let routes = state.routes.usable().filter(move |route| route.destination != me);
        routes.map(|route| Hop { destination: route.destination, next: route.next })
    }

    fn is_at(&self, node: NodeId, destination: NodeId) -> bool {
        node == destination
    }

    fn establishes(&self, message: &Message) -> impl Iterator<Item = NodeId> {
        let entries = match message {
            Message::Request => &[],
            Message::Response(entries) => entries.as_slice(),
        };
        entries.iter().filter(|entry| entry.metric < INFINITY).map(|entry| entry.destination)
    }
}

/// Whether a node is counting to infinity: it has a route that is longer than any path without a
/// repeated node.
pub(super) fn is_counting(world: &World<'_, DistanceVector>) -> bool {
    let longest = NEAREST as usize + world.nodes().len() - 1;
    world
        .nodes()
        .any(|(_, state)| state.routes.usable().any(|route| route.metric as usize > longest))
}

/// Whether the routes have converged: nothing changes until a link fails or comes back. No message
/// is in flight or pending, no route times out, and all announcements are known.
#[must_use]
pub fn is_settled(protocol: &DistanceVector, world: &World<'_, DistanceVector>) -> bool {
    !is_busy(world)
        && world.nodes().all(|(node, state)| {
            let near = world.topology().neighbours(node).iter();
            let mut heard = near.filter(|&&other| world.is_up(node, other));
            let mut routes = state.routes.0.iter();
            routes.all(|route| {
                let is_own = route.destination == node;
                let lasts = || is_refreshed(protocol, world, node, route.destination);
                !route.changed && (is_own || !route.is_usable() || lasts())
            }) && heard.all(|&other| !tells_news(protocol, world, other, node))
        })
}

/// Whether a node would learn something from a full update of a neighbour.
fn tells_news(
    protocol: &DistanceVector,
    world: &World<'_, DistanceVector>,
    teller: NodeId,
    node: NodeId,
) -> bool {
    let mut told = world.node(teller).routes.0.iter();
    let known = &world.node(node).routes;
    told.any(|route| {
        let entry = protocol.announced(route, node);
        let offer = entry.and_then(|entry| protocol.offered(entry));
        offer.is_some_and(|offer| known.is_changed_by(teller, offer))
    })
}

/// The metric of a shortest path from a node to a destination over links that are up.
#[must_use]
pub fn shortest_metric(
    world: &World<'_, DistanceVector>,
    from: NodeId,
    destination: NodeId,
) -> Option<usize> {
    let mut metrics = vec![None; world.nodes().len()];
    metrics[destination.index()] = Some(NEAREST as usize);
    let mut waiting = VecDeque::from([destination]);
    while let Some(at) = waiting.pop_front() {
        for &other in world.topology().neighbours(at) {
            if metrics[other.index()].is_none() && world.is_up(at, other) {
                metrics[other.index()] = metrics[at.index()].map(|metric| metric + 1);
                waiting.push_back(other);
            }
        }
    }
    metrics[from.index()]
}

/// Whether every node has the right distance to every destination, and infinity to unreachable
/// ones.
pub(super) fn is_right(protocol: &DistanceVector, world: &World<'_, DistanceVector>) -> bool {
    world.nodes().all(|(node, state)| {
        protocol.destinations.iter().all(|&destination| {
            let route = state.routes.get(destination).filter(|route| route.is_usable());
            let shortest = shortest_metric(world, node, destination);
            let within = shortest.filter(|&metric| metric < protocol.infinity as usize);
            route.map(|route| route.metric as usize) == within
        })
    })
}
