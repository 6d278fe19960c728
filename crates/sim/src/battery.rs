//! Battery of a node: time and energy spent in each mode.

use crate::Distribution;

/// The time and the energy that the radio of one node has spent in each mode.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Area, Energy, Field, IdealRadio, Mobility, Radio, Scenario, Topology};
/// use everypath_sim::{Limits, Simulation};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let area = Mobility::Uniform(Area { width: 100.0, height: 100.0 });
/// let field = Field::new(area, Radio::Ideal(IdealRadio::default())).energy(Energy::default());
/// let scenario = Scenario::new(Coin, Topology::unlinked(3)).simulation(|run| run.field(field));
/// let run = Simulation::new(&scenario, 1, 0)?.run(&Limits::default())?;
/// let battery = run.batteries[0];
/// assert!(battery.spent_j() > battery.transmitting_j);
/// assert_eq!(battery.died_s, None);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Battery {
    /// Time spent transmitting, in seconds.
    pub transmitting_s: f64,
    /// Time spent receiving.
    pub receiving_s: f64,
    /// Time spent idle.
    pub idle_s: f64,
    /// Time spent off.
    pub off_s: f64,
    /// Energy spent transmitting, in joules.
    pub transmitting_j: f64,
    /// Energy spent receiving.
    pub receiving_j: f64,
    /// Energy spent idle.
    pub idle_j: f64,
    /// Remaining energy; infinite if the battery never runs empty.
    pub residual_j: f64,
    /// When the battery was empty, in seconds after the start.
    pub died_s: Option<f64>,
}

impl Battery {
    /// The energy spent in all, in joules.
    #[must_use]
    pub fn spent_j(&self) -> f64 {
        self.transmitting_j + self.receiving_j + self.idle_j
    }
}

/// The energy that nodes have spent, as distributions over nodes, in joules; and lifetimes of batteries, in seconds.
pub(crate) fn distributions(batteries: &[Battery]) -> Vec<(&'static str, Distribution)> {
    let over = |value: fn(&Battery) -> Option<f64>| {
        let mut distribution = Distribution::default();
        batteries.iter().filter_map(value).for_each(|value| distribution.observe(value));
        distribution
    };
    let all = [
        ("energy", over(|battery| Some(battery.spent_j()))),
        ("energy idle", over(|battery| Some(battery.idle_j))),
        ("energy receiving", over(|battery| Some(battery.receiving_j))),
        ("energy transmitting", over(|battery| Some(battery.transmitting_j))),
        ("lifetime", over(|battery| battery.died_s)),
    ];
    all.into_iter().filter(|(_, distribution)| distribution.count() > 0).collect()
}
