//! States and events in words.

use everypath_explore::{
    EventId, EventPattern, EventText, PartChange, PartText, StateId, StateText, bag_difference,
};
use everypath_model::{Event, EventKind, NodeId, Packet, Protocol};

use crate::{
    NetworkSpace,
    expand::EventName,
    nodes::{Breakage, LocalEvent, Outcomes, Slot},
    space::unpack,
    verify::shown,
};

impl<P: Protocol> NetworkSpace<'_, P> {
    /// A node with its role, e.g. "n0 (sender)".
    pub(crate) fn name_of(&self, node: usize) -> String {
        let node = NodeId::from(node);
        match self.scenario.role(node).as_str() {
            "" => node.to_string(),
            role => format!("{node} ({role})"),
        }
    }

    pub(crate) fn describe_event(&self, state: StateId, event: EventId) -> EventText {
        let name = EventName::unpack(event);
        let event = self.event(state, name);
        let place = self.name_of(name.node);
        let from = |packet: &Packet<'_, P>| self.name_of(packet.from.index());
        let mut sentence = match &event {
            Event::Command { command, .. } => format!("command {} at {place}", shown(command)),
            Event::Timer { timer, .. } => format!("timer {} fires at {place}", shown(timer)),
            Event::Reboot { .. } => format!("{place} reboots"),
            Event::LinkDown { ends } => {
                format!("the link between {place} and {} fails", self.name_of(ends.1.index()))
            }
            Event::LinkUp { ends } => {
                format!("the link between {place} and {} comes back", self.name_of(ends.1.index()))
            }
            Event::Undeliverable { packet } => {
                let to = self.name_of(packet.to.index());
                format!("{} from {place} to {to} cannot be delivered", shown(packet.message))
            }
            Event::Deliver { node, packet } if packet.to != *node => {
                let to = self.name_of(packet.to.index());
                format!(
                    "{} from {} to {to} arrives at {place}",
                    shown(packet.message),
                    from(packet)
                )
            }
            Event::Deliver { packet, .. } => {
                format!("{} from {} arrives at {place}", shown(packet.message), from(packet))
            }
            Event::Lose { packet } => {
                format!("{} from {} to {place} is lost", shown(packet.message), from(packet))
            }
            Event::Duplicate { packet } => {
                format!("{} from {} to {place} is duplicated", shown(packet.message), from(packet))
            }
        };
        let choices = self.choices_of(state, name);
        if !choices.is_empty() {
            sentence.push_str(&format!(", choosing {choices:?}"));
        }
        EventText {
            node: Some(event.node().0),
            kind: event.kind().name().to_owned(),
            parameters: parameters(&event, choices),
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
                let parameters = parameters(&self.event(state, name), choices());
                parameters.iter().any(|(_, value)| value.contains(about.as_str()))
            })
    }

    /// The choices that a handler made on this branch.
    pub(crate) fn choices_of(&self, state: StateId, name: EventName) -> &[u32] {
        let (tuple, _) = unpack(state);
        let outcomes = self.outcomes_at(tuple, name);
        self.choices_before(outcomes.map(|outcomes| outcomes.start + u32::from(name.branch)))
    }

    /// What the handler of an event leads to, if it was executed.
    pub(crate) fn outcomes_at(&self, tuple: u32, name: EventName) -> Option<Outcomes> {
        let slot = self.tuples.slot(tuple, name.node);
        let table = &self.nodes[name.node];
        match name.kind {
            EventKind::Deliver => table.deliveries.get(&(slot, name.which)).copied(),
            EventKind::Undeliverable => table.returns.get(&(slot, name.which)).copied(),
            _ => self.local_event(tuple, name).and_then(|local| local.outcomes),
        }
    }

    /// The event of a name, if it depends on the node alone.
    pub(crate) fn local_event(&self, tuple: u32, name: EventName) -> Option<LocalEvent> {
        let slot = self.tuples.slot(tuple, name.node);
        let mut local = self.nodes[name.node].local[slot as usize].iter();
        local.find(|local| local.kind == name.kind && local.which == name.which).copied()
    }

    /// The choices that a handler made before this outcome.
    pub(crate) fn choices_before(&self, outcome: Option<u32>) -> &[u32] {
        outcome.and_then(|outcome| self.choices.get(&outcome)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn describe_state(&self, state: StateId) -> StateText {
        let (tuple, network) = unpack(state);
        let mut parts: Vec<_> =
            (0..self.nodes.len()).flat_map(|node| self.describe_node(tuple, node)).collect();
        let packets = self.packets_in_flight(network).map(packet_text);
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
        for node in 0..self.nodes.len() {
            if self.tuples.slot(tuple, node) != self.tuples.slot(next_tuple, node) {
                earlier.parts.extend(self.describe_node(tuple, node));
                later.parts.extend(self.describe_node(next_tuple, node));
            }
        }
        let mut changes = earlier.changes_to(&later);
        if network != next_network {
            let mut packets = [Vec::new(), Vec::new()];
            self.networks.packets(network, &mut packets[0]);
            self.networks.packets(next_network, &mut packets[1]);
            let (gone, come) = bag_difference(&packets[0], &packets[1]);
            if !gone.is_empty() || !come.is_empty() {
                let texts = |packets: Vec<&u32>| {
                    packets.into_iter().map(|&packet| packet_text(self.packet(packet))).collect()
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
        let name = self.name_of(node);
        let broken = |how: &str| PartText::Value(how.to_owned());
        match self.slot(tuple, node) {
            Slot::Running { state, timers } => {
                let timers = timers.iter().map(shown).collect();
                let timers = (format!("{name} timers"), PartText::Bag(timers));
                vec![(name, PartText::Value(shown(state))), timers]
            }
            Slot::Broken(Breakage::Panicked { .. }) => vec![(name, broken("Panicked"))],
            Slot::Broken(Breakage::Nondeterministic { .. }) => {
                vec![(name, broken("Nondeterministic"))]
            }
        }
    }

    /// Which links are down, if links can fail; whether the required event has happened, if there is
    /// one.
    fn describe_past(&self, network: u32) -> Vec<(String, PartText)> {
        let mut parts = Vec::new();
        if !self.links.is_empty() {
            let down = self.networks.past(network).links.down.links();
            let down = down.map(|link| link_text(self.links[link])).collect();
            parts.push(("links down".to_owned(), PartText::Bag(down)));
        }
        if self.options.required.is_some() {
            let happened = self.networks.past(network).happened;
            let text = if happened { "has happened" } else { "has not happened" };
            parts.push(("required event".to_owned(), PartText::Value(text.to_owned())));
        }
        parts
    }
}

/// The name of the part that holds the packets in flight.
const NETWORK: &str = "network";

fn packet_text<P: Protocol>(Packet { from, to, message }: Packet<'_, P>) -> String {
    format!("{} {from}→{to}", shown(message))
}

fn link_text((one, other): (NodeId, NodeId)) -> String {
    format!("{one}–{other}")
}

pub(crate) fn parameters<P: Protocol>(
    event: &Event<'_, P>,
    choices: &[u32],
) -> Vec<(String, String)> {
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
