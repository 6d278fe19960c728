//! Scenarios of route discovery.

use std::time::Duration;

use everypath_model::{
    Audience, Event, NetworkKind, Parameters, Scenario, Topology, World, routing::Routing,
};

use super::{End, Expire, RouteDiscovery, SOURCE, Timer, patterns};

/// The largest number of nodes.
const NODES_MAX: u32 = 64;

/// Route discovery, without routes that are discarded: it is free of loops.
#[must_use]
pub fn route_discovery(parameters: &mut Parameters) -> Scenario<RouteDiscovery> {
    scenario(parameters, Expire::Off)
        .about("Route discovery among mobile nodes, with several trials: are there routing loops?")
}

/// Route discovery with routes that are discarded at any moment: it makes loops.
#[must_use]
pub fn route_discovery_expiring(parameters: &mut Parameters) -> Scenario<RouteDiscovery> {
    scenario(parameters, Expire::ToSource)
        .about(
            "Route discovery among mobile nodes that discard routes at any moment: a routing loop",
        )
        .max_depth(6)
}

/// When the source may try again.
#[derive(Clone, Copy, PartialEq)]
enum Retry {
    AnyTime,
    WhenQuiet,
}

fn scenario(parameters: &mut Parameters, expire: Expire) -> Scenario<RouteDiscovery> {
    let nodes = parameters.number(
        "nodes",
        4,
        2..=NODES_MAX,
        "how many nodes there are: source, forwarders, destination",
    );
    let most = Audience::AtMost(2.min(nodes - 1));
    let audience = parameters.audience("audience", most, "how many nodes hear a broadcast at most");
    let trials =
        parameters.number_or_any("trials", Some(3), 1..=60, "how often the source tries at most");
    let retry = parameters.choice(
        "retry",
        Retry::AnyTime,
        &[("any-time", Retry::AnyTime), ("when-quiet", Retry::WhenQuiet)],
        "when the source may try again: at any time, or when nothing is in flight",
    );
    let network = parameters.network("network", NetworkKind::inbox(1), "the order of delivery");
    let expire = parameters.choice(
        "expire",
        expire,
        &[("off", Expire::Off), ("to-source", Expire::ToSource), ("all", Expire::All)],
        "which routes can be discarded",
    );
    let protocol = RouteDiscovery { nodes, trials, expire };
    let mut scenario = Scenario::new(protocol, Topology::full_mesh(nodes as usize))
        .configuration(|protocol| format!("{protocol:?}"))
        .role_names(RouteDiscovery::role_of)
        .network(network)
        .audience(audience)
        .assert_loop_free("routes to the source have no loop", |end| end == End::Source)
        .assert_loop_free("routes to the destination have no loop", |end| end == End::Destination)
        .assert_reachable("the source has a route", |world| {
            world.node(SOURCE).to_destination.is_some()
        })
        .routing_rankings(|_| true)
        .simulation(|run| {
            run.duration(Duration::from_secs(10))
                .replications(1000)
                .measure("routes found", "per run", |run| run.count("routes") as f64)
                .measure("time to find a route", "s", |run| run.mean("time to find a route"))
                .measure_count("trials")
                .measure_count("messages")
        });
    if expire == Expire::Off {
        let protocol = scenario.protocol.clone();
        scenario = scenario
            .assert_always("the next hop of a route has a route", next_hops_exist)
            .obsolete(move |table, packet| protocol.is_obsolete(packet.to, table, packet.message));
    }
    scenario = match trials {
        Some(last) if expire == Expire::Off => {
            patterns::with_starts(patterns::with_cut(scenario, last), last)
        }
        Some(last) => patterns::with_cut(scenario, last),
        None => scenario.numbers_by_rank(),
    };
    if retry == Retry::WhenQuiet {
        scenario =
            scenario.assume("a trial begins only when nothing is in flight", |world, event| {
                !matches!(event, Event::Timer { timer: Timer::Seek, .. })
                    || world.packets().len() == 0
            });
    }
    scenario
}

/// Whether the next hop of each route has a route to the same end, or is the end.
fn next_hops_exist(world: &World<'_, RouteDiscovery>) -> bool {
    let last = world.topology().len() as u32;
    let protocol = RouteDiscovery { nodes: last, trials: None, expire: Expire::Off };
    world.nodes().all(|(node, table)| {
        protocol.hops(node, table).all(|hop| {
            protocol.is_at(hop.next, hop.destination)
                || protocol
                    .hops(hop.next, world.node(hop.next))
                    .any(|next| next.destination == hop.destination)
        })
    })
}
