//! Independent runs of one scenario, and what they tell together.

use std::{collections::BTreeSet, sync::atomic::Ordering};

use everypath_model::{Protocol, Readings, Scenario};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::{Distribution, Ending, Limits, Observer, Run, Series, SimError, Simulation};

/// What the runs tell about one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// What it is called.
    pub name: String,
    /// What it is measured in; empty if it is a plain number or nobody said.
    pub unit: String,
    /// How many runs there were.
    pub runs: u32,
    /// In how many of them it was not a finite number. If in any, then what follows is not a
    /// number: the other runs alone would be a biased sample.
    pub undefined: u32,
    /// The mean over the runs.
    pub mean: f64,
    /// The standard deviation between runs; not a number for fewer than two.
    pub deviation: f64,
    /// With the mean, plus and minus: the 95 % confidence interval after Student, not a number for
    /// fewer than two runs.
    pub half_width: f64,
}

impl Estimate {
    /// From the value of each run.
    ///
    /// ```
    /// use everypath_sim::Estimate;
    ///
    /// let estimate = Estimate::of("delay", "ms", &[9.0, 10.0, 11.0]);
    /// assert_eq!((estimate.mean, estimate.deviation), (10.0, 1.0));
    /// assert!((estimate.half_width - 4.302_653 / 3_f64.sqrt()).abs() < 1e-5);
    /// ```
    #[must_use]
    pub fn of(name: &str, unit: &str, values: &[f64]) -> Self {
        let runs = u32::try_from(values.len()).expect("runs are numbered in 32 bits");
        let undefined = values.iter().filter(|value| !value.is_finite()).count();
        let mut all = Distribution::default();
        values.iter().for_each(|&value| all.observe(value));
        let deviation = all.deviation();
        let half_width = if runs < 2 {
            f64::NAN
        } else {
            student_t_95(runs - 1) * deviation / f64::from(runs).sqrt()
        };
        Self {
            name: name.to_owned(),
            unit: unit.to_owned(),
            runs,
            undefined: u32::try_from(undefined).expect("there are no more than runs"),
            mean: all.mean(),
            deviation,
            half_width,
        }
    }

    /// Whether a value is in the confidence interval.
    #[must_use]
    pub fn covers(&self, value: f64) -> bool {
        (self.mean - value).abs() <= self.half_width
    }
}

/// The quantile of Student's distribution that leaves 2.5 % above it.
fn student_t_95(freedom: u32) -> f64 {
    StudentsT::new(0.0, 1.0, f64::from(freedom))
        .expect("a positive number of degrees of freedom")
        .inverse_cdf(0.975)
}

/// Independent runs of one scenario. The estimates are over the [runs](Self::runs) alone.
#[derive(Clone, Debug)]
pub struct Replications {
    /// The runs that came to their end, or to the limit of events.
    pub runs: Vec<Run>,
    /// The run that was under way when the [stop flag](Limits::stop) was raised, if one was. It
    /// covers less time than the others, so no estimate includes it.
    pub partial: Option<Run>,
    /// Whether fewer were run than asked for, because the stop flag was raised.
    pub stopped: bool,
    /// The scenario's measures, in its order.
    pub measures: Vec<Estimate>,
    /// The counters, by name; what a run did not count is 0 there.
    pub counters: Vec<Estimate>,
    /// The mean of each distribution, by name; undefined in a run that observed nothing.
    pub distributions: Vec<Estimate>,
    /// The mean over time of each series, by name; undefined in a run that has no value.
    pub series: Vec<Estimate>,
}

impl Replications {
    /// From the runs.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn of(runs: Vec<Run>) -> Self {
        let measures = runs.first().map_or(&[][..], |run| &run.measures);
        let measures = measures.iter().map(|measure| {
            let value = |run: &Run| run.measure(&measure.name).unwrap_or(f64::NAN);
            let values: Vec<f64> = runs.iter().map(value).collect();
            Estimate::of(&measure.name, &measure.unit, &values)
        });
        Self {
            measures: measures.collect(),
            counters: each(&runs, |run| &run.counters, |run, name| run.count(name) as f64),
            distributions: each(
                &runs,
                |run| &run.distributions,
                |run, name| run.distribution(name).map_or(f64::NAN, Distribution::mean),
            ),
            series: each(
                &runs,
                |run| &run.series,
                |run, name| run.series(name).map_or(f64::NAN, Series::mean),
            ),
            runs,
            partial: None,
            stopped: false,
        }
    }

    /// The estimate of a measure.
    #[must_use]
    pub fn measure(&self, name: &str) -> Option<&Estimate> {
        self.measures.iter().find(|measure| measure.name == name)
    }
}

/// An estimate for every name that occurs in the lists of any run.
fn each<T>(
    runs: &[Run],
    list: impl Fn(&Run) -> &[(&'static str, T)],
    value: impl Fn(&Run, &str) -> f64,
) -> Vec<Estimate> {
    let names: BTreeSet<&str> =
        runs.iter().flat_map(|run| list(run).iter().map(|(name, _)| *name)).collect();
    let estimate = |name| {
        let values: Vec<f64> = runs.iter().map(|run| value(run, name)).collect();
        Estimate::of(name, "", &values)
    };
    names.into_iter().map(estimate).collect()
}

/// Runs a scenario so many times, independently: replications 0, 1, 2, … under one seed. The
/// observer sees all of them, one after the other, and is told when each is
/// [finished](Observer::finished).
///
/// # Errors
/// If the scenario cannot be run, or a handler or measure panics in any of the runs.
pub fn replicate<P: Protocol>(
    scenario: &Scenario<P>,
    seed: u64,
    replications: u32,
    limits: &Limits<'_>,
    observer: &mut impl Observer<P>,
) -> Result<Replications, SimError> {
    let mut runs = Vec::new();
    let mut partial = None;
    let mut stopped = false;
    for replication in 0..replications {
        stopped = limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if stopped {
            break;
        }
        let simulation = Simulation::observed(scenario, seed, replication, &mut *observer)?;
        let run = simulation.run(limits)?;
        observer.finished(&run);
        if run.ending == Ending::Stopped {
            (partial, stopped) = (Some(run), true);
            break;
        }
        runs.push(run);
    }
    Ok(Replications { partial, stopped, ..Replications::of(runs) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_s_table() {
        for (freedom, expected) in [(1, 12.706), (2, 4.303), (9, 2.262), (29, 2.045), (1000, 1.962)]
        {
            let t = student_t_95(freedom);
            assert!((t - expected).abs() < 5e-4, "{freedom}: {t}");
        }
    }

    #[test]
    fn an_undefined_run_is_not_averaged_away() {
        let estimate = Estimate::of("delay", "s", &[1.0, f64::NAN, 3.0]);
        assert_eq!((estimate.runs, estimate.undefined), (3, 1));
        assert!(estimate.mean.is_nan() && estimate.half_width.is_nan());
        let one = Estimate::of("delay", "s", &[1.0]);
        assert_eq!((one.mean, one.undefined), (1.0, 0));
        assert!(one.half_width.is_nan());
    }
}
