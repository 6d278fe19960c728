//! Errors of a field.

use std::time::Duration;

use thiserror::Error;

use crate::NodeId;

/// An invalid field.
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
    /// The numbers of paths and nodes differ.
    #[error("there are {paths} paths for {nodes} nodes; give one for each node")]
    Paths {
        /// How many paths there are.
        paths: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A place or speed that is not a finite number.
    #[error("the path of {node} has a place or a speed that is not a finite number")]
    Place {
        /// The node of the path.
        node: NodeId,
    },
    /// A leg that begins before the previous one.
    #[error(
        "the path of {node} goes back in time: a leg that begins at {begin:?} follows one that begins at {before:?}"
    )]
    Time {
        /// The node of the path.
        node: NodeId,
        /// When the leg begins.
        begin: Duration,
        /// When the previous one begins.
        before: Duration,
    },
    /// An area without size.
    #[error("its area is {width} m by {height} m; both must be positive and finite")]
    Area {
        /// How wide.
        width: String,
        /// How high.
        height: String,
    },
    /// Speeds at which a node might never arrive.
    #[error(
        "nodes move at {least} to {most} m/s; the first must be positive and not above the second, or a node might never arrive"
    )]
    Speeds {
        /// The smallest.
        least: String,
        /// The largest.
        most: String,
    },
    /// A walk that turns without moving.
    #[error("a walk turns after 0 s; make it positive")]
    Turn,
    /// An invalid radio parameter.
    #[error("the radio's {name} is {value}; it must be {expected}")]
    Radio {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is valid.
        expected: &'static str,
    },
    /// An invalid energy parameter.
    #[error("the energy's {name} is {value}; it must be {expected}")]
    Energy {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is valid.
        expected: &'static str,
    },
}

pub(crate) fn is_positive(number: f64) -> bool {
    number.is_finite() && number > 0.0
}
