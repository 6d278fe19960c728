//! Outages: simulated nodes and links that are down for a time.

use std::{fmt, time::Duration};

use thiserror::Error;

use crate::{NodeId, Topology};

/// A node or link that can be down.
///
/// ```
/// use everypath_model::{NodeId, Part};
///
/// let link = Part::Link(NodeId(0), NodeId(1));
/// assert_eq!(link.to_string(), "the link between n0 and n1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A node: it receives nothing, loses its timers and its unsent packets, and gets no commands.
    Node(NodeId),
    /// A link, in both directions: packets on it, or sent over it, come back to their senders.
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

/// The times of an outage. Random times differ between replications.
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
    /// From one moment to another, or for ever.
    Given {
        /// When it fails.
        down: Duration,
        /// When it comes back. At the same moment, a node reboots in an instant.
        up: Option<Duration>,
    },
    /// Repeated outages; it works at the start. Both times are exponential.
    Random {
        /// The mean time to failure.
        to_failure: Duration,
        /// The mean time to repair.
        to_repair: Duration,
    },
}

/// An outage of a simulated node or link, once or repeatedly. A part with several outages is down
/// while any of them lasts.
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
    /// The part that is down.
    pub part: Part,
    /// When.
    pub downtime: Downtime,
}

/// An invalid outage.
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
    /// The node does not exist.
    #[error("{0} cannot be down: it does not exist")]
    Node(NodeId),
    /// The link does not exist.
    #[error("{0} cannot be down: they are not neighbours")]
    Link(Part),
    /// There are no links on a field.
    #[error("{0} cannot be down: a field has no links; take one of the nodes down instead")]
    OnField(Part),
    /// It ends before it begins.
    #[error("{part} cannot be down at {down:?} and back at {up:?}, which is earlier")]
    Back {
        /// The part that is down.
        part: Part,
        /// When it fails.
        down: Duration,
        /// When it comes back.
        up: Duration,
    },
    /// Its mean time to failure is 0.
    #[error("{0} fails after 0 s in the mean, so time would stand still; make it positive")]
    Standstill(Part),
}

impl Outage {
    /// Whether the part exists, and its times are possible.
    ///
    /// # Errors
    /// The first error found.
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
        check(Part::Node(NodeId(3)), fine, false, "n3 cannot be down: it does not exist");
        check(
            link(0, 2),
            fine,
            false,
            "the link between n0 and n2 cannot be down: they are not neighbours",
        );
        check(
            link(7, 0),
            fine,
            false,
            "the link between n7 and n0 cannot be down: they are not neighbours",
        );
        check(
            link(0, 1),
            fine,
            true,
            "the link between n0 and n1 cannot be down: a field has no links; take one of the nodes down instead",
        );
        let back = Downtime::Given { down: two, up: Some(second) };
        check(
            link(0, 1),
            back,
            false,
            "the link between n0 and n1 cannot be down at 2s and back at 1s, which is earlier",
        );
        let never = Downtime::Random { to_failure: Duration::ZERO, to_repair: second };
        check(
            Part::Node(NodeId(0)),
            never,
            false,
            "n0 fails after 0 s in the mean, so time would stand still; make it positive",
        );
        let outage = Outage { part: link(1, 0), downtime: fine };
        assert_eq!(outage.validate(&Topology::chain(3), false), Ok(()));
    }
}
