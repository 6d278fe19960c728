//! Station: a node as a medium sees it.

use std::collections::VecDeque;

use super::{
    exchange::Exchange,
    receiver::{Receiver, TransmissionId},
};
use crate::clock::Nanoseconds;

/// Whether a node is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Supply {
    On,
    /// It is down, and may come up.
    Down,
    /// Its battery is empty.
    Empty,
}

/// A node as the medium sees it.
pub(super) struct Station {
    pub(super) receiver: Receiver,
    /// Its transmission under way.
    pub(super) transmission: Option<TransmissionId>,
    pub(super) transmits_until: Nanoseconds,
    /// The frame that it is busy with.
    pub(super) current: Option<u32>,
    pub(super) waiting: VecDeque<u32>,
    /// With the distributed coordination function only.
    pub(super) exchange: Option<Exchange>,
    pub(super) supply: Supply,
}

impl Station {
    /// Whether there is no signal and the node does not transmit.
    pub(super) fn is_quiet(&self) -> bool {
        self.receiver.is_quiet() && self.transmission.is_none()
    }

    /// Whether it is quiet and the node is not in the middle of an exchange.
    pub(super) fn is_idle(&self) -> bool {
        let is_done = |exchange: &Exchange| exchange.awaits.is_none() && exchange.answers.is_none();
        self.is_quiet() && self.exchange.as_ref().is_some_and(is_done)
    }

    /// Whether the node is down, or its battery is empty.
    pub(super) fn is_off(&self) -> bool {
        self.supply != Supply::On
    }
}
