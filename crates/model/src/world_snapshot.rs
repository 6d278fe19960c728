//! The world at one moment of a run, from which an exploration can start.

use std::time::Duration;

use crate::{Memory, NodeId, Packet, Protocol, Topology, World, WorldView};

/// A node of a [`WorldSnapshot`].
pub struct NodeSnapshot<P: Protocol> {
    /// The state of the protocol.
    pub state: P::State,
    /// The timers that are set, in their order.
    pub timers: Vec<P::Timer>,
    /// When each of them fires.
    pub due: Vec<Duration>,
}

/// A packet of a [`WorldSnapshot`].
pub struct PacketSnapshot<P: Protocol> {
    /// The sender.
    pub from: NodeId,
    /// The node it is addressed to.
    pub to: NodeId,
    /// Its content.
    pub message: P::Message,
    /// Arrival or return time; `None` if not yet transmitted.
    pub arrives: Option<Duration>,
}

impl<P: Protocol> PacketSnapshot<P> {
    fn packet(&self) -> Packet<'_, P> {
        Packet { from: self.from, to: self.to, message: &self.message }
    }
}

/// The world at one moment of a simulated run: the states and timers of all nodes, the packets in
/// flight, and the links.
///
/// An exploration can start from it, in a scenario that was [put there](crate::Scenario::put_into).
/// It ignores the times of timers and packets; playing a run with times needs them.
pub struct WorldSnapshot<P: Protocol> {
    /// The moment.
    pub time: Duration,
    /// The neighbours of each node; on a field, those within range.
    pub topology: Topology,
    /// The links that are down, in order, the smaller end of each first.
    pub down: Vec<(NodeId, NodeId)>,
    /// Whether nodes use radios. Then a message to a node out of range is allowed, and comes back.
    pub by_radio: bool,
    /// All nodes, in order.
    pub nodes: Vec<NodeSnapshot<P>>,
    /// The packets in flight, in the order of arrival.
    pub packets: Vec<PacketSnapshot<P>>,
    /// The memories of the scenario's observers; empty for those before the first step.
    pub memories: Vec<Box<dyn Memory>>,
}

impl<P: Protocol> WorldSnapshot<P> {
    /// A world in which the nodes have these states, in order. No timer is set, no packet is in
    /// flight, and all links are up.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{NodeId, Topology, WorldSnapshot};
    ///
    /// let start = WorldSnapshot::<Greeting>::at_rest(&Topology::chain(2), [0, 1])
    ///     .with_packet(NodeId(1), NodeId(0), "hello".to_owned());
    /// assert_eq!((*start.world().node(NodeId(1)), start.world().packets().len()), (1, 1));
    /// ```
    #[must_use]
    pub fn at_rest(topology: &Topology, states: impl IntoIterator<Item = P::State>) -> Self {
        let node = |state| NodeSnapshot { state, timers: Vec::new(), due: Vec::new() };
        Self {
            time: Duration::ZERO,
            topology: topology.clone(),
            down: Vec::new(),
            by_radio: false,
            nodes: states.into_iter().map(node).collect(),
            packets: Vec::new(),
            memories: Vec::new(),
        }
    }

    /// Sets a timer of a node.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn with_timer(mut self, node: NodeId, timer: P::Timer) -> Self {
        let nodes = self.nodes.len();
        let timers = match self.nodes.get_mut(node.index()) {
            Some(node) => &mut node.timers,
            None => panic!("a timer of {node} is set, and there are {nodes} nodes"),
        };
        if let Err(place) = timers.binary_search(&timer) {
            timers.insert(place, timer);
        }
        self
    }

    /// Puts a packet in flight, behind all others.
    #[must_use]
    pub fn with_packet(mut self, from: NodeId, to: NodeId, message: P::Message) -> Self {
        self.packets.push(PacketSnapshot { from, to, message, arrives: None });
        self
    }

    /// The world as assertions read it.
    #[must_use]
    pub fn world(&self) -> World<'_, P> {
        World::new(self)
    }
}

impl<P: Protocol> WorldView<P> for WorldSnapshot<P> {
    fn topology(&self) -> &Topology {
        &self.topology
    }

    fn state(&self, node: NodeId) -> &P::State {
        &self.nodes[node.index()].state
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        &self.nodes[node.index()].timers
    }

    fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        self.topology.are_neighbours(a, b) && !self.down.contains(&(a.min(b), a.max(b)))
    }

    fn memory(&self, observer: usize) -> Option<&dyn Memory> {
        self.memories.get(observer).map(AsRef::as_ref)
    }

    fn packet_count(&self) -> usize {
        self.packets.len()
    }

    fn first_packet(&self) -> u64 {
        0
    }

    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, P>> {
        let packet = self.packets.get(usize::try_from(*place).ok()?)?;
        *place += 1;
        Some(packet.packet())
    }
}
