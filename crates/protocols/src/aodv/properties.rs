//! What is asked of worlds of routers: assertions and rankings.

use everypath_model::{
    NodeId, Rank, World,
    routing::{Hop, Routing},
};

use super::{Aodv, Message, Route, RouterState};

impl Routing for Aodv {
    type Destination = NodeId;

    /// A node that keeps quiet is no router.
    fn hops(&self, me: NodeId, state: &RouterState) -> impl Iterator<Item = Hop<NodeId>> {
        let routes = state.routes.all_valid().filter(move |route| route.destination != me);
        routes
            .filter(|_| !state.quiet)
            .map(|route| Hop { destination: route.destination, next: route.next })
    }

    fn is_at(&self, node: NodeId, destination: NodeId) -> bool {
        node == destination
    }

    fn establishes(&self, message: &Message) -> impl Iterator<Item = NodeId> {
        let destination = match message {
            Message::Request(request) => Some(request.request.origin),
            Message::Reply(reply) => Some(reply.destination),
            Message::Unreachable(_) | Message::Hello { .. } | Message::Data(_) => None,
        };
        destination.into_iter()
    }
}

/// The route of a node to a destination, if it can be used: a node that keeps quiet is no router.
fn route<'a>(world: &World<'a, Aodv>, node: NodeId, destination: NodeId) -> Option<&'a Route> {
    let state = world.node(node);
    state.routes.valid(destination).filter(|_| !state.quiet)
}

/// The routes to a destination of nodes that are next to each other on it: of a node, and of the
/// next hop.
fn consecutive<'a>(
    world: &World<'a, Aodv>,
    destination: NodeId,
) -> impl Iterator<Item = (&'a Route, &'a Route)> {
    let nodes = world.topology().nodes().filter(move |&node| node != destination);
    nodes.filter_map(move |node| {
        let own = route(world, node, destination)?;
        Some((own, route(world, own.next, destination)?))
    })
}

/// Whether routes get fresher or shorter from hop to hop: what the thesis takes for freedom from
/// loops.
pub(super) fn is_ordered(world: &World<'_, Aodv>, destination: NodeId) -> bool {
    consecutive(world, destination).all(|(own, next)| {
        next.number.is_newer_than(own.number) || next.number == own.number && next.hops < own.hops
    })
}

/// How many routes can be used.
pub(super) fn valid_routes(world: &World<'_, Aodv>) -> i64 {
    world.nodes().map(|(_, state)| state.routes.all_valid().count() as i64).sum()
}

/// How many nodes have a route to one of the destinations.
pub(super) fn valid_routes_to(world: &World<'_, Aodv>, destinations: &[NodeId]) -> i64 {
    let reach = |(_, state): (NodeId, &RouterState)| {
        let reached = |&&destination: &&NodeId| state.routes.valid(destination).is_some();
        destinations.iter().filter(reached).count() as i64
    };
    world.nodes().map(reach).sum()
}

/// How many replies are in flight.
pub(super) fn replies(world: &World<'_, Aodv>) -> i64 {
    world.packets().filter(|packet| matches!(packet.message, Message::Reply(_))).count() as i64
}

/// How much fresher and shorter than their next hops' the routes to a destination are, all
/// together; the worst rank if there is no route.
pub(super) fn disorder(world: &World<'_, Aodv>, destination: NodeId) -> Rank {
    if valid_routes_to(world, &[destination]) == 0 {
        return Rank::from(i64::MIN);
    }
    let excess = consecutive(world, destination).map(|(own, next)| {
        i64::from(own.number.distance_from(next.number)) + i64::from(next.hops)
            - i64::from(own.hops)
    });
    Rank::from(excess.sum::<i64>())
}
