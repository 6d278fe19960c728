//! Time series of a quantity.

use std::time::Duration;

use crate::clock::{Nanoseconds, seconds};

/// How many points of a series are kept. When there are more, every other one is forgotten, and
/// from then on only every second, fourth, eighth … change is kept.
pub const SERIES_POINTS_MAX: usize = 4096;

/// A quantity that keeps its value until it changes: its mean over time, extremes and last value
/// exactly, and at most [`SERIES_POINTS_MAX`] of its changes, evenly chosen.
///
/// It begins with the first value it is given; of the time before, nothing is known.
///
/// ```
/// use std::time::Duration;
/// use everypath_sim::Series;
///
/// let mut waiting = Series::default();
/// waiting.change(Duration::from_secs(1), 4.0);
/// waiting.change(Duration::from_secs(2), 0.0);
/// waiting.extend_to(Duration::from_secs(5));
/// assert_eq!((waiting.mean(), waiting.max(), waiting.last()), (1.0, 4.0, 0.0));
/// ```
#[derive(Clone, Debug)]
pub struct Series {
    changes: u64,
    since: Nanoseconds,
    until: Nanoseconds,
    last: f64,
    min: f64,
    max: f64,
    /// Value times seconds, up to `until`.
    area: f64,
    points: Vec<(Nanoseconds, f64)>,
    /// Every how many changes one is kept.
    stride: u64,
}

impl Default for Series {
    fn default() -> Self {
        Self {
            changes: 0,
            since: 0,
            until: 0,
            last: f64::NAN,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            area: 0.0,
            points: Vec::new(),
            stride: 1,
        }
    }
}

impl Series {
    /// The quantity has a new value from now on. Time must not run backwards.
    pub fn change(&mut self, now: Duration, value: f64) {
        self.change_at(crate::clock::nanoseconds(now), value);
    }

    pub(crate) fn change_at(&mut self, now: Nanoseconds, value: f64) {
        if self.changes == 0 {
            self.since = now;
            self.until = now;
        }
        self.extend_to_time(now);
        self.last = value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        if self.changes.is_multiple_of(self.stride) {
            self.keep(now, value);
        }
        self.changes += 1;
    }

    fn keep(&mut self, now: Nanoseconds, value: f64) {
        self.points.push((now, value));
        if self.points.len() == SERIES_POINTS_MAX {
            let mut place = 0;
            self.points.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// The quantity keeps its value until this moment.
    pub fn extend_to(&mut self, now: Duration) {
        self.extend_to_time(crate::clock::nanoseconds(now));
    }

    pub(crate) fn extend_to_time(&mut self, now: Nanoseconds) {
        if self.changes > 0 {
            debug_assert!(now >= self.until, "time runs backwards");
            self.area += self.last * seconds(now - self.until);
            self.until = now;
        }
    }

    /// Restarts at this moment, with the value it has.
    pub(crate) fn forget_until(&mut self, now: Nanoseconds) {
        let value = self.last;
        let was_given = self.changes > 0;
        *self = Self::default();
        if was_given {
            self.change_at(now, value);
        }
    }

    /// How often it was given a value.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// The mean over time; the last value if no time has passed, and not a number if there is none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.until == self.since {
            return self.last;
        }
        self.area / seconds(self.until - self.since)
    }

    /// The smallest value; not a number if there is none.
    #[must_use]
    pub fn min(&self) -> f64 {
        if self.changes == 0 { f64::NAN } else { self.min }
    }

    /// The largest value; not a number if there is none.
    #[must_use]
    pub fn max(&self) -> f64 {
        if self.changes == 0 { f64::NAN } else { self.max }
    }

    /// The value it has now; not a number if there is none.
    #[must_use]
    pub fn last(&self) -> f64 {
        self.last
    }

    /// The changes that were kept, with the time at which they took place.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (Duration, f64)> {
        self.points.iter().map(|&(time, value)| (Duration::from_nanos(time), value))
    }

    /// Every how many changes one was kept; 1 if all were.
    #[must_use]
    pub fn stride(&self) -> u64 {
        self.stride
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_over_time() {
        let mut series = Series::default();
        assert!(series.mean().is_nan());
        series.change_at(1_000_000_000, 9.0);
        assert_eq!(series.mean(), 9.0);
        series.change_at(1_000_000_000, 3.0);
        series.change_at(3_000_000_000, -1.0);
        series.extend_to_time(5_000_000_000);
        assert_eq!(series.mean(), 1.0);
        assert_eq!((series.min(), series.max(), series.last()), (-1.0, 9.0, -1.0));
    }

    #[test]
    fn what_is_forgotten_leaves_the_value() {
        let mut series = Series::default();
        series.forget_until(500_000_000);
        assert_eq!(series.changes(), 0);
        series.change_at(1_000_000_000, 9.0);
        series.change_at(2_000_000_000, 3.0);
        series.forget_until(4_000_000_000);
        series.change_at(5_000_000_000, 1.0);
        series.extend_to_time(6_000_000_000);
        assert_eq!((series.mean(), series.min(), series.max()), (2.0, 1.0, 3.0));
    }

    #[test]
    fn points_are_thinned_out_evenly() {
        let mut series = Series::default();
        for time in 0..100_000_u32 {
            series.change_at(u64::from(time), f64::from(time));
        }
        assert!(series.points().len() < SERIES_POINTS_MAX);
        assert_eq!(series.stride(), 32);
        let kept: Vec<f64> = series.points().map(|(_, value)| value).collect();
        assert!(kept.windows(2).all(|pair| pair[1] - pair[0] == 32.0));
        assert_eq!(series.changes(), 100_000);
    }
}
