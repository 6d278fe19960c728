//! Errors of a simulation.

use std::time::Duration;

use everypath_model::{NodeId, ScenarioError};
use thiserror::Error;

/// Why a simulation has no result.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, ScenarioError, Topology};
/// use everypath_sim::{SimError, Simulation};
///
/// let nowhere = Scenario::new(Coin, Topology::chain(0));
/// let error = Simulation::new(&nowhere, 1, 0).err();
/// assert_eq!(error, Some(SimError::Scenario(ScenarioError::NoNodes)));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimError {
    /// The scenario cannot be run.
    #[error("the scenario cannot be simulated: {0}")]
    Scenario(#[from] ScenarioError),
    /// A handler panicked: as with an exploration, that is a finding about the protocol.
    #[error(
        "in replication {replication}, {seconds:.9} s after the start, the handler of {node} for `{event}` panicked: {message}",
        seconds = time.as_secs_f64()
    )]
    HandlerPanicked {
        /// In which of the independent runs.
        replication: u32,
        /// When.
        time: Duration,
        /// Whose handler.
        node: NodeId,
        /// The event that it handled.
        event: String,
        /// The message of the panic, and its place.
        message: String,
    },
    /// The formula of a measure panicked.
    #[error("the formula of the measure `{name}` panicked: {message}")]
    MeasurePanicked {
        /// The measure.
        name: String,
        /// The message of the panic, and its place.
        message: String,
    },
    /// A node is down, so there is no snapshot: an exploration needs all nodes up.
    #[error(
        "{node} is down, or has no energy left, {seconds:.9} s after the start, and an exploration needs all nodes up; choose another moment",
        seconds = time.as_secs_f64()
    )]
    NodeDown {
        /// When.
        time: Duration,
        /// Which.
        node: NodeId,
    },
    /// The scenario does not compute such a measure.
    #[error("there is no measure `{0}`")]
    NoMeasure(String),
    /// A measure has no value in a run.
    #[error(
        "the measure `{name}` is undefined in replication {replication}; \
         simulate long enough for it to have a value in every run"
    )]
    Undefined {
        /// In which of the independent runs.
        replication: u32,
        /// The measure.
        name: String,
    },
}
