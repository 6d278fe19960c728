//! What nodes tell each other.

use std::{fmt, time::Duration};

use everypath_model::{
    Ignored, NodeId,
    serde::{Deserialize, Serialize},
};

use super::{Kind, Place, Task};

/// How often data are sent: now and then, to find out about paths; or as often as they are wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub enum Rate {
    /// Now and then.
    Exploratory,
    /// As often as they are wanted.
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

/// Which event: what was sensed, by whom, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct EventId {
    /// What was sensed.
    pub kind: Kind,
    /// Who sensed it.
    pub origin: NodeId,
    /// Its how manieth event it was.
    pub number: u32,
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}/{}", self.kind, self.origin, self.number)
    }
}

/// The description of an event, on its way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Data {
    /// Which event it was.
    pub event: EventId,
    /// Where it happened.
    pub place: Place,
    /// At which rate such data are sent.
    pub rate: Rate,
    /// How many hops it has come, if that is counted.
    pub hops: u8,
}

/// Which data are meant by a reinforcement, and how it was chosen whom to reinforce.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Reinforcement {
    /// What they are wanted for.
    pub task: Task,
    /// Whose they are.
    pub origin: NodeId,
    /// The number of the event that came first from the neighbour, if reinforcements name it.
    pub number: u32,
    /// How many hops it had come then.
    pub hops: u8,
}

/// What nodes send each other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub enum Message {
    /// Tell me of this.
    Interest {
        /// Of what.
        task: Task,
        /// For how long. An exploration has no clock, so it does not tell interests apart.
        lifetime: Ignored<Duration>,
    },
    /// This has happened.
    Data(Data),
    /// Positive reinforcement: send me such data as often as you have them.
    Reinforce(Reinforcement),
    /// Negative reinforcement: send me exploratory data only.
    Degrade {
        /// What they are wanted for.
        task: Task,
        /// Whose data.
        origin: NodeId,
    },
}

impl Message {
    /// Its size on the wire, given that of a description of an event.
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
