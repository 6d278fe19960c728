//! Context of a medium: time, event queue and positions.

use everypath_model::NodeId;

use super::{frame::Frame, medium_event::MediumEvent, places::Places};
use crate::{EventQueue, Priority, clock::Nanoseconds, slab::Slab};

/// What a medium acts upon besides itself: time, the event queue, positions and frames.
pub(super) struct MediumContext<'a, M> {
    pub(super) now: Nanoseconds,
    /// Beyond which moment nothing may happen yet.
    pub(super) until: Nanoseconds,
    pub(super) queue: &'a mut EventQueue,
    pub(super) places: &'a mut Places,
    /// The frames that come to the nodes' protocols.
    pub(super) frames: &'a mut Slab<Frame<M>>,
    /// Lists that are used again.
    pub(super) spare: &'a mut Vec<Vec<NodeId>>,
}

impl<M> MediumContext<'_, M> {
    pub(super) fn schedule(&mut self, time: Nanoseconds, event: MediumEvent) -> u64 {
        self.queue.push(time, Priority::Frame, event.slot())
    }

    /// Lets time go on to a moment, if nothing else happens before or at it: then no entry of the queue is needed. True if so.
    pub(super) fn go_on(&mut self, time: Nanoseconds) -> bool {
        let is_next = self.queue.peek().is_none_or(|entry| entry.time() > time);
        let goes_on = time <= self.until && is_next;
        if goes_on {
            self.now = time;
        }
        goes_on
    }

    /// Lets a protocol handle a frame.
    pub(super) fn hand(&mut self, time: Nanoseconds, frame: Frame<M>) {
        let slot = self.frames.insert(frame);
        self.queue.push(time, Priority::Frame, slot);
    }

    pub(super) fn list(&mut self) -> Vec<NodeId> {
        self.spare.pop().unwrap_or_default()
    }
}
