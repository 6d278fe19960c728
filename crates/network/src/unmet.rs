//! What a scenario has that was never met in a search: code that was not executed, messages that were not sent, parts of the
//! scenario that made no difference.

use std::{cell::Cell, collections::BTreeSet};

use everypath_explore::Space;
use everypath_model::{
    Condition, EventKind, NodeId, Packet, Protocol, Snapshot, Topology, World, panics,
};

use crate::{
    NetworkSpace,
    execute::Input,
    packed_world::PackedWorld,
    variants::{variant_of, variants},
};

/// What was never met of what a protocol has, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmet {
    /// The variants of the messages that were never sent.
    pub not_sent: Vec<&'static str>,
    /// Those that were sent and never arrived.
    pub not_delivered: Vec<&'static str>,
    /// The [code](everypath_model::Code) that was never executed, but for that of events which cannot happen at all.
    pub not_executed: Vec<&'static str>,
}

impl<P: Protocol> NetworkSpace<'_, P> {
    /// What was never met so far, of messages and code. Code that handles nothing but variants of messages that never arrived is not told
    /// once more.
    #[must_use]
    pub fn unmet(&self) -> Unmet {
        let mut executed = BTreeSet::new();
        let mut has_unnamed = false;
        let mut delivered = BTreeSet::new();
        for (it, _) in self.executed() {
            let (me, trigger) = self.call(it.node, it.slot, it.input).trigger();
            let code = self.scenario.protocol.code(me, trigger);
            has_unnamed |= code.is_none();
            executed.extend(code.map(|code| code.name));
            if let Input::Message { packet } = it.input {
                delivered.extend(variant_of(self.packet(packet).message));
            }
        }
        let sent: BTreeSet<_> =
            self.packets.iter().filter_map(|packet| variant_of(&packet.message)).collect();
        let all = variants::<P::Message>().iter().copied();
        let (known, not_sent): (Vec<_>, Vec<_>) = all.partition(|name| sent.contains(name));
        let not_delivered: Vec<_> =
            known.into_iter().filter(|name| !delivered.contains(name)).collect();
        let told = |name: &str| {
            let input = name.rsplit('/').next().and_then(|name| name.strip_prefix("message:"));
            input.is_some_and(|inputs| {
                inputs.split('|').all(|it| not_sent.contains(&it) || not_delivered.contains(&it))
            })
        };
        let mut not_executed = Vec::new();
        for name in self.code_that_can_be_executed() {
            // What has no print has no name either, and may be any of them.
            if !has_unnamed
                && !executed.contains(name)
                && !told(name)
                && !not_executed.contains(&name)
            {
                not_executed.push(name);
            }
        }
        Unmet { not_sent, not_delivered, not_executed }
    }

    /// The code of all nodes, but for that of events that cannot happen, and that of the start, which always does.
    fn code_that_can_be_executed(&self) -> impl Iterator<Item = &'static str> {
        let kinds = self.event_kinds();
        let happens = move |kind: EventKind| kinds.iter().any(|name| name == kind.name());
        let nodes = (0..self.scenario.topology.len()).map(NodeId::from);
        let names = nodes.flat_map(|me| self.scenario.protocol.code_names(me));
        names.filter(move |name| {
            let handler = name.rsplit('/').next().unwrap_or(name).split(':').next();
            match handler {
                Some("start") => false,
                Some("restart") => happens(EventKind::Reboot),
                Some("undeliverable") => happens(EventKind::Undeliverable),
                Some("timer") => happens(EventKind::Timer),
                Some("command") => happens(EventKind::Command),
                _ => happens(EventKind::Deliver),
            }
        })
    }

    /// Whether a node accepts a command in some state that was met.
    #[must_use]
    pub fn offers_commands(&self) -> bool {
        self.nodes.iter().flat_map(|table| &table.commands).any(|commands| !commands.is_empty())
    }

    /// By assumption: its name, and how often it was asked and excluded an event that those before it allow.
    #[must_use]
    pub fn exclusions(&self) -> Vec<(&str, u64)> {
        let names = self.scenario.assumptions.iter().map(|it| it.name.as_str());
        names.zip(self.readers.excluded.iter().map(Cell::get)).collect()
    }

    /// By pruning: its name, and how often it was asked and pruned a state that those before it do not.
    #[must_use]
    pub fn prunings(&self) -> Vec<(&str, u64)> {
        let names = self.scenario.prunings.iter().map(|it| it.name.as_str());
        names.zip(self.readers.pruned.iter().map(Cell::get)).collect()
    }

    /// The assertions that say nothing, since they hold without looking at the world. (One that fails without looking, about
    /// ends, says that there is none.)
    #[must_use]
    pub fn empty_assertions(&self) -> Vec<&str> {
        let Self { scenario, .. } = self;
        let assertions = scenario.assertions.iter().chain(&scenario.end_assertions);
        let empty = assertions.filter(|it| self.unseeing(it) == Some(true));
        empty.map(|it| it.name.as_str()).collect()
    }

    /// The assertions about ends, but for those that say that there is none.
    #[must_use]
    pub fn end_assertions(&self) -> Vec<&str> {
        let ends = self.scenario.end_assertions.iter();
        let ends = ends.filter(|it| self.unseeing(it) != Some(false));
        ends.map(|it| it.name.as_str()).collect()
    }

    /// What a condition answers without looking at the world, if it does not look: asked of one world, it then answers the same of
    /// all.
    fn unseeing(&self, condition: &Condition<P>) -> Option<bool> {
        // Those that were met first, whatever they are: nobody looks.
        let (tuple, network) = (0, 0);
        if self.tuples.len() == 0 || self.networks.len() == 0 || self.breakage(tuple).is_some() {
            return None;
        }
        let reading = self.read_packed(tuple, network, |world| {
            let watched = Watched { world, seen: Cell::new(false) };
            let answer = panics::catch(|| (condition.holds)(&World::new(&watched)));
            answer.ok().filter(|_| !watched.seen.get())
        });
        reading.answer
    }
}

/// A world that notes whether anything of it was looked at.
struct Watched<'a, 'w, P: Protocol> {
    world: &'a PackedWorld<'w, P>,
    seen: Cell<bool>,
}

impl<'a, 'w, P: Protocol> Watched<'a, 'w, P> {
    fn looked_at(&self) -> &'a PackedWorld<'w, P> {
        self.seen.set(true);
        self.world
    }
}

impl<P: Protocol> Snapshot<P> for Watched<'_, '_, P> {
    fn topology(&self) -> &Topology {
        self.looked_at().topology()
    }

    fn state(&self, node: NodeId) -> &P::State {
        self.looked_at().state(node)
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        self.looked_at().timers(node)
    }

    fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        self.looked_at().is_up(a, b)
    }

    fn packet_count(&self) -> usize {
        self.looked_at().packet_count()
    }

    fn first_packet(&self) -> u64 {
        self.looked_at().first_packet()
    }

    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, P>> {
        self.looked_at().next_packet(place)
    }
}
