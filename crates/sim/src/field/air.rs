//! What carries frames from node to node.

use std::cell::RefCell;

use everypath_model::{Field, IdealRadio, NodeId, Position, Radio};

use super::{neighbourhood::Neighbourhood, trajectory::Trajectories};
use crate::{
    clock::{Nanoseconds, nanoseconds},
    slab::Slab,
    transmitter::Transmitter,
    world::Flight,
};

/// A frame on its way.
pub(crate) struct Frame<M> {
    /// Which sending of the run it is.
    pub(crate) sending: u64,
    pub(crate) from: NodeId,
    pub(crate) message: M,
    pub(crate) hearing: Hearing,
}

/// Who hears a frame.
pub(crate) enum Hearing {
    /// These, in order.
    By(Vec<NodeId>),
    /// Not the one that it is for: it comes back to its sender.
    Unheard(NodeId),
}

/// When something comes of a transmission.
pub(crate) struct Settled {
    pub(crate) hearing: Hearing,
    pub(crate) time: Nanoseconds,
}

impl<M: Clone> Frame<M> {
    /// The packets that it stands for.
    pub(crate) fn flights(&self) -> impl Iterator<Item = Flight<M>> {
        let to = match &self.hearing {
            Hearing::By(nodes) => nodes.as_slice(),
            Hearing::Unheard(node) => std::slice::from_ref(node),
        };
        let (sending, from, message) = (self.sending, self.from, &self.message);
        to.iter().map(move |&to| Flight::new(sending, from, to, message.clone()))
    }
}

/// What carries frames: the nodes' places and their transmitters.
pub(crate) struct Air<M> {
    /// Asked by who may change nothing; what changes then is what it remembers of places.
    places: RefCell<Places>,
    delay: Nanoseconds,
    transmitters: Vec<Transmitter>,
    pub(crate) frames: Slab<Frame<M>>,
    /// Lists that are used again.
    spare: Vec<Vec<NodeId>>,
}

/// Where nodes are.
struct Places {
    trajectories: Trajectories,
    neighbourhood: Neighbourhood,
    range_squared: f64,
}

impl Places {
    fn are_near(&mut self, one: NodeId, other: NodeId, time: Nanoseconds) -> bool {
        let place = self.trajectories.position(one.index(), time);
        let distance = place.distance_squared(self.trajectories.position(other.index(), time));
        distance <= self.range_squared
    }

    /// Appends who is within range of a node, in order.
    fn near(&mut self, node: NodeId, time: Nanoseconds, near: &mut Vec<NodeId>) {
        self.neighbourhood.within_range(node, time, &mut self.trajectories, near);
    }
}

impl<M> Air<M> {
    pub(crate) fn new(field: &Field, nodes: usize, seed: u64, replication: u32) -> Self {
        let trajectories = Trajectories::new(&field.mobility, nodes, seed, replication);
        let Radio::Ideal(IdealRadio { range, bandwidth_bps, delay, queue }) = field.radio;
        let transmitter = || Transmitter::new(Some(bandwidth_bps), queue);
        let places = Places {
            neighbourhood: Neighbourhood::new(range, &trajectories),
            trajectories,
            range_squared: range * range,
        };
        Self {
            places: RefCell::new(places),
            delay: nanoseconds(delay),
            transmitters: std::iter::repeat_with(transmitter).take(nodes).collect(),
            frames: Slab::new(),
            spare: Vec::new(),
        }
    }

    /// Where a node is at a time.
    pub(crate) fn position(&self, node: NodeId, time: Nanoseconds) -> Position {
        self.places.borrow_mut().trajectories.position(node.index(), time)
    }

    /// Who is within range of a node, in order.
    pub(crate) fn near(&self, node: NodeId, time: Nanoseconds) -> Vec<NodeId> {
        let mut near = Vec::new();
        self.places.borrow_mut().near(node, time, &mut near);
        near
    }

    /// Hands a frame to a node's transmitter: who will hear it, and when. Since it is known where nodes
    /// will be, so is that. Nothing, if too many frames are waiting already.
    pub(crate) fn transmit(
        &mut self,
        now: Nanoseconds,
        from: NodeId,
        to: Option<NodeId>,
        bytes: usize,
    ) -> Option<Settled> {
        let sent = self.transmitters[from.index()].offer(now, bytes)?;
        let places = self.places.get_mut();
        let mut heard_by = self.spare.pop().unwrap_or_default();
        match to {
            None => places.near(from, sent, &mut heard_by),
            Some(to) if places.are_near(from, to, sent) => heard_by.push(to),
            Some(to) => {
                self.spare.push(heard_by);
                return Some(Settled { hearing: Hearing::Unheard(to), time: sent });
            }
        }
        let time = sent.saturating_add(self.delay);
        Some(Settled { hearing: Hearing::By(heard_by), time })
    }

    /// Forgets what a node is sending and what waits there.
    pub(crate) fn clear(&mut self, node: NodeId) {
        self.transmitters[node.index()].clear();
    }

    /// Takes back the list of who heard a frame.
    pub(crate) fn recycle(&mut self, mut heard_by: Vec<NodeId>) {
        heard_by.clear();
        self.spare.push(heard_by);
    }
}
