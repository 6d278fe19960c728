//! Messages and code of a protocol that were never met in a search.

use std::{cell::Cell, collections::BTreeSet};

use everypath_model::{
    Condition, EventKind, Memory, NodeId, Packet, Protocol, Topology, World, WorldView, panics,
};

use super::{ProtocolMachine, world::PackedWorld};
use crate::{
    nodes::Input,
    tables::Tables,
    variants::{variant_of, variants},
};

/// The parts of a protocol that were never met, by name.
///
/// ```standalone_crate
/// # extern crate everypath_model as everypath;
/// use everypath_explore::{Options, explore};
/// use everypath_model::{Never, Node, NodeId, Protocol, Scenario, Start, Topology, data};
/// use everypath_network::{NetworkSpace, SpaceOptions};
///
/// #[data]
/// enum Message {
///     Hello,
///     Goodbye,
/// }
///
/// /// Greets, and never takes leave.
/// struct Guest;
///
/// impl Protocol for Guest {
///     type State = ();
///     type Message = Message;
///     type Timer = Never;
///     type Command = Never;
///
///     fn start(&self, node: &mut Start<'_, Self>) {
///         node.broadcast(Message::Hello);
///     }
///
///     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Message) {}
/// }
///
/// let scenario = Scenario::new(Guest, Topology::chain(2));
/// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// explore(&mut space, &Options::default(), &mut ()).unwrap();
/// assert_eq!(space.unmet().not_sent, ["Goodbye"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmet {
    /// The variants of messages that were never sent.
    pub not_sent: Vec<&'static str>,
    /// The variants that were sent but never arrived.
    pub not_delivered: Vec<&'static str>,
    /// The [code](everypath_model::Code) that was never executed, except that of events that cannot
    /// happen at all.
    pub not_executed: Vec<&'static str>,
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// The messages and code that were never met so far.
    pub(crate) fn find_unmet(&self, tables: &Tables) -> Unmet {
        let mut executed = BTreeSet::new();
        let mut has_unnamed = false;
        let mut delivered = BTreeSet::new();
        for (it, _) in tables.executed() {
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
        for name in self.code_that_can_be_executed(tables) {
            // Code without a print has no name either, and may be any of them.
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

    /// The code of all nodes, except that of events that cannot happen, and that of the start,
    /// which always happens.
    fn code_that_can_be_executed(&self, tables: &Tables) -> impl Iterator<Item = &'static str> {
        let kinds = tables.setup.kinds.clone();
        let happens = move |kind: EventKind| kinds.contains(&kind);
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

    /// The answer of a condition that does not read the world: it is the same in all worlds.
    /// Nothing, if the condition reads the world.
    pub(crate) fn answer_without_looking(
        &self,
        tables: &Tables,
        condition: &Condition<P>,
    ) -> Option<bool> {
        // The first ones, whatever they are: the answer counts only if the world is not read.
        let (tuple, network) = (0, 0);
        if tables.interner.tuples.len() == 0
            || tables.interner.networks.len() == 0
            || tables.interner.breakage(tuple).is_some()
        {
            return None;
        }
        let reading = self.read_packed(tables, tuple, network, |world| {
            let watched = Watched { world, seen: Cell::new(false) };
            let answer = panics::catch(|| (condition.holds)(&World::new(&watched)));
            answer.ok().filter(|_| !watched.seen.get())
        });
        reading.answer
    }
}

/// A world that notes whether it was read.
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

impl<P: Protocol> WorldView<P> for Watched<'_, '_, P> {
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

    fn memory(&self, observer: usize) -> Option<&dyn Memory> {
        self.looked_at().memory(observer)
    }
}
