//! Delivery of frames to their receivers, and their return to the sender.

use everypath_model::NodeId;

use super::{
    frame::{Hearing, Missed, OutgoingFrame},
    medium::Medium,
    medium_context::MediumContext,
    receiver::{Passed, Reception},
    transmission::Content,
};
use crate::{LossReason, clock::Nanoseconds};

impl<M: Clone> Medium<M> {
    /// The receptions that failed since this was asked last, each with its frame.
    pub(crate) fn take_missed(&mut self) -> impl Iterator<Item = (Missed, &OutgoingFrame<M>)> {
        let frames = &self.frames;
        self.missed.drain(..).filter_map(|missed| {
            let frame = frames.get(missed.frame)?;
            Some((missed, frame))
        })
    }

    /// Whether a node receives what has passed it, if that is a frame and for it.
    pub(super) fn is_received(
        &mut self,
        node: NodeId,
        content: Content,
        passed: Passed,
        time: Nanoseconds,
    ) -> bool {
        let Content::Frame(frame) = content else { return false };
        let outgoing = self.frames.get_mut(frame).expect("it is still needed");
        if outgoing.to.is_some_and(|to| to != node) {
            return false;
        }
        match passed.reception {
            Reception::Clear => true,
            Reception::Weak => false,
            Reception::Lost(loss) => {
                outgoing.loss = loss;
                self.missed.push(Missed { time, frame, node, loss });
                false
            }
        }
    }

    /// Lets the nodes that have received a frame at this moment handle it.
    pub(super) fn deliver(
        &mut self,
        content: Content,
        heard_by: Vec<NodeId>,
        context: &mut MediumContext<'_, M>,
    ) {
        let Content::Frame(frame) = content else {
            return context.spare.push(heard_by);
        };
        if heard_by.is_empty() {
            return context.spare.push(heard_by);
        }
        let outgoing = self.frames.get_mut(frame).expect("it is still needed");
        outgoing.heard_by.extend_from_slice(&heard_by);
        outgoing.heard_at = context.now;
        let frame = outgoing.frame(Hearing::By(heard_by));
        context.hand(context.now, frame);
    }

    /// A frame of the idealised radio was sent: the nodes within range now will hear it.
    pub(super) fn hear_ideally(
        &mut self,
        from: NodeId,
        content: Content,
        delay: Nanoseconds,
        context: &mut MediumContext<'_, M>,
    ) {
        let Content::Frame(frame) = content else {
            unreachable!("nothing is acknowledged");
        };
        let now = context.now;
        let mut heard_by = context.list();
        let outgoing = self.frames.get_mut(frame).expect("it is still needed");
        match outgoing.to {
            None => context.places.near(from, now, &mut heard_by),
            Some(to) if context.places.are_near(from, to, now) => heard_by.push(to),
            Some(_) => {}
        }
        let nearby = heard_by.len();
        heard_by.retain(|node| !self.stations[node.index()].is_off());
        if heard_by.len() < nearby && outgoing.to.is_some() {
            outgoing.loss = LossReason::Off;
        }
        if heard_by.is_empty() {
            context.spare.push(heard_by);
            return self.return_unheard(frame, context);
        }
        outgoing.heard_by.extend_from_slice(&heard_by);
        outgoing.heard_at = now.saturating_add(delay);
        let frame = outgoing.frame(Hearing::By(heard_by));
        context.hand(now.saturating_add(delay), frame);
    }

    /// A frame comes back to its sender, if it was for one node and that has not received it.
    pub(super) fn return_unheard(&mut self, frame: u32, context: &mut MediumContext<'_, M>) {
        let outgoing = self.frames.get(frame).expect("it is still needed");
        if outgoing.heard_by.is_empty() && !self.is_off(outgoing.from) {
            self.hand_back(frame, context);
        }
    }

    /// A frame comes back to its sender, if it was for one node.
    pub(super) fn hand_back(&mut self, frame: u32, context: &mut MediumContext<'_, M>) {
        let outgoing = self.frames.get(frame).expect("it is still needed");
        if let Some(to) = outgoing.to {
            let frame = outgoing.frame(Hearing::Unheard(to));
            context.hand(context.now, frame);
        }
    }
}
