//! What a node has spent.

use crate::Distribution;

/// What the radio of one node has done, and what it took from the battery.
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
