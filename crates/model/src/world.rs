//! Worlds: the state of the whole system, as assertions and rankings read it.

use std::any::type_name;

use crate::{Data, Memory, NodeId, Protocol, Topology};

/// A message in flight.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{NodeId, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(2))
///     .assert_always("no node greets itself", |world| world.packets().all(|packet| packet.from != packet.to));
/// assert!(scenario.validate().is_ok());
/// ```
#[derive(Debug)]
pub struct Packet<'a, P: Protocol> {
    /// The sender.
    pub from: NodeId,
    /// The node it is addressed to.
    pub to: NodeId,
    /// Its content.
    pub message: &'a P::Message,
}

impl<P: Protocol> Clone for Packet<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Protocol> Copy for Packet<'_, P> {}

/// The source of a [`World`]: a packed state of the explorer, or a running simulation.
pub trait WorldView<P: Protocol> {
    /// The neighbours of each node.
    fn topology(&self) -> &Topology;
    /// The state of a node.
    fn state(&self, node: NodeId) -> &P::State;
    /// The timers that are set at a node, in their order.
    fn timers(&self, node: NodeId) -> &[P::Timer];
    /// Whether a link joins two nodes and is up.
    fn is_up(&self, a: NodeId, b: NodeId) -> bool;
    /// How many packets are in flight.
    fn packet_count(&self) -> usize;
    /// The place of the first packet in flight, for [`next_packet`](Self::next_packet).
    fn first_packet(&self) -> u64;
    /// The packet in flight at a place, if any; advances the place.
    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, P>>;
    /// The memory of an observer, if the world has it.
    fn memory(&self, observer: usize) -> Option<&dyn Memory> {
        let _ = observer;
        None
    }
}

/// The state of all nodes and of the network at one moment: what assertions, assumptions and rankings read.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{NodeId, Scenario, Topology, World};
///
/// fn greeted(world: &World<'_, Greeting>) -> u32 {
///     world.nodes().map(|(_, &greeted)| greeted).sum()
/// }
///
/// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
///     .assert_at_end("everyone greets everyone", |world| greeted(world) == 6)
///     .ranking("greeted", |world| i64::from(greeted(world)));
/// assert!(scenario.validate().is_ok());
/// ```
pub struct World<'a, P: Protocol> {
    view: &'a dyn WorldView<P>,
}

impl<'a, P: Protocol> World<'a, P> {
    /// The world behind a view.
    #[must_use]
    pub fn new(view: &'a dyn WorldView<P>) -> Self {
        Self { view }
    }

    /// The neighbours of each node.
    #[must_use]
    pub fn topology(&self) -> &'a Topology {
        self.view.topology()
    }

    /// The state of a node.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    #[track_caller]
    pub fn node(&self, node: NodeId) -> &'a P::State {
        ensure_exists(node, self.view.topology());
        self.view.state(node)
    }

    /// The states of all nodes, in order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &'a P::State)> + use<'a, P> {
        let view = self.view;
        view.topology().nodes().map(move |node| (node, view.state(node)))
    }

    /// The timers that are set at a node, in their order.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    #[track_caller]
    pub fn timers(&self, node: NodeId) -> &'a [P::Timer] {
        ensure_exists(node, self.view.topology());
        self.view.timers(node)
    }

    /// Whether a link joins two nodes and is up.
    #[must_use]
    pub fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        self.view.is_up(a, b)
    }

    /// The memory of the [observer](crate::Scenario::observer) with this type.
    ///
    /// # Panics
    /// If the scenario has no such observer.
    #[must_use]
    #[track_caller]
    pub fn memory<M: Data>(&self) -> &'a M {
        let memories = (0..).map_while(|observer| self.view.memory(observer));
        let mut own = memories.filter_map(|memory| memory.as_any().downcast_ref::<M>());
        match own.next() {
            Some(memory) => memory,
            None => panic!(
                "there is no memory of the type `{}` here: give the scenario an observer with it (`.observer(…)`)",
                type_name::<M>()
            ),
        }
    }

    /// The memory of an observer by its place, if the world has it.
    pub(crate) fn memory_at(&self, observer: usize) -> Option<&'a dyn Memory> {
        self.view.memory(observer)
    }

    /// The packets in flight, in no particular order.
    #[must_use]
    pub fn packets(&self) -> Packets<'a, P> {
        Packets { view: self.view, place: self.view.first_packet(), before: 0 }
    }
}

/// Panics where the user asks for a node that does not exist.
#[inline]
#[track_caller]
pub(crate) fn ensure_exists(node: NodeId, topology: &Topology) {
    if node.index() >= topology.len() {
        no_such_node(node, topology.len());
    }
}

#[cold]
#[track_caller]
fn no_such_node(node: NodeId, nodes: usize) -> ! {
    let nodes = match nodes {
        0 => "the network has none".to_owned(),
        1 => "the network has n0 alone".to_owned(),
        more => format!("the network has n0 to {}", NodeId::from(more - 1)),
    };
    panic!("there is no node {node}: {nodes}");
}

/// An iterator over the packets in flight. It reads them one by one, so that finding one does not
/// cost reading all.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{NodeId, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(3))
///     .assert_always("at most one greeting is for n0", |world| {
///         world.packets().filter(|packet| packet.to == NodeId(0)).count() <= 1
///     });
/// assert!(scenario.validate().is_ok());
/// ```
pub struct Packets<'a, P: Protocol> {
    view: &'a dyn WorldView<P>,
    place: u64,
    /// How many were read.
    before: usize,
}

impl<'a, P: Protocol> Iterator for Packets<'a, P> {
    type Item = Packet<'a, P>;

    #[inline]
    fn next(&mut self) -> Option<Packet<'a, P>> {
        self.before += 1;
        self.view.next_packet(&mut self.place)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.view.packet_count().saturating_sub(self.before);
        (left, Some(left))
    }
}

impl<P: Protocol> ExactSizeIterator for Packets<'_, P> {}
