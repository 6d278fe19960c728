//! Directed diffusion on a field: what its authors found of it qualitatively (Intanagonwiwat, Govindan and
//! Estrin, 2000) comes out here.

use crate::validation;

use everypath_model::{Parameters, Readings};
use everypath_protocols::diffusion::diffusion_field;
use everypath_sim::{Estimate, Plan, Replications, Run};
use std::{ops::ControlFlow, time::Duration};

const RUNS: u32 = 20;

/// Targets are sensed every half second from the fifth on: 110 times in this time, and what is sensed last has the time to
/// arrive.
const DURATION: Duration = Duration::from_millis(59_900);
const EVENTS: f64 = 110.0;
const NODES: f64 = 64.0;

fn simulate(given: &[(&str, &str)]) -> Replications {
    let mut parameters = Parameters::with(given.iter().copied());
    let mut scenario = diffusion_field(&mut parameters);
    parameters.finish().unwrap();
    scenario.simulation.duration = DURATION;
    Plan::new(1, RUNS).replicate(&scenario, |_| ControlFlow::Continue(())).unwrap()
}

/// What comes of two variants run by run, under the same random numbers.
fn paired(
    first: &Replications,
    second: &Replications,
    compare: impl Fn(&Run, &Run) -> f64,
) -> Estimate {
    let pairs = first.runs.iter().zip(&second.runs);
    let values: Vec<f64> = pairs.map(|(first, second)| compare(first, second)).collect();
    Estimate::of("", "", &values)
}

/// A measure of a run. More than nine tenths of all energy go into being idle, so there is also what the authors measure:
/// the energy for frames, for each event that arrives.
fn value(run: &Run, measure: &str) -> f64 {
    let frames = || run.mean("energy transmitting") + run.mean("energy receiving");
    match measure {
        FOR_FRAMES => frames() / run.count("events delivered") as f64,
        _ => run.measure(measure).unwrap(),
    }
}

const FOR_FRAMES: &str = "energy for frames per event";

/// How much smaller a measure is in the first variant, as a share of that in the second.
fn saved(measure: &str, first: &Replications, second: &Replications) -> Estimate {
    paired(first, second, |first, second| 1.0 - value(first, measure) / value(second, measure))
}

fn assert_saves(what: &str, measure: &str, first: &Replications, second: &Replications) {
    let saved = saved(measure, first, second);
    let what = format!("directed diffusion, {what}: share saved of {measure}");
    validation::against_words(&what, &saved, "saves");
    assert!(saved.mean - saved.half_width > 0.0, "{what}: {saved:?}");
}

fn assert_saves_energy(what: &str, first: &Replications, second: &Replications) {
    assert_saves(what, FOR_FRAMES, first, second);
    assert_saves(what, "energy per node", first, second);
}

/// How many events fewer arrive is told of no author, so the limit is ours, set with the results in view: it is there to
/// notice a change.
fn assert_loses_little(what: &str, first: &Replications, second: &Replications) {
    let lost = saved("events delivered", first, second);
    let what = format!("directed diffusion, {what}: share lost of events delivered");
    validation::against_words(&what, &lost, "");
    assert!(lost.mean + lost.half_width < 0.15, "{lost:?}");
}

fn mean(results: &Replications, measure: &str) -> f64 {
    results.measure(measure).unwrap().mean
}

#[test]
fn suppression_in_the_network_saves_transmissions_and_energy() {
    let suppressed = simulate(&[]);
    let all = simulate(&[("suppress", "false")]);
    assert_saves("suppression", "transmissions per event", &suppressed, &all);
    assert_saves_energy("suppression", &suppressed, &all);
    // Fewer sources have a reinforced path, so more is missed when a target moves on.
    assert_loses_little("suppression", &suppressed, &all);
}

#[test]
fn negative_reinforcement_saves_transmissions_and_energy() {
    let with = simulate(&[("suppress", "false")]);
    let without = simulate(&[("suppress", "false"), ("negative-window", "off")]);
    assert!(mean(&with, "negative reinforcements") > 0.0);
    assert_saves("negative reinforcement", "data transmissions", &with, &without);
    assert_saves_energy("negative reinforcement", &with, &without);
}

#[test]
fn diffusion_is_nearly_as_fast_as_flooding_and_takes_less_energy() {
    let diffusion = simulate(&[]);
    let flooding = simulate(&[("flooding", "true")]);
    assert_saves("instead of flooding", "transmissions per event", &diffusion, &flooding);
    assert_saves_energy("instead of flooding", &diffusion, &flooding);
    assert_loses_little("instead of flooding", &diffusion, &flooding);
    // Exploratory events, one in twelve, go to one neighbour after the other, so the mean is larger.
    let median = |run: &Run| run.quantile("delay", 0.5);
    let ratio = paired(&diffusion, &flooding, |first, second| median(first) / median(second));
    let what = "directed diffusion, instead of flooding: median delay, times that of flooding";
    validation::against_words(what, &ratio, "near 1");
    // That twice as long would no longer be near is our word.
    assert!(ratio.mean + ratio.half_width < 2.0, "{ratio:?}");
}

/// There is always a node within range of a target, and all nodes are linked: so every event arrives, and every node has
/// transmitted it once.
#[test]
fn flooding_delivers_all_and_every_node_transmits_once() {
    let flooding = simulate(&[("flooding", "true")]);
    for (measure, expected) in [("events delivered", EVENTS), ("transmissions per event", NODES)] {
        let found = flooding.measure(measure).unwrap();
        assert_eq!(found.deviation, 0.0, "in every run the same");
        validation::against_exact(
            &format!("flooding among 64 sensors: {measure}"),
            "",
            found.mean,
            expected,
        );
    }
}
