//! Delay, bandwidth, loss, duplication and queue of a simulated link.

use std::time::Duration;

use super::Loss;

/// A point-to-point link, in one direction.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use std::time::Duration;
/// use everypath_model::{LinkModel, Scenario, Topology};
///
/// let slow = LinkModel::default()
///     .bandwidth_bps(64_000)
///     .delay(Duration::from_millis(250))
///     .loss(0.01);
/// let scenario = Scenario::new(Greeting, Topology::chain(2)).simulation(|run| run.link(slow));
/// assert!(scenario.validate().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinkModel {
    /// Bits per second; `None` for a link without transmission time.
    pub bandwidth_bps: Option<u64>,
    /// The time from the last bit sent to the last bit received.
    pub delay: Duration,
    /// Which packets are lost on the way.
    pub loss: Loss,
    /// The probability that a packet arrives twice.
    pub duplication: f64,
    /// How many packets can wait for the link; further ones are dropped.
    pub queue: usize,
}

impl Default for LinkModel {
    /// 10 Mbit/s, 1 ms, no loss, no duplication, 100 packets.
    fn default() -> Self {
        Self {
            bandwidth_bps: Some(10_000_000),
            delay: Duration::from_millis(1),
            loss: Loss::NONE,
            duplication: 0.0,
            queue: 100,
        }
    }
}

crate::setters!(LinkModel {
    bandwidth_bps: impl Into<Option<u64>>,
    delay: Duration,
    loss: impl Into<Loss>,
    duplication: f64,
    queue: usize,
});
