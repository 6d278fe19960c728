//! States and events in words.

use std::any::Any;

use everypath_explore::{
    EventId, EventPattern, EventText, PartChange, PartText, StateId, StateText, bag_difference,
};
use everypath_model::{Event, EventKind, NodeId, Protocol};

use crate::{
    NetworkSpace,
    execute::Input,
    expand::EventName,
    machine::ProtocolMachine,
    nodes::{Breakage, LocalEvent, Outcomes, Slot},
    tables::{Tables, unpack},
    verify::shown,
};

/// Showing what ids mean.
pub(crate) trait Describe {
    /// A node with its role, e.g. "n0 (sender)".
    fn name_of(&self, node: usize) -> String;

    /// What a packet says.
    fn message_text(&self, packet: u32) -> String;

    /// The command, timer or message of an event of a node in this slot; empty for events without one.
    fn input_text(&self, tables: &Tables, slot: u32, event: EventName) -> String;

    /// What an event of a node in this slot is about, by name.
    fn parameters(
        &self,
        tables: &Tables,
        slot: u32,
        event: EventName,
        choices: &[u32],
    ) -> Vec<(String, String)>;

    /// The state and the timers of a node that runs.
    fn slot_text(&self, node: usize, slot: u32) -> Option<(String, Vec<String>)>;

    /// What a handler is executed on.
    fn describe_input(&self, node: usize, slot: Option<u32>, input: Input) -> String;

    /// An event with its types: an [`OwnedEvent`](crate::OwnedEvent).
    fn owned_event(&self, tables: &Tables, slot: u32, event: EventName) -> Box<dyn Any>;

    /// The world of a state with its types: a [`WorldSnapshot`](everypath_model::WorldSnapshot).
    fn owned_world(&self, tables: &Tables, tuple: u32, network: u32) -> Box<dyn Any>;
}

impl<P: Protocol> Describe for ProtocolMachine<'_, P> {
    fn name_of(&self, node: usize) -> String {
        let node = NodeId::from(node);
        match self.scenario.role(node).as_str() {
            "" => node.to_string(),
            role => format!("{node} ({role})"),
        }
    }

    fn message_text(&self, packet: u32) -> String {
        shown(self.packet(packet).message)
    }

    fn input_text(&self, tables: &Tables, slot: u32, event: EventName) -> String {
        match self.event(tables, slot, event) {
            Event::Command { command, .. } => shown(command),
            Event::Timer { timer, .. } => shown(timer),
            Event::Deliver { packet, .. }
            | Event::Lose { packet }
            | Event::Duplicate { packet }
            | Event::Undeliverable { packet } => shown(packet.message),
            Event::Reboot { .. } | Event::LinkDown { .. } | Event::LinkUp { .. } => String::new(),
        }
    }

    fn parameters(
        &self,
        tables: &Tables,
        slot: u32,
        event: EventName,
        choices: &[u32],
    ) -> Vec<(String, String)> {
        parameters(&self.event(tables, slot, event), choices)
    }

    fn slot_text(&self, node: usize, slot: u32) -> Option<(String, Vec<String>)> {
        match self.nodes[node].slot(slot) {
            Slot::Running { state, timers } => {
                Some((shown(state), timers.iter().map(shown).collect()))
            }
            Slot::Broken(_) => None,
        }
    }

    fn describe_input(&self, node: usize, slot: Option<u32>, input: Input) -> String {
        let place = self.name_of(node);
        let slot = slot.map(|slot| (slot as usize, self.nodes[node].slot(slot)));
        match (input, slot) {
            (Input::Message { packet }, _) => {
                let packet = self.packet(packet);
                let from = self.name_of(packet.from.index());
                format!("the arrival of {} from {from} at {place}", shown(packet.message))
            }
            (Input::Undeliverable { packet }, _) => {
                let packet = self.packet(packet);
                let name = |node: NodeId| self.name_of(node.index());
                let (from, to) = (name(packet.from), name(packet.to));
                format!("the return of {} from {from} to {to}", shown(packet.message))
            }
            (Input::Timer { which }, Some((_, Slot::Running { timers, .. }))) => {
                format!("timer {} at {place}", shown(&timers[which as usize]))
            }
            (Input::Command { which }, Some((slot, _))) => {
                let command = &self.nodes[node].commands[slot][which as usize];
                format!("command {} at {place}", shown(command))
            }
            (Input::Restart, _) => format!("a reboot of {place}"),
            _ => format!("the start of {place}"),
        }
    }

    fn owned_event(&self, tables: &Tables, slot: u32, event: EventName) -> Box<dyn Any> {
        Box::new(self.event_with_types(tables, slot, event))
    }

    fn owned_world(&self, tables: &Tables, tuple: u32, network: u32) -> Box<dyn Any> {
        Box::new(self.world_with_types(tables, tuple, network))
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// An event of a node in this slot.
    pub(crate) fn event(&self, tables: &Tables, slot: u32, event: EventName) -> Event<'_, P> {
        let node = NodeId::from(event.node);
        let contents = &self.nodes[event.node];
        let packet = || self.packet(event.which);
        match event.kind {
            EventKind::Command => {
                let commands = &contents.commands[slot as usize];
                Event::Command { node, command: &commands[event.which as usize] }
            }
            EventKind::Timer => match contents.slot(slot) {
                Slot::Running { timers, .. } => {
                    Event::Timer { node, timer: &timers[event.which as usize] }
                }
                Slot::Broken(_) => unreachable!("a broken node has no timers"),
            },
            EventKind::Deliver => Event::Deliver { node, packet: packet() },
            EventKind::Lose => Event::Lose { packet: packet() },
            EventKind::Duplicate => Event::Duplicate { packet: packet() },
            EventKind::Reboot => Event::Reboot { node },
            EventKind::Undeliverable => Event::Undeliverable { packet: packet() },
            EventKind::LinkDown => Event::LinkDown { ends: tables.links[event.which as usize] },
            EventKind::LinkUp => Event::LinkUp { ends: tables.links[event.which as usize] },
        }
    }
}

impl NetworkSpace<'_> {
    /// The slot of the node at which an event happens.
    fn slot_at(&self, state: StateId, name: EventName) -> u32 {
        let (tuple, _) = unpack(state);
        self.tables.tuples.slot(tuple, name.node)
    }

    pub(crate) fn describe_event(&self, state: StateId, event: EventId) -> EventText {
        let name = EventName::unpack(event);
        let slot = self.slot_at(state, name);
        let place = self.machine.name_of(name.node);
        let input = || self.machine.input_text(&self.tables, slot, name);
        let ends = || match name.kind {
            EventKind::LinkDown | EventKind::LinkUp => self.tables.links[name.which as usize],
            _ => self.tables.networks.ends(name.which),
        };
        let from = || self.machine.name_of(ends().0.index());
        let to = || self.machine.name_of(ends().1.index());
        let mut sentence = match name.kind {
            EventKind::Command => format!("command {} at {place}", input()),
            EventKind::Timer => format!("timer {} fires at {place}", input()),
            EventKind::Reboot => format!("{place} reboots"),
            EventKind::LinkDown => format!("the link between {place} and {} fails", to()),
            EventKind::LinkUp => format!("the link between {place} and {} comes back", to()),
            EventKind::Undeliverable => {
                format!("{} from {place} to {} cannot be delivered", input(), to())
            }
            EventKind::Deliver if ends().1.index() != name.node => {
                format!("{} from {} to {} arrives at {place}", input(), from(), to())
            }
            EventKind::Deliver => format!("{} from {} arrives at {place}", input(), from()),
            EventKind::Lose => format!("{} from {} to {place} is lost", input(), from()),
            EventKind::Duplicate => {
                format!("{} from {} to {place} is duplicated", input(), from())
            }
        };
        let choices = self.choices_of(state, name);
        if !choices.is_empty() {
            sentence.push_str(&format!(", choosing {choices:?}"));
        }
        EventText {
            node: Some(NodeId::from(name.node).0),
            kind: name.kind.name().to_owned(),
            parameters: self.machine.parameters(&self.tables, slot, name, choices),
            sentence,
        }
    }

    /// Whether a pattern describes an event. Its choices are asked for only if they matter.
    pub(crate) fn describes<'c>(
        &self,
        pattern: &EventPattern,
        state: StateId,
        name: EventName,
        choices: impl FnOnce() -> &'c [u32],
    ) -> bool {
        let EventPattern { kind, node, about } = pattern;
        kind.as_ref().is_none_or(|kind| kind == name.kind.name())
            && node.is_none_or(|node| node as usize == name.node)
            && about.as_ref().is_none_or(|about| {
                let slot = self.slot_at(state, name);
                let parameters = self.machine.parameters(&self.tables, slot, name, choices());
                parameters.iter().any(|(_, value)| value.contains(about.as_str()))
            })
    }

    /// The choices that a handler made on this branch.
    pub(crate) fn choices_of(&self, state: StateId, name: EventName) -> &[u32] {
        let (tuple, _) = unpack(state);
        let outcomes = self.outcomes_at(tuple, name);
        self.tables.choices_before(outcomes.map(|outcomes| outcomes.start + u32::from(name.branch)))
    }

    /// What the handler of an event leads to, if it was executed.
    pub(crate) fn outcomes_at(&self, tuple: u32, name: EventName) -> Option<Outcomes> {
        let slot = self.tables.tuples.slot(tuple, name.node);
        let table = &self.tables.nodes[name.node];
        match name.kind {
            EventKind::Deliver => table.deliveries.get(&(slot, name.which)).copied(),
            EventKind::Undeliverable => table.returns.get(&(slot, name.which)).copied(),
            _ => self.local_event(tuple, name).and_then(|local| local.outcomes),
        }
    }

    /// The event of a name, if it depends on the node alone.
    pub(crate) fn local_event(&self, tuple: u32, name: EventName) -> Option<LocalEvent> {
        let slot = self.tables.tuples.slot(tuple, name.node);
        let mut local = self.tables.nodes[name.node].local[slot as usize].iter();
        local.find(|local| local.kind == name.kind && local.which == name.which).copied()
    }

    pub(crate) fn describe_state(&self, state: StateId) -> StateText {
        let (tuple, network) = unpack(state);
        let mut parts: Vec<_> =
            (0..self.tables.nodes.len()).flat_map(|node| self.describe_node(tuple, node)).collect();
        let mut packets = Vec::new();
        self.tables.networks.packets(network, &mut packets);
        let packets = packets.into_iter().map(|packet| self.packet_text(packet));
        parts.push((NETWORK.to_owned(), PartText::Bag(packets.collect())));
        parts.extend(self.describe_past(network));
        StateText { parts }
    }

    /// What differs between two states: only what is not the same in both is put into words.
    pub(crate) fn describe_change(
        &self,
        before: StateId,
        after: StateId,
    ) -> Vec<(String, PartChange)> {
        let ((tuple, network), (next_tuple, next_network)) = (unpack(before), unpack(after));
        let (mut earlier, mut later) = (StateText::default(), StateText::default());
        for node in 0..self.tables.nodes.len() {
            if self.tables.tuples.slot(tuple, node) != self.tables.tuples.slot(next_tuple, node) {
                earlier.parts.extend(self.describe_node(tuple, node));
                later.parts.extend(self.describe_node(next_tuple, node));
            }
        }
        let mut changes = earlier.changes_to(&later);
        if network != next_network {
            let mut packets = [Vec::new(), Vec::new()];
            self.tables.networks.packets(network, &mut packets[0]);
            self.tables.networks.packets(next_network, &mut packets[1]);
            let (gone, come) = bag_difference(&packets[0], &packets[1]);
            if !gone.is_empty() || !come.is_empty() {
                let texts = |packets: Vec<&u32>| {
                    packets.into_iter().map(|&packet| self.packet_text(packet)).collect()
                };
                let change = PartChange::Bag { gone: texts(gone), come: texts(come) };
                changes.push((NETWORK.to_owned(), change));
            }
            let past = |network| StateText { parts: self.describe_past(network) };
            changes.extend(past(network).changes_to(&past(next_network)));
        }
        changes
    }

    fn describe_node(&self, tuple: u32, node: usize) -> Vec<(String, PartText)> {
        let name = self.machine.name_of(node);
        let slot = self.tables.tuples.slot(tuple, node);
        if let Some((state, timers)) = self.machine.slot_text(node, slot) {
            let timers = (format!("{name} timers"), PartText::Bag(timers));
            return vec![(name, PartText::Value(state)), timers];
        }
        let how = match &self.tables.nodes[node].broken[&slot] {
            Breakage::Panicked { .. } => "Panicked",
            Breakage::Nondeterministic { .. } => "Nondeterministic",
        };
        vec![(name, PartText::Value(how.to_owned()))]
    }

    fn packet_text(&self, packet: u32) -> String {
        let (from, to) = self.tables.networks.ends(packet);
        format!("{} {from}→{to}", self.machine.message_text(packet))
    }

    /// A packet in words.
    pub(crate) fn describe_packet(&self, packet: u32) -> String {
        let (from, to) = self.tables.networks.ends(packet);
        let name = |node: NodeId| self.machine.name_of(node.index());
        format!("{} from {} to {}", self.machine.message_text(packet), name(from), name(to))
    }

    /// Which links are down, if links can fail; whether the required event has happened, if there is
    /// one.
    fn describe_past(&self, network: u32) -> Vec<(String, PartText)> {
        let mut parts = Vec::new();
        if !self.tables.links.is_empty() {
            let down = self.tables.networks.past(network).links.down.links();
            let down = down.map(|link| link_text(self.tables.links[link])).collect();
            parts.push(("links down".to_owned(), PartText::Bag(down)));
        }
        if self.tables.options.required.is_some() {
            let happened = self.tables.networks.past(network).happened;
            let text = if happened { "has happened" } else { "has not happened" };
            parts.push(("required event".to_owned(), PartText::Value(text.to_owned())));
        }
        parts
    }
}

/// The name of the part that holds the packets in flight.
const NETWORK: &str = "network";

fn link_text((one, other): (NodeId, NodeId)) -> String {
    format!("{one}–{other}")
}

fn parameters<P: Protocol>(event: &Event<'_, P>, choices: &[u32]) -> Vec<(String, String)> {
    let mut parameters = Vec::new();
    let mut add = |name: &str, value: String| parameters.push((name.to_owned(), value));
    match event {
        Event::Command { command, .. } => add("command", shown(command)),
        Event::Timer { timer, .. } => add("timer", shown(timer)),
        Event::Reboot { .. } => {}
        Event::LinkDown { ends } | Event::LinkUp { ends } => add("link", link_text(*ends)),
        Event::Deliver { packet, .. }
        | Event::Lose { packet }
        | Event::Duplicate { packet }
        | Event::Undeliverable { packet } => {
            add("from", packet.from.to_string());
            add("to", packet.to.to_string());
            add("message", shown(packet.message));
        }
    }
    if !choices.is_empty() {
        add("choices", format!("{choices:?}"));
    }
    parameters
}
