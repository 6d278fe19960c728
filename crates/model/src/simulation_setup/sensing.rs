//! Moving targets whose stimuli nodes on a field sense.

use std::time::Duration;

use thiserror::Error;

use super::{FieldError, Mobility, Rhythm, RhythmError};
use crate::Protocol;

/// Targets that move on a field and emit stimuli; every node within range senses a stimulus at
/// once.
///
/// ```
/// use everypath_model::{Mobility, Path, Position, Rhythm, Sensing};
/// use std::time::Duration;
///
/// let stone = Mobility::Paths(vec![Path::at(Position::on_ground(50.0, 50.0))]);
/// let sensing = Sensing::of(1, stone, 30.0, Rhythm::Every(Duration::from_secs(2)));
/// assert!(sensing.validate().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sensing {
    /// How many targets there are.
    pub targets: usize,
    /// Their movement.
    pub mobility: Mobility,
    /// The sensing range, in metres.
    pub range: f64,
    /// When targets begin to emit stimuli.
    pub begin: Duration,
    /// The rhythm of each target's stimuli.
    pub rhythm: Rhythm,
}

impl Sensing {
    /// Targets that emit stimuli from the start on.
    #[must_use]
    pub fn of(targets: usize, mobility: Mobility, range: f64, rhythm: Rhythm) -> Self {
        Self { targets, mobility, range, begin: Duration::ZERO, rhythm }
    }

    /// Whether the targets are valid.
    ///
    /// # Errors
    /// The first error found.
    pub fn validate(&self) -> Result<(), SensingError> {
        self.mobility.validate(self.targets)?;
        self.rhythm.validate()?;
        if !(self.range.is_finite() && self.range > 0.0) {
            return Err(SensingError::Range(self.range.to_string()));
        }
        Ok(())
    }
}

/// Invalid targets.
///
/// ```
/// use everypath_model::{Mobility, Path, Rhythm, Sensing, SensingError};
///
/// let stone = Mobility::Paths(vec![Path::default()]);
/// let sensing = Sensing::of(1, stone, -1.0, Rhythm::Once);
/// assert_eq!(sensing.validate(), Err(SensingError::Range("-1".to_owned())));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SensingError {
    /// Their movement is invalid.
    #[error("the targets: {0}")]
    Mobility(#[from] FieldError),
    /// Their rhythm is invalid.
    #[error("the rhythm of stimuli: {0}")]
    Rhythm(#[from] RhythmError),
    /// Their range is invalid.
    #[error("the sensing range is {0} m; it must be positive and finite")]
    Range(String),
    /// Nodes are not on a field.
    #[error("there are targets, but nodes are not on a field; put them on one (`field`)")]
    NoField,
    /// No command for a stimulus.
    #[error(
        "there are targets, but no command for a node that senses one; define it (`stimulus_command`)"
    )]
    Unsensed,
}

/// A stimulus that a node senses.
///
/// ```
/// use everypath_model::Stimulus;
///
/// // The third stimulus of the first target.
/// let stimulus = Stimulus { target: 0, number: 2 };
/// assert_eq!(stimulus.number, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stimulus {
    /// The number of its target.
    pub target: usize,
    /// Its number at the target, from 0 on.
    pub number: u32,
}

/// The command for a node that senses a stimulus.
pub type StimulusCommand<P> = Box<dyn Fn(Stimulus) -> <P as Protocol>::Command + Send + Sync>;
