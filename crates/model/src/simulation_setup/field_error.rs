//! Reasons why a field is invalid.

use std::time::Duration;

use thiserror::Error;

use crate::NodeId;

/// A field that cannot be.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{
///     Field, FieldError, IdealRadio, Mobility, Path, Radio, Scenario, ScenarioError, Topology,
/// };
///
/// let two_paths = Mobility::Paths(vec![Path::default(); 2]);
/// let field = Field::new(two_paths, Radio::Ideal(IdealRadio::default()));
/// let scenario = Scenario::new(Greeting, Topology::unlinked(3)).simulation(|run| run.field(field));
/// let error = FieldError::Paths { paths: 2, nodes: 3 };
/// assert_eq!(scenario.validate(), Err(ScenarioError::Field(error)));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldError {
    /// Not as many paths as nodes.
    #[error("there are {paths} paths for {nodes} nodes; give one for each node")]
    Paths {
        /// How many paths there are.
        paths: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A place or a speed that is none.
    #[error("the path of {node} has a place or a speed that is not a finite number")]
    Place {
        /// Whose path.
        node: NodeId,
    },
    /// A leg that begins before the one that comes before it.
    #[error(
        "the path of {node} goes back in time: a leg begins at {begin:?}, after one that begins at {before:?}"
    )]
    Time {
        /// Whose path.
        node: NodeId,
        /// When the leg begins.
        begin: Duration,
        /// When the one before it begins.
        before: Duration,
    },
    /// An area without extent.
    #[error("its area is {width} m by {height} m; both must be positive and finite")]
    Area {
        /// How wide.
        width: String,
        /// How high.
        height: String,
    },
    /// Speeds with which a node would never arrive.
    #[error(
        "nodes move at {least} to {most} m/s; the first must be positive and not above the second, or a node might never arrive"
    )]
    Speeds {
        /// The smallest.
        least: String,
        /// The largest.
        most: String,
    },
    /// A walk that never gets anywhere.
    #[error("a walk turns after 0 s; give it some time")]
    Turn,
    /// A radio parameter without sense.
    #[error("the radio's {name} is {value}; it must be {expected}")]
    Radio {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it must be.
        expected: &'static str,
    },
    /// A parameter of the energy without sense.
    #[error("the energy's {name} is {value}; it must be {expected}")]
    Energy {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it must be.
        expected: &'static str,
    },
}

pub(crate) fn is_positive(number: f64) -> bool {
    number.is_finite() && number > 0.0
}
