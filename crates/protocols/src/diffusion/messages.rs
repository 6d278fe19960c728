//! Messages of directed diffusion.

use std::{fmt, time::Duration};

use everypath_model::{
    Ignored, NodeId,
    serde::{Deserialize, Serialize},
};

use super::{Kind, Place, Task};

/// The rate of data: exploratory, to find paths, or reinforced.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub enum Rate {
    /// Rarely, along all gradients.
    Exploratory,
    /// At the wanted rate, along reinforced gradients.
    Reinforced,
}

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exploratory => "exploratory",
            Self::Reinforced => "reinforced",
        })
    }
}

/// The identity of an event: its kind, its source, and the source's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct EventId {
    /// Its kind.
    pub kind: Kind,
    /// The node that sensed it.
    pub origin: NodeId,
    /// The node's number of the event.
    pub number: u32,
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}/{}", self.kind, self.origin, self.number)
    }
}

/// The description of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Data {
    /// The event.
    pub event: EventId,
    /// Its place.
    pub place: Place,
    /// The rate of such data.
    pub rate: Rate,
    /// The hops so far, if counted.
    pub hops: u8,
}

/// The data of a reinforcement, and the reason for its choice of neighbour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Reinforcement {
    /// Their task.
    pub task: Task,
    /// Their source.
    pub origin: NodeId,
    /// The number of the event that came first from the neighbour, if named.
    pub number: u32,
    /// The hops of that event.
    pub hops: u8,
}

/// A message between nodes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub enum Message {
    /// An interest in events.
    Interest {
        /// Its task.
        task: Task,
        /// Its lifetime. An exploration has no clock, so it does not distinguish interests.
        lifetime: Ignored<Duration>,
    },
    /// The description of an event.
    Data(Data),
    /// Positive reinforcement: requests such data at the full rate.
    Reinforce(Reinforcement),
    /// Negative reinforcement: requests exploratory data only.
    Degrade {
        /// Their task.
        task: Task,
        /// Their source.
        origin: NodeId,
    },
}

impl Message {
    /// Its size on the wire in bytes, given that of a description of an event.
    #[must_use]
    pub fn bytes(&self, payload: usize) -> usize {
        match self {
            Self::Interest { .. } | Self::Reinforce(_) | Self::Degrade { .. } => 36,
            Self::Data(_) => payload,
        }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interest { task, .. } => write!(f, "INTEREST {task:?}"),
            Self::Data(Data { event, rate, .. }) => write!(f, "DATA {event:?} {rate:?}"),
            Self::Reinforce(Reinforcement { task, origin, .. }) => {
                write!(f, "POSREINFORCE {:?} of {origin}", task.kind)
            }
            Self::Degrade { task, origin } => {
                write!(f, "NEGREINFORCE {:?} of {origin}", task.kind)
            }
        }
    }
}
