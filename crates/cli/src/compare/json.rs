//! The report of `compare`, as JSON has it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    comparison::{Compared, Run, Summary},
    differences::{Difference, Pair},
    operations::MeanTime,
    report::Report,
    spec::CompareSpec,
};
use crate::{
    arguments::{
        compare::Quantity,
        published::ProfileName,
        search::{AddName, StoreName, StrategyName, TiesName},
    },
    check::report::json::TimingsReport,
    output::Outcome,
    searching::{
        json::{ConditionsReport, MethodReport},
        verdict::Verdict,
    },
};

/// What `everypath compare --json` prints.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Compare"))]
pub(crate) struct CompareReport {
    /// The name of the scenario.
    scenario: String,
    /// The semantics of runs.
    profile: ProfileName,
    /// The values of all parameters.
    parameters: BTreeMap<String, String>,
    /// Whether every run was made and none was stopped.
    complete: bool,
    /// Whether the user stopped the comparison before every run was made. An unfinished run is not included.
    interrupted: bool,
    /// The bound on the number of events of a run; null if there was none.
    max_depth: Option<u32>,
    /// The limit on the states of each search; null if there was none.
    max_states: Option<u64>,
    /// The limit on the memory of the program, in bytes; null unless the user has given one.
    #[cfg_attr(test, schemars(range(min = 1)))]
    max_memory: Option<u64>,
    /// The limit on the time of each search, in seconds; null if there was none.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    max_time: Option<f64>,
    /// What all searches looked for.
    options: ConditionsReport,
    /// The seeds of the searches that draw random numbers; empty if there are none.
    seeds: Vec<u64>,
    /// Where the comparison was drawn; null without `--plot`.
    plot: Option<String>,
    /// How many runs were made at once; null without times, the only results that depend on it.
    #[cfg_attr(test, schemars(range(min = 1)))]
    jobs: Option<u32>,
    /// The confidence level of all intervals.
    #[cfg_attr(test, schemars(range(min = 0.5, max = 0.999_999)))]
    confidence: f64,
    /// The searches, in the order in which they were given.
    searches: Vec<SearchReport>,
    /// How means differ; empty without `--against`.
    differences: Vec<DifferenceReport>,
}

/// How the means of one search differ from those of another.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Difference"))]
struct DifferenceReport {
    /// The name of the search.
    search: String,
    /// The name of the other search, whose means are subtracted.
    against: String,
    /// In executed events.
    events: Option<QuantityDifference>,
    /// In stored states.
    states_visited: Option<QuantityDifference>,
    /// In stored states and those in the list to be explored; null in the standard profile.
    space: Option<QuantityDifference>,
    /// In branches taken in the code of calls; null if these are unknown.
    branches_taken: Option<QuantityDifference>,
    /// In steps of the first counterexample as it was found, over the pairs of runs that both have one.
    steps_found: Option<QuantityDifference>,
    /// In time; null with `--no-time`.
    seconds: Option<QuantityDifference>,
}

/// How the mean of one quantity differs; null in its place if a search was stopped before it had all of it, or has none.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Quantity_difference"))]
struct QuantityDifference {
    /// The difference of the means.
    mean: f64,
    /// The half width of its confidence interval at the level `confidence`; null if there are too few runs, or if it is exact.
    #[cfg_attr(test, schemars(range(min = 0)))]
    half_width: Option<f64>,
    /// What it follows from. `pairs`: runs with the same seed, with the paired interval after Student. `independent`: runs
    /// without common seeds, with the interval after Welch. `exact`: neither search draws, so all runs count the same.
    #[cfg_attr(test, schemars(extend("enum" = ["pairs", "independent", "exact"])))]
    basis: &'static str,
    /// How many pairs of runs there were; null without pairs.
    pairs: Option<usize>,
    /// Whether the differences are skewed and few, so that the interval is too narrow.
    skewed: bool,
}

impl From<Difference> for QuantityDifference {
    fn from(difference: Difference) -> Self {
        let Difference { mean, half_width, basis, is_skewed, .. } = difference;
        Self { mean, half_width, basis: basis.name(), pairs: basis.pairs(), skewed: is_skewed }
    }
}

/// A search and its runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Search"))]
struct SearchReport {
    /// Its name, as it is given to `--strategies`; with the values of `--add` and `--relation` if there are several.
    search: String,
    /// The order in which states were expanded.
    strategy: StrategyName,
    /// When states were looked up and stored.
    add: AddName,
    /// The relation by which a visited state covers others.
    relation: String,
    /// What was kept of each visited state.
    store: StoreName,
    /// The rankings that say which states are good, for best, biased and beam.
    ranking: Option<Vec<String>>,
    /// Which of equally good states best and beam took first.
    ties: Option<TiesName>,
    /// How many states of each level beam expanded.
    #[cfg_attr(test, schemars(range(min = 1)))]
    width: Option<usize>,
    /// How many runs walk was to make.
    #[cfg_attr(test, schemars(range(min = 1)))]
    walks: Option<u64>,
    /// Whether it was run once with each seed; if not, its runs differ only in time.
    draws: bool,
    /// How many runs were planned.
    #[cfg_attr(test, schemars(range(min = 1)))]
    runs_planned: usize,
    /// How many runs found a violation, or found that a goal cannot be reached.
    violated: usize,
    /// How many runs found no violation and explored everything within the bound.
    holds: usize,
    /// How many runs found no violation but did not explore everything, or did not reach a goal that may lie beyond the bound
    /// or behind a pruned state.
    inconclusive: usize,
    /// How many runs were stopped by a limit.
    stopped: usize,
    /// Executed events.
    events: Option<SummaryReport<u64>>,
    /// Stored states.
    states_visited: Option<SummaryReport<u64>>,
    /// Stored states and those in the list to be explored, as the published experiments count them; null in the standard
    /// profile.
    space: Option<SummaryReport<u64>>,
    /// Branches taken in the code of calls; null if that is unknown, as for all but subjects of heaps.
    branches_taken: Option<SummaryReport<u64>>,
    /// Steps of the first counterexample as it was found, over the runs that have one; null if none has.
    steps_found: Option<SummaryReport<u64>>,
    /// Time; null with `--no-time`.
    seconds: Option<SummaryReport<f64>>,
    /// The mean time of each operation, and of `total`, as `check` has them; null without `--stats`.
    timings: Option<BTreeMap<String, MeanTime>>,
    /// The runs that were made, in the order of their seeds.
    runs: Vec<RunReport>,
}

/// One quantity over the runs of a search.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Summary_of_{T}"))]
struct SummaryReport<T> {
    /// The minimum.
    #[cfg_attr(test, schemars(range(min = 0)))]
    min: T,
    /// The mean.
    #[cfg_attr(test, schemars(range(min = 0)))]
    mean: f64,
    /// The maximum.
    #[cfg_attr(test, schemars(range(min = 0)))]
    max: T,
    /// The half width of the confidence interval of the mean after Student at the level `confidence`; null for fewer than two
    /// runs, and if some were stopped.
    #[cfg_attr(test, schemars(range(min = 0)))]
    half_width: Option<f64>,
    /// The half width of the 95 % confidence interval of the mean after Student; null for fewer than two runs, and if some were
    /// stopped.
    #[cfg_attr(test, schemars(range(min = 0)))]
    half_width_95: Option<f64>,
    /// Whether runs were stopped that would have increased the mean and the maximum, and the minimum if it is that of such a
    /// run.
    at_least: bool,
}

impl<T> SummaryReport<T> {
    fn new(summary: &Summary, number: impl Fn(f64) -> T) -> Self {
        Self {
            min: number(summary.min),
            mean: summary.mean,
            max: number(summary.max),
            half_width: summary.half_width,
            half_width_95: summary.half_width_95,
            at_least: summary.at_least,
        }
    }
}

/// One run of a search.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Run"))]
struct RunReport {
    /// The seed by which the events of each state were shuffled; null if they were not.
    shuffle: Option<u64>,
    /// The seed of biased or walk.
    seed: Option<u64>,
    /// The verdict, as that of `check`.
    verdict: Verdict,
    /// Why the run ended, as in the report of `check`.
    #[cfg_attr(
        test,
        schemars(extend("enum" = [
            "exhausted", "depth", "violation", "max-states", "max-memory", "max-time", "capacity"
        ]))
    )]
    ended: String,
    /// How many events were executed.
    events: u64,
    /// How many states were stored.
    states_visited: u64,
    /// How many states remain in the frontier.
    states_waiting: u64,
    /// The length of the longest run.
    depth: u32,
    /// How many branches were taken in the code of calls; null if that is unknown.
    branches_taken: Option<u64>,
    /// How many steps the first counterexample has as it was found; null if there is none.
    steps_found: Option<usize>,
    /// The duration; null with `--no-time`.
    #[cfg_attr(test, schemars(range(min = 0)))]
    seconds: Option<f64>,
    /// The time of each operation, as in the report of `check`; null without `--stats`.
    timings: Option<TimingsReport>,
}

impl RunReport {
    fn new(run: &Run, timed: bool) -> Self {
        Self {
            shuffle: run.shuffle,
            seed: run.seed,
            verdict: run.outcome.into(),
            ended: run.ended.name().to_owned(),
            events: run.events,
            states_visited: run.states_visited,
            states_waiting: run.states_waiting,
            depth: run.depth,
            branches_taken: run.branches,
            steps_found: run.steps_found,
            seconds: timed.then_some(run.seconds),
            timings: run.timings.as_ref().map(TimingsReport::from),
        }
    }
}

impl Report<'_> {
    /// The report as JSON has it.
    pub(crate) fn to_json(&self) -> CompareReport {
        let CompareSpec { limits, conditions, seeds, output, jobs, .. } = self.spec;
        let seeds = seeds.clone().unwrap_or_default().numbers;
        CompareReport {
            scenario: self.built.name.clone(),
            profile: self.built.parameters.profile().into(),
            parameters: self.built.values(),
            complete: self.is_complete(),
            interrupted: self.is_interrupted(),
            max_depth: self.max_depth(),
            max_states: limits.states,
            max_memory: limits.memory.given_bytes(),
            max_time: limits.time.map(|time| time.as_secs_f64()),
            options: conditions.into(),
            seeds: if self.draws() { seeds } else { Vec::new() },
            plot: self.plot.map(|path| path.display().to_string()),
            jobs: (!output.no_time).then_some(*jobs),
            confidence: self.spec.confidence,
            searches: self.compared.iter().map(|it| self.search(it)).collect(),
            differences: self.pairs.iter().map(|&pair| self.difference_report(pair)).collect(),
        }
    }

    fn difference_report(&self, pair: Pair) -> DifferenceReport {
        let told = self.quantities();
        let name = |place: usize| self.compared[place].search.name.clone();
        let of = |quantity| {
            let told = told.contains(&quantity);
            told.then(|| self.difference(pair, quantity)).flatten().map(QuantityDifference::from)
        };
        DifferenceReport {
            search: name(pair.0),
            against: name(pair.1),
            events: of(Quantity::Events),
            states_visited: of(Quantity::States),
            space: of(Quantity::Space),
            branches_taken: of(Quantity::Branches),
            steps_found: of(Quantity::Steps),
            seconds: of(Quantity::Time),
        }
    }

    fn search(&self, compared: &Compared) -> SearchReport {
        let Compared { search, options, planned, runs } = compared;
        // Shuffling and seeds belong to runs.
        let MethodReport { ranking, ties, width, walks, .. } =
            MethodReport::new(&search.method, options);
        let told = self.quantities();
        let summary =
            |quantity| told.contains(&quantity).then(|| self.summary(compared, quantity)).flatten();
        let counted =
            |quantity| summary(quantity).map(|it| SummaryReport::new(&it, |value| value as u64));
        let timed = !self.spec.output.no_time;
        SearchReport {
            search: search.name.clone(),
            strategy: search.method.strategy,
            add: search.method.add,
            relation: search.method.relation.clone(),
            store: search.method.store,
            ranking,
            ties,
            width,
            walks,
            draws: search.draws(),
            runs_planned: *planned,
            violated: compared.count(Outcome::Violation),
            holds: compared.count(Outcome::Fine),
            inconclusive: compared.count(Outcome::Stopped),
            stopped: compared.stopped(),
            events: counted(Quantity::Events),
            states_visited: counted(Quantity::States),
            space: counted(Quantity::Space),
            branches_taken: counted(Quantity::Branches),
            steps_found: counted(Quantity::Steps),
            seconds: summary(Quantity::Time).map(|it| SummaryReport::new(&it, |value| value)),
            timings: self.operation_times(compared),
            runs: runs.iter().map(|run| RunReport::new(run, timed)).collect(),
        }
    }
}
