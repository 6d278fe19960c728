//! Whether descriptions of events describe anything that was met.

use everypath_explore::EventPattern;
use everypath_model::{Event, EventKind, NodeId, Packet, Protocol};

use crate::{
    NetworkSpace,
    execute::Input,
    nodes::{LocalEvent, Outcomes, Slot},
    options::possible_kinds,
    saved::local_place,
    text::parameters,
};

impl<P: Protocol> NetworkSpace<'_, P> {
    /// Whether a pattern describes an event of some state that was found so far. The event need not
    /// have happened: it may be disabled, not be allowed by an assumption, or be a fault for which
    /// nothing is left. If it describes none, it has described none in the whole search.
    #[must_use]
    pub fn has_met(&self, pattern: &EventPattern) -> bool {
        let is_kind = |kind: &EventKind| {
            pattern.kind.as_ref().is_none_or(|described| described == kind.name())
        };
        let mut kinds = possible_kinds(self.scenario, self.start, &[]).into_iter().filter(is_kind);
        kinds.any(|kind| match kind {
            EventKind::Command | EventKind::Timer | EventKind::Reboot => {
                self.has_met_locally(pattern, kind)
            }
            EventKind::Deliver | EventKind::Undeliverable => {
                self.has_met_around_packets(pattern, kind)
                    || self.has_met_choices_around_packets(pattern, kind)
            }
            EventKind::Lose | EventKind::Duplicate => self.has_met_around_packets(pattern, kind),
            EventKind::LinkDown => self.has_met_at_links(pattern, |ends| Event::LinkDown { ends }),
            EventKind::LinkUp => self.has_met_at_links(pattern, |ends| Event::LinkUp { ends }),
        })
    }

    /// Whether the required event has happened on any run so far; nothing if none is required, or
    /// if states do not know.
    #[must_use]
    pub fn required_has_happened(&self) -> Option<bool> {
        self.options.required.as_ref().map(|_| self.networks.required_has_happened())
    }

    fn has_met_locally(&self, pattern: &EventPattern, kind: EventKind) -> bool {
        (0..self.nodes.len()).filter(|&node| is_at(pattern, node)).any(|node| {
            let table = &self.nodes[node];
            table.local.iter().enumerate().any(|(slot, local)| {
                let mut local = local.iter().filter(|local| local.kind == kind);
                local.any(|local| self.describes_local(pattern, node, slot, *local))
            })
        })
    }

    /// Whether a pattern describes an event on which a handler is executed so.
    pub(crate) fn describes_execution(
        &self,
        pattern: &EventPattern,
        node: usize,
        slot: Option<u32>,
        input: Input,
    ) -> bool {
        let is_kind = |kind: EventKind| {
            pattern.kind.as_ref().is_none_or(|described| described == kind.name())
        };
        let around_packet = |kind: EventKind, packet: u32| {
            let event = around(kind, NodeId::from(node), self.packet(packet));
            is_kind(kind) && self.is_at_and_about(pattern, &event, None)
        };
        match (input, slot) {
            (Input::Start, _) | (_, None) => false,
            (Input::Message { packet }, _) => around_packet(EventKind::Deliver, packet),
            (Input::Undeliverable { packet }, _) => around_packet(EventKind::Undeliverable, packet),
            (Input::Restart | Input::Timer { .. } | Input::Command { .. }, Some(slot)) => {
                let slot = slot as usize;
                let local = &self.nodes[node].local[slot];
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
        &self,
        pattern: &EventPattern,
        node: usize,
        slot: usize,
        LocalEvent { kind, which, outcomes, .. }: LocalEvent,
    ) -> bool {
        let (table, id) = (&self.nodes[node], NodeId::from(node));
        let event = match (kind, &table.slots[slot]) {
            (EventKind::Command, _) => {
                Event::Command { node: id, command: &table.commands[slot][which as usize] }
            }
            (EventKind::Timer, Slot::Running { timers, .. }) => {
                Event::Timer { node: id, timer: &timers[which as usize] }
            }
            _ => Event::Reboot { node: id },
        };
        self.is_about(pattern, &event, outcomes)
    }

    /// Whether a pattern describes something that happens to a packet, whatever it leads to.
    fn has_met_around_packets(&self, pattern: &EventPattern, kind: EventKind) -> bool {
        let packets = 0..self.packets.len() as u32;
        packets.into_iter().any(|id| {
            let packet = self.packet(id);
            let receivers = match kind {
                EventKind::Deliver => self.known_receivers(id),
                _ => vec![packet.to.index()],
            };
            let mut receivers = receivers.into_iter().map(NodeId::from);
            receivers.any(|node| self.is_at_and_about(pattern, &around(kind, node, packet), None))
        })
    }

    /// Whether a pattern describes how a packet is received or comes back with some choices.
    fn has_met_choices_around_packets(&self, pattern: &EventPattern, kind: EventKind) -> bool {
        self.nodes.iter().enumerate().any(|(node, table)| {
            let handled = match kind {
                EventKind::Undeliverable => &table.returns,
                _ => &table.deliveries,
            };
            handled.iter().any(|(&(_, packet), &outcomes)| {
                let event = around(kind, NodeId::from(node), self.packet(packet));
                self.is_at_and_about(pattern, &event, Some(outcomes))
            })
        })
    }

    fn has_met_at_links<'a>(
        &'a self,
        pattern: &EventPattern,
        event: impl Fn((NodeId, NodeId)) -> Event<'a, P>,
    ) -> bool {
        self.links.iter().any(|&ends| self.is_at_and_about(pattern, &event(ends), None))
    }

    fn is_at_and_about(
        &self,
        pattern: &EventPattern,
        event: &Event<'_, P>,
        outcomes: Option<Outcomes>,
    ) -> bool {
        is_at(pattern, event.node().index()) && self.is_about(pattern, event, outcomes)
    }

    /// Whether one of the parameters of an event has the text of a pattern, with any of its
    /// outcomes.
    fn is_about(
        &self,
        pattern: &EventPattern,
        event: &Event<'_, P>,
        outcomes: Option<Outcomes>,
    ) -> bool {
        let Some(about) = &pattern.about else {
            return true;
        };
        let places = outcomes.into_iter().flat_map(|it| it.start..it.start + it.len);
        let mut choices = places.map(|place| self.choices_before(Some(place)));
        // Which choices an event has is not known if another pattern disables it.
        let unknown = || outcomes.is_none() && reads_like_choices(about);
        has_text(event, &[], about)
            || choices.any(|choices| has_text(event, choices, about))
            || unknown() && self.never_happens(event)
    }

    /// Whether an event is disabled, whatever its outcome is.
    fn never_happens(&self, event: &Event<'_, P>) -> bool {
        self.options.disabled.iter().any(|EventPattern { kind, node, about }| {
            kind.as_ref().is_none_or(|kind| kind == event.kind().name())
                && node.is_none_or(|node| node == event.node().0)
                && about.as_ref().is_none_or(|about| has_text(event, &[], about))
        })
    }
}

/// What happens to a packet; a delivery happens at a node.
fn around<P: Protocol>(kind: EventKind, node: NodeId, packet: Packet<'_, P>) -> Event<'_, P> {
    match kind {
        EventKind::Lose => Event::Lose { packet },
        EventKind::Duplicate => Event::Duplicate { packet },
        EventKind::Undeliverable => Event::Undeliverable { packet },
        _ => Event::Deliver { node, packet },
    }
}

fn has_text<P: Protocol>(event: &Event<'_, P>, choices: &[u32], text: &str) -> bool {
    parameters(event, choices).iter().any(|(_, value)| value.contains(text))
}

fn reads_like_choices(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || "[], ".contains(c))
}

fn is_at(pattern: &EventPattern, node: usize) -> bool {
    pattern.node.is_none_or(|described| described as usize == node)
}
