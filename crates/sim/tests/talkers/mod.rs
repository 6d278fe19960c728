//! Nodes on a field that send on command, and a record of what becomes of it.

#![allow(dead_code, reason = "each test uses a part")]

use std::time::Duration;

use everypath_model::{
    Event, Field, Mobility, Never, Node, NodeId, Path, Position, Protocol, Radio, Scenario, Start,
    Topology,
};
use everypath_sim::{FrameFate, LossReason, Observer, Sending, Simulation};

/// A node that sends on command.
pub struct Talker {
    /// The size of what it says.
    pub bytes: usize,
}

/// What a node is to say, and to whom.
#[everypath_model::data]
pub enum Say {
    To(u32, u32),
    All(u32),
}

impl Protocol for Talker {
    type State = ();
    type Message = u32;
    type Timer = Never;
    type Command = Say;

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_command(&self, node: &mut Node<'_, Self>, say: &Say) {
        match *say {
            Say::To(to, message) => node.send(NodeId(to), message),
            Say::All(message) => node.broadcast(message),
        }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, _: &u32) {
        node.count("heard");
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, _: NodeId, _: &u32) {
        node.count("returned");
    }
}

impl Talker {
    fn message_bytes(&self, _: &u32) -> usize {
        self.bytes
    }
}

pub fn us(microseconds: u64) -> Duration {
    Duration::from_micros(microseconds)
}

/// Nodes that stay at these points of the ground.
pub fn standing(points: &[(f64, f64)]) -> Mobility {
    let path = |&(x, y): &(f64, f64)| Path::at(Position::on_ground(x, y));
    Mobility::Paths(points.iter().map(path).collect())
}

pub fn field(points: &[(f64, f64)], radio: Radio) -> Field {
    Field::new(standing(points), radio)
}

/// Talkers with these frames of 100 bytes: when, who, what.
pub fn talkers(field: Field, says: &[(Duration, u32, Say)]) -> Scenario<Talker> {
    let Mobility::Paths(paths) = &field.mobility else { panic!("nodes with paths") };
    let nodes = Topology::full_mesh(paths.len());
    let scenario = Scenario::new(Talker { bytes: 100 }, nodes).simulation(|run| {
        run.message_bytes(Talker::message_bytes).field(field).duration(Duration::from_secs(1))
    });
    says.iter().fold(scenario, |scenario, (at, node, say)| {
        scenario.simulation(|run| run.job(NodeId(*node), say.clone(), *at, None))
    })
}

/// What was seen, in nanoseconds.
#[derive(Default)]
pub struct Seen {
    /// When which message came to whom.
    pub heard: Vec<(u128, u32, u32)>,
    /// When which message came back to whom.
    pub returned: Vec<(u128, u32, u32)>,
    /// When it was known what became of which message of whom, and what.
    pub settled: Vec<(u128, u32, u32, Option<LossReason>)>,
    /// When who missed which message, and why.
    pub missed: Vec<(u128, u32, u32, LossReason)>,
}

impl<P: Protocol<Message = u32>> Observer<P> for Seen {
    fn event(&mut self, time: Duration, event: &Event<'_, P>, _: Option<u64>) {
        match event {
            Event::Deliver { node, packet } => {
                self.heard.push((time.as_nanos(), node.0, *packet.message));
            }
            Event::Undeliverable { packet } => {
                self.returned.push((time.as_nanos(), packet.from.0, *packet.message));
            }
            _ => {}
        }
    }

    fn frame(&mut self, time: Duration, frame: &Sending<'_, P>, fate: FrameFate<'_>) {
        self.settled.push((time.as_nanos(), frame.from.0, *frame.message, fate.loss()));
    }

    fn missed(&mut self, time: Duration, node: NodeId, frame: &Sending<'_, P>, reason: LossReason) {
        self.missed.push((time.as_nanos(), node.0, *frame.message, reason));
    }
}

/// What is seen in a second of a scenario.
pub fn seen(scenario: &Scenario<Talker>) -> Seen {
    let mut seen = Seen::default();
    let mut simulation = Simulation::observed(scenario, 1, 0, &mut seen).unwrap();
    simulation.run_until(Duration::from_secs(1)).unwrap();
    drop(simulation);
    seen
}
