//! Distance vector routing simulated: it converges, to shortest ways, when it can be foreseen.

use std::time::Duration;

use everypath_model::{NodeId, Parameters, Scenario, Topology};
use everypath_protocols::distance_vector::{
    DistanceVector, distance_vector, is_settled, shortest_metric,
};
use everypath_sim::{Limits, Simulation, replicate};

fn scenario(given: &[(&str, &str)]) -> Scenario<DistanceVector> {
    let mut parameters = Parameters::with(given.iter().copied());
    let scenario = distance_vector(&mut parameters);
    parameters.finish().unwrap();
    scenario
}

/// With periodic updates alone, which all nodes send at the same moments, what is known goes one
/// hop farther every 30 s. The first hop is learnt by asking: a request of 52 bytes and an answer of
/// as many, each 1 ms and its time at 10 Mbit/s.
#[test]
fn periodic_updates_take_news_one_hop_at_a_time() {
    for nodes in 2..=8_usize {
        let all = nodes.to_string();
        let given = [("nodes", all.as_str()), ("destinations", "1"), ("triggered", "false")];
        let results = replicate(&scenario(&given), 1, 1, &Limits::default(), &mut ()).unwrap();
        let measured = results.measure("time to a route").unwrap().mean;
        let hop_s = 0.001 + 52.0 * 8.0 / 1e7;
        let time = |hops: usize| match hops {
            1 => 2.0 * hop_s,
            hops => 30.0 * (hops - 1) as f64 + hop_s,
        };
        let expected = (1..nodes).map(time).sum::<f64>() / (nodes - 1) as f64;
        assert!((measured - expected).abs() < 1e-9, "{nodes} nodes: {measured}, {expected}");
    }
}

/// A topology of so many nodes, with links drawn at random.
fn drawn(nodes: u32, seed: u32) -> String {
    let mut state = seed;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    // A node is linked to an earlier one, so that all hang together; and there are some more links.
    let mut links: Vec<(u32, u32)> = (1..nodes).map(|node| (draw(node), node)).collect();
    for _ in 0..draw(nodes) {
        let (a, b) = (draw(nodes), draw(nodes));
        if a != b {
            links.push((a, b));
        }
    }
    let links: Vec<String> = links.iter().map(|(a, b)| format!("{a}-{b}")).collect();
    links.join(",")
}

/// How many hops it is between nodes: a breadth-first search of its own.
fn hops(topology: &Topology, from: NodeId) -> Vec<usize> {
    let mut hops = vec![usize::MAX; topology.len()];
    let mut level = vec![from];
    for distance in 0.. {
        level.retain(|node| hops[node.index()] == usize::MAX);
        if level.is_empty() {
            break;
        }
        level.iter().for_each(|node| hops[node.index()] = distance);
        level = level.iter().flat_map(|&node| topology.neighbours(node)).copied().collect();
    }
    hops
}

#[test]
fn routes_become_shortest_ways() {
    for seed in 0..30 {
        let nodes = 3 + seed % 10;
        let (all, topology) = (nodes.to_string(), drawn(nodes, seed));
        let split_horizon = ["none", "simple", "poisoned-reverse"][seed as usize % 3];
        let scenario = scenario(&[
            ("nodes", &all),
            ("destinations", &all),
            ("topology", &topology),
            ("split-horizon", split_horizon),
        ]);
        let mut simulation = Simulation::new(&scenario, u64::from(seed), 0).unwrap();
        simulation.run_until(Duration::from_secs(599)).unwrap();
        let world = simulation.world();
        assert!(is_settled(&scenario.protocol, &world), "seed {seed}: {topology}");
        for node in scenario.topology.nodes() {
            let hops = hops(&scenario.topology, node);
            for destination in scenario.topology.nodes() {
                let route = world.node(node).routes.get(destination).unwrap();
                let expected = hops[destination.index()] + 1;
                let place = format!("seed {seed}: {node} to {destination} on {topology}");
                assert_eq!(route.metric as usize, expected, "{place}");
                assert_eq!(shortest_metric(&world, node, destination), Some(expected), "{place}");
            }
        }
    }
}
