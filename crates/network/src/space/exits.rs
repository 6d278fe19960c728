//! Exits: how packets leave the network if that depends on more than their address, because the
//! scenario defines who receives a packet, or because links can fail.
//!
//! The exits of a packet depend on the tuple and are computed once for the group. Which of them are
//! open depends on the links that are down, and so on the network. The scenario is asked once for
//! each distinct slot of the sender and packet.

use everypath_explore::{StateId, Step};
use everypath_model::{EventKind, Ignored, NodeId, panics::Panic};
use smallvec::smallvec;

use super::{NetworkSpace, expand::len32};
use crate::{
    groups::{Effect, Exit, Group, PacketEffects, Part},
    link_set::LinkSet,
    nodes::{Breakage, Receivers, node_number},
    packed::{EventName, unpack},
    transit::{LinksPast, NO_OUTPUT, Order, Past, Removal},
    verify::Sort,
};

/// A node of a state that is being expanded.
#[derive(Clone, Copy)]
pub(crate) struct Here<'a> {
    pub(crate) source: u32,
    pub(crate) state: StateId,
    pub(crate) node: usize,
    /// The packets that can be removed: those addressed to the node or, if receivers are not known
    /// in advance, all.
    pub(crate) removals: &'a [Removal],
}

impl NetworkSpace<'_> {
    /// The steps at a node that concern packets and links.
    pub(crate) fn late_steps<const KNOWN: bool>(
        &mut self,
        part: Part,
        here: Here<'_>,
        &Past { left, links, .. }: &Past,
        group: &mut Group,
        steps: &mut Vec<Step>,
    ) {
        match part {
            Part::Deliver => {
                self.exits::<KNOWN>(EventKind::Deliver, here, links.down, group, steps)
            }
            Part::Undeliverable if !links.down.is_empty() || self.tables.setup.by_radio => {
                self.exits::<KNOWN>(EventKind::Undeliverable, here, links.down, group, steps);
            }
            Part::Lose if left.loss.some() => {
                self.late_faults::<KNOWN>(EventKind::Lose, here, links.down, group, steps);
            }
            Part::Duplicate if left.duplication.some() => {
                self.late_faults::<KNOWN>(EventKind::Duplicate, here, links.down, group, steps);
            }
            Part::Links { start, end, up } => {
                let effects = &group.local[start as usize..end as usize];
                self.link_steps::<KNOWN>(effects, up, here, links, steps);
            }
            Part::Undeliverable | Part::Lose | Part::Duplicate => {}
            Part::Node(_) | Part::Local { .. } | Part::Limited { .. } => {
                unreachable!("these know nothing of packets and links")
            }
        }
    }

    /// Links that fail or come back.
    fn link_steps<const KNOWN: bool>(
        &mut self,
        effects: &[Effect],
        up: bool,
        here: Here<'_>,
        LinksPast { failures, returns, down }: LinksPast,
        steps: &mut Vec<Step>,
    ) {
        let (_, network) = unpack(here.state);
        if !(if up { returns } else { failures }).some() {
            return;
        }
        for effect in effects {
            let link = EventName::unpack(effect.event).which as usize;
            if down.has(link) == up {
                self.step::<KNOWN>(here.source, here.state, network, effect, steps);
            }
        }
    }

    /// The deliveries at a node, or the returns to it.
    fn exits<const KNOWN: bool>(
        &mut self,
        kind: EventKind,
        here: Here<'_>,
        down: LinkSet,
        group: &mut Group,
        steps: &mut Vec<Step>,
    ) {
        let Here { source, state, node, removals } = here;
        for removal in removals {
            let PacketEffects { start, len, exits, .. } =
                *self.packet_effects(state, group, removal.packet);
            if !exits.may_have(node) {
                continue;
            }
            let leads_here =
                |exit: &Exit| exit.kind == kind && exit.node == node && exit.is_open(down);
            let ways = &group.exits[start as usize..][..len as usize];
            let Some(exit) = ways.iter().position(leads_here) else { continue };
            let (first, effects) =
                self.exit_effects(state, group, start as usize + exit, removal.packet);
            for effect in &group.deliveries[first as usize..][..effects as usize] {
                self.step::<KNOWN>(source, state, removal.rest, effect, steps);
            }
            if self.tables.interner.networks.order() == Order::PerReceiver {
                return;
            }
        }
    }

    /// The losses or duplications of the packets addressed to a node. A packet that could only be
    /// received over links that are down just waits.
    fn late_faults<const KNOWN: bool>(
        &mut self,
        kind: EventKind,
        here: Here<'_>,
        down: LinkSet,
        group: &mut Group,
        steps: &mut Vec<Step>,
    ) {
        for (place, &removal) in here.removals.iter().enumerate() {
            if self.tables.interner.networks.addressee(removal.packet).index() != here.node
                || self.waits(here.state, group, removal.packet, down)
            {
                continue;
            }
            match kind {
                EventKind::Lose => self.loss::<KNOWN>(here, removal, group, steps),
                _ => self.duplication::<KNOWN>(here, place, group, steps),
            }
            if self.tables.interner.networks.order() == Order::PerReceiver {
                return;
            }
        }
    }

    /// Whether a packet cannot be received: all links over which it could be are down, or its
    /// receiver is out of range.
    fn waits(&mut self, state: StateId, group: &mut Group, packet: u32, down: LinkSet) -> bool {
        if down.is_empty() && !self.tables.setup.by_radio {
            return false;
        }
        let PacketEffects { start, len, .. } = *self.packet_effects(state, group, packet);
        let ways = group.exits[start as usize..][..len as usize].iter();
        if ways.clone().any(|exit| exit.beyond) {
            return true;
        }
        let mut deliveries = ways.filter(|exit| exit.kind == EventKind::Deliver).peekable();
        deliveries.peek().is_some() && deliveries.all(|exit| !exit.is_open(down))
    }

    /// The effects of one of a packet's exits: a range of the group's deliveries.
    fn exit_effects(
        &mut self,
        state: StateId,
        group: &mut Group,
        exit: usize,
        packet: u32,
    ) -> (u32, u32) {
        let Exit { kind, node, effects, .. } = group.exits[exit];
        effects.unwrap_or_else(|| {
            let name = EventName { kind, node, branch: 0, which: packet };
            let effects = self.packet_outcomes(state, group, name);
            group.exits[exit].effects = Some(effects);
            effects
        })
    }

    /// Adds the exits of a packet to those of the group. The result is their range.
    pub(crate) fn exits_of(
        &mut self,
        state: StateId,
        group: &mut Group,
        packet: u32,
    ) -> (u32, u32) {
        let (tuple, _) = unpack(state);
        let (from, to) = self.tables.interner.networks.ends(packet);
        let start = len32(&group.exits);
        let mut all = LinkSet::default();
        if self.tables.setup.is_beyond(from, to) {
            let (kind, node, links) = (EventKind::Undeliverable, from.index(), all);
            group.exits.push(Exit { kind, node, links, beyond: true, effects: None });
            return (start, 1);
        }
        match self.receivers_of(tuple, packet) {
            Ok(receivers) => {
                for node in receivers {
                    let node = usize::from(node);
                    let links = self.tables.setup.link_between(from, NodeId::from(node));
                    all = all.with(links);
                    let kind = EventKind::Deliver;
                    group.exits.push(Exit { kind, node, links, beyond: false, effects: None });
                }
            }
            Err(broken) => {
                let effects = Some(self.undoing(state, group, packet, broken));
                let (kind, node) = (EventKind::Deliver, to.index());
                let links = LinkSet::default();
                group.exits.push(Exit { kind, node, links, beyond: false, effects });
            }
        }
        if !all.is_empty() {
            let (kind, node) = (EventKind::Undeliverable, from.index());
            group.exits.push(Exit { kind, node, links: all, beyond: false, effects: None });
        }
        (start, len32(&group.exits) - start)
    }

    /// An arrival that breaks the sender, because the receivers of the packet cannot be determined:
    /// so the failure is found on a run.
    fn undoing(
        &mut self,
        state: StateId,
        group: &mut Group,
        packet: u32,
        broken: u32,
    ) -> (u32, u32) {
        let (tuple, _) = unpack(state);
        let (from, to) = self.tables.interner.networks.ends(packet);
        let name =
            EventName { kind: EventKind::Deliver, node: to.index(), branch: 0, which: packet };
        group.deliveries.push(Effect {
            event: name.pack(),
            tuple: self.tables.interner.tuples.replace(tuple, from.index(), broken),
            output: self.output_of(state, name, None, NO_OUTPUT),
            gate: self.gate(state, name),
        });
        (len32(&group.deliveries) - 1, 1)
    }

    /// The receivers of a packet in states with this tuple, in order. If they cannot be determined,
    /// the broken slot of its sender.
    fn receivers_of(&mut self, tuple: u32, packet: u32) -> Result<Receivers, u32> {
        let (from, to) = self.tables.interner.networks.ends(packet);
        if !self.tables.setup.has_receivers {
            return Ok(smallvec![node_number(to)]);
        }
        let sender = from.index();
        let key = (self.tables.interner.tuples.slot(tuple, sender), packet);
        if let Some(known) = self.tables.interner.nodes[sender].receivers.get(&key) {
            return known.clone();
        }
        let receivers = self.ask_for_receivers(sender, key);
        self.tables.interner.nodes[sender].receivers.insert(key, receivers.clone());
        receivers
    }

    /// Asks the scenario for the receivers of a packet while its sender is in this slot.
    pub(crate) fn ask_for_receivers(
        &mut self,
        sender: usize,
        (slot, packet): (u32, u32),
    ) -> Result<Receivers, u32> {
        let answer = self.machine.receivers(sender, slot, packet);
        let content = || u64::from(slot) << 32 | u64::from(packet);
        let twice = self.tables.verifier.is_due(Sort::Receivers, content);
        let again = twice.then(|| self.machine.receivers(sender, slot, packet));
        let breakage = match (answer, again) {
            (Ok(one), Some(Ok(other))) if one != other => {
                let what = self.view().describe_packet(packet);
                let what =
                    format!("{what} can be received by {one:?}, and when asked again by {other:?}");
                Breakage::Nondeterministic { what: Ignored(what) }
            }
            (Err(panic), _) | (Ok(_), Some(Err(panic))) => {
                let what = self.view().describe_packet(packet);
                let message = format!("while asking who receives {what}: {}", panic.message);
                Panic { message, ..panic }.into()
            }
            (Ok(receivers), _) => return Ok(receivers),
        };
        Err(self.machine.broken_slot(&mut self.tables, sender, breakage))
    }
}
