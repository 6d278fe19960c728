//! Durations of directed diffusion.

use std::time::Duration;

/// Durations for simulations. An exploration has no clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// The interval between interests of a sink.
    pub refresh_interval: Duration,
    /// How long a node does not forward an interest again.
    pub suppression: Duration,
    /// The lifetime of a gradient without a new interest.
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
