//! Travel of a transmission to all nodes that notice it.
//!
//! Its front, and then its tail, travel from the nearest to the farthest. If nothing else happens while they do, they need no
//! entry of the event queue for each whom they reach.

use everypath_model::NodeId;

use super::{
    medium::{Access, Medium},
    medium_context::MediumContext,
    medium_event::MediumEvent,
    receiver::{Arrival, Reception, TransmissionId},
    transmission::{Content, Listener, Transmission},
};
use crate::{LossReason, clock::Nanoseconds};

impl<M: Clone> Medium<M> {
    /// A node begins to transmit.
    pub(super) fn transmit(
        &mut self,
        from: NodeId,
        content: Content,
        airtime: Nanoseconds,
        context: &mut MediumContext<'_, M>,
    ) {
        let now = context.now;
        let ends = now.saturating_add(airtime);
        let mut listeners = self.spare_listeners.pop().unwrap_or_default();
        let (path, stations) = (&self.path, &self.stations);
        let has_capture = self.capture.is_finite();
        context.places.each_sensing(from, now, |node, distance_squared, is_near| {
            if !stations[node.index()].is_off() {
                let delay = path.delay(distance_squared);
                let power = if has_capture { path.power(distance_squared) } else { 1.0 };
                listeners.push(Listener { node, delay, is_near, power });
            }
        });
        if listeners.windows(2).any(|pair| pair[0].delay != pair[1].delay) {
            listeners.sort_by_key(|listener| listener.delay);
        }
        let first = listeners.first().map(|listener| listener.delay);
        let transmission = self.transmissions.insert(Transmission {
            from,
            content,
            begins: now,
            ends,
            listeners,
            fronts: 0,
            tails: 0,
            is_cut: false,
        });
        let station = &mut self.stations[from.index()];
        debug_assert!(station.transmission.is_none(), "one at a time");
        station.receiver.deafen(now);
        station.transmission = Some(transmission);
        station.transmits_until = ends;
        self.measure(from, context);
        if let Some(delay) = first {
            context.schedule(now.saturating_add(delay), MediumEvent::Front(transmission));
        }
        context.schedule(ends, MediumEvent::Sent(transmission));
    }

    /// A transmission begins to arrive at the next nodes that notice it.
    pub(super) fn front(&mut self, id: TransmissionId, context: &mut MediumContext<'_, M>) {
        loop {
            let transmission = self.transmissions.get_mut(id).expect("it is on its way");
            let begins = transmission.begins;
            let place = transmission.fronts;
            let Some(&Listener { node, delay, is_near, power }) = transmission.listeners.get(place)
            else {
                return;
            };
            let reached = begins.saturating_add(delay);
            if reached > context.now && !context.go_on(reached) {
                context.schedule(reached, MediumEvent::Front(id));
                return;
            }
            transmission.fronts += 1;
            let until = transmission.ends.saturating_add(delay);
            let capture = match self.access {
                // Nothing is weaker than nothing.
                Access::Ideal { .. } => 0.0,
                Access::AtOnce { .. } | Access::Dcf(_) => self.capture,
            };
            self.arrive(
                node,
                Arrival { transmission: id, is_near, power, until, capture },
                context,
            );
        }
    }

    /// A signal arrives at a node.
    pub(super) fn arrive(
        &mut self,
        node: NodeId,
        arrival: Arrival,
        context: &mut MediumContext<'_, M>,
    ) {
        let now = context.now;
        let station = &mut self.stations[node.index()];
        if station.is_off() {
            return;
        }
        let is_transmitting = station.transmission.is_some() && station.transmits_until > now;
        station.receiver.arrive(now, arrival, is_transmitting);
        if let (Access::Dcf(rules), Some(exchange)) = (&self.access, &mut station.exchange) {
            exchange.contention.freeze(now, station.current.is_some(), rules);
        }
        self.measure(node, context);
    }

    /// A transmission is over at its sender.
    pub(super) fn sent(&mut self, id: TransmissionId, context: &mut MediumContext<'_, M>) {
        let now = context.now;
        let transmission = self.transmissions.get(id).expect("it is on its way");
        let &Transmission { from, content, ref listeners, is_cut, .. } = transmission;
        let first = listeners.first().map(|listener| listener.delay);
        if let Some(delay) = first {
            context.schedule(now.saturating_add(delay), MediumEvent::Tail(id));
        }
        if !is_cut {
            self.stations[from.index()].transmission = None;
            self.measure(from, context);
            match self.access {
                Access::Ideal { delay, .. } => {
                    self.hear_ideally(from, content, delay, context);
                    self.send_next(from, context);
                }
                Access::AtOnce { .. } => self.send_next(from, context),
                Access::Dcf(rules) => self.transmitted(from, content, &rules, context),
            }
        }
        if first.is_none() {
            self.pass(id, context);
        }
    }

    /// A transmission has passed the next nodes that notice it. Those that it passes at one moment receive it together.
    pub(super) fn tail(&mut self, id: TransmissionId, context: &mut MediumContext<'_, M>) {
        let mut heard_by = context.list();
        loop {
            let transmission = self.transmissions.get_mut(id).expect("it is on its way");
            let &mut Transmission { content, ends, tails, ref listeners, .. } = transmission;
            let Some(&Listener { node, delay, .. }) = listeners.get(tails) else { break };
            let reached = ends.saturating_add(delay);
            if reached > context.now {
                if !heard_by.is_empty() {
                    self.deliver(content, heard_by, context);
                    heard_by = context.list();
                }
                if !context.go_on(reached) {
                    context.schedule(reached, MediumEvent::Tail(id));
                    context.spare.push(heard_by);
                    return;
                }
            }
            let transmission = self.transmissions.get_mut(id).expect("it is on its way");
            transmission.tails += 1;
            if self.leave(node, id, context) {
                heard_by.push(node);
            }
        }
        let content = self.transmissions.get(id).expect("it is on its way").content;
        self.deliver(content, heard_by, context);
        self.pass(id, context);
    }

    /// A transmission has passed a node. Whether it receives a frame by it.
    pub(super) fn leave(
        &mut self,
        node: NodeId,
        id: TransmissionId,
        context: &mut MediumContext<'_, M>,
    ) -> bool {
        let Some(mut passed) = self.stations[node.index()].receiver.leave(id) else { return false };
        let transmission = self.transmissions.get(id).expect("it is on its way");
        let &Transmission { from, content, is_cut, .. } = transmission;
        if is_cut && passed.reception == Reception::Clear {
            passed.reception = Reception::Lost(LossReason::Off);
        }
        self.measure(node, context);
        match self.access {
            // Who hears it was settled when it was sent.
            Access::Ideal { .. } => false,
            Access::AtOnce { .. } => self.is_received(node, content, passed, context.now),
            Access::Dcf(rules) => {
                let is_received = self.is_received(node, content, passed, context.now)
                    && self.is_new(node, from, content);
                self.react(node, from, content, passed, &rules, context);
                is_received
            }
        }
    }

    /// A transmission has passed all nodes that notice it.
    pub(super) fn pass(&mut self, id: TransmissionId, context: &mut MediumContext<'_, M>) {
        let Transmission { content, mut listeners, .. } = self.transmissions.remove(id);
        listeners.clear();
        self.spare_listeners.push(listeners);
        if let Content::Frame(frame) = content {
            if matches!(self.access, Access::AtOnce { .. }) {
                self.return_unheard(frame, context);
            }
            self.release(frame);
        }
    }
}
