//! Effects of a handler in a run that is given.

use std::time::Duration;

use everypath_model::{Decisions, Effects, NodeId, Outgoing, Packet, Protocol, Record};

use super::{
    moment::Moment,
    world::{OnWay, Passage, PlayedWorld},
};
use crate::{
    Fate, Observer, Sending,
    addressing::{assert_exists, assert_options, place_of_neighbour},
    clock::nanoseconds,
};

/// The effects of a handler: its decisions are given, and what it does takes place at once.
pub(super) struct PlayedEffects<'s, 'a, P: Protocol, O> {
    me: NodeId,
    choices: &'s [u32],
    /// The audiences of the next broadcasts; nothing, if all neighbours hear them.
    audiences: &'s [Vec<NodeId>],
    world: &'s mut PlayedWorld<'a, P>,
    observer: &'s mut O,
}

impl<'s, 'a, P: Protocol, O: Observer<P>> PlayedEffects<'s, 'a, P, O> {
    pub(super) fn new(
        me: NodeId,
        decisions: &'s Decisions,
        world: &'s mut PlayedWorld<'a, P>,
        observer: &'s mut O,
    ) -> Self {
        let Decisions { choices, audiences } = decisions;
        Self { me, choices, audiences, world, observer }
    }

    /// A message leaves the node: the number of the sending.
    fn leave(&mut self, to: Option<NodeId>, message: &P::Message, bytes: usize) -> u64 {
        let (number, from) = (self.world.next_sending(), self.me);
        let now = Duration::from_nanos(self.world.now);
        self.observer.sent(now, &Sending { number, from, to, message, bytes });
        number
    }

    fn put(
        &mut self,
        (sending, to): (u64, NodeId),
        message: P::Message,
        bytes: usize,
        passage: Passage,
    ) {
        let (from, now) = (self.me, Duration::from_nanos(self.world.now));
        let has_room = self.world.make_room(from, to);
        let arrives_at = Fate::Arrives(Duration::from_nanos(passage.arrives.at));
        let fate = if has_room { arrives_at } else { Fate::Dropped };
        self.observer.packet(now, sending, Packet { from, to, message: &message }, bytes, fate);
        if !has_room {
            return;
        }
        self.world.packets.push(OnWay { sending, from, to, message, passage });
        self.world.displace(to);
    }

    #[track_caller]
    fn send(&mut self, to: NodeId, message: P::Message, within: Duration) {
        let (me, scenario) = (self.me, self.world.scenario);
        let topology = &scenario.topology;
        if scenario.receivers.is_none() && self.world.radio.is_none() {
            place_of_neighbour(me, to, &message, topology.neighbours(me));
        }
        assert_exists(me, to, &message, topology.len());
        let bytes = scenario.bytes_of(&message);
        let sending = self.leave(Some(to), &message, bytes);
        let passage = self.world.passage(me, Some(to), bytes);
        let passage = Passage { within: nanoseconds(within), ..passage };
        self.put((sending, to), message, bytes, passage);
    }

    fn broadcast(&mut self, message: P::Message, within: Duration) {
        let (me, scenario) = (self.me, self.world.scenario);
        let bytes = scenario.bytes_of(&message);
        let sending = self.leave(None, &message, bytes);
        let by_radio = self.world.radio.map(|_| self.world.passage(me, None, bytes));
        let audience = match self.audiences.split_first() {
            None => scenario.topology.neighbours(me),
            Some((audience, rest)) => {
                self.audiences = rest;
                audience
            }
        };
        for &to in audience {
            let passage = by_radio.clone();
            let passage = passage.unwrap_or_else(|| self.world.passage(me, Some(to), bytes));
            let passage = Passage { within: nanoseconds(within), ..passage };
            self.put((sending, to), message.clone(), bytes, passage);
        }
    }
}

impl<P: Protocol, O: Observer<P>> Effects<P> for PlayedEffects<'_, '_, P, O> {
    #[track_caller]
    fn emit(&mut self, output: Outgoing<P::Message>) {
        match output {
            Outgoing::To(to, message) => self.send(to, message, Duration::ZERO),
            Outgoing::ToWithin(to, message, within) => self.send(to, message, within),
            Outgoing::ToAll(message) => self.broadcast(message, Duration::ZERO),
            Outgoing::ToAllWithin(message, within) => self.broadcast(message, within),
        }
    }

    fn set_timer(&mut self, timer: P::Timer, after: Duration) {
        self.observer.timer_set(self.me, &timer);
        let due = self.world.moment_after(nanoseconds(after));
        let before = self.world.timers[self.me.index()].insert(timer, due);
        self.world.unset(before);
    }

    fn prolong_timer(&mut self, timer: P::Timer, after: Duration) {
        self.observer.timer_set(self.me, &timer);
        let due = self.world.moment_after(nanoseconds(after));
        let before = self.world.timers[self.me.index()].remove(&timer);
        let due = before.iter().fold(due, Moment::or_later);
        self.world.timers[self.me.index()].insert(timer, due);
        self.world.unset(before);
    }

    fn cancel_timer(&mut self, timer: &P::Timer) {
        let before = self.world.timers[self.me.index()].remove(timer);
        self.world.unset(before);
    }

    fn time_left(&self, timer: &P::Timer) -> Option<Duration> {
        let due = self.world.timers[self.me.index()].get(timer)?.at;
        Some(Duration::from_nanos(due.saturating_sub(self.world.now)))
    }

    fn choose(&mut self, options: u32) -> u32 {
        assert_options(self.me, options);
        let Some((&choice, rest)) = self.choices.split_first() else {
            return 0;
        };
        self.choices = rest;
        assert!(choice < options, "{choice} was chosen of {options} options");
        choice
    }

    fn record(&mut self, record: Record) {
        self.observer.record(Duration::from_nanos(self.world.now), self.me, record);
    }

    fn neighbours(&self) -> &[NodeId] {
        self.world.scenario.topology.neighbours(self.me)
    }
}
