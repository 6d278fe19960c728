//! What is transmitted, and who hears it.

use everypath_model::NodeId;

use crate::{LossReason, clock::Nanoseconds, world::Flight};

/// A frame that comes to who hears it, or back.
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

/// A frame that a node was given to transmit on a medium, until it is known what became of it.
pub(crate) struct OutgoingFrame<M> {
    /// Which sending of the run it is.
    pub(crate) sending: u64,
    pub(crate) from: NodeId,
    /// To whom; to whoever hears it if to nobody.
    pub(crate) to: Option<NodeId>,
    pub(crate) message: M,
    pub(crate) bytes: usize,
    /// Who has heard it, in the order in which they did.
    pub(crate) heard_by: Vec<NodeId>,
    /// When the last of them did.
    pub(crate) heard_at: Nanoseconds,
    /// Why it was not heard, if it was not.
    pub(crate) loss: LossReason,
    /// No two frames of a run have the same.
    pub(super) number: u64,
    /// How often it was transmitted.
    pub(crate) tries: u32,
    /// Who still needs it: its sender, and each of its transmissions.
    pub(super) holders: u32,
}

impl<M: Clone> OutgoingFrame<M> {
    /// What comes of it to who hears it, or back.
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
