//! AODV on a field with the idealised radio.

use std::time::Duration;

use everypath_model::{
    Field, Flow, IdealRadio, Mobility, NodeId, Path, Position, Radio, Readings, Scenario,
};
use everypath_protocols::aodv::{Aodv, Preset, on_field};
use everypath_sim::{Limits, Run, Simulation};

/// Nodes at 200 m from each other, of which the first sends to the last.
fn chain(nodes: usize) -> Scenario<Aodv> {
    let place = |node| Path::at(Position::on_ground(200.0 * node as f64, 0.0));
    let mobility = Mobility::Paths((0..nodes).map(place).collect());
    let field = Field::new(mobility, Radio::Ideal(IdealRadio::default()));
    let flow = Flow {
        rhythm: Duration::from_millis(250).into(),
        ..Flow::new(NodeId(0), NodeId::from(nodes - 1), Duration::from_secs(5))
    };
    on_field(Preset::Ns3, nodes, field, &[flow]).duration(Duration::from_secs(60))
}

fn run(scenario: &Scenario<Aodv>) -> Run {
    Simulation::new(scenario, 1, 0).unwrap().run(&Limits::default()).unwrap()
}

#[test]
fn requests_and_replies_of_a_chain() {
    let mut got = Vec::new();
    for nodes in 3..=10 {
        let run = run(&chain(nodes));
        got.push((run.count("RREQ transmissions"), run.count("RREP transmissions")));
    }
    let requests = [1, 3, 4, 8, 9, 15, 16, 24];
    let expected: Vec<_> = requests.into_iter().zip(2..).collect();
    assert_eq!(got, expected);
}
