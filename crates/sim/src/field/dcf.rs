//! Distributed coordination function of IEEE 802.11.

use everypath_model::NodeId;

use super::{
    contention::Rules,
    exchange::Exchange,
    medium::{Access, Medium},
    medium_context::MediumContext,
    medium_event::MediumEvent,
    receiver::{Passed, Reception},
    transmission::Content,
};
use crate::LossReason;

/// That it is there is known where nodes take turns and are not off.
const THERE: &str = "a node that takes turns has it";

impl<M: Clone> Medium<M> {
    fn exchange(&mut self, node: NodeId) -> &mut Exchange {
        self.stations[node.index()].exchange.as_mut().expect(THERE)
    }

    /// A node has a first frame to transmit.
    pub(super) fn contend(
        &mut self,
        node: NodeId,
        rules: &Rules,
        context: &mut MediumContext<'_, M>,
    ) {
        // Who forwards what it has just received, and has yet to acknowledge, found the medium idle.
        let is_quiet = self.stations[node.index()].is_quiet();
        self.exchange(node).contention.begin(context.now, is_quiet);
        self.count(node, rules, context);
    }

    /// The node counts down, if it is idle and has a reason to.
    fn count(&mut self, node: NodeId, rules: &Rules, context: &mut MediumContext<'_, M>) {
        let station = &mut self.stations[node.index()];
        if !station.is_idle() {
            return;
        }
        let exchange = station.exchange.as_mut().expect(THERE);
        exchange.contention.count(context.now, station.current.is_some(), rules);
        let Some(ends) = exchange.contention.ends() else { return };
        if exchange.entry.is_none_or(|(time, _)| time > ends) {
            let order = context.schedule(ends, MediumEvent::Turn(node));
            exchange.entry = Some((ends, order));
        }
    }

    /// The entry for a node's turn has come up.
    pub(super) fn turn(&mut self, node: NodeId, order: u64, context: &mut MediumContext<'_, M>) {
        let station = &mut self.stations[node.index()];
        let Some(exchange) = &mut station.exchange else { return };
        if exchange.entry.is_none_or(|(_, queued)| queued != order) {
            return;
        }
        exchange.entry = None;
        match exchange.contention.ends() {
            None => {}
            Some(ends) if ends > context.now => {
                let order = context.schedule(ends, MediumEvent::Turn(node));
                exchange.entry = Some((ends, order));
            }
            Some(_) => {
                exchange.contention.finish();
                if station.current.is_some() {
                    self.transmit_current(node, context);
                }
            }
        }
    }

    /// A node has transmitted something.
    pub(super) fn transmitted(
        &mut self,
        node: NodeId,
        content: Content,
        rules: &Rules,
        context: &mut MediumContext<'_, M>,
    ) {
        if let Content::Frame(frame) = content {
            let is_for_one = self.frames.get(frame).is_some_and(|frame| frame.to.is_some());
            if is_for_one {
                let overdue = context.now.saturating_add(rules.patience);
                let order = context.schedule(overdue, MediumEvent::Overdue(node));
                self.exchange(node).awaits = Some(order);
            } else {
                self.finish(node, rules);
            }
        }
        self.may_be_quiet(node, rules, context);
    }

    /// If there is no signal and the node does not transmit, the medium is quiet from now on.
    fn may_be_quiet(&mut self, node: NodeId, rules: &Rules, context: &mut MediumContext<'_, M>) {
        let station = &mut self.stations[node.index()];
        if station.is_quiet() {
            let exchange = station.exchange.as_mut().expect(THERE);
            exchange.contention.becomes_quiet(context.now, rules);
            self.count(node, rules, context);
        }
    }

    /// Whether a frame that a node has received is not the last one once more.
    pub(super) fn is_new(&mut self, node: NodeId, from: NodeId, content: Content) -> bool {
        let Content::Frame(frame) = content else { return false };
        let outgoing = self.frames.get(frame).expect("it is still needed");
        let (number, is_for_one) = (outgoing.number, outgoing.to.is_some());
        !is_for_one || self.exchange(node).latest.insert(from, number) != Some(number)
    }

    /// The reaction of a node to a transmission that has passed it.
    pub(super) fn react(
        &mut self,
        node: NodeId,
        from: NodeId,
        content: Content,
        passed: Passed,
        rules: &Rules,
        context: &mut MediumContext<'_, M>,
    ) {
        let is_clear = passed.reception == Reception::Clear;
        let mut is_acknowledged = false;
        if is_clear {
            let to = match content {
                Content::Frame(frame) => self.frames.get(frame).expect("it is still needed").to,
                Content::Acknowledgement { .. } => None,
            };
            let is_for_other = to.is_some_and(|to| to != node);
            let reserved =
                if is_for_other { context.now.saturating_add(rules.reservation()) } else { 0 };
            let exchange = self.exchange(node);
            exchange.contention.understand(reserved);
            if to == Some(node) && exchange.answers.is_none() {
                exchange.answers = Some(from);
                let then = context.now.saturating_add(rules.sifs);
                context.schedule(then, MediumEvent::Answer(node));
            }
            is_acknowledged = matches!(content, Content::Acknowledgement { to } if to == node)
                && exchange.awaits.is_some();
        } else if passed.was_followed {
            self.exchange(node).contention.spoil();
        }
        if is_acknowledged {
            self.exchange(node).awaits = None;
            self.finish(node, rules);
        } else if (is_clear || passed.was_followed) && self.exchange(node).awaits.is_some() {
            // What came was no acknowledgement: there will be none.
            self.fail(node, rules, context);
        }
        self.may_be_quiet(node, rules, context);
    }

    /// It is time for a node to acknowledge what it has received, whatever it hears.
    pub(super) fn answer(&mut self, node: NodeId, context: &mut MediumContext<'_, M>) {
        let station = &mut self.stations[node.index()];
        let Access::Dcf(rules) = self.access else { return };
        let Some(exchange) = &mut station.exchange else { return };
        let Some(to) = exchange.answers.take() else { return };
        if station.transmission.is_none() {
            let content = Content::Acknowledgement { to };
            self.transmit(node, content, rules.acknowledgement, context);
        }
    }

    /// An acknowledgement should have begun to arrive. If something is being received, that settles it.
    pub(super) fn overdue(&mut self, node: NodeId, order: u64, context: &mut MediumContext<'_, M>) {
        let Access::Dcf(rules) = self.access else { return };
        let station = &mut self.stations[node.index()];
        let Some(exchange) = &station.exchange else { return };
        if exchange.awaits == Some(order) && !station.receiver.is_following() {
            self.fail(node, &rules, context);
            self.may_be_quiet(node, &rules, context);
        }
    }

    /// A frame was not acknowledged: it is transmitted again, or comes back.
    fn fail(&mut self, node: NodeId, rules: &Rules, context: &mut MediumContext<'_, M>) {
        self.exchange(node).awaits = None;
        let frame = self.stations[node.index()].current.expect("it has transmitted one");
        let outgoing = self.frames.get_mut(frame).expect("it is still needed");
        if outgoing.tries < rules.tries {
            return self.exchange(node).contention.back_off(rules);
        }
        outgoing.loss = LossReason::RetryLimit;
        self.hand_back(frame, context);
        self.finish(node, rules);
    }

    /// The node is done with its frame; before the next it backs off.
    fn finish(&mut self, node: NodeId, rules: &Rules) {
        self.exchange(node).contention.start_over(rules);
        self.take_next(node);
    }
}
