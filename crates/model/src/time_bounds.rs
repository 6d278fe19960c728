//! How long packets and timers take, at least and at most, in an exploration with time.

use std::time::Duration;

use thiserror::Error;

const MILLION: u32 = 1_000_000;

/// How long packets and timers take in an exploration with time, where that is not said by the links of the simulation
/// and by the handlers.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::TimeBounds;
///
/// let timer = Duration::from_secs(8);
/// assert_eq!(TimeBounds::default().timer(timer), (timer, timer));
/// let bounds = TimeBounds { drift_ppm: 125_000, ..TimeBounds::default() };
/// assert_eq!(bounds.timer(timer), (Duration::from_secs(7), Duration::from_secs(9)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBounds {
    /// The least and the longest time that a packet is in flight; that of its link, if there is none.
    pub packet: Option<(Duration, Duration)>,
    /// By which share of its duration a timer may fire early or late, because clocks drift, in parts per million.
    pub drift_ppm: u32,
}

/// Why bounds of time are invalid.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::{TimeBounds, TimeBoundsError};
///
/// let [less, more] = [1, 2].map(Duration::from_secs);
/// let bounds = TimeBounds { packet: Some((more, less)), ..TimeBounds::default() };
/// assert_eq!(bounds.validate(), Err(TimeBoundsError::Reversed { least: more, most: less }));
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeBoundsError {
    /// The least time is the longer one.
    #[error("packets take at least {least:?}, but at most {most:?}; exchange the two")]
    Reversed {
        /// The least time.
        least: Duration,
        /// The longest.
        most: Duration,
    },
    /// Clocks that may stand still.
    #[error(
        "clocks drift by {0} parts per million, so that they may stand still; give less than {MILLION}"
    )]
    Drift(u32),
}

impl TimeBounds {
    /// When a timer of this duration fires, at least and at most, to the nanosecond.
    #[must_use]
    pub fn timer(&self, after: Duration) -> (Duration, Duration) {
        let drift = after.as_nanos().saturating_mul(self.drift_ppm.into()) / u128::from(MILLION);
        let drift = Duration::from_nanos(u64::try_from(drift).unwrap_or(u64::MAX));
        (after.saturating_sub(drift), after.saturating_add(drift))
    }

    /// Whether they are possible.
    ///
    /// # Errors
    /// The first error found.
    pub fn validate(&self) -> Result<(), TimeBoundsError> {
        if let Some((least, most)) = self.packet.filter(|(least, most)| least > most) {
            return Err(TimeBoundsError::Reversed { least, most });
        }
        match self.drift_ppm < MILLION {
            true => Ok(()),
            false => Err(TimeBoundsError::Drift(self.drift_ppm)),
        }
    }
}
