//! What goes wrong while simulating: nodes and links that are down for a while.

use std::{fmt, time::Duration};

use thiserror::Error;

use crate::{NodeId, Topology};

/// What can be down.
///
/// ```
/// use everypath_model::{NodeId, Part};
///
/// let link = Part::Link(NodeId(0), NodeId(1));
/// assert_eq!(link.to_string(), "the link between n0 and n1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A node: it receives nothing, its timers are gone, no command reaches it. What it still had to
    /// send is lost.
    Node(NodeId),
    /// A link, in both directions: what is on it or sent over it comes back to its sender.
    Link(NodeId, NodeId),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(node) => write!(f, "{node}"),
            Self::Link(one, other) => write!(f, "the link between {one} and {other}"),
        }
    }
}

/// When something is down. What is random differs between replications.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::{Downtime, NodeId, Outage, Part, Topology};
///
/// // It works for an hour and is repaired within a minute, in the mean.
/// let downtime = Downtime::Random {
///     to_failure: Duration::from_secs(3600),
///     to_repair: Duration::from_secs(60),
/// };
/// let outage = Outage { part: Part::Node(NodeId(2)), downtime };
/// assert!(outage.validate(&Topology::ring(3), false).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Downtime {
    /// From one moment to another; for ever, if there is no other.
    Given {
        /// When it fails.
        down: Duration,
        /// When it comes back. A node for which this is the same moment reboots in an instant.
        up: Option<Duration>,
    },
    /// Again and again, from working at the start on. Both times are exponential.
    Random {
        /// How long it works, in the mean.
        to_failure: Duration,
        /// How long it is down, in the mean.
        to_repair: Duration,
    },
}

/// A node or a link that is down while simulating, once or again and again. Whatever has several
/// outages is down while any of them lasts.
///
/// ```
/// use everypath_model::{Downtime, NodeId, Outage, Part};
/// use std::time::Duration;
///
/// let down = Duration::from_secs(5);
/// let reboot = Outage { part: Part::Node(NodeId(1)), downtime: Downtime::Given { down, up: Some(down) } };
/// assert_eq!(reboot.part.to_string(), "n1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// What is down.
    pub part: Part,
    /// When.
    pub downtime: Downtime,
}

/// An outage that cannot be.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::{Downtime, NodeId, Outage, OutageError, Part, Topology};
///
/// let downtime = Downtime::Given { down: Duration::ZERO, up: None };
/// let outage = Outage { part: Part::Node(NodeId(7)), downtime };
/// assert_eq!(outage.validate(&Topology::ring(3), false), Err(OutageError::Node(NodeId(7))));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutageError {
    /// Of a node that does not exist.
    #[error("{0} is to be down, but does not exist")]
    Node(NodeId),
    /// Of a link that does not exist.
    #[error("{0} is to be down, but they are not neighbours")]
    Link(Part),
    /// Of a link where there is none.
    #[error(
        "{0} is to be down, but on a field there are no links: let one of the nodes be down instead"
    )]
    OnField(Part),
    /// It ends before it begins.
    #[error("{part} is to be down at {down:?} and back at {up:?}, which is earlier")]
    Back {
        /// What is down.
        part: Part,
        /// When it fails.
        down: Duration,
        /// When it comes back.
        up: Duration,
    },
    /// It fails all the time.
    #[error("{0} is to work for 0 s in the mean, so time would stand still; make it positive")]
    Standstill(Part),
}

impl Outage {
    /// Whether there is such a part, and it can be down at such times.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn validate(&self, topology: &Topology, on_field: bool) -> Result<(), OutageError> {
        let part = self.part;
        match part {
            Part::Node(node) if node.index() >= topology.len() => {
                return Err(OutageError::Node(node));
            }
            Part::Link(..) if on_field => return Err(OutageError::OnField(part)),
            Part::Link(one, other) => {
                let is_there = one.index() < topology.len() && topology.are_neighbours(one, other);
                if !is_there {
                    return Err(OutageError::Link(part));
                }
            }
            Part::Node(_) => {}
        }
        match self.downtime {
            Downtime::Given { down, up: Some(up) } if up < down => {
                Err(OutageError::Back { part, down, up })
            }
            Downtime::Random { to_failure: Duration::ZERO, .. } => {
                Err(OutageError::Standstill(part))
            }
            Downtime::Given { .. } | Downtime::Random { .. } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(part: Part, downtime: Downtime, on_field: bool, expect: &str) {
        let outage = Outage { part, downtime };
        let error = outage.validate(&Topology::chain(3), on_field).unwrap_err().to_string();
        assert_eq!(error, expect);
    }

    #[test]
    fn an_outage_without_sense_is_refused() {
        let [second, two] = [1, 2].map(Duration::from_secs);
        let fine = Downtime::Given { down: second, up: None };
        let link = |one, other| Part::Link(NodeId(one), NodeId(other));
        check(Part::Node(NodeId(3)), fine, false, "n3 is to be down, but does not exist");
        check(
            link(0, 2),
            fine,
            false,
            "the link between n0 and n2 is to be down, but they are not neighbours",
        );
        check(
            link(7, 0),
            fine,
            false,
            "the link between n7 and n0 is to be down, but they are not neighbours",
        );
        check(
            link(0, 1),
            fine,
            true,
            "the link between n0 and n1 is to be down, but on a field there are no links: let one of the nodes be down instead",
        );
        let back = Downtime::Given { down: two, up: Some(second) };
        check(
            link(0, 1),
            back,
            false,
            "the link between n0 and n1 is to be down at 2s and back at 1s, which is earlier",
        );
        let never = Downtime::Random { to_failure: Duration::ZERO, to_repair: second };
        check(
            Part::Node(NodeId(0)),
            never,
            false,
            "n0 is to work for 0 s in the mean, so time would stand still; make it positive",
        );
        let outage = Outage { part: link(1, 0), downtime: fine };
        assert_eq!(outage.validate(&Topology::chain(3), false), Ok(()));
    }
}
