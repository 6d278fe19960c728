//! Event patterns, and whether they match anything that was met.

use everypath_explore::EventPattern;
use everypath_model::EventKind;

use super::View;
use crate::{
    nodes::{Decided, Input, LocalEvent, Outcomes, local_place},
    packed::EventName,
    setup::reads_like_audience,
};

impl View<'_> {
    /// Whether a pattern matches an event of any state found so far.
    pub(crate) fn has_met(self, pattern: &EventPattern) -> bool {
        let is_kind = |kind: &EventKind| {
            pattern.kind.as_ref().is_none_or(|described| described == kind.name())
        };
        let mut kinds = self.tables.setup.possible_kinds.iter().copied().filter(is_kind);
        kinds.any(|kind| match kind {
            EventKind::Command | EventKind::Timer | EventKind::Reboot => {
                self.has_met_locally(pattern, kind)
            }
            EventKind::Deliver | EventKind::Undeliverable => {
                self.has_met_around_packets(pattern, kind)
                    || self.has_met_decisions_around_packets(pattern, kind)
            }
            EventKind::Lose | EventKind::Duplicate => self.has_met_around_packets(pattern, kind),
            EventKind::LinkDown | EventKind::LinkUp => self.has_met_at_links(pattern, kind),
        })
    }

    fn has_met_locally(self, pattern: &EventPattern, kind: EventKind) -> bool {
        (0..self.tables.interner.nodes.len()).filter(|&node| is_at(pattern, node)).any(|node| {
            let table = &self.tables.interner.nodes[node];
            table.local.iter().enumerate().any(|(slot, local)| {
                let mut local = local.iter().filter(|local| local.kind == kind);
                local.any(|local| self.describes_local(pattern, node, slot, *local))
            })
        })
    }

    /// Whether a pattern matches an event with this input of a handler.
    pub(crate) fn describes_execution(
        self,
        pattern: &EventPattern,
        node: usize,
        slot: Option<u32>,
        input: Input,
    ) -> bool {
        let is_kind = |kind: EventKind| {
            pattern.kind.as_ref().is_none_or(|described| described == kind.name())
        };
        let around_packet = |kind: EventKind, packet: u32| {
            is_kind(kind) && self.is_at_and_about(pattern, self.around(kind, node, packet), None)
        };
        match (input, slot) {
            (Input::Start, _) | (_, None) => false,
            (Input::Message { packet }, _) => around_packet(EventKind::Deliver, packet),
            (Input::Undeliverable { packet }, _) => around_packet(EventKind::Undeliverable, packet),
            (Input::Restart | Input::Timer { .. } | Input::Command { .. }, Some(slot)) => {
                let slot = slot as usize;
                let local = &self.tables.interner.nodes[node].local[slot];
                let place = local_place(local, input);
                place.is_some_and(|place| {
                    is_kind(local[place].kind)
                        && is_at(pattern, node)
                        && self.describes_local(pattern, node, slot, local[place])
                })
            }
        }
    }

    fn describes_local(
        self,
        pattern: &EventPattern,
        node: usize,
        slot: usize,
        LocalEvent { kind, which, outcomes, .. }: LocalEvent,
    ) -> bool {
        let event = EventName { kind, node, branch: 0, which };
        self.is_about(pattern, slot as u32, event, outcomes)
    }

    /// Whether a pattern matches an event of a packet, whatever its outcome.
    fn has_met_around_packets(self, pattern: &EventPattern, kind: EventKind) -> bool {
        let mut packets = 0..self.tables.interner.networks.known_packets() as u32;
        packets.any(|packet| {
            let receivers = match kind {
                EventKind::Deliver => self.known_receivers(packet),
                _ => vec![self.tables.interner.networks.addressee(packet).index()],
            };
            receivers
                .into_iter()
                .any(|node| self.is_at_and_about(pattern, self.around(kind, node, packet), None))
        })
    }

    /// Whether a pattern matches the delivery or return of a packet with some decisions.
    fn has_met_decisions_around_packets(self, pattern: &EventPattern, kind: EventKind) -> bool {
        self.tables.interner.nodes.iter().enumerate().any(|(node, table)| {
            let handled = match kind {
                EventKind::Undeliverable => &table.returns,
                _ => &table.deliveries,
            };
            handled.iter().any(|(&(_, packet), &outcomes)| {
                let event = self.around(kind, node, packet);
                self.is_at_and_about(pattern, event, Some(outcomes))
            })
        })
    }

    fn has_met_at_links(self, pattern: &EventPattern, kind: EventKind) -> bool {
        (0..).zip(&self.tables.setup.links).any(|(which, ends)| {
            let event = EventName { kind, node: ends.0.index(), branch: 0, which };
            self.is_at_and_about(pattern, event, None)
        })
    }

    /// The nodes that could receive a packet in any state found so far: any node, if the scenario was not asked yet, as
    /// after a graph was read.
    fn known_receivers(self, packet: u32) -> Vec<usize> {
        let (from, to) = self.tables.interner.networks.ends(packet);
        if !self.tables.setup.has_receivers {
            return vec![to.index()];
        }
        let answers = &self.tables.interner.nodes[from.index()].receivers;
        let mut answers = answers.iter().filter(|((_, about), _)| *about == packet).peekable();
        if answers.peek().is_none() {
            return (0..self.tables.interner.nodes.len()).collect();
        }
        answers
            .filter_map(|(_, answer)| answer.as_ref().ok())
            .flatten()
            .copied()
            .map(usize::from)
            .collect()
    }

    /// An event of a packet; a delivery happens at a node.
    fn around(self, kind: EventKind, node: usize, packet: u32) -> EventName {
        let (from, to) = self.tables.interner.networks.ends(packet);
        let node = match kind {
            EventKind::Undeliverable => from.index(),
            EventKind::Lose | EventKind::Duplicate => to.index(),
            _ => node,
        };
        EventName { kind, node, branch: 0, which: packet }
    }

    /// Whether a pattern matches an event that depends on no slot, with any of its outcomes.
    fn is_at_and_about(
        self,
        pattern: &EventPattern,
        event: EventName,
        outcomes: Option<Outcomes>,
    ) -> bool {
        is_at(pattern, event.node) && self.is_about(pattern, 0, event, outcomes)
    }

    /// Whether one of the parameters of an event contains the text of a pattern, with any of its
    /// outcomes.
    fn is_about(
        self,
        pattern: &EventPattern,
        slot: u32,
        event: EventName,
        outcomes: Option<Outcomes>,
    ) -> bool {
        let Some(about) = &pattern.about else {
            return true;
        };
        let places = outcomes.into_iter().flat_map(|it| it.start..it.start + it.len);
        let mut decided = places.map(|place| self.tables.executor.decided_before(Some(place)));
        // The decisions of an event are unknown if another pattern disables it.
        let unknown = || outcomes.is_none() && reads_like_decisions(about);
        self.has_text(slot, event, Decided::NOTHING, about)
            || decided.any(|decided| self.has_text(slot, event, decided, about))
            || unknown() && self.never_happens(slot, event)
    }

    /// Whether an event is disabled, whatever its outcome is.
    fn never_happens(self, slot: u32, event: EventName) -> bool {
        self.tables.setup.options.disabled.iter().any(|EventPattern { kind, node, about }| {
            kind.as_ref().is_none_or(|kind| kind == event.kind.name())
                && node.is_none_or(|node| node as usize == event.node)
                && about
                    .as_ref()
                    .is_none_or(|about| self.has_text(slot, event, Decided::NOTHING, about))
        })
    }

    fn has_text(self, slot: u32, event: EventName, decided: &Decided, text: &str) -> bool {
        let parameters = self.machine.parameters(self.tables, slot, event, decided);
        parameters.iter().any(|(_, value)| value.contains(text))
    }
}

/// Whether a text may be part of the words for decisions.
fn reads_like_decisions(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || "[], ".contains(c)) || reads_like_audience(text)
}

fn is_at(pattern: &EventPattern, node: usize) -> bool {
    pattern.node.is_none_or(|described| described as usize == node)
}
