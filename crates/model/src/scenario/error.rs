//! Reasons why a scenario cannot be run.

use std::time::Duration;

use thiserror::Error;

use crate::{
    AudienceError, FieldError, NetworkKind, NodeId, OutageError, RhythmError, SensingError,
    TIMEOUT_BUDGETS_MAX, TimeBoundsError,
};

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
    /// There are no nodes.
    #[error("the scenario has no nodes; give its topology at least one")]
    NoNodes,
    /// Two parts have the same name.
    #[error("two {what} are called `{name}`, or a built-in one is; give each its own name")]
    SameName {
        /// The kind of parts.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Two observers whose memories have the same type.
    #[error(
        "the memories of the observers `{one}` and `{other}` have the same type, so that `world.memory()` cannot distinguish them; wrap one of them in a type of its own"
    )]
    SameMemory {
        /// The name of the first.
        one: String,
        /// The name of the second.
        other: String,
    },
    /// An assertion about a history where there is none.
    #[error(
        "the assertion `{0}` is about a history, but none is declared before it; declare it first (`.history(…)`)"
    )]
    NoHistory(String),
    /// A history of which nothing is asserted.
    #[error(
        "nothing is asserted of the history `{0}`; add an assertion after it, such as `.assert_linearizable(…)`, or remove it"
    )]
    NothingAsserted(String),
    /// A ranking whose name cannot be written on the command line.
    #[error("the name of the ranking `{ranking}` has a comma, which separates rankings; remove it")]
    Comma {
        /// Its name.
        ranking: String,
    },
    /// A cut that is called like a cut at a depth.
    #[error("the cut `{cut}` is called like a cut at a depth; give it another name")]
    CutName {
        /// Its name.
        cut: String,
    },
    /// A link with an invalid probability.
    #[error("the losses of a link have a probability of {0}; it must be from 0 to 1")]
    Loss(String),
    /// A link with an invalid probability of duplications.
    #[error("the duplications of a link have a probability of {0}; it must be from 0 to 1")]
    Duplication(String),
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
    /// A command or link names a node that does not exist.
    #[error("the simulation set-up names node {0}, which does not exist")]
    UnknownNode(NodeId),
    /// A link that does not exist.
    #[error("the simulation set-up names a link from {0} to {1}, which are not neighbours")]
    UnknownLink(NodeId, NodeId),
    /// An order that lacks or repeats a kind of event.
    #[error(
        "the order of events must name each kind once; it lacks or repeats one, so an exploration would miss or double events"
    )]
    EventOrder,
    /// Receivers and an order per link or per node.
    #[error(
        "the scenario chooses receivers when a packet arrives (`receivers`), so links and mailboxes cannot keep packets in order; use the network `unordered` or `list`"
    )]
    LateOrder,
    /// Receivers and a field.
    #[error(
        "the scenario chooses receivers (`receivers`) and puts nodes on a field, where range decides; remove one of the two"
    )]
    LateOnField,
    /// Links that hold nothing.
    #[error(
        "the links have a capacity of 0 packets, so nothing would ever arrive; give them at least 1"
    )]
    NoCapacity,
    /// Links and mailboxes with a capacity.
    #[error(
        "links have a capacity (`capacity`), and so have the mailboxes of the network `{0}`; remove the capacity, or use the network `unordered`, `fifo` or `list`"
    )]
    CapacityOfMailboxes(NetworkKind),
    /// The oldest packet of a network without order.
    #[error(
        "a full link loses its oldest packet (`capacity`), but the network `unordered` does not know which one that is; let the newest be lost, or use the network `fifo` or `list`"
    )]
    NoOldest,
    /// Receivers and links with a capacity.
    #[error(
        "links have a capacity (`capacity`), but the scenario chooses receivers when a packet arrives (`receivers`), so a packet in flight is on no link; remove one of the two"
    )]
    LateCapacity,
    /// A field and links with a capacity.
    #[error(
        "links have a capacity (`capacity`), but nodes are on a field, where packets are on the air; remove one of the two"
    )]
    CapacityOnField,
    /// Nodes that may reboot, and no reboots.
    #[error(
        "the scenario says which nodes reboot (`reboot_of`), but reboots are off; give them a budget (`reboot`), or remove it"
    )]
    NoReboots,
    /// Reboots of no node.
    #[error(
        "the scenario lets no node reboot (`reboot_of`); name at least one, or remove `reboot`"
    )]
    RebootOfNone,
    /// A reboot of a node that does not exist.
    #[error("the scenario lets {0} reboot (`reboot_of`), which does not exist")]
    RebootOfStranger(NodeId),
    /// A budget of timeouts of something that is not a timer.
    #[error(
        "`{0}` is not a pattern of timers; write timer, timer@NODE, timer:TEXT or timer@NODE:TEXT, e.g. timer@0:Retransmit"
    )]
    TimeoutPattern(String),
    /// A budget of timeouts of a node that does not exist.
    #[error("the budget of timeouts `{pattern}` names node {node}, which does not exist")]
    TimeoutNode {
        /// Its pattern.
        pattern: String,
        /// The node.
        node: u32,
    },
    /// Too many budgets of timeouts.
    #[error(
        "{0} budgets of timeouts are too many: at most {TIMEOUT_BUDGETS_MAX} are possible; join some"
    )]
    Timeouts(usize),
    /// Budgets of timeouts of a protocol without timers.
    #[error(
        "the scenario limits how often timers fire (`timeouts`), but the protocol has no timers; remove it"
    )]
    NoTimers,
    /// Invalid audiences.
    #[error(transparent)]
    Audience(#[from] AudienceError),
    /// Audiences and a field.
    #[error(
        "the scenario chooses who hears a broadcast (`audience`) and puts nodes on a field, where the radio decides; remove one of the two"
    )]
    AudienceOnField,
    /// An invalid field.
    #[error("the field: {0}")]
    Field(#[from] FieldError),
    /// A simulation without runs.
    #[error("a simulation has 0 runs; give it at least one")]
    NoRuns,
    /// A warm-up as long as the run.
    #[error(
        "a run of {duration:?} is over before its warm-up of {warm_up:?} is; make it longer, or the warm-up shorter"
    )]
    WarmUp {
        /// The length of a run.
        duration: Duration,
        /// The length of its warm-up.
        warm_up: Duration,
    },
    /// A command that repeats endlessly at one moment.
    #[error("the rhythm of a command to {node}: {error}")]
    Rhythm {
        /// The node.
        node: NodeId,
        /// The error of its rhythm.
        error: RhythmError,
    },
    /// Flows without a command to send data.
    #[error(
        "there are flows, but no command that sends a packet of data; define it (`data_command`), or give commands instead (`job`)"
    )]
    Unsendable,
    /// An invalid outage.
    #[error(transparent)]
    Outage(#[from] OutageError),
    /// Invalid targets.
    #[error(transparent)]
    Sensing(#[from] SensingError),
    /// Invalid bounds of time.
    #[error(transparent)]
    Time(#[from] TimeBoundsError),
    /// A flow from a node to itself.
    #[error("a flow leads from {0} to itself; name two nodes")]
    FlowToItself(NodeId),
}
