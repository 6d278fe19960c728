//! WorldView of a run, for an exploration to start from.

use std::time::Duration;

use everypath_model::{NodeId, NodeSnapshot, PacketSnapshot, Protocol, Topology, WorldSnapshot};

use crate::{Observer, SimError, Simulation, clock::Nanoseconds, engine::Engine, world::Flight};

impl<P: Protocol, O: Observer<P>> Simulation<'_, P, O> {
    /// A copy of the world at this moment. On a field, the neighbours of a node are the nodes within range
    /// and those that a packet in flight reaches.
    ///
    /// ```
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
    /// # struct Greeting;
    /// # impl Protocol for Greeting {
    /// #     type State = ();
    /// #     type Message = String;
    /// #     type Timer = Never;
    /// #     type Command = Never;
    /// #     fn start(&self, node: &mut Start<'_, Self>) { node.broadcast("hello".to_owned()); }
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &String) {}
    /// # }
    /// use std::time::Duration;
    /// use everypath_model::{Scenario, Topology};
    /// use everypath_sim::{SimError, Simulation};
    ///
    /// # fn main() -> Result<(), SimError> {
    /// let greeting = Scenario::new(Greeting, Topology::chain(3));
    /// let mut simulation = Simulation::new(&greeting, 1, 0)?;
    /// assert_eq!(simulation.snapshot()?.packets.len(), 4);
    /// simulation.run_until(Duration::from_secs(1))?;
    /// assert!(simulation.snapshot()?.packets.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a node is down, or its battery is empty.
    pub fn snapshot(&self) -> Result<WorldSnapshot<P>, SimError> {
        let (scenario, engine) = (self.scenario(), self.engine());
        let all = || scenario.topology.nodes();
        let is_off = |node| engine.outages.is_node_down(node) || engine.carrier.is_empty(node);
        if let Some(node) = all().find(|&node| is_off(node)) {
            return Err(SimError::NodeDown { time: self.now(), node });
        }
        let in_flight = self.in_flight();
        let by_radio = engine.carrier.air().is_some();
        let (topology, down) = match by_radio {
            false => (scenario.topology.clone(), links_down(engine, &scenario.topology)),
            true => (linked(engine, &scenario.topology, &in_flight), Vec::new()),
        };
        let timers = engine.timers.armed();
        let nodes = all().zip(timers).map(|(node, timers)| NodeSnapshot {
            state: self.state(node).clone(),
            due: timers
                .iter()
                .map(|timer| engine.timers.due(node, timer).expect("it is set"))
                .map(Duration::from_nanos)
                .collect(),
            timers,
        });
        let packets = in_flight.into_iter().map(|(Flight { from, to, message, .. }, arrives)| {
            PacketSnapshot { from, to, message, arrives: arrives.map(Duration::from_nanos) }
        });
        Ok(WorldSnapshot {
            time: self.now(),
            topology,
            down,
            by_radio,
            nodes: nodes.collect(),
            packets: packets.collect(),
            memories: self.memories(),
        })
    }
}

fn links_down<P: Protocol>(engine: &Engine<P>, topology: &Topology) -> Vec<(NodeId, NodeId)> {
    topology.links().filter(|&(one, other)| engine.outages.is_link_down(one, other)).collect()
}

/// The links on a field.
fn linked<P: Protocol>(
    engine: &Engine<P>,
    topology: &Topology,
    in_flight: &[(Flight<P::Message>, Option<Nanoseconds>)],
) -> Topology {
    let near = engine.linked().expect("on a field, it changes with time");
    let near = topology.nodes().zip(&near);
    let near = near.flat_map(|(node, near)| near.iter().map(move |&other| (node, other)));
    let arriving = in_flight.iter().filter(|(flight, at)| at.is_some() && !flight.returns);
    let reached = arriving.map(|(flight, _)| (flight.from, flight.to));
    let edges: Vec<(u32, u32)> = near.chain(reached).map(|(one, other)| (one.0, other.0)).collect();
    Topology::edges(topology.len(), &edges).expect("nodes that exist hear others")
}
