//! States and events in words.

use everypath_explore::{EventId, EventPattern, EventText, PartText, StateId, StateText};
use everypath_model::{Event, NodeId, Packet, Protocol};

use crate::{
    NetworkSpace,
    expand::EventName,
    nodes::{Breakage, Slot},
    space::unpack,
};

impl<P: Protocol> NetworkSpace<'_, P> {
    /// A node with its role, e.g. "n0 (sender)".
    pub(crate) fn name_of(&self, node: usize) -> String {
        let node = NodeId::from(node);
        match self.scenario.protocol.role(node) {
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
            Event::Command { command, .. } => format!("command {command:?} at {place}"),
            Event::Timer { timer, .. } => format!("timer {timer:?} fires at {place}"),
            Event::Reboot { .. } => format!("{place} reboots"),
            Event::LinkDown { ends } => {
                format!("the link between {place} and {} fails", self.name_of(ends.1.index()))
            }
            Event::LinkUp { ends } => {
                format!("the link between {place} and {} comes back", self.name_of(ends.1.index()))
            }
            Event::Undeliverable { packet } => {
                let to = self.name_of(packet.to.index());
                format!("{:?} from {place} to {to} cannot be delivered", packet.message)
            }
            Event::Deliver { node, packet } if packet.to != *node => {
                let to = self.name_of(packet.to.index());
                format!("{:?} from {} to {to} arrives at {place}", packet.message, from(packet))
            }
            Event::Deliver { packet, .. } => {
                format!("{:?} from {} arrives at {place}", packet.message, from(packet))
            }
            Event::Lose { packet } => {
                format!("{:?} from {} to {place} is lost", packet.message, from(packet))
            }
            Event::Duplicate { packet } => {
                format!("{:?} from {} to {place} is duplicated", packet.message, from(packet))
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
        let slot = self.tuples.slot(tuple, name.node);
        let table = &self.nodes[name.node];
        let outcomes = match name.kind {
            everypath_model::EventKind::Deliver => {
                table.deliveries.get(&(slot, name.which)).copied()
            }
            everypath_model::EventKind::Undeliverable => {
                table.returns.get(&(slot, name.which)).copied()
            }
            kind => table.local[slot as usize]
                .iter()
                .find(|local| local.kind == kind && local.which == name.which)
                .and_then(|local| local.outcomes),
        };
        self.choices_before(outcomes.map(|outcomes| outcomes.start + u32::from(name.branch)))
    }

    /// The choices that a handler made before this outcome.
    pub(crate) fn choices_before(&self, outcome: Option<u32>) -> &[u32] {
        outcome.and_then(|outcome| self.choices.get(&outcome)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn describe_state(&self, state: StateId) -> StateText {
        let (tuple, network) = unpack(state);
        let mut parts = Vec::new();
        for node in 0..self.nodes.len() {
            let name = self.name_of(node);
            match self.slot(tuple, node) {
                Slot::Running { state, timers } => {
                    let timers = timers.iter().map(|timer| format!("{timer:?}")).collect();
                    parts.push((name.clone(), PartText::Value(format!("{state:?}"))));
                    parts.push((format!("{name} timers"), PartText::Bag(timers)));
                }
                Slot::Broken(Breakage::Panicked { .. }) => {
                    parts.push((name, PartText::Value("Panicked".to_owned())));
                }
                Slot::Broken(Breakage::Nondeterministic { .. }) => {
                    parts.push((name, PartText::Value("Nondeterministic".to_owned())));
                }
            }
        }
        let packets = self
            .packets_in_flight(network)
            .map(|Packet { from, to, message }| format!("{message:?} {from}→{to}"));
        parts.push(("network".to_owned(), PartText::Bag(packets.collect())));
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
        StateText { parts }
    }
}

fn link_text((one, other): (NodeId, NodeId)) -> String {
    format!("{one}–{other}")
}

fn parameters<P: Protocol>(event: &Event<'_, P>, choices: &[u32]) -> Vec<(String, String)> {
    let mut parameters = Vec::new();
    let mut add = |name: &str, value: String| parameters.push((name.to_owned(), value));
    match event {
        Event::Command { command, .. } => add("command", format!("{command:?}")),
        Event::Timer { timer, .. } => add("timer", format!("{timer:?}")),
        Event::Reboot { .. } => {}
        Event::LinkDown { ends } | Event::LinkUp { ends } => add("link", link_text(*ends)),
        Event::Deliver { packet, .. }
        | Event::Lose { packet }
        | Event::Duplicate { packet }
        | Event::Undeliverable { packet } => {
            add("from", packet.from.to_string());
            add("to", packet.to.to_string());
            add("message", format!("{:?}", packet.message));
        }
    }
    if !choices.is_empty() {
        add("choices", format!("{choices:?}"));
    }
    parameters
}
