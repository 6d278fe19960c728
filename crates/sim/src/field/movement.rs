//! Movements of nodes, known in advance.

use std::time::Duration;

use everypath_model::{NodeId, Position, Protocol, Radio, Scenario};

use super::{Medium, trajectory::Trajectories};
use crate::clock::nanoseconds;

/// A node moves evenly from one point to another, and stays there until its next movement begins.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::{NodeId, Position};
/// use everypath_sim::Movement;
///
/// let (from, to) = (Position::on_ground(0.0, 0.0), Position::on_ground(30.0, 40.0));
/// let (begin, end) = (Duration::from_secs(5), Duration::from_secs(10));
/// let movement = Movement { node: NodeId(0), begin, end, from, to };
/// let speed = from.distance(to) / (movement.end - movement.begin).as_secs_f64();
/// assert_eq!(speed, 10.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Movement {
    /// The node.
    pub node: NodeId,
    /// When it sets out.
    pub begin: Duration,
    /// When it comes there; at once, if it only is there.
    pub end: Duration,
    /// From where.
    pub from: Position,
    /// To where.
    pub to: Position,
}

/// The movements of the nodes of a run, up to the end of the scenario's duration, in the order in which
/// movements begin; nothing unless they are on a field. Each node has one that begins at the start.
///
/// ```
/// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
/// # struct Idle;
/// # impl Protocol for Idle {
/// #     type State = ();
/// #     type Message = ();
/// #     type Timer = Never;
/// #     type Command = Never;
/// #     fn start(&self, _: &mut Start<'_, Self>) {}
/// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &()) {}
/// # }
/// use everypath_model::{Field, IdealRadio, Mobility, Path, Position, Radio, Scenario, Topology};
/// use everypath_sim::movements;
///
/// let mobility = Mobility::Paths(vec![Path::at(Position::on_ground(3.0, 4.0))]);
/// let radio = Radio::Ideal(IdealRadio::default());
/// let field = Field::new(mobility, radio);
/// let scenario = Scenario::new(Idle, Topology::chain(1)).simulation(|run| run.field(field));
/// let there = movements(&scenario, 1, 0);
/// assert_eq!((there.len(), there[0].to), (1, Position::on_ground(3.0, 4.0)));
/// ```
#[must_use]
pub fn movements<P: Protocol>(
    scenario: &Scenario<P>,
    seed: u64,
    replication: u32,
) -> Vec<Movement> {
    let Some(field) = &scenario.simulation.field else { return Vec::new() };
    let nodes = scenario.topology.len();
    let mut trajectories = Trajectories::new("node", &field.mobility, nodes, seed, replication);
    let until = nanoseconds(scenario.simulation.duration);
    let mut movements: Vec<Movement> = scenario
        .topology
        .nodes()
        .flat_map(|node| {
            let segments = trajectories.segments_until(node.index(), until);
            let moves = segments.iter().map(|segment| Movement {
                node,
                begin: Duration::from_nanos(segment.begin),
                end: Duration::from_nanos(segment.end),
                from: segment.from,
                to: segment.to,
            });
            moves.collect::<Vec<_>>()
        })
        .collect();
    movements.sort_by_key(|movement| movement.begin);
    movements
}

/// How far nodes with such a radio understand each other, in metres.
///
/// ```
/// use everypath_model::{IdealRadio, Radio};
///
/// let radio = Radio::Ideal(IdealRadio::default().range(120.0));
/// assert_eq!(everypath_sim::radio_range(&radio), 120.0);
/// ```
#[must_use]
pub fn radio_range(radio: &Radio) -> f64 {
    Medium::<()>::path(radio).reception_squared().sqrt()
}
