//! Power supply of nodes: outages and empty batteries.

use everypath_model::NodeId;

use super::{
    energy::Mode,
    medium::{Access, Medium},
    medium_context::MediumContext,
    medium_event::MediumEvent,
    station::Supply,
};
use crate::{Battery, LossReason, clock::Nanoseconds};

impl<M: Clone> Medium<M> {
    /// Watches over all batteries.
    pub(super) fn start(&mut self, context: &mut MediumContext<'_, M>) {
        for node in 0..self.stations.len() {
            self.watch(NodeId::from(node), context);
        }
    }

    /// Whether a node is down, or its battery is empty.
    pub(super) fn is_off(&self, node: NodeId) -> bool {
        self.stations[node.index()].is_off()
    }

    /// Whether the battery of a node is empty.
    pub(super) fn is_empty(&self, node: NodeId) -> bool {
        self.stations[node.index()].supply == Supply::Empty
    }

    /// The batteries of nodes, if they need energy.
    pub(super) fn batteries(&self, now: Nanoseconds) -> Option<Vec<Battery>> {
        self.meters.as_ref().map(|meters| meters.read(now))
    }

    /// Notes what the radio of a node does now.
    pub(super) fn measure(&mut self, node: NodeId, context: &mut MediumContext<'_, M>) {
        let Some(meters) = &mut self.meters else { return };
        let station = &self.stations[node.index()];
        let mode = if station.transmission.is_some() {
            Mode::Transmitting
        } else if station.receiver.is_near_any() {
            Mode::Receiving
        } else {
            Mode::Idle
        };
        if let Some(due) = meters.change(node, mode, context.now) {
            let order = context.schedule(due, MediumEvent::Empty(node));
            meters.queued(node, due, order);
        }
    }

    /// Schedules a look at a battery when it will be empty.
    pub(super) fn watch(&mut self, node: NodeId, context: &mut MediumContext<'_, M>) {
        let Some(meters) = &mut self.meters else { return };
        if let Some(due) = meters.watch(node) {
            let order = context.schedule(due, MediumEvent::Empty(node));
            meters.queued(node, due, order);
        }
    }

    /// A node goes down, unless its battery is empty anyway.
    pub(super) fn go_down(&mut self, node: NodeId, now: Nanoseconds) {
        if !self.is_off(node) {
            self.switch_off(node, Supply::Down, now);
        }
    }

    /// A node comes up; false if its battery is empty, and it does not. It notices what is transmitted from now on.
    pub(super) fn come_up(&mut self, node: NodeId, context: &mut MediumContext<'_, M>) -> bool {
        let station = &mut self.stations[node.index()];
        if station.supply == Supply::Empty {
            return false;
        }
        station.supply = Supply::On;
        if let (Access::Dcf(rules), Some(exchange)) = (&self.access, &mut station.exchange) {
            exchange.contention.becomes_quiet(context.now, rules);
        }
        self.measure(node, context);
        true
    }

    /// A node goes off.
    pub(super) fn switch_off(&mut self, node: NodeId, supply: Supply, now: Nanoseconds) {
        if let Some(meters) = &mut self.meters {
            meters.switch_off(node, now, supply == Supply::Empty);
        }
        let station = &mut self.stations[node.index()];
        station.supply = supply;
        station.receiver.switch_off();
        if let (Access::Dcf(rules), Some(exchange)) = (&self.access, &mut station.exchange) {
            exchange.reset(rules);
        }
        if let Some(transmission) = station.transmission.take() {
            let transmission = self.transmissions.get_mut(transmission);
            transmission.expect("it is on its way").is_cut = true;
        }
        let left: Vec<u32> =
            station.current.take().into_iter().chain(station.waiting.drain(..)).collect();
        for frame in left {
            self.frames.get_mut(frame).expect("it is still needed").loss = LossReason::Off;
            self.release(frame);
        }
    }
}
