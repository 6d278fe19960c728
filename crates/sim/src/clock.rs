//! Simulated time: whole nanoseconds since the start of the run.

use std::time::Duration;

/// A moment, or a span, in nanoseconds.
pub(crate) type Nanoseconds = u64;

/// The last moment at which anything can happen: some 584 years after the start. What would
/// happen later is due at [`NEVER`] and does not.
pub(crate) const LAST: Nanoseconds = Nanoseconds::MAX - 1;

/// After the end of time.
pub(crate) const NEVER: Nanoseconds = Nanoseconds::MAX;

/// A duration in nanoseconds; one that does not fit lasts for ever.
pub(crate) fn nanoseconds(duration: Duration) -> Nanoseconds {
    duration
        .as_secs()
        .saturating_mul(1_000_000_000)
        .saturating_add(u64::from(duration.subsec_nanos()))
}

/// Nanoseconds as seconds, for statistics.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn seconds(span: Nanoseconds) -> f64 {
    span as f64 / 1e9
}

/// Seconds that are not negative as nanoseconds, to the nearest.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn from_seconds(span: f64) -> Nanoseconds {
    (span * 1e9).round() as Nanoseconds
}
