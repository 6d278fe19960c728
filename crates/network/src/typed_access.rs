//! States and events with the types of their protocol.

use everypath_explore::{EventId, StateId};
use everypath_model::{
    Event, EventKind, NodeId, NodeSnapshot, Packet, PacketSnapshot, Protocol, WorldSnapshot,
};
use std::time::Duration;

use crate::{
    NetworkSpace,
    expand::EventName,
    machine::ProtocolMachine,
    networks::Past,
    nodes::{Outcome, Slot},
    tables::{Tables, unpack},
};

/// An [`Event`] that owns what it speaks of.
pub struct OwnedEvent<P: Protocol>(Content<P>);

enum Content<P: Protocol> {
    Command(NodeId, P::Command),
    Timer(NodeId, P::Timer),
    Reboot(NodeId),
    /// What happens to a packet: which kind of event, at which node.
    Packet(EventKind, NodeId, PacketSnapshot<P>),
    Link(EventKind, (NodeId, NodeId)),
}

impl<P: Protocol> OwnedEvent<P> {
    /// The event.
    #[must_use]
    pub fn event(&self) -> Event<'_, P> {
        match &self.0 {
            Content::Command(node, command) => Event::Command { node: *node, command },
            Content::Timer(node, timer) => Event::Timer { node: *node, timer },
            Content::Reboot(node) => Event::Reboot { node: *node },
            Content::Link(EventKind::LinkDown, ends) => Event::LinkDown { ends: *ends },
            Content::Link(_, ends) => Event::LinkUp { ends: *ends },
            Content::Packet(kind, node, PacketSnapshot { from, to, message, .. }) => {
                let packet = Packet { from: *from, to: *to, message };
                match kind {
                    EventKind::Lose => Event::Lose { packet },
                    EventKind::Duplicate => Event::Duplicate { packet },
                    EventKind::Undeliverable => Event::Undeliverable { packet },
                    _ => Event::Deliver { node: *node, packet },
                }
            }
        }
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    pub(crate) fn event_with_types(
        &self,
        tables: &Tables,
        slot: u32,
        name: EventName,
    ) -> OwnedEvent<P> {
        let about = |packet: Packet<'_, P>| {
            Content::Packet(name.kind, NodeId::from(name.node), packet_snapshot(packet))
        };
        OwnedEvent(match self.event(tables, slot, name) {
            Event::Command { node, command } => Content::Command(node, command.clone()),
            Event::Timer { node, timer } => Content::Timer(node, timer.clone()),
            Event::Reboot { node } => Content::Reboot(node),
            Event::LinkDown { ends } | Event::LinkUp { ends } => Content::Link(name.kind, ends),
            Event::Deliver { packet, .. }
            | Event::Lose { packet }
            | Event::Duplicate { packet }
            | Event::Undeliverable { packet } => about(packet),
        })
    }

    pub(crate) fn world_with_types(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
    ) -> WorldSnapshot<P> {
        let slots = self.nodes.iter().zip(tables.tuples.get(tuple));
        let nodes = slots.map(|(node, &slot)| match node.slot(slot) {
            Slot::Running { state, timers } => {
                NodeSnapshot { state: state.clone(), timers: timers.clone(), due: Vec::new() }
            }
            Slot::Broken(_) => unreachable!("the world of a broken node is never read"),
        });
        let mut packets = Vec::new();
        tables.networks.packets(network, &mut packets);
        let down = tables.networks.past(network).links.down.links();
        WorldSnapshot {
            time: Duration::ZERO,
            topology: self.scenario.topology.clone(),
            down: down.map(|link| tables.links[link]).collect(),
            by_radio: tables.setup.by_radio,
            nodes: nodes.collect(),
            packets: packets
                .into_iter()
                .map(|packet| packet_snapshot(self.packet(packet)))
                .collect(),
        }
    }
}

fn packet_snapshot<P: Protocol>(Packet { from, to, message }: Packet<'_, P>) -> PacketSnapshot<P> {
    PacketSnapshot { from, to, message: message.clone(), arrives: None }
}

const OTHER_PROTOCOL: &str = "the space is of a scenario of this protocol";

impl NetworkSpace<'_> {
    /// The world of a state; nothing if a node of it is broken.
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
        if self.tables.breakage(tuple).is_some() {
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
        let slot = self.tables.tuples.slot(tuple, name.node);
        let event = self.machine.owned_event(&self.tables, slot, name);
        *event.downcast().expect(OTHER_PROTOCOL)
    }

    /// What the handler of an event chooses.
    #[must_use]
    pub fn choices_in(&self, state: StateId, event: EventId) -> &[u32] {
        self.choices_of(state, EventName::unpack(event))
    }

    /// What each node chooses when it starts, for an initial state to come about; nothing if the state
    /// is no end of starts that were executed.
    #[must_use]
    pub fn choices_at_start(&mut self, state: StateId) -> Option<Vec<Vec<u32>>> {
        let (tuple, network) = unpack(state);
        let tables = &mut self.tables;
        let empty = tables.networks.make(Past::none(tables.setup.faults), &[]);
        let mut ends = vec![(Vec::new(), empty)];
        for node in 0..tables.nodes.len() {
            let started = tables.nodes[node].start?;
            let slot = tables.tuples.slot(tuple, node);
            let mut further = Vec::new();
            for (choices, network) in ends {
                let mut outputs = Vec::new();
                for place in started.start..started.start + started.len {
                    let Outcome { slot: to, output } = tables.outcomes[place as usize];
                    if to != slot || outputs.contains(&output) {
                        continue;
                    }
                    outputs.push(output);
                    let mut choices: Vec<Vec<u32>> = choices.clone();
                    choices.push(tables.choices_before(Some(place)).to_vec());
                    further.push((choices, tables.networks.after(network, output)));
                }
            }
            ends = further;
        }
        ends.into_iter().find(|&(_, end)| end == network).map(|(choices, _)| choices)
    }
}
