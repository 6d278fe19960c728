//! Links as queues with one server, against the formulas of queueing theory.

use crate::validation;

use std::time::Duration;

use everypath_model::{
    LinkModel, Never, Node, NodeId, Protocol, Readings, Scenario, Start, Topology, WarmUp,
};
use everypath_sim::{Estimate, Limits, Replications, replicate};

/// The mean time that a packet takes on the link, in seconds: 1 MB at 1 ns per byte.
const SERVICE_S: f64 = 0.001;
const BYTES_PER_S: f64 = 1e9;

/// Packets come to node 0 at random (a Poisson process) and go to node 1, which says at once that they have
/// come.
struct Queue {
    /// Packets per second.
    arrivals: f64,
    /// Whether sizes, and so the times on the link, are exponentially distributed, or all the same.
    exponential: bool,
}

#[everypath_model::data]
#[derive(Default)]
struct State {
    next: u64,
    in_system: u32,
}

#[everypath_model::data]
enum Message {
    Packet { key: u64, bytes: usize },
    Arrived,
}

/// Exponentially distributed, with mean 1.
fn exponential(fx: &mut Start<'_, Queue>) -> f64 {
    const GRAINS: u32 = 1 << 20;
    -((f64::from(fx.choose(GRAINS)) + 0.5) / f64::from(GRAINS)).ln()
}

impl Queue {
    fn wait(&self, fx: &mut Start<'_, Self>) {
        let after = exponential(fx) / self.arrivals;
        fx.set_timer((), Duration::from_secs_f64(after));
    }
}

impl Protocol for Queue {
    type State = State;
    type Message = Message;
    type Timer = ();
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        if me == NodeId(0) {
            self.wait(fx);
            fx.level("in system", 0.0);
        }
        State::default()
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn on_timer(&self, node: &mut Node<'_, Self>, (): &()) {
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        let size = if self.exponential { exponential(fx) } else { 1.0 };
        let bytes = (size * SERVICE_S * BYTES_PER_S).round() as usize;
        fx.begin("time", state.next);
        fx.send(NodeId(1), Message::Packet { key: state.next, bytes });
        fx.count("offered");
        state.next += 1;
        state.in_system += 1;
        fx.level("in system", f64::from(state.in_system));
        self.wait(fx);
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match *message {
            Message::Packet { key, .. } => {
                node.end("time", key);
                node.send(from, Message::Arrived);
            }
            Message::Arrived => {
                node.state.in_system -= 1;
                node.level("in system", f64::from(node.state.in_system));
            }
        }
    }
}

impl Queue {
    fn message_bytes(&self, message: &Message) -> usize {
        match *message {
            Message::Packet { bytes, .. } => bytes,
            Message::Arrived => 0,
        }
    }
}

/// Twenty runs of a queue that is busy for such a share of the time, in which this many packets can wait.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn runs(load: f64, exponential: bool, queue: usize) -> Replications {
    let link = LinkModel::default()
        .bandwidth_bps((8.0 * BYTES_PER_S) as u64)
        .delay(Duration::ZERO)
        .queue(queue);
    let mut scenario =
        Scenario::new(Queue { arrivals: load / SERVICE_S, exponential }, Topology::chain(2))
            .simulation(|run| {
                run.message_bytes(Queue::message_bytes)
                    .link(link)
                    // Empty at first; 1000 packets later that does not matter.
                    .warm_up(WarmUp::Until(Duration::from_secs(1)))
                    .duration(Duration::from_secs(61))
                    .measure("in system", "", |run| run.mean("in system"))
                    .measure("time", "ms", |run| 1e3 * run.mean("time"))
                    .measure("wait", "ms", |run| 1e3 * (run.mean("time") - SERVICE_S))
            });
    // The answer takes no time.
    let back = link.bandwidth_bps(None).queue(usize::MAX);
    scenario.simulation.links.push(((NodeId(1), NodeId(0)), back));
    replicate(&scenario, 1, 20, &Limits::default(), &mut ()).unwrap()
}

/// How near all of them are to the formulas.
const WITHIN: f64 = 0.04;

#[test]
fn m_m_1() {
    for load in [0.3, 0.5, 0.8] {
        let runs = runs(load, true, usize::MAX);
        let (count, time) = (load / (1.0 - load), 1e3 * SERVICE_S / (1.0 - load));
        let hold = |what, measure, expected| {
            let what = format!("M/M/1, load {load}: {what}");
            validation::against_formula(&what, runs.measure(measure).unwrap(), expected, WITHIN);
        };
        hold("packets in the system", "in system", count);
        hold("time in the system", "time", time);
    }
}

#[test]
fn m_d_1() {
    for load in [0.3, 0.5, 0.8] {
        let runs = runs(load, false, usize::MAX);
        let expected = 1e3 * load * SERVICE_S / (2.0 * (1.0 - load));
        let what = format!("M/D/1, load {load}: time before service");
        validation::against_formula(&what, runs.measure("wait").unwrap(), expected, WITHIN);
    }
}

#[test]
fn m_m_1_k() {
    for (load, capacity) in [(0.5, 1), (0.8, 3), (1.0, 5), (1.5, 10)] {
        // One of them is on the link, the others wait.
        let runs = runs(load, true, capacity - 1);
        #[allow(clippy::cast_precision_loss)]
        let shares: Vec<f64> = runs
            .runs
            .iter()
            .map(|run| {
                (run.packets.dropped - run.packets_before.dropped) as f64
                    / run.count("offered") as f64
            })
            .collect();
        // So many packets are in the system with a probability of `load` times the one before.
        let weights = |count: usize| load.powi(i32::try_from(count).unwrap());
        let expected = weights(capacity) / (0..=capacity).map(weights).sum::<f64>();
        let what = format!("M/M/1/{capacity}, load {load:.1}: share lost");
        validation::against_formula(&what, &Estimate::of("lost", "", &shares), expected, WITHIN);
    }
}
