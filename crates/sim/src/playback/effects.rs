//! The effects of a handler in a run that is given.

use std::time::Duration;

use everypath_model::{Effects, NodeId, Outgoing, Packet, Protocol, Record, not_a_neighbour};

use super::world::{OnWay, Passage, PlayedWorld};
use crate::{Fate, Observer, Sending, clock::nanoseconds};

/// What a handler acts through: what it chooses is given, and what it does takes place at once.
pub(super) struct Acting<'s, 'a, P: Protocol, O> {
    me: NodeId,
    choices: &'s [u32],
    stage: &'s mut PlayedWorld<'a, P>,
    observer: &'s mut O,
}

impl<'s, 'a, P: Protocol, O: Observer<P>> Acting<'s, 'a, P, O> {
    pub(super) fn new(
        me: NodeId,
        choices: &'s [u32],
        stage: &'s mut PlayedWorld<'a, P>,
        observer: &'s mut O,
    ) -> Self {
        Self { me, choices, stage, observer }
    }

    /// A message leaves the node: the number of the sending.
    fn leave(&mut self, to: Option<NodeId>, message: &P::Message, bytes: usize) -> u64 {
        let (number, from) = (self.stage.next_sending(), self.me);
        let now = Duration::from_nanos(self.stage.now);
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
        let (from, now) = (self.me, Duration::from_nanos(self.stage.now));
        let Passage { sent, arrives } = passage;
        let fate = Fate::Arrives(Duration::from_nanos(arrives));
        self.observer.packet(now, sending, Packet { from, to, message: &message }, bytes, fate);
        self.stage.packets.push(OnWay { sending, from, to, message, sent, arrives });
    }

    #[track_caller]
    fn send(&mut self, to: NodeId, message: P::Message) {
        let (me, scenario) = (self.me, self.stage.scenario);
        let topology = &scenario.topology;
        if scenario.receivers.is_none() && self.stage.radio.is_none() {
            let neighbours = topology.neighbours(me);
            if neighbours.binary_search(&to).is_err() {
                not_a_neighbour(me, to, &message, neighbours);
            }
        }
        let there = to.index() < topology.len();
        assert!(there, "{me} sends {message:?} to {to}, which does not exist");
        let bytes = scenario.bytes_of(&message);
        let sending = self.leave(Some(to), &message, bytes);
        let passage = self.stage.passage(me, Some(to), bytes);
        self.put((sending, to), message, bytes, passage);
    }

    fn broadcast(&mut self, message: P::Message) {
        let (me, scenario) = (self.me, self.stage.scenario);
        let bytes = scenario.bytes_of(&message);
        let sending = self.leave(None, &message, bytes);
        let by_radio = self.stage.radio.map(|_| self.stage.passage(me, None, bytes));
        for &to in scenario.topology.neighbours(me) {
            let passage = by_radio.unwrap_or_else(|| self.stage.passage(me, Some(to), bytes));
            self.put((sending, to), message.clone(), bytes, passage);
        }
    }
}

impl<P: Protocol, O: Observer<P>> Effects<P> for Acting<'_, '_, P, O> {
    #[track_caller]
    fn emit(&mut self, output: Outgoing<P::Message>) {
        match output {
            Outgoing::To(to, message) | Outgoing::ToWithin(to, message, _) => {
                self.send(to, message);
            }
            Outgoing::ToAll(message) | Outgoing::ToAllWithin(message, _) => self.broadcast(message),
        }
    }

    fn set_timer(&mut self, timer: P::Timer, after: Duration) {
        self.observer.timer_set(self.me, &timer);
        let due = self.stage.now.saturating_add(nanoseconds(after));
        self.stage.timers[self.me.index()].insert(timer, due);
    }

    fn prolong_timer(&mut self, timer: P::Timer, after: Duration) {
        self.observer.timer_set(self.me, &timer);
        let due = self.stage.now.saturating_add(nanoseconds(after));
        let set = self.stage.timers[self.me.index()].entry(timer).or_insert(due);
        *set = due.max(*set);
    }

    fn cancel_timer(&mut self, timer: &P::Timer) {
        self.stage.timers[self.me.index()].remove(timer);
    }

    fn time_left(&self, timer: &P::Timer) -> Option<Duration> {
        let due = self.stage.timers[self.me.index()].get(timer)?;
        Some(Duration::from_nanos(due.saturating_sub(self.stage.now)))
    }

    fn choose(&mut self, options: u32) -> u32 {
        assert!(options > 0, "{} chooses among no options", self.me);
        let Some((&choice, rest)) = self.choices.split_first() else {
            return 0;
        };
        self.choices = rest;
        assert!(choice < options, "{choice} was chosen of {options} options");
        choice
    }

    fn record(&mut self, record: Record) {
        self.observer.record(Duration::from_nanos(self.stage.now), self.me, record);
    }

    fn neighbours(&self) -> &[NodeId] {
        self.stage.scenario.topology.neighbours(self.me)
    }
}
