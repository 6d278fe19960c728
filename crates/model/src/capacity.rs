//! How many packets can be in flight from one node to another.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// The syntax of a capacity, for messages.
pub(crate) const CAPACITY_SYNTAX: &str = "unlimited, a number of packets from 1, or one with what is lost on a full link, as in 3:oldest";

/// How many packets can be in flight from one node to another, and which one is lost if there is one
/// more.
///
/// ```
/// use everypath_model::Capacity;
///
/// assert_eq!(Capacity::from(3), Capacity::NewestLost(3));
/// assert_eq!("3:oldest".parse(), Ok(Capacity::OldestLost(3)));
/// assert_eq!((Capacity::OldestLost(3).most(), Capacity::Unlimited.most()), (Some(3), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capacity {
    /// Any number of packets.
    #[default]
    Unlimited,
    /// At most this many: a packet that is sent while the link is full is lost.
    NewestLost(u32),
    /// At most this many: a packet that is sent while the link is full displaces the oldest one there,
    /// which is lost.
    OldestLost(u32),
}

impl Capacity {
    /// How many packets at most, if there is a limit.
    #[must_use]
    pub fn most(self) -> Option<u32> {
        match self {
            Self::Unlimited => None,
            Self::NewestLost(most) | Self::OldestLost(most) => Some(most),
        }
    }
}

/// At most this many packets; the newest is lost.
impl From<u32> for Capacity {
    fn from(packets: u32) -> Self {
        Self::NewestLost(packets)
    }
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlimited => f.write_str("unlimited"),
            Self::NewestLost(most) => write!(f, "{most}"),
            Self::OldestLost(most) => write!(f, "{most}:oldest"),
        }
    }
}

/// A text that is not a capacity.
///
/// ```
/// use everypath_model::Capacity;
///
/// let error = "0".parse::<Capacity>().unwrap_err();
/// assert_eq!(error.text, "0");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` is not a capacity; write {CAPACITY_SYNTAX}")]
#[non_exhaustive]
pub struct CapacityError {
    /// The text.
    pub text: String,
}

impl FromStr for Capacity {
    type Err = CapacityError;

    fn from_str(text: &str) -> Result<Self, CapacityError> {
        let (packets, lost) = text.split_once(':').unwrap_or((text, "newest"));
        match (text, packets.parse(), lost) {
            ("unlimited", ..) => Ok(Self::Unlimited),
            (_, Ok(most @ 1..), "newest") => Ok(Self::NewestLost(most)),
            (_, Ok(most @ 1..), "oldest") => Ok(Self::OldestLost(most)),
            _ => Err(CapacityError { text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for capacity in [Capacity::Unlimited, Capacity::NewestLost(1), Capacity::OldestLost(70_000)]
        {
            assert_eq!(capacity.to_string().parse(), Ok(capacity));
        }
        assert_eq!("2:newest".parse(), Ok(Capacity::NewestLost(2)));
        for wrong in
            ["", "0", "0:oldest", "-1", "3:", ":oldest", "3:old", "x", "4294967296", "3:oldest:"]
        {
            assert!(wrong.parse::<Capacity>().is_err(), "{wrong}");
        }
    }
}
