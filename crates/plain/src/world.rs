//! Worlds: whole states, which are cloned and compared.

use std::{
    cell::Cell,
    collections::BTreeSet,
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use everypath_model::{
    Budget, Faults, Ignored, Memory, NodeId, Packet, Protocol, Topology, WorldView, panics::Panic,
};
use serde::Serialize;

use crate::{clock::Window, timers::SetTimers};

/// A whole world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Whole<S, T, M> {
    pub(crate) nodes: Vec<Node<S, T>>,
    /// The packets in flight, in the order in which the network keeps them.
    pub(crate) flight: Vec<Flying<M>>,
    pub(crate) left: FaultsLeft,
    /// How often timers may still fire, for each budget of timeouts.
    pub(crate) timeouts: Vec<u32>,
    pub(crate) links: LinksPast,
    /// Whether the required event has happened; never, if none is required.
    pub(crate) happened: bool,
    /// What the scenario's observers remember.
    pub(crate) memories: Vec<Remembered>,
}

/// What an observer remembers: equal to another memory if its bytes are.
#[derive(Clone)]
pub(crate) struct Remembered {
    pub(crate) memory: Arc<dyn Memory>,
    pub(crate) bytes: Vec<u8>,
}

impl From<Box<dyn Memory>> for Remembered {
    fn from(memory: Box<dyn Memory>) -> Self {
        Self { bytes: memory.bytes(), memory: memory.into() }
    }
}

impl PartialEq for Remembered {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Remembered {}

impl Hash for Remembered {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl fmt::Debug for Remembered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.memory.text())
    }
}

/// The world of a protocol.
pub(crate) type WorldOf<P> =
    Whole<<P as Protocol>::State, <P as Protocol>::Timer, <P as Protocol>::Message>;

/// A node of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node<S, T> {
    Running { state: S, timers: SetTimers<T> },
    Broken(Breakage),
}

/// Why a node no longer runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) enum Breakage {
    Panicked { message: String, place: Ignored<Option<String>> },
}

impl From<Panic> for Breakage {
    fn from(Panic { message, place, .. }: Panic) -> Self {
        Self::Panicked { message, place: Ignored(place) }
    }
}

/// A packet in flight.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Flying<M> {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    pub(crate) message: M,
    /// When it arrives; always open without a clock. It does not identify the packet outside of this process.
    #[serde(skip)]
    pub(crate) window: Window,
}

impl<M: Clone> Flying<M> {
    /// The same packet, whenever it arrives.
    pub(crate) fn untimed(&self) -> Self {
        Self { window: Window::default(), ..self.clone() }
    }
}

/// The remaining fault budgets, except those of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct FaultsLeft {
    pub(crate) loss: Left,
    pub(crate) duplication: Left,
    pub(crate) reboot: Left,
}

/// The past of links that can fail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LinksPast {
    pub(crate) failures: Left,
    pub(crate) returns: Left,
    /// The links that are down, by their index.
    pub(crate) down: BTreeSet<usize>,
}

/// The rest of one budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) enum Left {
    Times(u32),
    Unlimited,
}

impl Left {
    pub(crate) fn some(self) -> bool {
        self != Self::Times(0)
    }

    pub(crate) fn spend(&mut self) {
        if let Self::Times(times) = self {
            *times -= 1;
        }
    }

    pub(crate) fn covers(self, other: Self) -> bool {
        match (self, other) {
            (Self::Unlimited, _) => true,
            (Self::Times(_), Self::Unlimited) => false,
            (Self::Times(left), Self::Times(needed)) => left >= needed,
        }
    }
}

impl From<Budget> for Left {
    fn from(budget: Budget) -> Self {
        match budget {
            Budget::Off => Self::Times(0),
            Budget::AtMost(times) => Self::Times(times),
            Budget::Unlimited => Self::Unlimited,
        }
    }
}

impl<S: Clone, T: Clone, M: Clone> Whole<S, T, M> {
    /// The world some units of time later.
    pub(crate) fn later(&self, units: u16) -> Self {
        let mut later = self.clone();
        for packet in &mut later.flight {
            packet.window = packet.window.later(units);
        }
        for node in &mut later.nodes {
            if let Node::Running { timers, .. } = node {
                timers.pass(units);
            }
        }
        later
    }
}

impl<S, T, M> Whole<S, T, M> {
    /// A world without nodes and packets, in which no fault has happened.
    pub(crate) fn empty(faults: Faults, timeouts: Vec<u32>) -> Self {
        Self {
            nodes: Vec::new(),
            flight: Vec::new(),
            left: FaultsLeft {
                loss: faults.loss.into(),
                duplication: faults.duplication.into(),
                reboot: faults.reboot.into(),
            },
            timeouts,
            links: LinksPast {
                failures: faults.link_failure.into(),
                returns: faults.link_return.into(),
                down: BTreeSet::new(),
            },
            happened: false,
            memories: Vec::new(),
        }
    }

    /// How many units of time can pass before something must happen.
    pub(crate) fn patience(&self) -> u16 {
        let packets = self.flight.iter().map(|packet| packet.window.most);
        let timers = self.nodes.iter().flat_map(|node| match node {
            Node::Running { timers, .. } => timers.windows(),
            Node::Broken(_) => &[],
        });
        packets.chain(timers.map(|window| window.most)).min().unwrap_or(0)
    }

    /// The first node that is broken.
    pub(crate) fn broken(&self) -> Option<(usize, &Breakage)> {
        let mut nodes = self.nodes.iter().enumerate();
        nodes.find_map(|(at, node)| match node {
            Node::Broken(breakage) => Some((at, breakage)),
            Node::Running { .. } => None,
        })
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let timers = self.nodes.iter().map(|node| match node {
            Node::Running { timers, .. } => timers.bytes(),
            Node::Broken(_) => 0,
        });
        // An entry of an index set: the hash, the value, and 8 bytes of table.
        size_of::<Self>()
            + 16
            + self.nodes.capacity() * size_of::<Node<S, T>>()
            + self.flight.capacity() * size_of::<Flying<M>>()
            + self
                .memories
                .iter()
                .map(|it| size_of::<Remembered>() + 2 * it.bytes.len())
                .sum::<usize>()
            + timers.sum::<usize>()
    }
}

/// A world as closures of the scenario read it.
pub(crate) struct Read<'a, P: Protocol> {
    pub(crate) topology: &'a Topology,
    /// The links that can fail.
    pub(crate) links: &'a [(NodeId, NodeId)],
    pub(crate) world: &'a WorldOf<P>,
    /// Whether the packets or the state of links were read.
    pub(crate) network_read: Cell<bool>,
}

impl<'a, P: Protocol> Read<'a, P> {
    fn node(&self, node: NodeId) -> (&'a P::State, &'a [P::Timer]) {
        match &self.world.nodes[node.index()] {
            Node::Running { state, timers } => (state, &timers.set),
            Node::Broken(_) => unreachable!("the world of a broken node is never read"),
        }
    }
}

impl<P: Protocol> WorldView<P> for Read<'_, P> {
    fn topology(&self) -> &Topology {
        self.topology
    }

    fn state(&self, node: NodeId) -> &P::State {
        self.node(node).0
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        self.node(node).1
    }

    fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        let link = self.links.iter().position(|&ends| ends == (a.min(b), a.max(b)));
        match link {
            None => self.topology.are_neighbours(a, b),
            Some(link) => {
                self.network_read.set(true);
                !self.world.links.down.contains(&link)
            }
        }
    }

    fn packet_count(&self) -> usize {
        self.network_read.set(true);
        self.world.flight.len()
    }

    fn first_packet(&self) -> u64 {
        self.network_read.set(true);
        0
    }

    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, P>> {
        let packet = self.world.flight.get(usize::try_from(*place).ok()?)?;
        *place += 1;
        Some(Packet { from: packet.from, to: packet.to, message: &packet.message })
    }

    fn memory(&self, observer: usize) -> Option<&dyn Memory> {
        self.world.memories.get(observer).map(|it| &*it.memory)
    }
}
