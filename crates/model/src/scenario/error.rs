//! Reasons why a scenario cannot be run.

use std::time::Duration;

use thiserror::Error;

use crate::{FieldError, NodeId, OutageError, RhythmError, SensingError};

/// A scenario that cannot be run.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, ScenarioError, Topology};
///
/// let nowhere = Scenario::new(Greeting, Topology::chain(0));
/// assert_eq!(nowhere.validate(), Err(ScenarioError::NoNodes));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScenarioError {
    /// There is nothing to run.
    #[error("the scenario has no nodes; give its topology at least one")]
    NoNodes,
    /// Two of the same name.
    #[error(
        "two {what} are called `{name}`, or it is the name of one that is always there; give each a name of its own"
    )]
    SameName {
        /// Two of what.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A ranking whose name cannot be given.
    #[error(
        "the ranking `{ranking}` has a comma in its name, which separates rankings; leave it out"
    )]
    Comma {
        /// Its name.
        ranking: String,
    },
    /// A link with a probability that is none.
    #[error("the losses of a link have a probability of {0}; it must be from 0 to 1")]
    Loss(String),
    /// Bursts of losses that neither begin nor end.
    #[error(
        "a link loses packets in bursts that neither begin nor end: `to_bad` and `to_good` are 0; make one of them positive, or give a probability"
    )]
    Stuck,
    /// A link without bandwidth.
    #[error(
        "a link has a bandwidth of 0 bit/s, so nothing would ever arrive; use `None` for a link on which packets take no time"
    )]
    Bandwidth,
    /// A command for a node that does not exist, or a link of which an end does not exist.
    #[error("the timing names node {0}, which does not exist")]
    UnknownNode(NodeId),
    /// A link that does not exist.
    #[error("the timing names a link from {0} to {1}, which are not neighbours")]
    UnknownLink(NodeId, NodeId),
    /// Events that would never be tried.
    #[error(
        "the order of events must name each kind once; it lacks or repeats one, so an exploration would miss or double events"
    )]
    EventOrder,
    /// Links that cannot be known in advance.
    #[error(
        "the scenario says who receives a packet when it arrives, so links cannot keep packets in order; use the network `unordered` or `list`"
    )]
    LateOrder,
    /// Both are asked who receives a packet.
    #[error(
        "the scenario says who receives a packet, and puts nodes on a field, where it is received by who hears it; leave one of them out"
    )]
    LateOnField,
    /// A field that cannot be.
    #[error("the field: {0}")]
    Field(#[from] FieldError),
    /// Nothing to simulate.
    #[error("a simulation has 0 runs; give it at least one")]
    NoRuns,
    /// Nothing that is measured would count.
    #[error(
        "a run of {duration:?} is over before its warm-up of {warm_up:?} is; make it longer, or the warm-up shorter"
    )]
    WarmUp {
        /// How long a run lasts.
        duration: Duration,
        /// How much of it does not count.
        warm_up: Duration,
    },
    /// A command that is repeated without end at one moment.
    #[error("the rhythm of a command to {node}: {error}")]
    Rhythm {
        /// Who gets it.
        node: NodeId,
        /// What is wrong.
        error: RhythmError,
    },
    /// Flows that nobody knows how to send.
    #[error(
        "there are flows, but the scenario does not say how a packet of data is sent; give commands instead (`job`), or say it (`data_command`)"
    )]
    Unsendable,
    /// An outage that cannot be.
    #[error(transparent)]
    Outage(#[from] OutageError),
    /// Targets that cannot be.
    #[error(transparent)]
    Sensing(#[from] SensingError),
    /// A flow that leads nowhere.
    #[error("a flow leads from {0} to itself; name two nodes")]
    FlowToItself(NodeId),
}
