//! Effects of handlers in a simulation.

use std::{cell::OnceCell, time::Duration};

use everypath_model::{Effects, NodeId, Outgoing, Protocol, Record, Scenario};

use crate::{
    FrameFate, LossReason, Observer, Priority, Sending,
    addressing::{assert_exists, assert_options, place_of_neighbour},
    carrier::Carrier,
    clock::nanoseconds,
    engine::{Departure, Engine},
    field::{Frame, Hearing, Settled},
    link::Passage,
    links::passage,
    world::Flight,
};

/// The effects of a handler of one node. They take place at once; no other node can notice that before
/// the handler returns.
pub(crate) struct NodeEffects<'m, P: Protocol, O> {
    me: NodeId,
    scenario: &'m Scenario<P>,
    neighbours: &'m [NodeId],
    /// On a field: the nodes in range, once they were asked for.
    near: OnceCell<Vec<NodeId>>,
    engine: &'m mut Engine<P>,
    observer: &'m mut O,
}

impl<'m, P: Protocol, O: Observer<P>> NodeEffects<'m, P, O> {
    #[inline]
    pub(crate) fn new(
        me: NodeId,
        scenario: &'m Scenario<P>,
        engine: &'m mut Engine<P>,
        observer: &'m mut O,
    ) -> Self {
        Self {
            me,
            scenario,
            neighbours: scenario.topology.neighbours(me),
            near: OnceCell::new(),
            engine,
            observer,
        }
    }

    /// Sends a message that was postponed.
    pub(crate) fn depart(&mut self, departure: Departure<P::Message>) {
        self.send(departure.to, departure.message, departure.sending);
    }

    /// Sends to one node, or to all.
    #[track_caller]
    #[inline]
    fn send(&mut self, to: Option<NodeId>, message: P::Message, sending: u64) {
        match self.engine.carrier {
            Carrier::Links(_) => self.hand_to_links(to, message, sending),
            Carrier::Late(_) => self.address(to, message, sending),
            Carrier::Air(_) => self.transmit(to, message, sending),
        }
    }

    #[track_caller]
    #[inline]
    fn hand_to_links(&mut self, to: Option<NodeId>, message: P::Message, sending: u64) {
        if let Some(to) = to {
            let place = place_of_neighbour(self.me, to, &message, self.neighbours);
            let bytes = self.announce(sending, Some(to), &message);
            return self.hand_over(place, message, bytes, sending);
        }
        let bytes = self.announce(sending, None, &message);
        if self.engine.audiences.is_some() {
            return self.hand_to_audience(&message, bytes, sending);
        }
        let Some(last) = self.neighbours.len().checked_sub(1) else {
            return;
        };
        for place in 0..last {
            self.hand_over(place, message.clone(), bytes, sending);
        }
        self.hand_over(last, message, bytes, sending);
    }

    /// The nodes that hear a broadcast: all neighbours, or an audience that is drawn.
    fn audience(&mut self) -> Vec<NodeId> {
        let audiences = self.engine.audiences.as_mut();
        audiences.map_or_else(|| self.neighbours.to_vec(), |audiences| audiences.draw(self.me))
    }

    /// Hands a message to the links to an audience that is drawn.
    #[cold]
    fn hand_to_audience(&mut self, message: &P::Message, bytes: usize, sending: u64) {
        for to in self.audience() {
            let place = self.neighbours.binary_search(&to).expect("an audience is of neighbours");
            self.hand_over(place, message.clone(), bytes, sending);
        }
    }

    /// Shows a sending to the observer; how many bytes it has.
    #[inline]
    fn announce(&mut self, number: u64, to: Option<NodeId>, message: &P::Message) -> usize {
        let bytes = self.scenario.bytes_of(message);
        let now = Duration::from_nanos(self.engine.now);
        self.observer.sent(now, &Sending { number, from: self.me, to, message, bytes });
        bytes
    }

    /// Hands a message to the link to the neighbour at this place of the list.
    #[inline]
    fn hand_over(&mut self, place: usize, message: P::Message, bytes: usize, sending: u64) {
        let engine = &mut *self.engine;
        engine.packets.sent += 1;
        let way = (self.me, self.neighbours[place]);
        let has_room = !engine.is_bounded() || engine.make_room(way, self.scenario, self.observer);
        let link = engine.carrier.links().at(self.me, place);
        let to = link.to;
        let passage = match has_room {
            true => passage(link, self.me, engine.now, bytes, &mut engine.outages),
            false => Passage::Dropped,
        };
        let doubled = link.duplicates();
        let flight = Flight::new(sending, self.me, to, message);
        let copy = doubled.then(|| flight.clone());
        engine.settle(flight, passage, bytes, self.observer);
        engine.settle_copy(copy, passage, bytes, self.observer);
    }

    /// Transmits a message by radio.
    #[track_caller]
    fn transmit(&mut self, to: Option<NodeId>, message: P::Message, sending: u64) {
        let me = self.me;
        if let Some(to) = to {
            assert_exists(me, to, &message, self.engine.nodes());
            assert!(to != me, "{me} sends {message:?} to itself");
        }
        let bytes = self.announce(sending, to, &message);
        let Engine { carrier, now, queue, packets, outages, .. } = &mut *self.engine;
        let air = carrier.air_mut().expect("messages are transmitted by radio");
        if air.medium().is_some() {
            if let Some(message) = air.offer(*now, queue, (sending, me, to), message, bytes) {
                let frame = Sending { number: sending, from: me, to, message: &message, bytes };
                self.observer.frame(Duration::from_nanos(*now), &frame, FrameFate::Dropped);
                packets.count(FrameFate::Dropped);
            }
            return;
        }
        let settled = air.transmit(*now, (me, to), bytes, outages);
        let fate = match &settled {
            None => FrameFate::Dropped,
            Some(Settled { hearing: Hearing::By(nodes), time }) => {
                FrameFate::Heard { by: nodes, at: Duration::from_nanos(*time) }
            }
            Some(Settled { hearing: Hearing::Unheard(_), time }) => FrameFate::Unheard {
                at: Duration::from_nanos(*time),
                reason: LossReason::OutOfRange,
            },
        };
        let frame = Sending { number: sending, from: me, to, message: &message, bytes };
        self.observer.frame(Duration::from_nanos(*now), &frame, fate);
        packets.count(fate);
        match settled {
            None => {}
            Some(Settled { hearing: Hearing::By(nodes), .. }) if nodes.is_empty() => {
                air.recycle(nodes);
            }
            Some(Settled { hearing, time }) => {
                let slot = air.frames.insert(Frame { sending, from: me, message, hearing });
                queue.push(time, Priority::Frame, slot);
            }
        }
    }

    /// Lets packets wait until the handler has returned: only then it is known which node receives them.
    #[cold]
    #[track_caller]
    fn address(&mut self, to: Option<NodeId>, message: P::Message, sending: u64) {
        self.announce(sending, to, &message);
        match to {
            Some(to) => {
                assert_exists(self.me, to, &message, self.engine.nodes());
                self.engine.let_wait(Flight::new(sending, self.me, to, message));
            }
            None => {
                for to in self.audience() {
                    self.engine.let_wait(Flight::new(sending, self.me, to, message.clone()));
                }
            }
        }
    }

    fn postpone(&mut self, to: Option<NodeId>, message: P::Message, within: Duration) {
        let sending = self.engine.next_sending();
        let (from, downs) = (self.me, self.engine.downs[self.me.index()]);
        let departure = Departure { sending, from, to, message, downs };
        if within.is_zero() {
            return self.depart(departure);
        }
        self.observer.postponed(sending);
        let engine = &mut *self.engine;
        let while_ns = engine.streams[self.me.index()].jitter.up_to(nanoseconds(within));
        let slot = engine.departures.insert(departure);
        let time = engine.now.saturating_add(while_ns);
        engine.queue.push(time, Priority::Departure, slot);
    }

    /// Records how many hops a route has more than the shortest path.
    #[inline(never)]
    fn compare(&mut self, name: &'static str, from: NodeId, hops: u32) {
        let engine = &mut *self.engine;
        if let Some(shortest) = engine.distance(from, self.me) {
            let value = f64::from(hops) - f64::from(shortest);
            engine.measurements.record(engine.now, Record::Sample { name, value });
        }
    }
}

impl<P: Protocol, O: Observer<P>> Effects<P> for NodeEffects<'_, P, O> {
    #[track_caller]
    #[inline]
    fn emit(&mut self, output: Outgoing<P::Message>) {
        match output {
            Outgoing::To(to, message) => {
                let sending = self.engine.next_sending();
                self.send(Some(to), message, sending);
            }
            Outgoing::ToAll(message) => {
                let sending = self.engine.next_sending();
                self.send(None, message, sending);
            }
            Outgoing::ToWithin(to, message, within) => self.postpone(Some(to), message, within),
            Outgoing::ToAllWithin(message, within) => self.postpone(None, message, within),
        }
    }

    #[inline]
    fn set_timer(&mut self, timer: P::Timer, after: Duration) {
        let engine = &mut *self.engine;
        let due = engine.now.saturating_add(nanoseconds(after));
        self.observer.timer_set(self.me, &timer);
        engine.timers.set(self.me, timer, due, &mut engine.queue);
    }

    #[inline]
    fn prolong_timer(&mut self, timer: P::Timer, after: Duration) {
        let engine = &mut *self.engine;
        let due = engine.now.saturating_add(nanoseconds(after));
        if engine.timers.is_due_before(self.me, &timer, due) {
            self.observer.timer_set(self.me, &timer);
            engine.timers.set(self.me, timer, due, &mut engine.queue);
        }
    }

    #[inline]
    fn cancel_timer(&mut self, timer: &P::Timer) {
        self.engine.timers.cancel(self.me, timer);
    }

    fn time_left(&self, timer: &P::Timer) -> Option<Duration> {
        let due = self.engine.timers.due(self.me, timer)?;
        Some(Duration::from_nanos(due.saturating_sub(self.engine.now)))
    }

    #[track_caller]
    #[inline]
    fn choose(&mut self, options: u32) -> u32 {
        assert_options(self.me, options);
        self.engine.streams[self.me.index()].choices.choose(options)
    }

    #[inline]
    fn record(&mut self, record: Record) {
        let now = self.engine.now;
        self.observer.record(Duration::from_nanos(now), self.me, record);
        match record {
            Record::Route { name, from, hops } => self.compare(name, from, hops),
            _ => self.engine.measurements.record(now, record),
        }
    }

    fn neighbours(&self) -> &[NodeId] {
        match self.engine.carrier {
            Carrier::Links(_) | Carrier::Late(_) => self.neighbours,
            Carrier::Air(_) => self.near.get_or_init(|| self.engine.linked_to(self.me)),
        }
    }
}
