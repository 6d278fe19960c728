//! Access to states and events with the types of their protocol.

use everypath_explore::{EventId, StateId};
use everypath_model::{Decisions, Protocol, WorldSnapshot};

use super::NetworkSpace;
use crate::{
    machine::OwnedEvent,
    nodes::Outcome,
    packed::{EventName, unpack},
};

const OTHER_PROTOCOL: &str = "the space is of a scenario of this protocol";

impl NetworkSpace<'_> {
    /// The world of a state; nothing if one of its nodes is broken.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_explore::Space;
    /// use everypath_model::{Scenario, Topology};
    /// use everypath_network::{NetworkSpace, SpaceOptions};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(3));
    /// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    /// let mut initial = Vec::new();
    /// space.initial(&mut initial);
    /// // Two links with a greeting in each direction.
    /// let world = space.world_of::<Greeting>(initial[0]).unwrap();
    /// assert_eq!(world.packets.len(), 4);
    /// ```
    ///
    /// # Panics
    /// If the scenario is not one of this protocol.
    #[must_use]
    pub fn world_of<P: Protocol>(&self, state: StateId) -> Option<WorldSnapshot<P>> {
        let (tuple, network) = unpack(state);
        if self.tables.interner.breakage(tuple).is_some() {
            return None;
        }
        let world = self.machine.owned_world(&self.tables, tuple, network);
        Some(*world.downcast().expect(OTHER_PROTOCOL))
    }

    /// An event of a state.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_explore::{Space, enabled};
    /// use everypath_model::{Event, Scenario, Topology};
    /// use everypath_network::{NetworkSpace, SpaceOptions};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2));
    /// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    /// let mut initial = Vec::new();
    /// space.initial(&mut initial);
    /// let (step, _) = enabled(&mut space, initial[0]).remove(0);
    /// let event = space.event_of::<Greeting>(initial[0], step.event);
    /// assert!(matches!(event.event(), Event::Deliver { .. }));
    /// ```
    ///
    /// # Panics
    /// If the scenario is not one of this protocol.
    #[must_use]
    pub fn event_of<P: Protocol>(&self, state: StateId, event: EventId) -> OwnedEvent<P> {
        let name = EventName::unpack(event);
        let (tuple, _) = unpack(state);
        let slot = self.tables.interner.tuples.slot(tuple, name.node);
        let event = self.machine.owned_event(&self.tables, slot, name);
        *event.downcast().expect(OTHER_PROTOCOL)
    }

    /// The decisions in an event: the choices of its handler, and who heard its broadcasts.
    #[must_use]
    pub fn decisions_in(&self, state: StateId, event: EventId) -> Decisions {
        let name = EventName::unpack(event);
        self.tables.setup.decisions(name.node, self.view().decided_in(state, name))
    }

    /// The decisions in each node's start that lead to an initial state; nothing if no executed
    /// starts lead to it.
    #[must_use]
    pub fn decisions_at_start(&mut self, state: StateId) -> Option<Vec<Decisions>> {
        let (tuple, network) = unpack(state);
        let tables = &mut self.tables;
        let empty = tables.interner.networks.make(tables.setup.no_past(), &[]);
        let mut ends = vec![(Vec::new(), empty)];
        for node in 0..tables.interner.nodes.len() {
            let started = tables.interner.nodes[node].start?;
            let slot = tables.interner.tuples.slot(tuple, node);
            let mut further = Vec::new();
            for (decisions, network) in ends {
                let mut outputs = Vec::new();
                for place in started.start..started.start + started.len {
                    let Outcome { slot: to, output } = tables.executor.outcome(place);
                    if to != slot || outputs.contains(&output) {
                        continue;
                    }
                    outputs.push(output);
                    let decided = tables.executor.decided_before(Some(place));
                    let mut decisions: Vec<Decisions> = decisions.clone();
                    decisions.push(tables.setup.decisions(node, decided));
                    further.push((decisions, tables.interner.networks.after(network, output)));
                }
            }
            ends = further;
        }
        ends.into_iter().find(|&(_, end)| end == network).map(|(decisions, _)| decisions)
    }
}
