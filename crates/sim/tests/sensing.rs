//! Targets that move about, and nodes that sense them.

use crate::validation;

use std::time::Duration;

use everypath_model::{
    Area, Downtime, Field, IdealRadio, Leg, Mobility, Never, Node, NodeId, Outage, Part, Path,
    Position, Protocol, Radio, Rhythm, Scenario, Sensing, Start, Stimulus, Topology,
};
use everypath_sim::{Ending, Estimate, Limits, Simulation, replicate};

/// Writes down what it senses.
struct Sensor;

#[everypath_model::data]
struct Sensed(usize, u32);

impl Protocol for Sensor {
    type State = Vec<Sensed>;
    type Message = Never;
    type Timer = Never;
    type Command = Sensed;

    fn start(&self, _: &mut Start<'_, Self>) -> Vec<Sensed> {
        Vec::new()
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Sensed) {
        node.count("sensed");
        node.state.push(command.clone());
    }
}

/// Nodes at these distances along a line.
fn sensors(places: &[f64], sensing: Sensing) -> Scenario<Sensor> {
    let paths = places.iter().map(|&x| Path::at(Position::on_ground(x, 0.0))).collect();
    let field = Field::new(Mobility::Paths(paths), Radio::Ideal(IdealRadio::default()));
    Scenario::new(Sensor, Topology::unlinked(places.len())).simulation(|run| {
        run.field(field)
            .sensing(sensing)
            .stimulus_command(|Stimulus { target, number }| Sensed(target, number))
            .duration(Duration::from_secs(20))
    })
}

/// A target that passes by at 10 m/s, from 0 on, and emits a stimulus every second.
fn passing() -> Sensing {
    let leg = Leg { begin: Duration::ZERO, to: Position::on_ground(1000.0, 0.0), speed: 10.0 };
    let path = Path { start: Position::default(), legs: vec![leg] };
    Sensing::of(1, Mobility::Paths(vec![path]), 25.0, Rhythm::Every(Duration::from_secs(1)))
}

#[test]
fn only_nodes_within_range_sense() {
    let scenario = sensors(&[0.0, 95.0, 500.0], passing());
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.run_until(Duration::from_secs(20)).unwrap();
    let numbers = |node| {
        let sensed: Vec<u32> = simulation.state(NodeId(node)).iter().map(|it| it.1).collect();
        sensed
    };
    assert_eq!(numbers(0), [0, 1, 2]);
    assert_eq!(numbers(1), [7, 8, 9, 10, 11, 12]);
    assert_eq!(numbers(2), [0; 0]);
    let run = simulation.result(Ending::Finished).unwrap();
    assert_eq!(run.events, 9);
}

#[test]
fn a_node_that_is_down_senses_nothing() {
    let downtime = Downtime::Given {
        down: Duration::from_millis(7500),
        up: Some(Duration::from_millis(9500)),
    };
    let scenario = sensors(&[0.0, 95.0], passing())
        .simulation(|run| run.outage(Outage { part: Part::Node(NodeId(1)), downtime }));
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.run_until(Duration::from_secs(20)).unwrap();
    let after: Vec<u32> = simulation.state(NodeId(1)).iter().map(|it| it.1).collect();
    assert_eq!(after, [10, 11, 12], "what it sensed before is forgotten with the reboot");
}

/// A node in the middle of a square in which targets are uniform, whether they stand or walk about, senses the share of
/// stimuli that its disc has of the square.
#[test]
fn the_share_that_is_sensed_is_that_of_the_disc() {
    let area = Area { width: 100.0, height: 100.0 };
    let walk = Mobility::Walk { area, speeds: (5.0, 20.0), turn: Duration::from_secs(5) };
    for (how, mobility) in [("stand", Mobility::Uniform(area)), ("walk", walk)] {
        let sensed = sensed_in_the_middle(mobility);
        let share = std::f64::consts::PI * 30.0 * 30.0 / 10_000.0;
        let what =
            format!("sensing, 50 targets that {how} in a square of 100 m: stimuli within 30 m");
        validation::against_formula(&what, &sensed, 50.0 * 200.0 * share, 0.04);
    }
}

fn sensed_in_the_middle(mobility: Mobility) -> Estimate {
    let rhythm = Rhythm::Poisson(Duration::from_millis(100));
    let sensing = Sensing::of(50, mobility, 30.0, rhythm);
    let mut scenario = sensors(&[50.0], sensing);
    let middle = Path::at(Position::on_ground(50.0, 50.0));
    scenario.simulation.field.as_mut().unwrap().mobility = Mobility::Paths(vec![middle]);
    let results = replicate(&scenario, 1, 200, &Limits::default(), &mut ()).unwrap();
    results.counters.iter().find(|it| it.name == "sensed").unwrap().clone()
}

#[test]
fn targets_without_sense_are_refused() {
    let refused = |scenario: Scenario<Sensor>| scenario.validate().unwrap_err().to_string();
    let mut scenario = sensors(&[0.0], passing());
    scenario.simulation.field = None;
    assert!(refused(scenario).contains("put them on one (`field`)"));
    let mut scenario = sensors(&[0.0], passing());
    scenario.simulation.stimulus_command = None;
    assert!(refused(scenario).contains("(`stimulus_command`)"));
    let endless = Sensing { range: f64::INFINITY, ..passing() };
    assert!(refused(sensors(&[0.0], endless)).contains("the sensing range is inf m"));
    let missing = Sensing { targets: 2, ..passing() };
    assert!(refused(sensors(&[0.0], missing)).contains("there are 1 paths for 2 nodes"));
    let standing = Sensing { rhythm: Rhythm::Every(Duration::ZERO), ..passing() };
    assert!(refused(sensors(&[0.0], standing)).contains("time would stand still"));
}
