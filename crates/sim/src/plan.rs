//! Plan of independent runs: how many, on how many threads, and when they suffice.

use std::ops::ControlFlow;

use everypath_model::{Protocol, Scenario};

use crate::{
    Estimate, Limits, Replications, Run, SimError, Simulation, in_order::try_in_order,
    replications::Collected,
};

/// How independent runs of a scenario are made.
///
/// Runs are made on several threads, and looked at in the order of replications: what comes out,
/// and after which run it is enough, do not depend on the number of workers. If several
/// replications fail, the error of the first of them is reported.
///
/// Replications are numbered from `first` on; there are 2^32 of them, after the last of which comes
/// number 0.
///
/// ```
/// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
/// # struct Coin;
/// # impl Protocol for Coin {
/// #     type State = ();
/// #     type Message = Never;
/// #     type Timer = Never;
/// #     type Command = Never;
/// #     fn start(&self, node: &mut Start<'_, Self>) {
/// #         let side = node.choose(2);
/// #         node.sample("side", f64::from(side));
/// #     }
/// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}
/// # }
/// use std::ops::ControlFlow;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Plan, Precision};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let coin = Scenario::new(Coin, Topology::chain(1))
///     .simulation(|run| run.measure("side", "", |run| run.mean("side")));
/// let plan = Plan { workers: 2, ..Plan::new(1, 10_000) };
/// let precision = Precision { share: 0.1, of: None };
/// let results = plan.replicate(&coin, |runs| match precision.is_reached(runs) {
///     true => ControlFlow::Break(()),
///     false => ControlFlow::Continue(()),
/// })?;
/// let side = results.measure("side").unwrap();
/// assert!(side.covers(0.5) && side.precision() <= 0.1 && side.runs < 1000);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Where all random numbers come from.
    pub seed: u64,
    /// The number of the first replication.
    pub first: u32,
    /// How many runs there are, at most.
    pub replications: u32,
    /// On how many threads they are made.
    pub workers: u32,
    /// When to end a run early.
    pub limits: Limits<'a>,
}

impl Plan<'_> {
    /// This many runs, one after the other.
    #[must_use]
    pub fn new(seed: u64, replications: u32) -> Self {
        Self { seed, first: 0, replications, workers: 1, limits: Limits::default() }
    }

    /// Runs a scenario this many times, or until it is enough: after each run, in the order of
    /// replications, `enough` is shown all runs so far.
    ///
    /// # Errors
    /// If the scenario cannot be run, or a handler or measure panics in any of the runs.
    pub fn replicate<P: Protocol>(
        &self,
        scenario: &Scenario<P>,
        mut enough: impl FnMut(&[Run]) -> ControlFlow<()>,
    ) -> Result<Replications, SimError> {
        let mut collected = Collected::default();
        let stopped = self.each(
            |replication, limits| self.run(scenario, replication, limits),
            |run| {
                collected.add(run)?;
                enough(&collected.runs)
            },
        )?;
        collected.stopped |= stopped;
        Ok(collected.results())
    }

    /// Makes one run.
    pub(crate) fn run<P: Protocol>(
        &self,
        scenario: &Scenario<P>,
        replication: u32,
        limits: &Limits<'_>,
    ) -> Result<Run, SimError> {
        Simulation::new(scenario, self.seed, replication)?.run(limits)
    }

    /// Makes something of each replication, and has it taken in order. True if it was stopped.
    pub(crate) fn each<T: Send, E: Send>(
        &self,
        make: impl Fn(u32, &Limits<'_>) -> Result<T, E> + Sync,
        take: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<bool, E> {
        try_in_order(
            self.replications.into(),
            self.workers,
            self.limits.stop,
            |number, stop| {
                // There are no more than 2^32 of them.
                make(self.first.wrapping_add(number as u32), &Limits { stop, ..self.limits })
            },
            take,
        )
    }
}

/// How precisely a measure is to be known.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Limits, Precision, replicate};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4)).simulation(|run| run.measure_count("heard"));
/// let runs = replicate(&scenario, 1, 10, &Limits::default(), &mut ())?.runs;
/// let precision = Precision { share: 0.05, of: Some("heard".to_owned()) };
/// // All runs agree; but four are too few.
/// assert!(precision.is_reached(&runs) && !precision.is_reached(&runs[..4]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Precision {
    /// The half width of its 95 % confidence interval is at most this share of its mean.
    pub share: f64,
    /// Which measure; all of the scenario's, if none is named.
    pub of: Option<String>,
}

impl Precision {
    /// How many runs there must be: with fewer, a narrow interval is too often good luck.
    pub const RUNS_MIN: u32 = 5;

    /// Whether these runs are enough. Without a measure that they could be enough for, they never
    /// are.
    #[must_use]
    pub fn is_reached(&self, runs: &[Run]) -> bool {
        if runs.len() < Self::RUNS_MIN as usize {
            return false;
        }
        let mut precisions = self.estimates(runs).map(|it| it.precision()).peekable();
        precisions.peek().is_some() && precisions.all(|precision| precision <= self.share)
    }

    /// The estimates of the measures that are to be known.
    pub fn estimates<'a>(&'a self, runs: &'a [Run]) -> impl Iterator<Item = Estimate> + use<'a> {
        let measures = runs.first().map_or(&[][..], |run| &run.measures);
        let wanted = |name: &str| self.of.as_ref().is_none_or(|of| of == name);
        measures.iter().enumerate().filter(move |(_, it)| wanted(&it.name)).map(|(place, it)| {
            let values: Vec<f64> = runs.iter().map(|run| run.measures[place].value).collect();
            Estimate::of(&it.name, &it.unit, &values)
        })
    }
}
