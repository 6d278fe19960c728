//! Replications: independent runs of one scenario, and their estimates.

use std::{collections::BTreeSet, ops::ControlFlow, sync::atomic::Ordering};

use everypath_model::{Protocol, Readings, Scenario};

use crate::{Distribution, Ending, Estimate, Limits, Observer, Run, Series, SimError, Simulation};

/// Independent runs of one scenario. The estimates are over the [runs](Self::runs) alone.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Limits, replicate};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4))
///     .simulation(|run| run.measure("share of heads", "", |run| run.mean("side")));
/// let results = replicate(&scenario, 1, 10, &Limits::default(), &mut ())?;
/// assert_eq!(results.measure("share of heads").unwrap().runs, 10);
/// // Ten runs with four coins each.
/// assert_eq!(results.pooled("side").count(), 40);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replications {
    /// The runs that came to their end, or to the limit of events.
    pub runs: Vec<Run>,
    /// The run that was under way when the [stop flag](Limits::stop) was raised, if one was. It
    /// covers less time than the others, so no estimate includes it.
    pub partial: Option<Run>,
    /// Whether fewer were run than asked for, because the stop flag was raised.
    pub stopped: bool,
    /// The run that has violated an assertion, if they were [watched](Limits::violation) and one did:
    /// the first in the order of replications. It was the last, and no estimate includes it.
    pub violated: Option<Run>,
    /// The scenario's measures, in its order.
    pub measures: Vec<Estimate>,
    /// The counters, by name; what a run did not count is 0 there.
    pub counters: Vec<Estimate>,
    /// The mean of each distribution, by name; undefined in a run that observed nothing.
    pub distributions: Vec<Estimate>,
    /// The median of each distribution, in the same order.
    pub medians: Vec<Estimate>,
    /// What 95 % of the observations of each distribution do not exceed, in the same order.
    pub percentiles_95: Vec<Estimate>,
    /// The mean over time of each series, by name; undefined in a run that has no value.
    pub series: Vec<Estimate>,
}

impl Replications {
    /// From the runs.
    ///
    /// ```
    /// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
    /// # use coin::Coin;
    /// use everypath_model::{Scenario, Topology};
    /// use everypath_sim::{Limits, Replications, Simulation};
    ///
    /// # fn main() -> Result<(), everypath_sim::SimError> {
    /// let scenario = Scenario::new(Coin, Topology::ring(4));
    /// let run = |replication| Simulation::new(&scenario, 1, replication)?.run(&Limits::default());
    /// let results = Replications::of(vec![run(0)?, run(1)?]);
    /// assert_eq!((&results.counters[0].name[..], results.counters[0].mean), ("heard", 8.0));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn of(runs: Vec<Run>) -> Self {
        let measures = runs.first().map_or(&[][..], |run| &run.measures);
        let measures = measures.iter().map(|measure| {
            let value = |run: &Run| run.measure(&measure.name).unwrap_or(f64::NAN);
            let values: Vec<f64> = runs.iter().map(value).collect();
            Estimate::of(&measure.name, &measure.unit, &values)
        });
        let of_each = |number: fn(&Distribution) -> f64| {
            let value = |run: &Run, name: &str| run.distribution(name).map_or(f64::NAN, number);
            each(&runs, |run| &run.distributions, value, Run::unit)
        };
        Self {
            measures: measures.collect(),
            counters: each(
                &runs,
                |run| &run.counters,
                |run, name| run.count(name) as f64,
                |_, _| "",
            ),
            distributions: of_each(Distribution::mean),
            medians: of_each(|it| it.quantile(0.5)),
            percentiles_95: of_each(|it| it.quantile(0.95)),
            series: each(
                &runs,
                |run| &run.series,
                |run, name| run.series(name).map_or(f64::NAN, Series::mean),
                Run::unit,
            ),
            runs,
            partial: None,
            stopped: false,
            violated: None,
        }
    }

    /// The observations of all runs under a name taken together, for a picture of how they are
    /// distributed. They are not independent, so estimates are made of runs.
    #[must_use]
    pub fn pooled(&self, name: &str) -> Distribution {
        let mut pooled = Distribution::default();
        self.runs.iter().filter_map(|run| run.distribution(name)).for_each(|it| pooled.merge(it));
        pooled
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
    unit: impl for<'a> Fn(&'a Run, &str) -> &'a str,
) -> Vec<Estimate> {
    let names: BTreeSet<&str> =
        runs.iter().flat_map(|run| list(run).iter().map(|(name, _)| *name)).collect();
    let estimate = |name| {
        let values: Vec<f64> = runs.iter().map(|run| value(run, name)).collect();
        let unit = runs.iter().map(|run| unit(run, name)).find(|unit| !unit.is_empty());
        Estimate::of(name, unit.unwrap_or(""), &values)
    };
    names.into_iter().map(estimate).collect()
}

/// Runs a scenario this many times, independently: replications 0, 1, 2, … under one seed. The
/// observer sees all of them, one after the other, and is notified when each is
/// [finished](Observer::finished).
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Limits, replicate};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4));
/// let results = replicate(&scenario, 1, 10, &Limits::default(), &mut ())?;
/// assert_eq!((results.runs.len(), results.stopped), (10, false));
/// # Ok(())
/// # }
/// ```
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
    let mut collected = Collected::default();
    for replication in 0..replications {
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            collected.stopped = true;
            break;
        }
        let simulation = Simulation::observed(scenario, seed, replication, &mut *observer)?;
        let run = simulation.run(limits)?;
        observer.finished(&run);
        if collected.add(run).is_break() {
            break;
        }
    }
    Ok(collected.results())
}

/// Runs as they come, in the order of replications.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) runs: Vec<Run>,
    partial: Option<Run>,
    violated: Option<Run>,
    pub(crate) stopped: bool,
}

impl Collected {
    /// Breaks after a run that was stopped, or that violates an assertion.
    pub(crate) fn add(&mut self, run: Run) -> ControlFlow<()> {
        match run.ending {
            Ending::Finished | Ending::EventLimit => {
                self.runs.push(run);
                return ControlFlow::Continue(());
            }
            Ending::Stopped => (self.partial, self.stopped) = (Some(run), true),
            Ending::Violated => self.violated = Some(run),
        }
        ControlFlow::Break(())
    }

    pub(crate) fn results(self) -> Replications {
        let Self { runs, partial, violated, stopped } = self;
        Replications { partial, violated, stopped, ..Replications::of(runs) }
    }
}
