//! Frames, and the nodes that hear them.

use everypath_model::NodeId;

use crate::{LossReason, clock::Nanoseconds, world::Flight};

/// A frame that comes to the nodes that hear it, or back.
pub(crate) struct Frame<M> {
    /// Which sending of the run it is.
    pub(crate) sending: u64,
    pub(crate) from: NodeId,
    pub(crate) message: M,
    pub(crate) hearing: Hearing,
}

/// The nodes that hear a frame.
pub(crate) enum Hearing {
    /// These, in order.
    By(Vec<NodeId>),
    /// Not its receiver: it comes back to its sender.
    Unheard(NodeId),
}

impl<M: Clone> Frame<M> {
    /// The packets that it stands for.
    pub(crate) fn flights(&self) -> impl Iterator<Item = Flight<M>> {
        let to = match &self.hearing {
            Hearing::By(nodes) => nodes.as_slice(),
            Hearing::Unheard(node) => std::slice::from_ref(node),
        };
        let (sending, from, message) = (self.sending, self.from, &self.message);
        let returns = matches!(self.hearing, Hearing::Unheard(_));
        to.iter()
            .map(move |&to| Flight { returns, ..Flight::new(sending, from, to, message.clone()) })
    }
}

/// A frame that a node was given to transmit on a medium, until its fate is known.
pub(crate) struct OutgoingFrame<M> {
    /// Which sending of the run it is.
    pub(crate) sending: u64,
    pub(crate) from: NodeId,
    /// The receiver; `None` for a broadcast.
    pub(crate) to: Option<NodeId>,
    pub(crate) message: M,
    pub(crate) bytes: usize,
    /// The nodes that have heard it, in the order in which they did.
    pub(crate) heard_by: Vec<NodeId>,
    /// When the last of them did.
    pub(crate) heard_at: Nanoseconds,
    /// Why it was not heard, if it was not.
    pub(crate) loss: LossReason,
    /// No two frames of a run have the same.
    pub(super) number: u64,
    /// How often it was transmitted.
    pub(crate) tries: u32,
    /// How many still need it: its sender, and each of its transmissions.
    pub(super) holders: u32,
}

impl<M: Clone> OutgoingFrame<M> {
    /// The frame that comes to the nodes that hear it, or back.
    pub(super) fn frame(&self, hearing: Hearing) -> Frame<M> {
        Frame { sending: self.sending, from: self.from, message: self.message.clone(), hearing }
    }
}

/// A node that was near enough did not receive a frame.
pub(crate) struct Missed {
    pub(crate) time: Nanoseconds,
    pub(crate) frame: u32,
    pub(crate) node: NodeId,
    pub(crate) loss: LossReason,
}
