//! The order in which a network delivers packets.

use std::{fmt, num::NonZeroU8, str::FromStr};

use thiserror::Error;

/// The syntax of a kind of network, for messages.
pub(crate) const NETWORK_SYNTAX: &str =
    "unordered, fifo, list, or inbox:N (each node has a mailbox of N packets, from 1 to 255)";

/// The order in which a network delivers packets.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{NetworkKind, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(3)).network(NetworkKind::FifoPerLink);
/// assert_eq!(scenario.network.to_string(), "fifo");
/// assert_eq!("inbox:2".parse(), Ok(NetworkKind::inbox(2)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkKind {
    /// Any packet can arrive next: a multiset.
    Unordered,
    /// Packets from one node to another arrive in the order of sending.
    FifoPerLink,
    /// One list for the whole network. A node receives the oldest packet that is addressed to it,
    /// or that it can receive by the scenario's [receivers](crate::Scenario::receivers).
    GlobalList,
    /// Each node has a mailbox for this many packets and receives the oldest of them. A packet that
    /// is put into a full mailbox displaces the oldest one, which is lost.
    Inbox(NonZeroU8),
}

impl NetworkKind {
    /// One network of each kind, and mailboxes of two sizes.
    pub const EXAMPLES: [Self; 5] = [
        Self::Unordered,
        Self::FifoPerLink,
        Self::GlobalList,
        Self::Inbox(NonZeroU8::MIN),
        Self::Inbox(NonZeroU8::new(2).unwrap()),
    ];

    /// A mailbox of this many packets for each node.
    ///
    /// # Panics
    /// If a mailbox holds nothing.
    #[must_use]
    #[track_caller]
    pub const fn inbox(packets: u8) -> Self {
        match NonZeroU8::new(packets) {
            Some(packets) => Self::Inbox(packets),
            None => panic!("a mailbox holds at least one packet"),
        }
    }
}

impl fmt::Display for NetworkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unordered => f.write_str("unordered"),
            Self::FifoPerLink => f.write_str("fifo"),
            Self::GlobalList => f.write_str("list"),
            Self::Inbox(packets) => write!(f, "inbox:{packets}"),
        }
    }
}

/// A text that is not a kind of network.
///
/// ```
/// use everypath_model::NetworkKind;
///
/// let error = "inbox:0".parse::<NetworkKind>().unwrap_err();
/// assert_eq!(error.text, "inbox:0");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` is not a kind of network; write {NETWORK_SYNTAX}")]
#[non_exhaustive]
pub struct NetworkKindError {
    /// The text.
    pub text: String,
}

impl FromStr for NetworkKind {
    type Err = NetworkKindError;

    fn from_str(text: &str) -> Result<Self, NetworkKindError> {
        match (text, text.strip_prefix("inbox:").map(str::parse)) {
            ("unordered", _) => Ok(Self::Unordered),
            ("fifo", _) => Ok(Self::FifoPerLink),
            ("list", _) => Ok(Self::GlobalList),
            (_, Some(Ok(packets))) => Ok(Self::Inbox(packets)),
            _ => Err(NetworkKindError { text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for kind in NetworkKind::EXAMPLES {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        for wrong in ["inbox", "inbox:", "inbox:0", "inbox:256", "inbox:-1", "queue", ""] {
            assert!(wrong.parse::<NetworkKind>().is_err(), "{wrong}");
        }
    }
}
