//! AODV on a field with the idealised radio: a chain that stands still, on which all can be counted.

use std::time::Duration;

use everypath_model::{
    Field, Flow, IdealRadio, Mobility, NodeId, Path, Position, Radio, Readings, Rhythm, Scenario,
};
use everypath_protocols::aodv::{Aodv, Preset, on_field};
use everypath_sim::{Limits, Run, Simulation};

/// Nodes at 200 m from each other, of which the first sends to the last.
fn chain(nodes: usize) -> Scenario<Aodv> {
    let place = |node| Path::at(Position::on_ground(200.0 * node as f64, 0.0));
    let mobility = Mobility::Paths((0..nodes).map(place).collect());
    let field = Field::new(mobility, Radio::Ideal(IdealRadio::default()));
    let flow = Flow::new(NodeId(0), NodeId::from(nodes - 1), Duration::from_secs(5))
        .rhythm(Rhythm::Every(Duration::from_millis(250)))
        .end(Duration::from_secs(55));
    on_field(Preset::Ns3, nodes, field, &[flow])
        .simulation(|run| run.duration(Duration::from_secs(60)))
}

fn run(scenario: &Scenario<Aodv>) -> Run {
    Simulation::new(scenario, 1, 0).unwrap().run(&Limits::default()).unwrap()
}

/// Rings of 1, 3, 5 and 7 hops fail if the last node but one, which answers, is farther away.
fn failed_rings(nodes: usize) -> impl Iterator<Item = u64> {
    [1, 3, 5, 7].into_iter().filter(move |&ring| ring < nodes as u64 - 2)
}

#[test]
fn requests_and_replies_of_a_chain() {
    for (nodes, requests) in (3..=10).zip([1, 3, 4, 8, 9, 15, 16, 24]) {
        let run = run(&chain(nodes));
        assert_eq!(run.count("RREQ transmissions"), requests, "{nodes} nodes");
        assert_eq!(run.count("RREP transmissions"), nodes as u64 - 1, "{nodes} nodes");
        assert_eq!(requests, failed_rings(nodes).sum::<u64>() + nodes as u64 - 2);
        assert_eq!(run.measure("delivery ratio"), Some(1.0), "{nodes} nodes");
    }
}

#[test]
fn delays_of_a_chain() {
    for nodes in 3..=10 {
        let hops = nodes as f64 - 1.0;
        let run = run(&chain(nodes));
        let delay = run.distribution("delay").unwrap();
        // 540 bytes at 11 Mbit/s, and a microsecond.
        let usual = hops * 393.727e-6;
        assert!((delay.min() - usual).abs() < 1e-9, "{nodes} nodes: {}", delay.min());
        assert!((run.quantile("delay", 0.5) / usual - 1.0).abs() < 0.01, "{nodes} nodes");
        // The first packet waits for each ring that fails: 80 ms for every hop, and for two more.
        let rings: u64 = failed_rings(nodes).map(|ring| 80 * (ring + 2)).sum();
        let waited = delay.max() - rings as f64 * 1e-3;
        // Then the request takes at most 10 ms of jitter for each hop but the last.
        assert!((0.0..0.010 * hops + 0.002 * hops).contains(&waited), "{nodes} nodes: {waited} s");
    }
}
