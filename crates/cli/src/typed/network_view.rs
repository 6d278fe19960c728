//! The network of a run at one moment.

use std::time::Duration;

use everypath_model::{NodeId, Protocol, Scenario};
use everypath_plot::{PlacedNode, PlottedHop};
use everypath_sim::{SimError, Simulation};

use super::film::places;
use crate::scenarios::any_scenario::{NetworkView, RunNumber};

/// Which nodes hear each other, and the next hops of packets. An observer does not see the world, so the run is
/// repeated up to this moment.
pub(super) fn at<P: Protocol>(
    scenario: &Scenario<P>,
    number: RunNumber,
    at: Duration,
) -> Result<NetworkView, SimError> {
    let mut simulation = Simulation::new(scenario, number.seed, number.replication)?;
    simulation.run_until(at)?;
    let nodes: Vec<NodeId> = scenario.topology.nodes().collect();
    let drawn = places(&scenario.topology);
    let place = |node: &NodeId| {
        let position = simulation.position(*node).map(|at| (at.x, at.y));
        let place = position.or(drawn.as_ref().map(|drawn| drawn[node.index()]));
        PlacedNode { name: node.to_string(), place }
    };
    let placed = nodes.iter().map(place).collect();
    let hops = nodes.iter().flat_map(|&node| {
        let hops = scenario.hops.as_ref().map(|hops| hops(node, simulation.state(node)));
        hops.into_iter().flatten().map(move |(destination, next)| PlottedHop {
            from: node.index(),
            next: next.index(),
            destination,
        })
    });
    let hops: Vec<PlottedHop> = hops.collect();
    let world = simulation.world();
    let mut links = Vec::new();
    for (place, &a) in nodes.iter().enumerate() {
        let heard = nodes[place + 1..].iter().filter(|&&b| world.is_up(a, b));
        links.extend(heard.map(|b| (place, b.index())));
    }
    let is_to_scale = scenario.simulation.field.is_some();
    Ok(NetworkView { nodes: placed, links, hops, is_to_scale })
}
