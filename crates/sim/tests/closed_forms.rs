//! Stop-and-wait and a chain of links against formulas.

use crate::stop_and_wait;
use crate::validation;

use std::time::Duration;

use everypath_model::{Never, Node, NodeId, Protocol, Scenario, Start, Topology, WarmUp};
use everypath_sim::{Limits, Replications, Simulation, replicate};

use stop_and_wait::{StopAndWait, TIME_OUT};

/// On 10 Mbit/s and 1 ms: 0.8 ms and 1 ms for the frame, 0.032 ms and 1 ms for its acknowledgement.
const ROUND: Duration = Duration::from_micros(2832);
const FRAME_S: f64 = 0.0008;

#[allow(clippy::cast_precision_loss)]
fn measured(loss: f64) -> Scenario<StopAndWait<true>> {
    StopAndWait::scenario(loss).simulation(|run| {
        run.warm_up(WarmUp::Until(Duration::from_secs(1)))
            .duration(Duration::from_secs(51))
            .measure("efficiency", "", |run| {
                run.count("acknowledged") as f64 * FRAME_S / run.elapsed_s()
            })
            .measure("attempts per frame", "", |run| {
                run.count("attempts") as f64 / run.count("acknowledged") as f64
            })
    })
}

fn replicated(loss: f64) -> Replications {
    replicate(&measured(loss), 1, 20, &Limits::default(), &mut ()).unwrap()
}

/// The efficiency of stop-and-wait on a link that loses frames and acknowledgements alike.
fn efficiency(loss: f64) -> f64 {
    let success = (1.0 - loss) * (1.0 - loss);
    FRAME_S / (ROUND.as_secs_f64() + (1.0 / success - 1.0) * TIME_OUT.as_secs_f64())
}

#[test]
fn the_formula_gives_the_known_table() {
    let table =
        [(0.0, 0.282_486), (0.05, 0.254_935), (0.1, 0.228_798), (0.2, 0.180_768), (0.5, 0.070_603)];
    for (loss, expected) in table {
        let difference = (efficiency(loss) - expected).abs();
        assert!(difference < 5e-7, "{loss}: {difference}");
    }
}

#[test]
fn stop_and_wait_without_loss_is_exact() {
    let scenario = measured(0.0)
        .simulation(|run| run.warm_up(WarmUp::None).duration(Duration::from_secs(100)));
    let run = Simulation::new(&scenario, 1, 0).unwrap().run(&Limits::default()).unwrap();
    // 100 s / 2.832 ms: 35310 whole rounds, and one more frame that arrives but is not acknowledged.
    assert_eq!(run.events, 2 * 35310 + 1);
    let frame = run.distribution("frame").unwrap();
    assert_eq!(frame.count(), 35310);
    assert!((frame.min() - ROUND.as_secs_f64()).abs() < 1e-15);
    assert!((frame.max() - ROUND.as_secs_f64()).abs() < 1e-15);
    assert_eq!(run.matching("frame").unwrap().open, 1);
}

#[test]
fn stop_and_wait_efficiency() {
    let found = |loss| replicated(loss).measure("efficiency").unwrap().clone();
    let what = |loss: f64| format!("stop-and-wait, loss {loss:.2}: efficiency");
    // Without a loss there is no chance in it: only a frame more or less at the ends of the run.
    validation::against_approximation(&what(0.0), &found(0.0), efficiency(0.0), 1e-4);
    for loss in [0.05, 0.1, 0.2, 0.3, 0.5] {
        validation::against_formula(&what(loss), &found(loss), efficiency(loss), 0.01);
    }
}

#[test]
fn stop_and_wait_attempts_are_geometric() {
    for loss in [0.1, 0.3, 0.5] {
        let found = replicated(loss).measure("attempts per frame").unwrap().clone();
        let expected = 1.0 / ((1.0 - loss) * (1.0 - loss));
        let what = format!("stop-and-wait, loss {loss:.2}: attempts per frame");
        validation::against_formula(&what, &found, expected, 0.01);
    }
}

#[test]
fn losses_and_deliveries_add_up() {
    for run in replicated(0.3).runs {
        let packets = run.packets;
        assert!(packets.in_flight() <= 1, "{packets:?}");
        #[allow(clippy::cast_precision_loss)]
        let share = packets.lost as f64 / packets.sent as f64;
        assert!((share - 0.3).abs() < 0.01, "{share}");
        assert_eq!(packets.dropped, 0);
    }
}

#[test]
fn a_run_is_a_function_of_scenario_seed_and_replication() {
    let scenario = measured(0.2);
    let printed = |seed, replication| {
        let simulation = Simulation::new(&scenario, seed, replication).unwrap();
        let mut run = simulation.run(&Limits::default()).unwrap();
        (run.seed, run.replication) = (0, 0);
        format!("{run:?}")
    };
    assert_eq!(printed(1, 0), printed(1, 0));
    assert_ne!(printed(1, 0), printed(1, 1));
    assert_ne!(printed(1, 0), printed(2, 0));
}

/// Passes a frame of 542 bytes on from node to node, up to the last.
struct Chain {
    nodes: u32,
}

impl Protocol for Chain {
    type State = ();
    type Message = u64;
    type Timer = Never;
    type Command = u64;

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_command(&self, node: &mut Node<'_, Self>, key: &u64) {
        node.begin("delay", *key);
        node.send(NodeId(node.id.0 + 1), *key);
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, key: &u64) {
        if node.id.0 + 1 == self.nodes {
            node.end("delay", *key);
        } else {
            node.send(NodeId(node.id.0 + 1), *key);
        }
    }
}

impl Chain {
    fn message_bytes(&self, _: &u64) -> usize {
        542
    }
}

#[test]
fn delay_along_a_chain_is_exact() {
    for nodes in 2..=12 {
        let chain =
            Scenario::new(Chain { nodes }, Topology::chain(nodes as usize)).simulation(|run| {
                run.message_bytes(Chain::message_bytes)
                    .duration(Duration::from_secs(1))
                    .job(NodeId(0), 7, Duration::from_millis(3), Some(Duration::from_millis(100)))
                    .measure("delay", "s", |run| run.mean("delay"))
            });
        let run = Simulation::new(&chain, 1, 0).unwrap();
        let run = run.run(&Limits::default()).unwrap();
        let expected = f64::from(nodes - 1) * 0.001_433_6;
        let delay = run.distribution("delay").unwrap();
        assert_eq!(delay.count(), 10);
        assert!((delay.min() - expected).abs() < 1e-12, "{nodes} nodes");
        assert!((delay.max() - expected).abs() < 1e-12, "{nodes} nodes");
        let mean = run.measure("delay").unwrap();
        assert!((mean - expected).abs() < 1e-12);
        validation::against_exact(
            &format!("chain of {nodes} nodes: delay"),
            "ms",
            1e3 * mean,
            1e3 * expected,
        );
    }
}
