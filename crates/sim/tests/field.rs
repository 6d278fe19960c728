//! Nodes on a field against closed forms.

use std::time::Duration;

use everypath_model::{
    Area, Effects, Field, IdealRadio, Mobility, Never, NodeId, Protocol, Radio, Scenario, Topology,
};
use everypath_sim::{Estimate, Simulation};

/// Nodes that do nothing.
struct Idle;

impl Protocol for Idle {
    type State = ();
    type Message = ();
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: NodeId, _: &mut impl Effects<Self>) {}

    fn on_message(&self, _: NodeId, (): &mut (), _: NodeId, (): &(), _: &mut impl Effects<Self>) {}
}

fn field(nodes: usize, mobility: Mobility, range: f64) -> Scenario<Idle> {
    let radio = Radio::Ideal(IdealRadio { range, ..IdealRadio::default() });
    Scenario::new(Idle, Topology::unlinked(nodes)).field(Field::new(mobility, radio))
}

/// The mean speed of nodes, measured by steps of 100 ms in some seconds of each of 20 runs.
fn speed(mobility: Mobility, from: u64, to: u64) -> Estimate {
    let scenario = field(200, mobility, 1.0);
    let of_run = |replication| {
        let mut simulation = Simulation::new(&scenario, 1, replication).unwrap();
        let mut way = 0.0;
        simulation.run_until(Duration::from_secs(from)).unwrap();
        let places = |simulation: &Simulation<'_, Idle>| {
            let place = |node| simulation.position(NodeId(node)).unwrap();
            (0..200).map(place).collect::<Vec<_>>()
        };
        let mut before = places(&simulation);
        for step in from * 10 + 1..=to * 10 {
            simulation.run_until(Duration::from_millis(step * 100)).unwrap();
            let now = places(&simulation);
            way += before.iter().zip(&now).map(|(a, b)| a.distance(*b)).sum::<f64>();
            before = now;
        }
        way / 200.0 / (to - from) as f64
    };
    let values: Vec<f64> = (0..20).map(of_run).collect();
    Estimate::of("speed", "m/s", &values)
}

#[test]
fn random_waypoint_is_steady_from_the_start() {
    let area = Area { width: 1000.0, height: 600.0 };
    let speeds = (1.0, 20.0);
    // The mean over time: slow nodes are under way for longer.
    let expected = (20.0 - 1.0) / 20.0_f64.ln();
    assert!((expected - 6.342).abs() < 1e-3);
    let mobility = Mobility::Waypoint { area, speeds, pause: Duration::ZERO };
    for (from, to) in [(0, 20), (300, 320)] {
        let found = speed(mobility.clone(), from, to);
        // Turns within a step make it shorter by some thousandths.
        assert!((found.mean - expected).abs() < found.half_width + 0.03, "{from} s: {found:?}");
    }
    // With a pause, nodes rest for the share of the round that the pause takes.
    let pause = Duration::from_secs(30);
    // Of two points drawn uniformly in the area.
    let mean_leg = 423.908;
    let moving = mean_leg / expected;
    let resting = speed(Mobility::Waypoint { area, speeds, pause }, 0, 20);
    let expected = expected * moving / (moving + 30.0);
    assert!((resting.mean - expected).abs() < resting.half_width + 0.03, "{resting:?} {expected}");
}

#[test]
fn a_walk_has_the_mean_of_its_speeds() {
    let area = Area { width: 400.0, height: 400.0 };
    let walk = Mobility::Walk { area, speeds: (2.0, 6.0), turn: Duration::from_secs(10) };
    let found = speed(walk, 0, 40);
    assert!((found.mean - 4.0).abs() < found.half_width + 0.05, "{found:?}");
}

/// Two nodes drawn uniformly in a square are within range of each other with this probability.
fn within(share: f64) -> f64 {
    let square = share * share;
    std::f64::consts::PI * square - 8.0 / 3.0 * square * share + square * square / 2.0
}

#[test]
fn nodes_have_as_many_neighbours_as_the_area_says() {
    let area = Area { width: 1000.0, height: 1000.0 };
    for range in [100.0, 250.0, 600.0] {
        let scenario = field(100, Mobility::Uniform(area), range);
        let of_run = |replication| {
            let mut simulation = Simulation::new(&scenario, 1, replication).unwrap();
            let world = simulation.world();
            let pairs = (0..100).flat_map(|a| (0..100).map(move |b| (NodeId(a), NodeId(b))));
            pairs.filter(|&(a, b)| a != b && world.is_up(a, b)).count() as f64 / 100.0
        };
        let degrees: Vec<f64> = (0..30).map(of_run).collect();
        let degree = Estimate::of("degree", "", &degrees);
        assert!(degree.covers(99.0 * within(range / 1000.0)), "{range} m: {degree:?}");
    }
}
