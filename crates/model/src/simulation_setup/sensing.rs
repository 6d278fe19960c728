//! What nodes on a field sense while simulating: targets that move about and emit stimuli.

use std::time::Duration;

use thiserror::Error;

use super::{FieldError, Mobility, Rhythm, RhythmError};
use crate::Protocol;

/// Targets that move about on a field and now and then emit a stimulus, which every node within range
/// senses at once.
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
    /// How they move.
    pub mobility: Mobility,
    /// From how far nodes sense a stimulus, in metres.
    pub range: f64,
    /// When targets begin to emit stimuli.
    pub begin: Duration,
    /// How often each of them does.
    pub rhythm: Rhythm,
}

impl Sensing {
    /// So many targets that emit stimuli from the start on.
    #[must_use]
    pub fn of(targets: usize, mobility: Mobility, range: f64, rhythm: Rhythm) -> Self {
        Self { targets, mobility, range, begin: Duration::ZERO, rhythm }
    }

    /// Whether there can be such targets.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn validate(&self) -> Result<(), SensingError> {
        self.mobility.validate(self.targets)?;
        self.rhythm.validate()?;
        if !(self.range.is_finite() && self.range > 0.0) {
            return Err(SensingError::Range(self.range.to_string()));
        }
        Ok(())
    }
}

/// Targets that cannot be.
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
    /// They cannot move so.
    #[error("the targets: {0}")]
    Mobility(#[from] FieldError),
    /// They cannot emit stimuli so.
    #[error("the rhythm of stimuli: {0}")]
    Rhythm(#[from] RhythmError),
    /// Nobody can sense them.
    #[error("stimuli are sensed from {0} m; it must be positive and finite")]
    Range(String),
    /// There are no places.
    #[error("there are targets, but nodes are not on a field; put them on one (`field`)")]
    NoField,
    /// Nobody knows what happens then.
    #[error(
        "there are targets, but the scenario does not say what a node does that senses one (`stimulus_command`)"
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
    /// Of which target.
    pub target: usize,
    /// Its how manieth, from 0 on.
    pub number: u32,
}

/// Which command a node gets that senses a stimulus.
pub type StimulusCommand<P> = Box<dyn Fn(Stimulus) -> <P as Protocol>::Command + Send + Sync>;
