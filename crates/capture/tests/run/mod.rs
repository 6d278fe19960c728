//! Runs of AODV to be captured: over links and by radio.

use std::time::Duration;

use everypath_model::{
    Area, DcfRadio, Field, IdealRadio, Mobility, Parameters, Protocol, Radio, Scenario,
};
use everypath_protocols::aodv::{Aodv, aodv};
use everypath_sim::{Limits, Observer, Run, SimError, Simulation};

pub const SEED: u64 = 3;

pub fn scenario(
    build: fn(&mut Parameters) -> Scenario<Aodv>,
    given: &[(&str, &str)],
) -> Scenario<Aodv> {
    let mut parameters = Parameters::with(given.iter().copied());
    let scenario = build(&mut parameters);
    parameters.finish().unwrap();
    scenario.simulation(|run| run.duration(Duration::from_secs(20)))
}

/// Slow links that lose packets, with short queues.
pub fn grid() -> Scenario<Aodv> {
    let given = [("nodes", "9"), ("topology", "grid:3"), ("loss-rate", "0.1"), ("jitter", "10ms")];
    let mut scenario = scenario(aodv, &given);
    let slow = Some(20_000);
    scenario.simulation.link = scenario.simulation.link.queue(1).bandwidth_bps(slow);
    scenario
}

/// Nodes that move fast, so that routes break.
pub fn field() -> Scenario<Aodv> {
    on_field(Radio::Ideal(IdealRadio::default()))
}

/// The same, where frames meet and are transmitted again.
pub fn contended() -> Scenario<Aodv> {
    on_field(Radio::Dcf(DcfRadio::default()))
}

fn on_field(radio: Radio) -> Scenario<Aodv> {
    let given = [
        ("nodes", "9"),
        ("rules", "ns3"),
        ("hello", "always"),
        ("flows", "3"),
        ("interval", "50ms"),
    ];
    let area = Area { width: 900.0, height: 500.0 };
    let mobility =
        Mobility::Waypoint { area, speeds: (10.0, 40.0), pause: Duration::from_millis(500) };
    scenario(aodv, &given).simulation(|run| run.field(Field::new(mobility, radio)))
}

pub fn run<P: Protocol>(
    scenario: &Scenario<P>,
    observer: impl Observer<P>,
) -> Result<Run, SimError> {
    let simulation = Simulation::observed(scenario, SEED, 0, observer)?;
    simulation.run(&Limits::default())
}
