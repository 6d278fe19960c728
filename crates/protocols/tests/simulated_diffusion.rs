//! Directed diffusion simulated: chains, on which all can be counted by hand.

use everypath_model::Parameters;
use everypath_protocols::diffusion::{diffusion, diffusion_hardened};
use everypath_sim::{Limits, Replications, replicate};

fn simulate(hardened: bool, given: &[(&str, &str)]) -> Replications {
    let mut parameters = Parameters::with(given.iter().copied());
    let build = if hardened { diffusion_hardened } else { diffusion };
    let scenario = build(&mut parameters);
    parameters.finish().unwrap();
    replicate(&scenario, 2, 1, &Limits::default(), &mut ()).unwrap()
}

/// In 600 s a source senses 121 events, every twelfth of them exploratory: 11. The sink asks every
/// 30 s from the first second on, 20 times, and every node passes it on.
#[test]
fn what_a_chain_sends_can_be_counted() {
    for nodes in 3..=8_usize {
        for hardened in [false, true] {
            let results = simulate(hardened, &[("nodes", &nodes.to_string())]);
            let mean = |name: &str| results.measure(name).unwrap().mean;
            let (nodes, hops) = (nodes as f64, nodes as f64 - 1.0);
            assert_eq!(mean("delivery ratio"), 1.0, "{nodes} nodes");
            assert_eq!(mean("interest transmissions"), 20.0 * nodes, "{nodes} nodes");
            assert_eq!(mean("positive reinforcements"), 11.0 * hops, "{nodes} nodes");
            assert_eq!(mean("negative reinforcements"), 0.0, "{nodes} nodes");
            // Each node passes exploratory data on to all its neighbours, reinforced ones to one.
            let expected = 11.0 * 2.0 * hops + 110.0 * hops;
            assert_eq!(mean("data transmissions"), expected, "{nodes} nodes");
        }
    }
}

/// A packet takes 1 ms and the time of its 64 bytes at 10 Mbit/s for each hop.
#[test]
fn data_take_the_shortest_time() {
    for nodes in 3..=8_usize {
        let results = simulate(false, &[("nodes", &nodes.to_string())]);
        let expected = (nodes as f64 - 1.0) * (0.001 + 64.0 * 8.0 / 10_000_000.0);
        let measured = results.measure("delay").unwrap().mean;
        assert!((measured - expected).abs() < 2e-6, "{nodes} nodes: {measured}, {expected}");
    }
}

/// Two sinks and two sources on a grid, and links that lose: paths are found, and found again.
#[test]
fn several_sinks_and_sources_are_served() {
    let given = [("nodes", "9"), ("topology", "grid:3"), ("sinks", "2"), ("sources", "2")];
    for hardened in [false, true] {
        let mean = |given: &[(&str, &str)]| {
            simulate(hardened, given).measure("delivery ratio").unwrap().mean
        };
        assert_eq!(mean(&given), 1.0);
        let lossy = mean(&[&given[..], &[("loss-rate", "0.02")]].concat());
        assert!((0.85..1.0).contains(&lossy), "{lossy}");
    }
}
