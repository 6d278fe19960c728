//! States and events in words.

use everypath_explore::{
    EventId, EventPattern, EventText, PartChange, PartText, StateId, StateText, bag_difference,
};
use everypath_model::{NodeId, link_text};

use super::View;
use crate::{
    nodes::{Breakage, Decided},
    packed::{EventName, unpack},
};

impl View<'_> {
    pub(crate) fn describe_event(self, state: StateId, event: EventId) -> EventText {
        let name = EventName::unpack(event);
        let slot = self.slot_at(state, name);
        let decided = self.decided_in(state, name);
        EventText {
            node: Some(NodeId::from(name.node).0),
            kind: name.kind.name().to_owned(),
            parameters: self.machine.parameters(self.tables, slot, name, decided),
            sentence: self.machine.sentence(self.tables, slot, name, decided),
        }
    }

    /// Whether a pattern matches an event. Its decisions are looked up only if they matter.
    pub(crate) fn describes<'c>(
        self,
        pattern: &EventPattern,
        state: StateId,
        name: EventName,
        decided: impl FnOnce() -> &'c Decided,
    ) -> bool {
        let EventPattern { kind, node, about } = pattern;
        kind.as_ref().is_none_or(|kind| kind == name.kind.name())
            && node.is_none_or(|node| node as usize == name.node)
            && about.as_ref().is_none_or(|about| {
                let slot = self.slot_at(state, name);
                let parameters = self.machine.parameters(self.tables, slot, name, decided());
                parameters.iter().any(|(_, value)| value.contains(about.as_str()))
            })
    }

    /// Why a state violates an assertion, if the assertion's name does not say it all.
    pub(crate) fn explain(self, state: StateId, assertion: usize) -> Option<String> {
        let (tuple, network) = unpack(state);
        if let Some((node, breakage)) = self.tables.interner.breakage(tuple) {
            return Some(format!("at {}: {breakage}", self.machine.name_of(node)));
        }
        let panic = self.machine.panic_of(self.tables, tuple, network, assertion)?;
        Some(format!("the assertion itself panicked: {panic}"))
    }

    pub(crate) fn describe_state(self, state: StateId) -> StateText {
        let (tuple, network) = unpack(state);
        let mut parts: Vec<_> = (0..self.tables.interner.nodes.len())
            .flat_map(|node| self.describe_node(tuple, node))
            .collect();
        parts.extend(self.describe_memories(tuple));
        let mut packets = Vec::new();
        self.tables.interner.networks.packets(network, &mut packets);
        let packets = packets.into_iter().map(|packet| self.packet_text(packet));
        parts.push((NETWORK.to_owned(), PartText::Bag(packets.collect())));
        parts.extend(self.describe_past(network));
        StateText { parts }
    }

    /// The differences between two states. Only these are put into words.
    pub(crate) fn describe_change(
        self,
        before: StateId,
        after: StateId,
    ) -> Vec<(String, PartChange)> {
        let ((tuple, network), (next_tuple, next_network)) = (unpack(before), unpack(after));
        let (mut earlier, mut later) = (StateText::default(), StateText::default());
        for node in 0..self.tables.interner.nodes.len() {
            if self.tables.interner.tuples.slot(tuple, node)
                != self.tables.interner.tuples.slot(next_tuple, node)
            {
                earlier.parts.extend(self.describe_node(tuple, node));
                later.parts.extend(self.describe_node(next_tuple, node));
            }
        }
        earlier.parts.extend(self.describe_memories(tuple));
        later.parts.extend(self.describe_memories(next_tuple));
        let mut changes = earlier.changes_to(&later);
        if network != next_network {
            let mut packets = [Vec::new(), Vec::new()];
            self.tables.interner.networks.packets(network, &mut packets[0]);
            self.tables.interner.networks.packets(next_network, &mut packets[1]);
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

    fn describe_node(self, tuple: u32, node: usize) -> Vec<(String, PartText)> {
        let name = self.machine.name_of(node);
        let slot = self.tables.interner.tuples.slot(tuple, node);
        if let Some((state, timers)) = self.machine.slot_text(node, slot) {
            let timers = (format!("{name} timers"), PartText::Bag(timers));
            return vec![(name, PartText::Value(state)), timers];
        }
        let how = match &self.tables.interner.nodes[node].broken[&slot] {
            Breakage::Panicked { .. } => "Panicked",
            Breakage::Nondeterministic { .. } => "Nondeterministic",
        };
        vec![(name, PartText::Value(how.to_owned()))]
    }

    /// What the observers remember.
    fn describe_memories(self, tuple: u32) -> impl Iterator<Item = (String, PartText)> {
        let memories = &self.tables.interner.tuples.get(tuple)[self.tables.interner.nodes.len()..];
        memories.iter().enumerate().filter_map(move |(observer, &memory)| {
            let (name, text) = self.machine.memory_text(observer, memory)?;
            Some((name, PartText::Value(text)))
        })
    }

    fn packet_text(self, packet: u32) -> String {
        let (from, to) = self.tables.interner.networks.ends(packet);
        format!("{} {from}→{to}", self.machine.message_text(packet))
    }

    /// A packet in words.
    pub(crate) fn describe_packet(self, packet: u32) -> String {
        let (from, to) = self.tables.interner.networks.ends(packet);
        let name = |node: NodeId| self.machine.name_of(node.index());
        format!("{} from {} to {}", self.machine.message_text(packet), name(from), name(to))
    }

    /// The links that are down, if links can fail; whether the required event has happened, if
    /// there is one.
    fn describe_past(self, network: u32) -> Vec<(String, PartText)> {
        let mut parts = Vec::new();
        if !self.tables.setup.links.is_empty() {
            let down = self.tables.interner.networks.past(network).links.down.links();
            let down = down.map(|link| link_text(self.tables.setup.links[link])).collect();
            parts.push(("links down".to_owned(), PartText::Bag(down)));
        }
        if self.tables.setup.options.required.is_some() {
            let happened = self.tables.interner.networks.past(network).happened;
            let text = if happened { "has happened" } else { "has not happened" };
            parts.push(("required event".to_owned(), PartText::Value(text.to_owned())));
        }
        parts
    }
}

/// The name of the part that holds the packets in flight.
const NETWORK: &str = "network";
