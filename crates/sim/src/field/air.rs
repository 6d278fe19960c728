//! Radios of all nodes, and the channel between them.

use std::cell::RefCell;

use everypath_model::{Field, IdealRadio, NodeId, Position, Radio};

use super::{
    frame::{Frame, Hearing, OutgoingFrame},
    medium::Medium,
    medium_context::MediumContext,
    medium_event::MediumEvent,
    places::Places,
};
use crate::{
    Battery, Entry, EventQueue,
    clock::{Nanoseconds, nanoseconds},
    outages::Outages,
    slab::Slab,
    transmitter::Transmitter,
};

/// The nodes that hear a frame, and when.
pub(crate) struct Settled {
    pub(crate) hearing: Hearing,
    pub(crate) time: Nanoseconds,
}

impl Settled {
    /// The same, given what is down or goes down meanwhile.
    fn among(
        self,
        outages: &mut Outages,
        now: Nanoseconds,
        from: NodeId,
        to: Option<NodeId>,
    ) -> Self {
        let Self { hearing, time } = self;
        if outages.node_down(from, (now, time)).is_some() {
            return Self { hearing: Hearing::By(Vec::new()), time };
        }
        let Hearing::By(mut nodes) = hearing else {
            return Self { hearing, time };
        };
        nodes.retain(|&node| outages.node_down(node, (time, time)).is_none());
        let hearing = match to {
            Some(to) if nodes.is_empty() => Hearing::Unheard(to),
            _ => Hearing::By(nodes),
        };
        Self { hearing, time }
    }
}

/// Radios: the nodes' positions, and how frames travel.
pub(crate) struct Air<M> {
    /// Behind a cell, since questions about positions change its caches.
    places: RefCell<Places>,
    /// The frames that come to the nodes that hear them, or back.
    pub(crate) frames: Slab<Frame<M>>,
    /// Lists that are used again.
    spare: Vec<Vec<NodeId>>,
    channel: Channel<M>,
}

/// How frames travel.
enum Channel<M> {
    /// Undisturbed: the fate of a frame is settled when it is handed over.
    Ideal { delay: Nanoseconds, transmitters: Vec<Transmitter> },
    /// On a medium, where that is known only at its end.
    Medium(Box<Medium<M>>),
}

impl<M: Clone> Air<M> {
    pub(crate) fn new(field: &Field, nodes: usize, seed: u64, replication: u32) -> Self {
        let path = Medium::<M>::path(&field.radio);
        let run = (seed, replication);
        let places = Places::new(field, nodes, run, path.reception_squared(), path.sense);
        let channel = match field.radio {
            Radio::Ideal(IdealRadio { bandwidth_bps, delay, queue, .. })
                if field.energy.is_none() =>
            {
                let transmitter = || Transmitter::new(Some(bandwidth_bps), queue);
                let transmitters = std::iter::repeat_with(transmitter).take(nodes).collect();
                Channel::Ideal { delay: nanoseconds(delay), transmitters }
            }
            _ => Channel::Medium(Box::new(Medium::new(field, nodes, run))),
        };
        Self { places: RefCell::new(places), frames: Slab::new(), spare: Vec::new(), channel }
    }

    /// Where a node is at a time.
    pub(crate) fn position(&self, node: NodeId, time: Nanoseconds) -> Position {
        self.places.borrow_mut().position(node, time)
    }

    /// The nodes within range of a node, in order.
    pub(crate) fn near(&self, node: NodeId, time: Nanoseconds) -> Vec<NodeId> {
        let mut near = Vec::new();
        self.places.borrow_mut().near(node, time, &mut near);
        near
    }

    /// Hands a frame to a node's transmitter, where frames travel undisturbed: which nodes will hear it, and when.
    /// Positions and outages are known in advance, so that is, too. `None` if too many frames are waiting already.
    pub(crate) fn transmit(
        &mut self,
        now: Nanoseconds,
        (from, to): (NodeId, Option<NodeId>),
        bytes: usize,
        outages: &mut Outages,
    ) -> Option<Settled> {
        let Channel::Ideal { delay, transmitters } = &mut self.channel else {
            unreachable!("a medium settles nothing in advance");
        };
        let sent = transmitters[from.index()].offer(now, bytes)?;
        let places = self.places.get_mut();
        let settled = match to {
            Some(to) if !places.are_near(from, to, sent) => {
                Settled { hearing: Hearing::Unheard(to), time: sent }
            }
            _ => {
                let mut heard_by = self.spare.pop().unwrap_or_default();
                match to {
                    Some(to) => heard_by.push(to),
                    None => places.near(from, sent, &mut heard_by),
                }
                Settled { hearing: Hearing::By(heard_by), time: sent.saturating_add(*delay) }
            }
        };
        Some(match outages.is_empty() {
            true => settled,
            false => settled.among(outages, now, from, to),
        })
    }

    /// Takes back the list of the nodes that heard a frame.
    pub(crate) fn recycle(&mut self, mut heard_by: Vec<NodeId>) {
        heard_by.clear();
        self.spare.push(heard_by);
    }

    /// The medium, if there is one.
    #[inline]
    pub(crate) fn medium(&mut self) -> Option<&mut Medium<M>> {
        match &mut self.channel {
            Channel::Ideal { .. } => None,
            Channel::Medium(medium) => Some(medium),
        }
    }

    /// The medium, if there is one, and what it acts upon.
    fn split<'a>(
        &'a mut self,
        now: Nanoseconds,
        until: Nanoseconds,
        queue: &'a mut EventQueue,
    ) -> Option<(&'a mut Medium<M>, MediumContext<'a, M>)> {
        let Channel::Medium(medium) = &mut self.channel else { return None };
        let Self { places, frames, spare, .. } = self;
        Some((medium, MediumContext { now, until, queue, places: places.get_mut(), frames, spare }))
    }

    /// Before anything happens.
    pub(crate) fn start(&mut self, queue: &mut EventQueue) {
        if let Some((medium, mut context)) = self.split(0, 0, queue) {
            medium.start(&mut context);
        }
    }

    /// Gives a node a frame to transmit on the medium; back, if too many are waiting already.
    pub(crate) fn offer(
        &mut self,
        now: Nanoseconds,
        queue: &mut EventQueue,
        route: (u64, NodeId, Option<NodeId>),
        message: M,
        bytes: usize,
    ) -> Option<M> {
        let (medium, mut context) =
            self.split(now, now, queue).expect("asked where there is a medium");
        medium.offer(route, message, bytes, &mut context)
    }

    /// Handles an entry of the event queue that is the medium's, and what follows from it up to a moment: the time
    /// afterwards. `None` if it is for a protocol to handle.
    #[inline]
    pub(crate) fn happen(
        &mut self,
        entry: Entry,
        until: Nanoseconds,
        queue: &mut EventQueue,
    ) -> Option<Nanoseconds> {
        let event = MediumEvent::of(entry.slot())?;
        let (medium, mut context) =
            self.split(entry.time(), until, queue).expect("it is a medium's");
        medium.happen(event, entry.order(), &mut context);
        Some(context.now)
    }

    /// Whether a node is down, or its battery is empty, where there is a medium.
    #[inline]
    pub(crate) fn is_off(&self, node: NodeId) -> bool {
        match &self.channel {
            Channel::Ideal { .. } => false,
            Channel::Medium(medium) => medium.is_off(node),
        }
    }

    /// Whether the battery of a node is empty.
    #[inline]
    pub(crate) fn is_empty(&self, node: NodeId) -> bool {
        match &self.channel {
            Channel::Ideal { .. } => false,
            Channel::Medium(medium) => medium.is_empty(node),
        }
    }

    /// A node goes down: what it is sending and what waits there is lost.
    pub(crate) fn go_down(&mut self, node: NodeId, now: Nanoseconds) {
        match &mut self.channel {
            Channel::Ideal { transmitters, .. } => transmitters[node.index()].clear(),
            Channel::Medium(medium) => medium.go_down(node, now),
        }
    }

    /// A node comes up; false if its battery is empty, and it does not.
    pub(crate) fn come_up(
        &mut self,
        node: NodeId,
        now: Nanoseconds,
        queue: &mut EventQueue,
    ) -> bool {
        let Some((medium, mut context)) = self.split(now, now, queue) else { return true };
        medium.come_up(node, &mut context)
    }

    /// The batteries of nodes, if they need energy.
    pub(crate) fn batteries(&self, now: Nanoseconds) -> Option<Vec<Battery>> {
        match &self.channel {
            Channel::Ideal { .. } => None,
            Channel::Medium(medium) => medium.batteries(now),
        }
    }

    /// The frames on a medium whose fate is not known yet.
    pub(crate) fn pending(&self) -> impl Iterator<Item = &OutgoingFrame<M>> {
        let medium = match &self.channel {
            Channel::Ideal { .. } => None,
            Channel::Medium(medium) => Some(medium),
        };
        medium.into_iter().flat_map(|medium| medium.pending())
    }
}
