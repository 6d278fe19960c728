//! What is asked of worlds of routers: assertions and rankings.

use everypath_model::{NodeId, Rank, World};

use super::{Aodv, Message, Route};

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

/// Whether no one who follows routes to a destination comes to a node twice.
pub(super) fn is_loop_free(world: &World<'_, Aodv>, destination: NodeId) -> bool {
    let nodes = world.nodes().len();
    world.topology().nodes().all(|start| {
        let hop = |&at: &NodeId| {
            let own = (at != destination).then(|| route(world, at, destination))?;
            own.map(|route| route.next)
        };
        // A way on which no node is twice has fewer hops than there are nodes.
        std::iter::successors(Some(start), hop).take(nodes + 1).count() <= nodes
    })
}

/// How many routes can be used.
pub(super) fn valid_routes(world: &World<'_, Aodv>) -> i64 {
    world.nodes().map(|(_, state)| state.routes.all_valid().count() as i64).sum()
}

/// How many nodes have a route to one of the destinations.
pub(super) fn valid_routes_to(world: &World<'_, Aodv>, destinations: &[NodeId]) -> i64 {
    let reach = |(_, state): (NodeId, &super::RouterState)| {
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
