//! Nodes on a field against closed forms.

use crate::validation;

use std::time::Duration;

use everypath_model::{
    Area, Audience, Field, IdealRadio, Mobility, Never, Node, NodeId, Position, Protocol, Radio,
    Scenario, ScenarioError, Start, Topology,
};
use everypath_sim::{Estimate, SimError, Simulation};

/// Nodes that do nothing.
struct Idle;

impl Protocol for Idle {
    type State = ();
    type Message = ();
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, (): &()) {}
}

fn field(nodes: usize, mobility: Mobility, range: f64) -> Scenario<Idle> {
    let radio = Radio::Ideal(IdealRadio::default().range(range));
    Scenario::new(Idle, Topology::unlinked(nodes))
        .simulation(|run| run.field(Field::new(mobility, radio)))
}

/// The mean speed of nodes at a moment of each of 40 runs, by where they are a millisecond later. Few of them turn within it.
fn speed(mobility: Mobility, at: Duration) -> Estimate {
    const NODES: u32 = 1000;
    let scenario = field(NODES as usize, mobility, 1.0);
    let of_run = |replication| {
        let mut simulation = Simulation::new(&scenario, 1, replication).unwrap();
        let mut places = |time| {
            simulation.run_until(time).unwrap();
            let place = |node| simulation.position(NodeId(node)).unwrap();
            (0..NODES).map(place).collect::<Vec<_>>()
        };
        let (before, after) = (places(at), places(at + Duration::from_millis(1)));
        let way: f64 = before.iter().zip(&after).map(|(a, b)| a.distance(*b)).sum();
        way / f64::from(NODES) / 1e-3
    };
    let values: Vec<f64> = (0..40).map(of_run).collect();
    Estimate::of("speed", "m/s", &values)
}

/// In metres, between two points drawn uniformly in a unit square.
const UNIT_LEG: f64 = 0.521_405;

#[test]
fn random_waypoint_is_steady_from_the_start() {
    let area = Area { width: 1000.0, height: 1000.0 };
    let speeds = (1.0, 20.0);
    // The mean over time: slow nodes are under way for longer.
    let expected = (20.0 - 1.0) / 20.0_f64.ln();
    assert!((expected - 6.342).abs() < 1e-3);
    // With a pause, nodes rest for the share of the round that the pause takes.
    let moving_s = 1000.0 * UNIT_LEG / expected;
    let with_pause = expected * moving_s / (moving_s + 30.0);
    for (pause, expected) in [(0, expected), (30, with_pause)] {
        for after in [0, 300] {
            let mobility = Mobility::Waypoint { area, speeds, pause: Duration::from_secs(pause) };
            let found = speed(mobility, Duration::from_secs(after));
            let what =
                format!("random waypoint, 1 to 20 m/s, {pause} s of pause: speed after {after} s");
            validation::against_formula(&what, &found, expected, 0.02);
        }
    }
}

/// How long legs are. Where a node rests is where one ends, and the next begins.
#[test]
fn legs_of_random_waypoint() {
    const NODES: u32 = 50;
    const LEGS: usize = 50;
    let area = Area { width: 1000.0, height: 1000.0 };
    let pause = Duration::from_secs(10);
    let scenario =
        field(NODES as usize, Mobility::Waypoint { area, speeds: (20.0, 20.0), pause }, 1.0);
    let of_run = |replication| {
        let mut simulation = Simulation::new(&scenario, 1, replication).unwrap();
        let mut last = vec![None; NODES as usize];
        let mut rests: Vec<Vec<Position>> = vec![Vec::new(); NODES as usize];
        // Every rest is looked at twice, at least; on average there are 67 in this time.
        for step in 0..500 {
            simulation.run_until(Duration::from_millis(4900 * step)).unwrap();
            for node in 0..NODES {
                let (place, node) = (simulation.position(NodeId(node)).unwrap(), node as usize);
                if last[node] == Some(place) && rests[node].last() != Some(&place) {
                    rests[node].push(place);
                }
                last[node] = Some(place);
            }
        }
        // As many of each node: in a given time one sees more of the short ones.
        let of_node = |rests: &Vec<Position>| {
            assert!(rests.len() > LEGS, "{} rests", rests.len());
            rests.windows(2).take(LEGS).map(|pair| pair[0].distance(pair[1])).sum::<f64>()
        };
        rests.iter().map(of_node).sum::<f64>() / f64::from(NODES) / LEGS as f64
    };
    let lengths: Vec<f64> = (0..20).map(of_run).collect();
    let found = Estimate::of("leg", "m", &lengths);
    let what = "random waypoint in a square of 1000 m: leg";
    validation::against_formula(what, &found, 1000.0 * UNIT_LEG, 0.01);
}

#[test]
fn a_walk_has_the_mean_of_its_speeds() {
    let area = Area { width: 400.0, height: 400.0 };
    let walk = Mobility::Walk { area, speeds: (2.0, 6.0), turn: Duration::from_secs(10) };
    for after in [0, 40] {
        let found = speed(walk.clone(), Duration::from_secs(after));
        let what = format!("random walk, 2 to 6 m/s: speed after {after} s");
        validation::against_formula(&what, &found, 4.0, 0.01);
    }
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
        let degrees: Vec<f64> = (0..100).map(of_run).collect();
        let degree = Estimate::of("degree", "", &degrees);
        let what = format!("neighbours among 100 nodes in a square of 1000 m, range {range} m");
        validation::against_formula(&what, &degree, 99.0 * within(range / 1000.0), 0.03);
    }
}

/// On a field the radio decides who hears a broadcast.
#[test]
fn an_audience_is_refused() {
    let area = Area { width: 10.0, height: 10.0 };
    let scenario =
        field(3, Mobility::Uniform(area), 1.0).audience(Audience::one_of(|_, _| vec![Vec::new()]));
    let refused = Simulation::new(&scenario, 1, 0).map(|_| ());
    assert_eq!(refused, Err(SimError::Scenario(ScenarioError::AudienceOnField)));
}
