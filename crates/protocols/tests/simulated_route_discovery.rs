//! Route discovery simulated, against what can be computed.

use everypath_protocols::route_discovery::route_discovery;
use everypath_sim::{Limits, replicate};

use crate::explored::scenario;

const RUNS: u32 = 20_000;

/// Between two nodes a request is heard or not, which is equally likely. So the number of trials is
/// geometric, cut at three, and a route is found but once in eight runs.
#[test]
fn two_nodes_find_each_other_by_chance() {
    let scenario = scenario(route_discovery, &[("nodes", "2"), ("audience", "1")]);
    let results = replicate(&scenario, 1, RUNS, &Limits::default(), &mut ()).unwrap();
    let mean = |name: &str| results.measure(name).unwrap().mean;
    let close = |name: &str, expected: f64, variance: f64| {
        let deviation = (variance / f64::from(RUNS)).sqrt();
        let found = mean(name);
        assert!((found - expected).abs() < 4.0 * deviation, "{name}: {found}, not {expected}");
    };
    let found = 1.0 - 0.5_f64.powi(3);
    close("routes found", found, found * (1.0 - found));
    // One trial in half of the runs, two in a quarter, three in the rest.
    let trials = 0.5 + 2.0 * 0.25 + 3.0 * 0.25;
    let square = 0.5 + 4.0 * 0.25 + 9.0 * 0.25;
    close("trials", trials, square - trials * trials);
    // Each trial is a request. The one that is heard is answered.
    assert!((mean("messages") - mean("trials") - mean("routes found")).abs() < 1e-9);
}

/// If all hear everything, the first trial succeeds.
#[test]
fn one_trial_is_enough_where_all_hear() {
    let scenario = scenario(route_discovery, &[("nodes", "5"), ("audience", "all")]);
    let results = replicate(&scenario, 1, 20, &Limits::default(), &mut ()).unwrap();
    for (name, expected) in [("routes found", 1.0), ("trials", 1.0)] {
        assert!((results.measure(name).unwrap().mean - expected).abs() < 1e-9, "{name}");
    }
}
