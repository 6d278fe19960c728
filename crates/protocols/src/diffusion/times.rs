//! How long things take.

use std::time::Duration;

/// The durations that a simulation needs. An exploration knows no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// How often a sink repeats its interests.
    pub refresh_interval: Duration,
    /// For how long a node does not pass on an interest again.
    pub suppression: Duration,
    /// How long a gradient lasts that is not asked for again.
    pub gradient_lifetime: Duration,
    /// How long data are remembered.
    pub data_lifetime: Duration,
}

impl Default for Times {
    /// A gradient outlives two interests that get lost.
    fn default() -> Self {
        let refresh_interval = Duration::from_secs(30);
        Self {
            refresh_interval,
            suppression: refresh_interval / 2,
            gradient_lifetime: 3 * refresh_interval,
            data_lifetime: 2 * refresh_interval,
        }
    }
}
