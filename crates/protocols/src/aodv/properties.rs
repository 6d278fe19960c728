//! Assertions and rankings of AODV.

use everypath_model::{
    NodeId, Rank, Scenario, World,
    routing::{Hop, Routing},
};

use super::{Aodv, Message, Route, RouterState, setting::Property};

impl Routing for Aodv {
    type Destination = NodeId;

    /// A quiet node does not route.
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
            Message::Unreachable(_)
            | Message::Acknowledgement
            | Message::Hello { .. }
            | Message::Reset
            | Message::Data(_) => None,
        };
        destination.into_iter()
    }
}

/// The assertions and rankings.
pub(super) fn asked(
    mut scenario: Scenario<Aodv>,
    destinations: Vec<NodeId>,
    property: Property,
) -> Scenario<Aodv> {
    let first = destinations[0];
    let (sought, everywhere, matter) = (destinations.clone(), destinations.clone(), destinations);
    scenario = match property {
        Property::Order => scenario
            .assert_always("routes get fresher or shorter from hop to hop", move |world| {
                everywhere.iter().all(|&destination| is_ordered(world, destination))
            }),
        Property::Loop => scenario
            .assert_loop_free("no route leads in a circle", move |destination| {
                everywhere.contains(&destination)
            }),
        Property::Data => scenario,
    };
    if scenario.protocol.traced {
        scenario = scenario.assert_always("no packet of data comes to a node twice", |world| {
            world.nodes().all(|(_, state)| !state.revisited)
        });
    }
    scenario
        .assert_always("next hops are or were neighbours", |world| {
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
        .routing_rankings(move |destination| matter.contains(&destination))
}

/// The valid route of a node to a destination, if the node is not quiet.
fn route<'a>(world: &World<'a, Aodv>, node: NodeId, destination: NodeId) -> Option<&'a Route> {
    let state = world.node(node);
    state.routes.valid(destination).filter(|_| !state.quiet)
}

/// Pairs of routes to a destination: of a node, and of its next hop.
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

/// Whether routes get fresher or shorter from hop to hop: the thesis's criterion of loop freedom.
fn is_ordered(world: &World<'_, Aodv>, destination: NodeId) -> bool {
    consecutive(world, destination).all(|(own, next)| {
        next.number.is_newer_than(own.number) || next.number == own.number && next.hops < own.hops
    })
}

/// The number of valid routes.
fn valid_routes(world: &World<'_, Aodv>) -> i64 {
    world.nodes().map(|(_, state)| state.routes.all_valid().count() as i64).sum()
}

/// The number of valid routes to one of the destinations.
fn valid_routes_to(world: &World<'_, Aodv>, destinations: &[NodeId]) -> i64 {
    let reach = |(_, state): (NodeId, &RouterState)| {
        let reached = |&&destination: &&NodeId| state.routes.valid(destination).is_some();
        destinations.iter().filter(reached).count() as i64
    };
    world.nodes().map(reach).sum()
}

/// The number of replies in flight.
fn replies(world: &World<'_, Aodv>) -> i64 {
    world.packets().filter(|packet| matches!(packet.message, Message::Reply(_))).count() as i64
}

/// How much fresher and shorter than their next hops' the routes to a destination are, in total;
/// the worst rank without a route.
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
