//! Two variants of a scenario under the same random numbers.

use std::ops::ControlFlow;

use everypath_model::{Protocol, Scenario};
use thiserror::Error;

use crate::{Ending, Estimate, Plan, Run, SimError};

/// The estimates of one measure for two variants, and of their difference.
///
/// ```
/// use everypath_sim::PairedEstimate;
///
/// // The second variant is faster in every pair of runs.
/// let delay = PairedEstimate::of("delay", "ms", &[30.0, 10.0, 20.0], &[28.0, 9.0, 18.0]);
/// assert!(delay.difference.mean < 0.0);
/// assert!(delay.difference.deviation < delay.first.deviation);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairedEstimate {
    /// Of the first variant.
    pub first: Estimate,
    /// Of the second.
    pub second: Estimate,
    /// Of the second minus the first, in pairs of runs with the same replication: its interval is
    /// that of the paired t-test.
    pub difference: Estimate,
    /// How much smaller the variance of the difference is than it would be if the runs of one
    /// variant had nothing to do with those of the other, as a share; below 0 if it is larger. Not
    /// a number if neither variant has any spread.
    pub variance_reduction: f64,
}

impl PairedEstimate {
    /// From the values of two variants, in the order of replications.
    ///
    /// ```
    /// use everypath_sim::PairedEstimate;
    ///
    /// let (before, after) = ([10.0, 20.0, 30.0, 40.0], [11.0, 21.0, 32.0, 41.0]);
    /// let delay = PairedEstimate::of("delay", "ms", &before, &after);
    /// assert_eq!(delay.difference.mean, 1.25);
    /// assert!(!delay.difference.covers(0.0) && delay.first.covers(delay.second.mean));
    /// assert!(delay.variance_reduction > 0.99);
    /// ```
    ///
    /// # Panics
    /// If there are not as many of one as of the other.
    #[must_use]
    pub fn of(name: &str, unit: &str, first: &[f64], second: &[f64]) -> Self {
        assert_eq!(first.len(), second.len(), "values come in pairs");
        let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| b - a).collect();
        let [first, second, difference] =
            [first, second, &differences].map(|values| Estimate::of(name, unit, values));
        let variance = |estimate: &Estimate| estimate.deviation * estimate.deviation;
        let apart = variance(&first) + variance(&second);
        let variance_reduction = 1.0 - variance(&difference) / apart;
        Self { first, second, difference, variance_reduction }
    }
}

/// Pairs of runs of two variants of a scenario.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{LinkModel, Scenario, Topology};
/// use everypath_sim::Plan;
///
/// # fn main() -> Result<(), everypath_sim::VariantError> {
/// let variant = |loss: f64| {
///     Scenario::new(Coin, Topology::ring(10)).simulation(|run| {
///         run.link(LinkModel::default().loss(loss)).measure_count("heard")
///     })
/// };
/// let paired = Plan::new(1, 20).compare(&variant(0.0), &variant(0.5), |_| {})?;
/// let heard = &paired.measures[0];
/// assert_eq!(heard.first.mean, 20.0);
/// assert!(heard.difference.mean < 0.0 && !heard.difference.covers(0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Paired {
    /// The runs of the first variant and those of the second with the same replications.
    pub runs: Vec<(Run, Run)>,
    /// Whether fewer were run than asked for, because the stop flag was raised.
    pub stopped: bool,
    /// The measures that both variants have, in the order of the first.
    pub measures: Vec<PairedEstimate>,
    /// The names of measures that only one of them has.
    pub unpaired: Vec<String>,
}

impl Paired {
    fn of(runs: Vec<(Run, Run)>, stopped: bool) -> Self {
        let names = |run: &Run| run.measures.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        let (first, second) =
            runs.first().map_or_else(Default::default, |(a, b)| (names(a), names(b)));
        let values = |name: &str, of: fn(&(Run, Run)) -> &Run| -> Vec<f64> {
            runs.iter().map(|pair| of(pair).measure(name).unwrap_or(f64::NAN)).collect()
        };
        let both = runs.first().map_or(&[][..], |(first, _)| &first.measures);
        let measures = both.iter().filter(|it| second.contains(&it.name)).map(|it| {
            let (first, second) =
                (values(&it.name, |pair| &pair.0), values(&it.name, |pair| &pair.1));
            PairedEstimate::of(&it.name, &it.unit, &first, &second)
        });
        let measures = measures.collect();
        let only = |these: &[String], those: &[String]| {
            these.iter().filter(|name| !those.contains(name)).cloned().collect::<Vec<_>>()
        };
        let unpaired = [only(&first, &second), only(&second, &first)].concat();
        Self { runs, stopped, measures, unpaired }
    }
}

/// Why a variant has no result.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Plan, VariantError};
///
/// let (some, none) = (Scenario::new(Coin, Topology::ring(3)), Scenario::new(Coin, Topology::chain(0)));
/// let compared = Plan::new(1, 20).compare(&some, &none, |_| {});
/// assert!(matches!(compared, Err(VariantError::Second(_))));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
pub enum VariantError {
    /// The first variant.
    #[error("the first variant: {0}")]
    First(SimError),
    /// The second variant.
    #[error("the second variant: {0}")]
    Second(SimError),
}

impl Plan<'_> {
    /// Runs two variants of a scenario this many times, each pair of runs under the same random
    /// numbers: what happens by chance in one, such as the losses of a link, happens in the other,
    /// where both ask for it. After each pair, in the order of replications, `watch` is shown all
    /// pairs so far.
    ///
    /// # Errors
    /// If a variant cannot be run, or a handler or measure panics in any of the runs.
    pub fn compare<P: Protocol>(
        &self,
        first: &Scenario<P>,
        second: &Scenario<P>,
        mut watch: impl FnMut(&[(Run, Run)]),
    ) -> Result<Paired, VariantError> {
        let mut pairs = Vec::new();
        let stopped = self.each(
            |replication, limits| {
                let one = self.run(first, replication, limits).map_err(VariantError::First)?;
                let other = self.run(second, replication, limits).map_err(VariantError::Second)?;
                Ok((one, other))
            },
            |pair| {
                // Half a pair does not count.
                if [&pair.0, &pair.1].iter().any(|run| run.ending == Ending::Stopped) {
                    return ControlFlow::Break(());
                }
                pairs.push(pair);
                watch(&pairs);
                ControlFlow::Continue(())
            },
        )?;
        let cut_off = pairs.len() < self.replications as usize;
        Ok(Paired::of(pairs, stopped || cut_off))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paired_t_test_of_a_textbook_s_kind() {
        // Differences 2, 1, 3, 2, 2, mean 2, variance 1/2, t(4) = 2.776.
        let (first, second) = ([10.0, 20.0, 30.0, 40.0, 50.0], [12.0, 21.0, 33.0, 42.0, 52.0]);
        let paired = PairedEstimate::of("delay", "s", &first, &second);
        assert_eq!((paired.difference.mean, paired.difference.deviation), (2.0, 0.5_f64.sqrt()));
        let half_width = 2.776_445 * (0.5_f64 / 5.0).sqrt();
        assert!((paired.difference.half_width - half_width).abs() < 1e-5);
        // The variances are 250 and 255.5.
        assert!((paired.variance_reduction - (1.0 - 0.5 / 505.5)).abs() < 1e-12);
    }

    #[test]
    fn what_goes_the_other_way_has_more_variance() {
        let paired = PairedEstimate::of("delay", "s", &[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]);
        assert_eq!(paired.variance_reduction, -1.0);
        let certain = PairedEstimate::of("delay", "s", &[1.0, 1.0], &[2.0, 2.0]);
        assert!(certain.variance_reduction.is_nan());
        assert_eq!((certain.difference.mean, certain.difference.half_width), (1.0, 0.0));
    }
}
