//! Starts of nodes and handling of events, in a run that is given.

use std::time::Duration;

use everypath_model::{Decisions, Event, Input, Protocol, Scenario, panics};

use super::{
    PlaybackError, StartFrom, TimedEvent,
    effects::PlayedEffects,
    world::{OnWay, PlayedWorld},
};
use crate::Observer;

impl<'a, P: Protocol> PlayedWorld<'a, P> {
    /// The world before the first event.
    pub(super) fn begin(
        scenario: &'a Scenario<P>,
        from: &StartFrom<'_, P>,
        is_tracked: bool,
        observer: &mut impl Observer<P>,
    ) -> Result<Self, PlaybackError> {
        let mut played = Self::new(scenario);
        played.event = is_tracked.then_some(0);
        match from {
            StartFrom::World(world) => {
                played.put_into(world);
                played.begin_memories(&world.memories);
            }
            StartFrom::Start(decisions) => {
                played.start(decisions, observer)?;
                played.begin_memories(&[]);
            }
        }
        Ok(played)
    }

    fn start(
        &mut self,
        decisions: &[Decisions],
        observer: &mut impl Observer<P>,
    ) -> Result<(), PlaybackError> {
        for node in self.scenario.topology.nodes() {
            observer.started(node);
            let none = Decisions::default();
            let decided = decisions.get(node.index()).unwrap_or(&none);
            let protocol = &self.scenario.protocol;
            let mut effects = PlayedEffects::new(node, decided, self, observer);
            let state = panics::catch(|| protocol.bring_up(node, None, &mut effects))
                .map_err(|panic| PlaybackError::Start { node, message: panic.to_string() })?;
            self.states.push(state);
            self.list_timers(node);
        }
        Ok(())
    }

    /// Lets an event take place, and shows it to the scenario's observers: the message of its handler if it
    /// panicked, or what the event lacks if it cannot happen.
    pub(super) fn perform(
        &mut self,
        timed: &TimedEvent<'_, P>,
        observer: &mut impl Observer<P>,
    ) -> Result<Option<String>, String> {
        let panic = self.happen(timed, observer)?;
        if panic.is_none() {
            self.remember(&timed.event);
        }
        Ok(panic)
    }

    fn happen(
        &mut self,
        timed: &TimedEvent<'_, P>,
        observer: &mut impl Observer<P>,
    ) -> Result<Option<String>, String> {
        let sending = match &timed.event {
            Event::Deliver { packet, .. } | Event::Undeliverable { packet } => {
                Some(self.packets[self.find(packet)?].sending)
            }
            _ => None,
        };
        observer.event(Duration::from_nanos(self.now), &timed.event, sending);
        let protocol = &self.scenario.protocol;
        let (node, taken) = match &timed.event {
            Event::Lose { packet } => {
                let place = self.find(packet)?;
                self.packets.remove(place);
                return Ok(None);
            }
            Event::Duplicate { packet } => {
                let place = self.find(packet)?;
                let OnWay { sending, from, to, message, passage } = &self.packets[place];
                let (sending, from, to) = (*sending, *from, *to);
                let (message, passage) = (message.clone(), passage.clone());
                if self.is_full(from, to) {
                    return Ok(None);
                }
                let copy = OnWay { sending, from, to, message, passage };
                self.packets.insert(place + 1, copy);
                self.displace(to);
                return Ok(None);
            }
            Event::LinkDown { ends } => {
                self.down.insert(*ends);
                return Ok(None);
            }
            Event::LinkUp { ends } => {
                self.down.remove(ends);
                return Ok(None);
            }
            Event::Deliver { node, packet } => (*node, Some(self.take(packet)?)),
            Event::Undeliverable { packet } => (packet.from, Some(self.take(packet)?)),
            Event::Timer { node, timer } => {
                if self.timers[node.index()].remove(timer).is_none() {
                    return Err(format!("timer {timer:?} is not set at {node}"));
                }
                (*node, None)
            }
            Event::Command { node, .. } => (*node, None),
            Event::Reboot { node } => {
                let unset = std::mem::take(&mut self.timers[node.index()]);
                unset.into_values().for_each(|due| self.unset(Some(due)));
                (*node, None)
            }
        };
        let mut state = self.states[node.index()].clone();
        let mut effects = PlayedEffects::new(node, &timed.decisions, self, observer);
        let fx = &mut effects;
        let input = match (&timed.event, &taken) {
            (Event::Deliver { .. }, Some(packet)) => {
                Some(Input::Message { from: packet.from, message: &packet.message })
            }
            (Event::Undeliverable { .. }, Some(packet)) => {
                Some(Input::Undeliverable { to: packet.to, message: &packet.message })
            }
            (Event::Timer { timer, .. }, _) => Some(Input::Timer(*timer)),
            (Event::Command { command, .. }, _) => Some(Input::Command(*command)),
            _ => None,
        };
        let handled = panics::catch(|| match input {
            Some(input) => protocol.handle(node, &mut state, input, fx),
            None => state = protocol.bring_up(node, Some(&state), fx),
        });
        if let Err(panic) = handled {
            return Ok(Some(panic.to_string()));
        }
        self.states[node.index()] = state;
        self.list_timers(node);
        Ok(None)
    }
}
