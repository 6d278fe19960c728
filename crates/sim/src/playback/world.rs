//! Nodes and network of a run that is given.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use everypath_model::{
    Capacity, Event, Memory, NetworkKind, NodeId, Packet, PropagationDelay, Protocol, Radio,
    Scenario, Topology, WorldSnapshot, WorldView,
};
use rustc_hash::FxHashMap;

use super::{Overdue, least::Wait, moment::Moment};
use crate::{
    clock::{Nanoseconds, nanoseconds},
    memories::Memories,
    transmitter::airtime,
};

/// A packet in flight.
pub(super) struct OnWay<M> {
    /// The number of the sending that it belongs to.
    pub(super) sending: u64,
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    pub(super) message: M,
    pub(super) passage: Passage,
}

/// When a packet that is handed to a link has been sent, and when it arrives if nothing holds it up.
#[derive(Clone)]
pub(super) struct Passage {
    pub(super) sent: Moment,
    pub(super) arrives: Moment,
    /// How much later it may be handed to the link, and so arrive, without being late.
    pub(super) within: Nanoseconds,
}

/// The nodes and the network.
pub(super) struct PlayedWorld<'a, P: Protocol> {
    pub(super) scenario: &'a Scenario<P>,
    pub(super) now: Nanoseconds,
    pub(super) states: Vec<P::State>,
    /// By node: when each timer that is set is due.
    pub(super) timers: Vec<BTreeMap<P::Timer, Moment>>,
    /// By node: the timers that are set, for assertions to read.
    set: Vec<Vec<P::Timer>>,
    pub(super) packets: Vec<OnWay<P::Message>>,
    /// How many sendings there were.
    pub(super) sendings: u64,
    /// When the link to a node, or the radio, is free again.
    free: FxHashMap<(NodeId, Option<NodeId>), Moment>,
    pub(super) down: BTreeSet<(NodeId, NodeId)>,
    /// The radio, if packets are sent by radio.
    pub(super) radio: Option<Radio>,
    /// What the scenario's observers remember, if it has any.
    pub(super) memories: Option<Box<Memories<P>>>,
    /// The number of the event that takes place; 0 is the start of the run. Nothing if it is not tracked which events
    /// decide when others can take place.
    pub(super) event: Option<usize>,
    /// The timers that were unset, and what has happened when it was due, if that is tracked.
    pub(super) waits: Vec<Wait>,
}

impl<'a, P: Protocol> PlayedWorld<'a, P> {
    /// A world in which no node has started.
    pub(super) fn new(scenario: &'a Scenario<P>) -> Self {
        let nodes = scenario.topology.len();
        Self {
            scenario,
            now: 0,
            states: Vec::with_capacity(nodes),
            timers: vec![BTreeMap::new(); nodes],
            set: vec![Vec::new(); nodes],
            packets: Vec::new(),
            sendings: 0,
            free: FxHashMap::default(),
            down: BTreeSet::new(),
            radio: None,
            memories: None,
            event: None,
            waits: Vec::new(),
        }
    }

    /// The present moment.
    pub(super) fn moment(&self) -> Moment {
        self.moment_after(0)
    }

    /// The moment that comes this much later.
    pub(super) fn moment_after(&self, span: Nanoseconds) -> Moment {
        let after = self.event.map(|event| (event, span));
        Moment { at: self.now.saturating_add(span), after: after.into_iter().collect() }
    }

    /// A moment of the simulated run in which it starts, or the start if that is later.
    fn moment_at(&self, at: Nanoseconds) -> Moment {
        Moment { at, ..self.moment_after(at.saturating_sub(self.now)) }
    }

    /// Notes that something has waited until the present event, if that is tracked.
    pub(super) fn waited(&mut self, (due, within): (&Moment, Nanoseconds), is_due: bool) {
        if let Some(until) = self.event {
            self.waits.push(Wait { until, due: due.clone(), within, reached: self.now, is_due });
        }
    }

    /// Notes that the wait for a timer is over without its having fired.
    pub(super) fn unset(&mut self, due: Option<Moment>) {
        if let Some(due) = due {
            self.waited((&due, 0), false);
        }
    }

    /// Lets the observers begin, with what they remember of a simulated run if that is where it starts.
    pub(super) fn begin_memories(&mut self, kept: &[Box<dyn Memory>]) {
        self.memories = Memories::of(self.scenario, kept, &self.states, self.set.clone());
    }

    /// Shows an event that has happened to the observers.
    pub(super) fn remember(&mut self, event: &Event<'_, P>) {
        if let Some(mut memories) = self.memories.take() {
            memories.observe(self.scenario, event, self);
            self.memories = Some(memories);
        }
    }

    /// Continues from a snapshot of a simulated run.
    pub(super) fn put_into(&mut self, world: &WorldSnapshot<P>) {
        self.now = nanoseconds(world.time);
        self.down.extend(&world.down);
        self.radio = world
            .by_radio
            .then(|| self.scenario.simulation.field.as_ref().expect("radios are on a field").radio);
        for (node, kept) in self.scenario.topology.nodes().zip(&world.nodes) {
            self.states.push(kept.state.clone());
            let due = kept.due.iter().map(|&due| self.moment_at(nanoseconds(due)));
            self.timers[node.index()] = kept.timers.iter().cloned().zip(due).collect();
            self.list_timers(node);
        }
        for packet in &world.packets {
            let (from, to, message) = (packet.from, packet.to, packet.message.clone());
            let passage = match packet.arrives {
                Some(arrives) => {
                    let arrives = self.moment_at(nanoseconds(arrives));
                    Passage { sent: arrives.clone(), arrives, within: 0 }
                }
                None => {
                    let bytes = self.scenario.bytes_of(&message);
                    self.passage(from, Some(to), bytes)
                }
            };
            let sending = self.next_sending();
            self.packets.push(OnWay { sending, from, to, message, passage });
        }
    }

    /// When an event takes place by itself at the earliest, and how much later without being late, if it has a time of
    /// its own; what it lacks if it cannot.
    pub(super) fn due(
        &self,
        event: &Event<'_, P>,
    ) -> Result<Option<(Moment, Nanoseconds)>, String> {
        match event {
            Event::Timer { node, timer } => match self.timers[node.index()].get(timer) {
                Some(due) => Ok(Some((due.clone(), 0))),
                None => Err(format!("timer {timer:?} is not set at {node}")),
            },
            Event::Deliver { packet, .. } => {
                let Passage { arrives, within, .. } = &self.packets[self.find(packet)?].passage;
                Ok(Some((arrives.clone(), *within)))
            }
            // By radio, it is known that it was not heard when it has been sent.
            Event::Undeliverable { packet } => {
                let Passage { sent, within, .. } = &self.packets[self.find(packet)?].passage;
                Ok(self.radio.map(|_| (sent.clone(), *within)))
            }
            Event::Command { .. }
            | Event::Lose { .. }
            | Event::Duplicate { .. }
            | Event::Reboot { .. }
            | Event::LinkDown { .. }
            | Event::LinkUp { .. } => Ok(None),
        }
    }

    /// The place of the first such packet to arrive.
    pub(super) fn find(&self, packet: &Packet<'_, P>) -> Result<usize, String> {
        let places = self.packets.iter().enumerate().filter(|(_, way)| {
            (way.from, way.to, &way.message) == (packet.from, packet.to, packet.message)
        });
        places.min_by_key(|(_, way)| way.passage.arrives.at).map(|(place, _)| place).ok_or_else(
            || {
                let Packet { from, to, message } = packet;
                format!("{message:?} from {from} to {to} is not on its way")
            },
        )
    }

    pub(super) fn take(&mut self, packet: &Packet<'_, P>) -> Result<OnWay<P::Message>, String> {
        self.find(packet).map(|place| self.packets.remove(place))
    }

    /// Removes the oldest packet in flight to a node if its mailbox has more packets than it holds.
    pub(super) fn displace(&mut self, node: NodeId) {
        let NetworkKind::Inbox(capacity) = self.scenario.network else {
            return;
        };
        let mut waiting = self.packets.iter().enumerate().filter(|(_, way)| way.to == node);
        if let Some((oldest, _)) = waiting.next()
            && waiting.count() >= capacity.get().into()
        {
            self.packets.remove(oldest);
        }
    }

    /// Whether no more packets fit on a link.
    pub(super) fn is_full(&self, from: NodeId, to: NodeId) -> bool {
        let on_link = || self.packets.iter().filter(|way| (way.from, way.to) == (from, to)).count();
        self.scenario.capacity.most().is_some_and(|most| on_link() >= most as usize)
    }

    /// Whether a link has room for one more packet, for which its oldest one may be lost.
    pub(super) fn make_room(&mut self, from: NodeId, to: NodeId) -> bool {
        if !self.is_full(from, to) {
            return true;
        }
        if !matches!(self.scenario.capacity, Capacity::OldestLost(_)) {
            return false;
        }
        let oldest = self.packets.iter().position(|way| (way.from, way.to) == (from, to));
        self.packets.remove(oldest.expect("a full link has packets"));
        true
    }

    /// Hands a packet to a link, or to a radio; `None` is a broadcast.
    pub(super) fn passage(&mut self, from: NodeId, to: Option<NodeId>, bytes: usize) -> Passage {
        let (who, span, delay) = match (&self.radio, to) {
            (None, Some(to)) => {
                let link = self.scenario.simulation.link_between(from, to);
                let span = link.bandwidth_bps.map_or(0, |rate| airtime(bytes, rate));
                ((from, Some(to)), span, nanoseconds(link.delay))
            }
            (Some(radio), _) => {
                let (span, delay) = on_air(radio, bytes, to.is_some());
                ((from, None), span, delay)
            }
            (None, None) => unreachable!("over links, each packet is for one node"),
        };
        let now = self.moment();
        let sent = match self.free.get(&who) {
            Some(free) => now.or_later(free),
            None => now,
        };
        let sent = sent.later(span);
        self.free.insert(who, sent.clone());
        Passage { arrives: sent.clone().later(delay), sent, within: 0 }
    }

    /// The number of the next sending.
    pub(super) fn next_sending(&mut self) -> u64 {
        self.sendings += 1;
        self.sendings - 1
    }

    pub(super) fn list_timers(&mut self, node: NodeId) {
        self.set[node.index()] = self.timers[node.index()].keys().cloned().collect();
    }

    /// The timers that should have fired by now.
    pub(super) fn overdue(&self) -> Vec<Overdue> {
        let timers = self.scenario.topology.nodes().zip(&self.timers);
        let timers = timers.flat_map(|(node, timers)| {
            timers.iter().map(move |(timer, due)| (node, timer, due.at))
        });
        let overdue = timers.filter(|&(_, _, due)| due < self.now);
        overdue
            .map(|(node, timer, due)| Overdue {
                node,
                timer: format!("{timer:?}"),
                late: Duration::from_nanos(self.now - due),
            })
            .collect()
    }
}

/// How long a frame takes at least to be sent, if the medium is free and there is no backoff, and then
/// to arrive. The time that light takes is ignored: it is a microsecond for 300 m.
fn on_air(radio: &Radio, bytes: usize, is_for_one: bool) -> (Nanoseconds, Nanoseconds) {
    let delay = |delay| match delay {
        PropagationDelay::Constant(delay) => nanoseconds(delay),
        PropagationDelay::Light => 0,
    };
    match radio {
        Radio::Ideal(radio) => (airtime(bytes, radio.bandwidth_bps), nanoseconds(radio.delay)),
        Radio::Shared(radio) => (airtime(bytes, radio.bandwidth_bps), delay(radio.delay)),
        Radio::Dcf(radio) => {
            let rate = if is_for_one { radio.data_bps } else { radio.basic_bps };
            let before = nanoseconds(radio.difs).saturating_add(nanoseconds(radio.preamble));
            let frame = airtime(bytes.saturating_add(radio.header_bytes), rate);
            (before.saturating_add(frame), delay(radio.delay))
        }
    }
}

impl<P: Protocol> WorldView<P> for PlayedWorld<'_, P> {
    fn topology(&self) -> &Topology {
        &self.scenario.topology
    }

    fn state(&self, node: NodeId) -> &P::State {
        &self.states[node.index()]
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        &self.set[node.index()]
    }

    fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        self.topology().are_neighbours(a, b) && !self.down.contains(&(a.min(b), a.max(b)))
    }

    fn packet_count(&self) -> usize {
        self.packets.len()
    }

    fn first_packet(&self) -> u64 {
        0
    }

    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, P>> {
        let way = self.packets.get(usize::try_from(*place).ok()?)?;
        *place += 1;
        Some(Packet { from: way.from, to: way.to, message: &way.message })
    }

    fn memory(&self, observer: usize) -> Option<&dyn Memory> {
        self.memories.as_ref()?.get(observer)
    }
}
