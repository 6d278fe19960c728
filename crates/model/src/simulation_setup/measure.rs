//! Results of a simulated run, and its warm-up.

use std::time::Duration;

/// The warm-up: the first part of a run, which does not count.
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
    /// Measurements before this moment do not count.
    Until(Duration),
    /// MSER-5 decides how many of the first observations of each distribution do not count.
    /// Counters and time series cover the whole run.
    Mser5,
}

/// The measurements of a finished run, after its [warm-up](WarmUp); each [`Measure`] is computed
/// from them.
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
    /// The simulated time of the measurements, in seconds.
    fn elapsed_s(&self) -> f64;
    /// How many packets were sent; a broadcast counts once per neighbour.
    fn packets_sent(&self) -> u64;
    /// How many packets arrived.
    fn packets_delivered(&self) -> u64;
    /// The value of a counter; 0 without counts.
    fn count(&self, name: &str) -> u64;
    /// The mean of a distribution, or the time average of a series; NaN without observations.
    fn mean(&self, name: &str) -> f64;
    /// A quantile of a distribution, to within 0.4 %; NaN without observations. 0.5 gives the
    /// median.
    ///
    /// # Panics
    /// If the fraction is not from 0 to 1.
    fn quantile(&self, name: &str, fraction: f64) -> f64;
}

/// Computes a result from the measurements of a run.
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
    /// Its name.
    pub name: String,
    /// Its unit; empty for a plain number.
    pub unit: String,
    /// Its formula.
    pub compute: Formula,
}
