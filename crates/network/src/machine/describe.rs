//! Nodes, packets and events in words.

use std::any::Any;

use everypath_model::{Event, EventKind, NodeId, Protocol, shown};

use super::ProtocolMachine;
use crate::{
    nodes::{Decided, Input, Slot},
    packed::EventName,
    tables::Tables,
};

/// Turns ids into words.
pub(crate) trait Describe {
    /// A node with its role, e.g. "n0 (sender)".
    fn name_of(&self, node: usize) -> String;

    /// The message of a packet.
    fn message_text(&self, packet: u32) -> String;

    /// An event of a node in this slot, as a sentence.
    fn sentence(&self, tables: &Tables, slot: u32, event: EventName, decided: &Decided) -> String;

    /// The parameters of an event of a node in this slot, by name.
    fn parameters(
        &self,
        tables: &Tables,
        slot: u32,
        event: EventName,
        decided: &Decided,
    ) -> Vec<(String, String)>;

    /// The state and the timers of a running node.
    fn slot_text(&self, node: usize, slot: u32) -> Option<(String, Vec<String>)>;

    /// The input of a handler.
    fn describe_input(&self, node: usize, slot: Option<u32>, input: Input) -> String;

    /// An event with the types of its protocol: an [`OwnedEvent`](crate::OwnedEvent).
    fn owned_event(&self, tables: &Tables, slot: u32, event: EventName) -> Box<dyn Any>;

    /// The world of a state with the types of its protocol: a
    /// [`WorldSnapshot`](everypath_model::WorldSnapshot).
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

    fn sentence(&self, tables: &Tables, slot: u32, event: EventName, decided: &Decided) -> String {
        let decisions = tables.setup.decisions(event.node, decided);
        let name = |node: NodeId| self.name_of(node.index());
        self.event(tables, slot, event).sentence(&decisions, name)
    }

    fn parameters(
        &self,
        tables: &Tables,
        slot: u32,
        event: EventName,
        decided: &Decided,
    ) -> Vec<(String, String)> {
        let decisions = tables.setup.decisions(event.node, decided);
        self.event(tables, slot, event).parameters(&decisions)
    }

    fn slot_text(&self, node: usize, slot: u32) -> Option<(String, Vec<String>)> {
        match self.nodes[node].slot(slot) {
            Slot::Running { state, timers, .. } => {
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
            EventKind::LinkDown => {
                Event::LinkDown { ends: tables.setup.links[event.which as usize] }
            }
            EventKind::LinkUp => Event::LinkUp { ends: tables.setup.links[event.which as usize] },
        }
    }
}
