//! What is asked of worlds of routers: assertions and rankings.

use everypath_model::{NodeId, Rank, Scenario, World};

use super::{Aodv, Message, Route, setting::Property};

/// The assertions and rankings.
pub(super) fn asked(
    mut scenario: Scenario<Aodv>,
    destinations: Vec<NodeId>,
    property: Property,
) -> Scenario<Aodv> {
    let first = destinations[0];
    let (sought, everywhere) = (destinations.clone(), destinations);
    scenario = match property {
        Property::Order => scenario
            .assertion("routes get fresher or shorter from hop to hop", move |world| {
                everywhere.iter().all(|&destination| is_ordered(world, destination))
            }),
        Property::Loop => scenario.assertion("no route leads in a circle", move |world| {
            everywhere.iter().all(|&destination| is_loop_free(world, destination))
        }),
        Property::Data => scenario,
    };
    if scenario.protocol.traced {
        scenario = scenario.assertion("no packet of data comes to a node twice", |world| {
            world.nodes().all(|(_, state)| !state.revisited)
        });
    }
    scenario
        .assertion("next hops are or were neighbours", |world| {
            world.nodes().all(|(node, state)| {
                let is_near = |next| world.topology().are_neighbours(node, next);
                state.routes.all_valid().all(|route| is_near(route.next))
            })
        })
        .ranking("aodv-1", valid_routes)
        .ranking("aodv-2", move |world| disorder(world, first))
        .ranking("aodv-3", move |world| (valid_routes_to(world, &sought), valid_routes(world)))
        .ranking("aodv-4", replies)
        .ranking("aodv-5", |world| (replies(world), valid_routes(world)))
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
fn is_ordered(world: &World<'_, Aodv>, destination: NodeId) -> bool {
    consecutive(world, destination).all(|(own, next)| {
        next.number.is_newer_than(own.number) || next.number == own.number && next.hops < own.hops
    })
}

/// Whether no one who follows routes to a destination comes to a node twice.
fn is_loop_free(world: &World<'_, Aodv>, destination: NodeId) -> bool {
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
fn valid_routes(world: &World<'_, Aodv>) -> i64 {
    world.nodes().map(|(_, state)| state.routes.all_valid().count() as i64).sum()
}

/// How many nodes have a route to one of the destinations.
fn valid_routes_to(world: &World<'_, Aodv>, destinations: &[NodeId]) -> i64 {
    let reach = |(_, state): (NodeId, &super::RouterState)| {
        let reached = |&&destination: &&NodeId| state.routes.valid(destination).is_some();
        destinations.iter().filter(reached).count() as i64
    };
    world.nodes().map(reach).sum()
}

/// How many replies are in flight.
fn replies(world: &World<'_, Aodv>) -> i64 {
    world.packets().filter(|packet| matches!(packet.message, Message::Reply(_))).count() as i64
}

/// How much fresher and shorter than their next hops' the routes to a destination are, all
/// together; the worst rank if there is no route.
fn disorder(world: &World<'_, Aodv>, destination: NodeId) -> Rank {
    if valid_routes_to(world, &[destination]) == 0 {
        return Rank::from(i64::MIN);
    }
    let excess = consecutive(world, destination).map(|(own, next)| {
        i64::from(own.number.distance_from(next.number)) + i64::from(next.hops)
            - i64::from(own.hops)
    });
    Rank::from(excess.sum::<i64>())
}
