//! Results of a simulated run, and its warm-up.

use std::time::Duration;

/// What of a simulation run does not count, because the run has not settled yet.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, Topology, WarmUp};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(5))
///     .simulation(|run| run.warm_up(WarmUp::Mser5));
/// assert_eq!(scenario.simulation.warm_up, WarmUp::Mser5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WarmUp {
    /// Everything counts.
    #[default]
    None,
    /// What is measured before this moment does not count.
    Until(Duration),
    /// Of each distribution, as many of the first observations do not count as MSER-5 says. Counters
    /// and levels over time have no such rule: they are those of the whole run.
    Mser5,
}

/// What a finished simulation run has measured, after its [warm-up](WarmUp); a [`Measure`] is
/// computed from it.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::full_mesh(3)).simulation(|run| {
///     run.measure("delivered", "", |run| {
///         run.packets_delivered() as f64 / run.packets_sent() as f64
///     })
/// });
/// assert!(scenario.validate().is_ok());
/// ```
pub trait Readings {
    /// The simulated time in which was measured, in seconds.
    fn elapsed_s(&self) -> f64;
    /// How many packets were handed to a link; a broadcast is one for every neighbour.
    fn packets_sent(&self) -> u64;
    /// How many packets arrived.
    fn packets_delivered(&self) -> u64;
    /// The value of a counter; 0 if nothing was counted under that name.
    fn count(&self, name: &str) -> u64;
    /// The mean of a distribution, or the time average of a series; not a number if nothing was
    /// observed under that name.
    fn mean(&self, name: &str) -> f64;
    /// The value that this fraction of the observations of a distribution does not exceed, to within
    /// 0.4 %; not a number if nothing was observed under that name. 0.5 gives the median.
    ///
    /// # Panics
    /// If the fraction is not from 0 to 1.
    fn quantile(&self, name: &str, fraction: f64) -> f64;
}

/// How a result is computed from what a run has measured.
type Formula = Box<dyn Fn(&dyn Readings) -> f64 + Send + Sync>;

/// A result of a simulation run, computed from its measurements.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(5))
///     .simulation(|run| run.measure("load", "1/s", |run| run.packets_sent() as f64 / run.elapsed_s()));
/// let load = &scenario.simulation.measures[0];
/// assert_eq!((&load.name[..], &load.unit[..]), ("load", "1/s"));
/// ```
pub struct Measure {
    /// What it is called.
    pub name: String,
    /// What it is measured in; empty if it is a plain number.
    pub unit: String,
    /// How it is computed.
    pub compute: Formula,
}
