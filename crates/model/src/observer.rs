//! Observers: memories of a scenario's own, which see every step.

use std::any::TypeId;

use serde::de::DeserializeOwned;

use crate::{Data, Event, Memory, NodeId, Protocol, Topology, WorldView, world::ensure_exists};

/// The nodes of a world, without its network: what an observer reads of the worlds before and after a step.
///
/// An observer sees packets in the events that move them. So what it has seen never depends on other packets in
/// flight, and one observation serves all worlds with the same nodes.
pub struct Nodes<'a, P: Protocol> {
    view: &'a dyn WorldView<P>,
}

impl<P: Protocol> Clone for Nodes<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Protocol> Copy for Nodes<'_, P> {}

impl<'a, P: Protocol> Nodes<'a, P> {
    /// The nodes behind a view.
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
}

/// One step of a run: an event, and the nodes before and after it.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Event, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
///     .assert_step("only a greeting counts", |step| {
///         let counts = |nodes: &everypath_model::Nodes<'_, Greeting>| {
///             nodes.nodes().map(|(_, &greeted)| greeted).sum::<u32>()
///         };
///         let is_greeting = matches!(step.event, Event::Deliver { .. });
///         counts(&step.after) - counts(&step.before) == u32::from(is_greeting)
///     });
/// assert!(scenario.validate().is_ok());
/// ```
pub struct ObservedStep<'a, P: Protocol> {
    /// The nodes before the event.
    pub before: Nodes<'a, P>,
    /// The event.
    pub event: &'a Event<'a, P>,
    /// The nodes after it.
    pub after: Nodes<'a, P>,
}

type Observation<P> =
    Box<dyn Fn(&dyn Memory, &ObservedStep<'_, P>) -> Box<dyn Memory> + Send + Sync>;

/// A memory of the scenario's own that sees every step.
pub struct Observer<P: Protocol> {
    /// Its name.
    pub name: String,
    /// Whether its memory is shown in the steps of a run: not that of a step assertion.
    pub is_shown: bool,
    /// Whether it remembers nothing of steps in which a packet arrives, is lost or is duplicated, or a link changes, and no
    /// node changes, and refuses to.
    pub skips_idle: bool,
    start: Box<dyn Memory>,
    observe: Observation<P>,
    read: fn(&[u8]) -> Option<Box<dyn Memory>>,
}

impl<P: Protocol> Observer<P> {
    pub(crate) fn new<M: Data>(
        name: &str,
        is_shown: bool,
        start: M,
        observe: impl Fn(&mut M, &ObservedStep<'_, P>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.to_owned(),
            is_shown,
            skips_idle: false,
            start: Box::new(start),
            observe: Box::new(move |memory, step| {
                let memory = memory.as_any().downcast_ref::<M>();
                let mut memory = memory.expect("each observer is given its own memory").clone();
                observe(&mut memory, step);
                Box::new(memory)
            }),
            read: read::<M>,
        }
    }

    /// The same, of which it is known that it remembers nothing of steps that change no node.
    pub(crate) fn skips_idle(self) -> Self {
        Self { skips_idle: true, ..self }
    }

    /// The memory before the first step.
    #[must_use]
    pub fn start(&self) -> Box<dyn Memory> {
        self.start.copy()
    }

    /// The type of its memory.
    pub(crate) fn memory_type(&self) -> TypeId {
        (*self.start).as_any().type_id()
    }

    /// The memory after a step.
    #[must_use]
    pub fn observe(&self, memory: &dyn Memory, step: &ObservedStep<'_, P>) -> Box<dyn Memory> {
        (self.observe)(memory, step)
    }

    /// A memory from its [bytes](Memory::bytes); nothing if they are of something else.
    #[must_use]
    pub fn read(&self, bytes: &[u8]) -> Option<Box<dyn Memory>> {
        (self.read)(bytes)
    }
}

fn read<M: Data + DeserializeOwned>(bytes: &[u8]) -> Option<Box<dyn Memory>> {
    match postcard::take_from_bytes::<M>(bytes) {
        Ok((memory, [])) => Some(Box::new(memory)),
        _ => None,
    }
}
