//! AODV by the rules of ns-3 against what ns-3 came to on the same movements and flows.

use crate::reference;

use everypath_model::Readings;
use everypath_protocols::aodv::Preset;
use everypath_sim::{Estimate, Limits, Run, Simulation};
use reference::{Reference, references};

/// How many runs of ours are averaged for each of ns-3's.
const RUNS: u32 = 5;

fn runs(reference: &Reference) -> Vec<Run> {
    let scenario = reference.scenario(Preset::Ns3);
    let run = |replication| {
        let simulation = Simulation::new(&scenario, 1, replication).expect("it can be run");
        simulation.run(&Limits::default()).expect("no handler panics")
    };
    (0..RUNS).map(run).collect()
}

fn mean(runs: &[Run], of: impl Fn(&Run) -> f64) -> f64 {
    runs.iter().map(of).sum::<f64>() / runs.len() as f64
}

/// What differs between ours and ns-3's on the five scenarios of one size: delivery ratios, scenario by
/// scenario; the median delay and the number of requests, as shares.
fn differences(nodes: usize) -> (Vec<f64>, f64, f64) {
    let (mut ratios, mut delays, mut requests) = (Vec::new(), Vec::new(), (0.0, 0.0));
    for reference in references().iter().filter(|reference| reference.nodes == nodes) {
        let runs = runs(reference);
        let ratio = mean(&runs, |run| run.measure("delivery ratio").expect("it is measured"));
        ratios.push(ratio - reference.delivery_ratio);
        delays.push(mean(&runs, |run| run.quantile("delay", 0.5)) / reference.median_delay - 1.0);
        requests.0 += mean(&runs, |run| run.count("RREQ transmissions") as f64);
        requests.1 += reference.requests;
    }
    let delay = delays.iter().sum::<f64>() / delays.len() as f64;
    (ratios, delay, requests.0 / requests.1 - 1.0)
}

#[test]
fn what_arrives_and_what_it_costs_is_as_with_ns3() {
    let mut all = Vec::new();
    for nodes in [25, 50, 100] {
        let (ratios, delay, requests) = differences(nodes);
        assert!(delay.abs() < 0.05, "{nodes} nodes: median delay {delay:+.3}");
        assert!(requests.abs() < 0.1, "{nodes} nodes: requests {requests:+.3}");
        let ratio = Estimate::of("delivery ratio", "", &ratios);
        assert!(ratio.mean.abs() < 0.01, "{nodes} nodes: {ratio:?}");
        all.extend(ratios);
    }
    assert_eq!(all.len(), 15);
    // In pairs, all of the 95 % interval is within ±0.01.
    let ratio = Estimate::of("delivery ratio", "", &all);
    assert!(ratio.mean.abs() + ratio.half_width < 0.01, "{ratio:?}: {all:?}");
}
