//! Events and worlds with the types of their protocol, as owned copies.

use everypath_model::{
    Event, EventKind, NodeId, NodeSnapshot, Packet, PacketSnapshot, Protocol, WorldSnapshot,
};
use std::time::Duration;

use super::ProtocolMachine;
use crate::{nodes::Slot, packed::EventName, tables::Tables};

/// An [`Event`] that owns its content.
pub struct OwnedEvent<P: Protocol>(Content<P>);

enum Content<P: Protocol> {
    Command(NodeId, P::Command),
    Timer(NodeId, P::Timer),
    Reboot(NodeId),
    /// An event of a packet: its kind and its node.
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
            Content::Packet(name.kind, NodeId::from(name.node), kept_packet(packet))
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
        let slots = self.nodes.iter().zip(tables.interner.tuples.get(tuple));
        let nodes = slots.map(|(node, &slot)| match node.slot(slot) {
            Slot::Running { state, timers, .. } => {
                NodeSnapshot { state: state.clone(), timers: timers.to_vec(), due: Vec::new() }
            }
            Slot::Broken(_) => unreachable!("the world of a broken node is never read"),
        });
        let mut packets = Vec::new();
        tables.interner.networks.packets(network, &mut packets);
        let down = tables.interner.networks.past(network).links.down.links();
        WorldSnapshot {
            time: Duration::ZERO,
            topology: self.scenario.topology.clone(),
            down: down.map(|link| tables.setup.links[link]).collect(),
            by_radio: tables.setup.by_radio,
            nodes: nodes.collect(),
            packets: packets.into_iter().map(|packet| kept_packet(self.packet(packet))).collect(),
            memories: self.memories_of(tables, tuple),
        }
    }
}

fn kept_packet<P: Protocol>(Packet { from, to, message }: Packet<'_, P>) -> PacketSnapshot<P> {
    PacketSnapshot { from, to, message: message.clone(), arrives: None }
}
