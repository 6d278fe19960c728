//! What routers tell each other.

use std::fmt;

use everypath_model::{
    NodeId,
    serde::{Deserialize, Serialize},
};

use super::INFINITY;

/// How far a destination is from the one that sends this (RFC 2453, 3.6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Entry {
    /// Which destination.
    pub destination: NodeId,
    /// How far it is.
    pub metric: u8,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.metric {
            INFINITY => write!(f, "{} unreachable", self.destination),
            metric => write!(f, "{} metric {metric}", self.destination),
        }
    }
}

/// What routers send each other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub enum Message {
    /// Tell me all that you know.
    Request,
    /// This is how far it is from me.
    Response(Vec<Entry>),
}

/// The headers of IP, UDP and RIP.
const HEADERS_BYTES: usize = 32;
const ENTRY_BYTES: usize = 20;

impl Message {
    /// Its size on the wire.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let entries = match self {
            // One that names no destination and infinity asks for all (RFC 2453, 3.9.1).
            Self::Request => 1,
            Self::Response(entries) => entries.len(),
        };
        HEADERS_BYTES + ENTRY_BYTES * entries
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request => f.write_str("REQUEST"),
            Self::Response(entries) => {
                f.write_str("RESPONSE")?;
                entries.iter().try_for_each(|entry| write!(f, " {entry:?}"))
            }
        }
    }
}
