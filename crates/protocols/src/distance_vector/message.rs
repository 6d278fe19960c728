//! Messages between RIP routers.

use std::fmt;

use everypath_model::{
    NodeId,
    serde::{Deserialize, Serialize},
};

use super::INFINITY;

/// The distance of a destination from the sender (RFC 2453, 3.6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Entry {
    /// The destination.
    pub destination: NodeId,
    /// Its distance.
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

/// A message between routers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub enum Message {
    /// Asks for all routes.
    Request,
    /// Distances from the sender.
    Response(Vec<Entry>),
}

/// The size of the headers of IP, UDP and RIP, in bytes.
const HEADERS_BYTES: usize = 32;
const ENTRY_BYTES: usize = 20;

impl Message {
    /// Its size on the wire, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let entries = match self {
            // One entry without a destination, with metric infinity, asks for all (RFC 2453, 3.9.1).
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
