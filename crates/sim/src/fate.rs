//! Sendings, and the fates of their packets and frames.

use std::{
    fmt::{self, Display},
    time::Duration,
};

use everypath_model::{NodeId, Protocol};

/// The fate of a packet, known when it is sent.
///
/// ```
/// use std::time::Duration;
/// use everypath_sim::Fate;
///
/// assert_eq!(Fate::Arrives(Duration::from_millis(3)).reason(), None);
/// assert_eq!(Fate::Lost.reason(), Some("link-loss"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives at this moment.
    Arrives(Duration),
    /// The link loses it, though it was sent.
    Lost,
    /// The link's queue was full.
    Dropped,
    /// The link is down, or goes down meanwhile: it comes back to its sender at this moment.
    Returns(Duration),
}

impl Fate {
    /// Why a packet does not arrive, as it is written in files.
    #[must_use]
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Arrives(_) => None,
            Self::Lost => Some("link-loss"),
            Self::Dropped => Some(LossReason::QueueFull.name()),
            Self::Returns(_) => Some("link-down"),
        }
    }
}

/// A message that leaves a node, to one node or to all that hear it.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use std::time::Duration;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Limits, Observer, Sending, Simulation};
///
/// /// The bytes of all messages.
/// struct Bytes(usize);
///
/// impl Observer<Coin> for Bytes {
///     fn sent(&mut self, _: Duration, sending: &Sending<'_, Coin>) {
///         self.0 += sending.bytes;
///     }
/// }
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4));
/// let mut bytes = Bytes(0);
/// Simulation::observed(&scenario, 1, 0, &mut bytes)?.run(&Limits::default())?;
/// assert_eq!(bytes.0, 4 * 64);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Sending<'a, P: Protocol> {
    /// Its number in the run, from 0 on. Packets, frames and events refer to it.
    pub number: u64,
    /// The sender.
    pub from: NodeId,
    /// The receiver; `None` for all neighbours.
    pub to: Option<NodeId>,
    /// The message.
    pub message: &'a P::Message,
    /// Its size on the wire.
    pub bytes: usize,
}

/// Why a frame is lost.
///
/// ```
/// use everypath_sim::LossReason;
///
/// assert_eq!(LossReason::Collision.name(), "collision");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossReason {
    /// The receiver is too far away.
    OutOfRange,
    /// Another frame overlapped it.
    Collision,
    /// The receiver transmitted meanwhile.
    Transmitting,
    /// It was transmitted as often as it may be, and never acknowledged.
    RetryLimit,
    /// Too many were waiting for the transmitter.
    QueueFull,
    /// The sender or the receiver was down, or its battery was empty.
    Off,
}

impl LossReason {
    /// As it is written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OutOfRange => "out-of-range",
            Self::Collision => "collision",
            Self::Transmitting => "transmitting",
            Self::RetryLimit => "retry-limit",
            Self::QueueFull => "queue-full",
            Self::Off => "off",
        }
    }
}

impl Display for LossReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The fate of a frame.
///
/// ```
/// use everypath_sim::{FrameFate, LossReason};
///
/// assert_eq!(FrameFate::Dropped.loss(), Some(LossReason::QueueFull));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameFate<'a> {
    /// It is heard.
    Heard {
        /// By these nodes, in order; by none if it is a broadcast and no node is near.
        by: &'a [NodeId],
        /// At this moment.
        at: Duration,
    },
    /// The receiver does not hear it.
    Unheard {
        /// At this moment its sender is notified, unless it is off.
        at: Duration,
        /// Why.
        reason: LossReason,
    },
    /// The transmitter's queue was full.
    Dropped,
}

impl FrameFate<'_> {
    /// Why it is lost, if it is.
    #[must_use]
    pub fn loss(&self) -> Option<LossReason> {
        match self {
            Self::Heard { .. } => None,
            Self::Unheard { reason, .. } => Some(*reason),
            Self::Dropped => Some(LossReason::QueueFull),
        }
    }
}

impl<P: Protocol> Display for Sending<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} to ", self.message)?;
        match self.to {
            Some(to) => write!(f, "{to}, {} B", self.bytes),
            None => write!(f, "all, {} B", self.bytes),
        }
    }
}
