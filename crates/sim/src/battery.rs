//! What a node has spent.

use crate::Distribution;

/// What the radio of one node has done, and what it took from the battery.
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
    /// For how long it transmitted, in seconds.
    pub transmitting_s: f64,
    /// For how long it received.
    pub receiving_s: f64,
    /// For how long it did neither.
    pub idle_s: f64,
    /// For how long it was off.
    pub off_s: f64,
    /// What transmitting took, in joules.
    pub transmitting_j: f64,
    /// What receiving took.
    pub receiving_j: f64,
    /// What doing neither took.
    pub idle_j: f64,
    /// What is left; infinite, if the battery never runs empty.
    pub residual_j: f64,
    /// When it was empty, if it was, in seconds after the start.
    pub died_s: Option<f64>,
}

impl Battery {
    /// What was taken from it, in joules.
    #[must_use]
    pub fn spent_j(&self) -> f64 {
        self.transmitting_j + self.receiving_j + self.idle_j
    }
}

/// What all nodes have spent, as distributions over nodes, in joules; and when batteries were empty, in seconds.
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
