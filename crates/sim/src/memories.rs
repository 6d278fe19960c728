//! The memories of a scenario's observers, during a run.

use everypath_model::{
    Event, Memory, NodeId, Nodes, ObservedStep, Packet, Protocol, Scenario, Topology, WorldView,
    panics, running,
};

/// The memories, and the nodes after the last event.
pub(crate) struct Memories<P: Protocol> {
    values: Vec<Box<dyn Memory>>,
    states: Vec<P::State>,
    timers: Vec<Vec<P::Timer>>,
}

impl<P: Protocol> Memories<P> {
    /// The memories before the first event, if the scenario has observers: those that a run has so far, or new ones.
    pub(crate) fn of(
        scenario: &Scenario<P>,
        kept: &[Box<dyn Memory>],
        states: &[P::State],
        timers: Vec<Vec<P::Timer>>,
    ) -> Option<Box<Self>> {
        if scenario.observers.is_empty() {
            return None;
        }
        let values = match kept {
            [] => scenario.observers.iter().map(|observer| observer.start()).collect(),
            kept => kept.iter().map(|memory| memory.copy()).collect(),
        };
        Some(Box::new(Self { values, states: states.to_vec(), timers }))
    }

    pub(crate) fn get(&self, observer: usize) -> Option<&dyn Memory> {
        self.values.get(observer).map(AsRef::as_ref)
    }

    pub(crate) fn copies(&self) -> Vec<Box<dyn Memory>> {
        self.values.iter().map(|memory| memory.copy()).collect()
    }

    /// Shows an event to all observers. `after` has the nodes after it.
    pub(crate) fn observe(
        &mut self,
        scenario: &Scenario<P>,
        event: &Event<'_, P>,
        after: &dyn WorldView<P>,
    ) {
        let before =
            Before { topology: &scenario.topology, states: &self.states, timers: &self.timers };
        let step = ObservedStep { before: Nodes::new(&before), event, after: Nodes::new(after) };
        for (observer, memory) in scenario.observers.iter().zip(&mut self.values) {
            let observe = || observer.observe(&**memory, &step);
            let within = || panics::within(|| format!("the observer `{}`", observer.name), observe);
            *memory = running::part(&observer.name, within);
        }
        let node = event.node();
        self.states[node.index()] = after.state(node).clone();
        self.timers[node.index()] = after.timers(node).to_vec();
    }
}

/// The nodes before an event.
struct Before<'a, P: Protocol> {
    topology: &'a Topology,
    states: &'a [P::State],
    timers: &'a [Vec<P::Timer>],
}

const NO_NETWORK: &str = "an observer sees no network";

impl<P: Protocol> WorldView<P> for Before<'_, P> {
    fn topology(&self) -> &Topology {
        self.topology
    }

    fn state(&self, node: NodeId) -> &P::State {
        &self.states[node.index()]
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        &self.timers[node.index()]
    }

    fn is_up(&self, _: NodeId, _: NodeId) -> bool {
        unreachable!("{NO_NETWORK}")
    }

    fn packet_count(&self) -> usize {
        unreachable!("{NO_NETWORK}")
    }

    fn first_packet(&self) -> u64 {
        unreachable!("{NO_NETWORK}")
    }

    fn next_packet(&self, _: &mut u64) -> Option<Packet<'_, P>> {
        unreachable!("{NO_NETWORK}")
    }
}
