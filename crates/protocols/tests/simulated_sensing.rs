//! Directed diffusion on a field: what its authors found of it qualitatively (Intanagonwiwat, Govindan and
//! Estrin, 2000) comes out here.

use everypath_model::Parameters;
use everypath_protocols::diffusion::diffusion_field;
use everypath_sim::{Estimate, Plan, Replications};
use std::ops::ControlFlow;

const RUNS: u32 = 6;

fn simulate(given: &[(&str, &str)]) -> Replications {
    let mut parameters = Parameters::with(given.iter().copied());
    let mut scenario = diffusion_field(&mut parameters);
    parameters.finish().unwrap();
    scenario.timing.duration = std::time::Duration::from_secs(60);
    Plan::new(4, RUNS).replicate(&scenario, |_| ControlFlow::Continue(())).unwrap()
}

/// How much smaller a measure is in the first variant, run by run under the same random numbers, as a share of
/// that in the second.
fn saved(measure: &str, first: &Replications, second: &Replications) -> Estimate {
    let pairs = first.runs.iter().zip(&second.runs);
    let value = |run: &everypath_sim::Run| run.measure(measure).unwrap();
    let shares: Vec<f64> =
        pairs.map(|(first, second)| 1.0 - value(first) / value(second)).collect();
    Estimate::of(measure, "", &shares)
}

fn assert_saves(measure: &str, first: &Replications, second: &Replications) {
    let saved = saved(measure, first, second);
    assert!(saved.mean - saved.half_width > 0.0, "{saved:?}");
}

fn mean(results: &Replications, measure: &str) -> f64 {
    results.measure(measure).unwrap().mean
}

#[test]
fn suppression_in_the_network_saves_transmissions_and_energy() {
    let suppressed = simulate(&[]);
    let all = simulate(&[("suppress", "false")]);
    assert_saves("transmissions per event", &suppressed, &all);
    assert_saves("energy per node", &suppressed, &all);
    // Fewer sources have a reinforced path, so more is missed when a target moves on; not much.
    let lost = saved("events delivered", &suppressed, &all);
    assert!((0.0..0.15).contains(&lost.mean), "{lost:?}");
}

#[test]
fn negative_reinforcement_saves_transmissions_and_energy() {
    let with = simulate(&[("suppress", "false")]);
    let without = simulate(&[("suppress", "false"), ("negative-window", "off")]);
    assert!(mean(&with, "negative reinforcements") > 0.0);
    assert_saves("data transmissions", &with, &without);
    assert_saves("energy per node", &with, &without);
}

#[test]
fn diffusion_is_nearly_as_fast_as_flooding_and_takes_less_energy() {
    let diffusion = simulate(&[]);
    let flooding = simulate(&[("flooding", "true")]);
    assert_saves("transmissions per event", &diffusion, &flooding);
    assert_saves("energy per node", &diffusion, &flooding);
    // Exploratory events, one in twelve, go to one neighbour after the other, so the mean is larger.
    let median = |results: &Replications| {
        let place = results.distributions.iter().position(|it| it.name == "delay");
        results.medians[place.unwrap()].mean
    };
    let ratio = median(&diffusion) / median(&flooding);
    assert!((1.0..1.25).contains(&ratio), "{ratio}");
    let lost = saved("events delivered", &diffusion, &flooding);
    assert!(lost.mean < 0.15, "{lost:?}");
}
