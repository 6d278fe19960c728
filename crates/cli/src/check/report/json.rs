//! The report of a check, as JSON has it.

use std::{collections::BTreeMap, time::Duration};

use everypath_driver::BranchText;
use everypath_explore::{KindCounts, StoreReport, Timings};
use everypath_network::NetworkSpace;
use everypath_report::Story;
use everypath_sim::Lateness;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::Report;
use crate::{
    arguments::{
        published::ProfileName,
        search::{AddName, StoreName, StrategyName},
        time::TimersName,
        trial::EngineName,
    },
    check::{
        cross_check::CrossCheck,
        findings::Counterexample,
        growth::{ContributionsReport, GrowthReport, Largeness},
        regressions::{Earlier, RegressionsReport},
        trial::{IgnoredReport, RelationReport},
        vacuity::{Vacuities, Vacuity},
    },
    error::describe_refusal,
    kept::{
        graph::{GraphReport, Reused},
        memo::{MemoReport, Remembered},
    },
    scenarios::{start::StartReport, used::UsedReport},
    searching::{
        json::{ConditionsReport, MethodReport},
        verdict::Verdict,
    },
    traces::story_json::{StepReport, StepsReport},
};

/// What `everypath check --json` prints.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Check"))]
pub(crate) struct CheckReport<Steps = Vec<StepReport>> {
    /// The name of the scenario.
    scenario: String,
    /// The semantics of runs.
    profile: ProfileName,
    /// The values of all parameters that have an effect.
    parameters: BTreeMap<String, String>,
    /// The moment of a simulated run from which the scenario was explored; null if that was its own start.
    start: Option<StartReport>,
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// Whether everything within the bound was explored.
    pub(crate) complete: bool,
    /// Why a search that ended by itself has not seen everything, such as a narrow beam, random walks or a table of bits; null
    /// if it skipped nothing.
    incomplete_because: Option<String>,
    /// Why the search ended. `exhausted`: every reachable state was visited. `depth`: every state within the bound was visited,
    /// and there may be more beyond. `capacity`: no more networks can be distinguished. `refused`: the search turned out to be
    /// unsound after a violation was found.
    #[cfg_attr(
        test,
        schemars(extend("enum" = [
            "exhausted", "depth", "violation", "max-states", "max-memory", "max-time", "capacity",
            "interrupted", "refused"
        ]))
    )]
    ended: String,
    /// The order in which states were expanded.
    strategy: StrategyName,
    /// When states were looked up and stored.
    add: AddName,
    /// The relation by which a visited state covers others: equal, simulated, or one of the scenario.
    relation: String,
    /// The reductions of the search.
    reductions: Vec<ReductionReport>,
    /// The bound on the number of events of a run; null if there was none.
    max_depth: Option<u32>,
    /// How many distinct states were stored. States that violate an assertion are not stored.
    pub(crate) states_visited: u64,
    /// How many states remain in the frontier: stored, within the bound, and not expanded. States beyond the width of a beam
    /// are among them.
    states_waiting: u64,
    /// How many events were executed, including the violating one.
    events: u64,
    /// How many events led to a state that violates an assertion.
    unsafe_events: u64,
    /// How many violations are on runs without the event of `--require`: they are not reported.
    unsafe_without_required: u64,
    /// How many safe events led to a state that was then stored, except those to the depth bound.
    tree_events: u64,
    /// How many safe events led to a known state, except those to the depth bound.
    non_tree_events: u64,
    /// How many safe events led to the depth bound.
    deepest_events: u64,
    /// By assertion: how many events led to a state that violates it, plus initial states and ends that violate it.
    violations: IndexMap<String, u64>,
    /// The counts by kind of event, for the kinds that the scenario has.
    kinds: IndexMap<String, KindReport>,
    /// How many expanded states the scenario asked to prune.
    states_pruned: u64,
    /// How many expanded states had no enabled event.
    states_ending: u64,
    /// How often handlers of the protocol were executed, without the second executions that verify them.
    pub(crate) handler_executions: u64,
    /// The use of a memo; null without `--memo`.
    pub(crate) memo: Option<MemoReport>,
    /// The use of a graph; null without `--graph`.
    graph: Option<GraphReport>,
    /// The engine that searched.
    engine: EngineName,
    /// The comparison with the plain engine; null without `--cross-check`.
    cross_check: Option<CrossCheck>,
    /// What came of trying the relation; null without `--verify-relation`.
    relation_trial: Option<RelationReport>,
    /// What came of trying ignored values; null without `--verify-ignored`.
    ignored_trial: Option<IgnoredReport>,
    /// The length of the longest run.
    depth: u32,
    /// The number of new states at each depth, from 0.
    states_per_depth: Vec<u64>,
    /// The number of events that led to each depth, from 0.
    events_per_depth: Vec<u64>,
    /// The duration of the search.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub(crate) seconds: f64,
    /// The memory of the exploration, where known, divided by the number of stored states. The memory that node states and
    /// messages hold on the heap is estimated.
    #[cfg_attr(test, schemars(range(min = 0)))]
    bytes_per_state: f64,
    /// The store of visited states.
    store: StoreUse,
    /// The time spent in each part of the search; null without `--stats`.
    timings: Option<TimingsReport>,
    /// Where the state space was drawn, with `--space`; null if it was not.
    space: Option<String>,
    /// The first violation, by a shortest run if the strategy is bfs or deepening; null if there was none.
    pub(crate) counterexample: Option<CounterexampleReport<Steps>>,
    /// The first violation of each violated assertion, in the order in which they were found.
    counterexamples: Vec<CounterexampleReport<Steps>>,
    /// The goals of the scenario.
    goals: Vec<GoalReport<Steps>>,
    /// How many threads searched. Only time and memory depend on it.
    workers: u32,
    /// The options of the search that have no field of their own; null where one does not apply.
    options: OptionsReport,
    /// The patterns of events that matched nothing: in the whole bound if it was explored, otherwise so far.
    unmatched: Vec<UnmatchedPattern>,
    /// Where the search was last saved; null without `--checkpoint`, or if it was not saved.
    checkpoint: Option<String>,
    /// The network, the traffic and the files that were really used; null for a driver, which has none.
    used: Option<UsedReport>,
    /// The keys of the scenario file that an exploration does not use.
    unused_keys: Vec<String>,
    /// How many executions of handlers were compared with a second one on the same state and input.
    handler_executions_verified: u64,
    /// Why the search turned out to be unsound; null if it did not.
    refused_because: Option<String>,
    /// The reasons why the check says less than it seems to, within its bound; null if that is unknown, because the search was
    /// stopped or skipped states.
    pub(crate) vacuity: Option<Vec<Vacuity>>,
    /// How often each assumption was evaluated and excluded an event, counted once for states that do not differ in what it
    /// reads; null if that was not counted, because the search was stopped, skipped states, was resumed or used a graph.
    assumptions: Option<IndexMap<String, u64>>,
    /// The results of earlier counterexamples; null without `--regressions`.
    pub(crate) regressions: Option<RegressionsReport>,
    /// Where native nodes came from; null if the nodes of the protocol are plain data.
    native: Option<NativeReport>,
    /// What grows with depth, if the search was stopped before it found something, or with `--why-large`; null otherwise, and for
    /// random walks, which store no states.
    growth: Option<GrowthReport>,
    /// What the states differ in, with `--why-large`; null without.
    contributions: Option<ContributionsReport>,
    /// What the memories of observers cost, with `--stats`; null without, and if there are none.
    memories: Option<MemoriesReport>,
    /// The conditions in the code that calls execute; null if that is unknown, as for all but subjects of heaps.
    branches: Option<Vec<BranchReport>>,
    /// How many counterexamples were not counted, because they need more lateness than `--max-late` allows, or it could
    /// not be found out.
    #[serde(default)]
    too_late: usize,
    /// The lateness that `--max-late` allows; null without it.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(min = 0)))]
    max_late_seconds: Option<f64>,
    /// Which timers of a node could fire next: any, or those that no other precedes.
    #[serde(default)]
    timers: TimersName,
    /// The unit of time; null if packets and timers could take any time.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(min = 0)))]
    time_unit_seconds: Option<f64>,
}

/// How much larger memories of observers make a search.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Memories"))]
pub(crate) struct MemoriesReport {
    /// How many combinations of the nodes and the memories were met.
    combinations: u64,
    /// How many of the nodes alone.
    of_nodes: u64,
}

/// A condition in the code that calls execute. It has two branches.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Branch"))]
struct BranchReport {
    /// The method with the condition.
    method: String,
    /// The condition, as it is written.
    condition: String,
    /// How often it held.
    held: u64,
    /// How often it did not.
    failed: u64,
}

/// The counts of one kind of event.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Kind"))]
struct KindReport {
    /// How many events of this kind were executed.
    events: u64,
    /// The number of expanded states in which at least one was enabled.
    enabled_states: u64,
}

/// The store of visited states.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Store"))]
struct StoreUse {
    /// What was kept of each visited state.
    kind: StoreName,
    /// The memory of the store, without the tables of node states and networks.
    bytes: usize,
    /// The probability that at least one state was missed because it was mistaken for another.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    missed_probability: f64,
    /// The estimated share of all states that were distinguished.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    coverage: f64,
}

impl From<&StoreReport> for StoreUse {
    fn from(store: &StoreReport) -> Self {
        let StoreReport { kind, bytes, missed_probability, coverage, .. } = *store;
        Self { kind: kind.into(), bytes, missed_probability, coverage }
    }
}

/// The time spent in each part of a search, in seconds. Execution and reading are measured every time, the rest on a sample of
/// the expanded states, and scaled. All parts but `store` add up to `total`.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Timings"))]
pub(crate) struct TimingsReport {
    /// Finding enabled events, and naming the states they lead to.
    #[cfg_attr(test, schemars(range(min = 0)))]
    expansion: f64,
    /// Shuffling enabled events.
    #[cfg_attr(test, schemars(range(min = 0)))]
    shuffling: f64,
    /// Executing the handlers of the protocol.
    #[cfg_attr(test, schemars(range(min = 0)))]
    execution: f64,
    /// Evaluating assertions and goals.
    #[cfg_attr(test, schemars(range(min = 0)))]
    assertion: f64,
    /// Hashing states, looking them up and inserting them: the next three together.
    #[cfg_attr(test, schemars(range(min = 0)))]
    store: f64,
    /// Fingerprints of states, and what a relation compares first; exact states need none.
    #[cfg_attr(test, schemars(range(min = 0)))]
    hashing: f64,
    /// Looking states up.
    #[cfg_attr(test, schemars(range(min = 0)))]
    search: f64,
    /// Storing new states.
    #[cfg_attr(test, schemars(range(min = 0)))]
    insertion: f64,
    /// Computing ranks.
    #[cfg_attr(test, schemars(range(min = 0)))]
    ranking: f64,
    /// Putting states into the frontier and taking them out.
    #[cfg_attr(test, schemars(range(min = 0)))]
    frontier: f64,
    /// Reading what is kept of earlier checks, before the search and during it.
    #[cfg_attr(test, schemars(range(min = 0)))]
    reading: f64,
    /// Looking up steps that were read.
    #[cfg_attr(test, schemars(range(min = 0)))]
    look_up: f64,
    /// Everything else: counting, limits, progress, checkpoints.
    #[cfg_attr(test, schemars(range(min = 0)))]
    other: f64,
    /// The approximate time of the measuring itself.
    #[cfg_attr(test, schemars(range(min = 0)))]
    measuring: f64,
    /// The whole.
    #[cfg_attr(test, schemars(range(min = 0)))]
    total: f64,
}

impl From<&Timings> for TimingsReport {
    fn from(timings: &Timings) -> Self {
        Self {
            expansion: timings.expansion.as_secs_f64(),
            shuffling: timings.shuffling.as_secs_f64(),
            execution: timings.execution.as_secs_f64(),
            assertion: timings.assertion.as_secs_f64(),
            store: timings.store().as_secs_f64(),
            hashing: timings.hashing.as_secs_f64(),
            search: timings.search.as_secs_f64(),
            insertion: timings.insertion.as_secs_f64(),
            ranking: timings.ranking.as_secs_f64(),
            frontier: timings.frontier.as_secs_f64(),
            reading: timings.reading.as_secs_f64(),
            look_up: timings.look_up.as_secs_f64(),
            other: timings.other.as_secs_f64(),
            measuring: timings.measuring.as_secs_f64(),
            total: timings.total().as_secs_f64(),
        }
    }
}

/// A violation, with the run that leads to it.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Counterexample"))]
pub(crate) struct CounterexampleReport<Steps> {
    /// The violated assertion.
    pub(crate) assertion: String,
    /// More on the reason, such as the message of a panic; null if there is none.
    explanation: Option<String>,
    /// The run.
    pub(crate) steps: Steps,
    /// How many steps the run had before it was shortened.
    steps_found: usize,
    /// Where the run was saved, for `replay`; null if that failed.
    file: Option<String>,
    /// Where the run was drawn, with `--chart`.
    charts: Vec<String>,
    /// The run as a test in Rust; null without `--as-test`.
    test: Option<String>,
    /// How late packets and timers must be for the run; null if that is unknown, as for a very long run.
    lateness: Option<LatenessReport>,
    /// When each step happens, since the start; null if packets and timers could take any time.
    times_seconds: Option<Vec<f64>>,
}

/// How late packets and timers must be for a run, at least.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Lateness"))]
struct LatenessReport {
    /// The largest lateness in the run: with no times of its events would it be smaller.
    #[cfg_attr(test, schemars(range(min = 0)))]
    largest_seconds: f64,
    /// By step: how late it is if all steps happen as early as they can without exceeding that.
    step_seconds: Vec<f64>,
}

impl From<&Lateness> for LatenessReport {
    fn from(lateness: &Lateness) -> Self {
        Self {
            largest_seconds: lateness.largest.as_secs_f64(),
            step_seconds: lateness.events.iter().map(Duration::as_secs_f64).collect(),
        }
    }
}

impl<'a> From<&'a Counterexample> for CounterexampleReport<StepsReport<'a>> {
    fn from(found: &'a Counterexample) -> Self {
        Self {
            assertion: found.assertion.clone(),
            explanation: found.explanation.clone(),
            steps: StepsReport(&found.story),
            steps_found: found.steps_found,
            file: found.file.as_ref().map(|file| file.display().to_string()),
            charts: found.charts.clone(),
            test: found.test.clone(),
            lateness: found.lateness.as_ref().map(LatenessReport::from),
            times_seconds: (found.story.steps.iter())
                .map(|step| step.time.map(|time| time.as_secs_f64()))
                .collect::<Option<_>>()
                .filter(|times: &Vec<f64>| !times.is_empty()),
        }
    }
}

/// A goal.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Goal"))]
pub(crate) struct GoalReport<Steps> {
    /// The name of the goal.
    goal: String,
    /// Whether a state was found that reaches it.
    reached: bool,
    /// A run to such a state; null if there was none.
    steps: Option<Steps>,
}

impl<'a> GoalReport<StepsReport<'a>> {
    /// The report of a goal with a run that reaches it, if there is one.
    pub(crate) fn new(goal: String, witness: Option<&'a Story>) -> Self {
        Self { goal, reached: witness.is_some(), steps: witness.map(StepsReport) }
    }
}

/// The options of a search that have no field of their own.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Options"))]
struct OptionsReport {
    #[serde(flatten)]
    method: MethodReport,
    #[serde(flatten)]
    conditions: ConditionsReport,
}

/// Where native nodes came from. Time and memory depend on it, and nothing else.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Native"))]
pub(crate) struct NativeReport {
    /// The mode: `eager`, `cached` or `lazy`.
    mode: String,
    /// How many nodes were at hand when a handler was executed.
    at_hand: u64,
    /// How many nodes were made again.
    made_again: u64,
    /// How many executions were repeated for these.
    executions_repeated: u64,
}

/// A reduction, and what was verified of what it relies on.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Reduction"))]
#[serde(tag = "reduction", rename_all = "kebab-case")]
enum ReductionReport {
    /// Numbers are renamed to their ranks.
    Ranks {
        /// How many steps led to a state in which numbers were renamed.
        steps: u64,
        /// How many executions of handlers were compared with one on other numbers.
        executions_verified: u64,
        /// How many states were compared with the same state before it was renamed.
        states_verified: u64,
    },
    /// Obsolete packets are dropped.
    Obsolete {
        /// How many steps led to a state from which packets were dropped.
        steps: u64,
        /// How many executions have shown that an obsolete packet makes no difference.
        executions_verified: u64,
    },
    /// Only the largest audiences of broadcasts are tried.
    Audiences {
        /// How many steps were skipped.
        steps: u64,
    },
}

/// A pattern of events that matched nothing.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct UnmatchedPattern {
    /// The option that it was given to.
    #[cfg_attr(test, schemars(extend("enum" = ["require", "disable"])))]
    option: String,
    /// The pattern.
    pattern: String,
}

impl Report<'_, '_> {
    /// The report as JSON has it.
    pub(crate) fn to_json(&self) -> CheckReport<StepsReport<'_>> {
        let Self { built, options, found, .. } = self;
        let counts = &found.counts;
        let method = &self.spec.search.method;
        let counterexamples = self.findings.counterexamples.iter();
        let counterexamples: Vec<_> = counterexamples.map(CounterexampleReport::from).collect();
        let (vacuity, assumptions) = self.vacuities().map(Vacuities::into_report).unzip();
        CheckReport {
            scenario: built.name.clone(),
            profile: built.parameters.profile().into(),
            parameters: built.values(),
            start: built
                .start
                .and_then(|start| start.report(self.network.and_then(NetworkSpace::start_digest))),
            verdict: self.outcome().into(),
            complete: found.is_complete(),
            incomplete_because: found.incomplete.map(str::to_owned),
            ended: found.ended.name().to_owned(),
            strategy: method.strategy,
            add: method.add,
            relation: method.relation.clone(),
            reductions: self.reductions(),
            max_depth: options.max_depth,
            states_visited: found.states_visited,
            states_waiting: found.states_waiting,
            events: counts.events,
            unsafe_events: counts.unsafe_events,
            unsafe_without_required: counts.unsafe_without_required,
            tree_events: counts.tree_events,
            non_tree_events: counts.non_tree_events,
            deepest_events: counts.deepest_events,
            violations: self.violations(),
            kinds: self.kinds(),
            states_pruned: counts.pruned,
            states_ending: counts.ends,
            handler_executions: found.handler_executions,
            memo: self.remembered.map(Remembered::report),
            graph: self.reused.map(Reused::report),
            engine: self.spec.trial.engine,
            cross_check: self.tried.engines.clone(),
            relation_trial: self.tried.relation_report(),
            ignored_trial: self.tried.ignored_report(),
            depth: found.depth,
            states_per_depth: found.states_per_depth(),
            events_per_depth: counts.depths.iter().map(|depth| depth.events).collect(),
            seconds: found.elapsed.as_secs_f64(),
            bytes_per_state: found.bytes_per_state(),
            store: (&found.store).into(),
            timings: found.timings.as_ref().map(TimingsReport::from),
            space: self.drawn.map(|path| path.display().to_string()),
            counterexample: counterexamples.first().cloned(),
            counterexamples,
            goals: self.goals(),
            workers: options.workers,
            options: OptionsReport {
                method: MethodReport::new(method, options),
                conditions: (&self.spec.search.conditions).into(),
            },
            unmatched: self.unmatched_patterns(),
            checkpoint: self.saved.map(|(path, _)| path.display().to_string()),
            used: (!built.is_driver()).then(|| built.used()),
            unused_keys: self.unexplored().into_iter().map(str::to_owned).collect(),
            handler_executions_verified: self.verified.unwrap_or(0),
            refused_because: found.refusal.as_ref().map(describe_refusal),
            vacuity,
            assumptions: assumptions.flatten(),
            regressions: self.earlier.map(Earlier::report),
            native: self.native(),
            growth: self.largeness.and_then(Largeness::growth_report),
            contributions: self.largeness.and_then(Largeness::contributions_report),
            memories: self
                .network
                .filter(|_| self.spec.output.stats)
                .and_then(NetworkSpace::memory_counts)
                .map(|(combinations, of_nodes)| MemoriesReport { combinations, of_nodes }),
            branches: self.branches(),
            too_late: self.findings.too_late.len(),
            max_late_seconds: self.spec.time.max_late.map(|most| most.as_secs_f64()),
            timers: self.spec.time.timers,
            time_unit_seconds: self.unit.map(|unit| unit.as_secs_f64()),
        }
    }

    fn branches(&self) -> Option<Vec<BranchReport>> {
        let branches = self.branches.as_ref()?.iter();
        let report = |branch: &BranchText| BranchReport {
            method: branch.method.clone(),
            condition: branch.condition.clone(),
            held: branch.held,
            failed: branch.failed,
        };
        Some(branches.map(report).collect())
    }

    fn native(&self) -> Option<NativeReport> {
        let counts = self.network?.native_counts()?;
        Some(NativeReport {
            mode: self.spec.search.method.native.unwrap_or_default().name().to_owned(),
            at_hand: counts.at_hand,
            made_again: counts.rebuilt,
            executions_repeated: counts.repeated,
        })
    }

    fn reductions(&self) -> Vec<ReductionReport> {
        let Some(network) = self.network else { return Vec::new() };
        let Some(counts) = network.reduction_counts() else { return Vec::new() };
        let on = network.reductions();
        let ranks = on.ranks.then_some(ReductionReport::Ranks {
            steps: counts.renamed,
            executions_verified: counts.executions_compared,
            states_verified: counts.worlds_compared + counts.states_compared,
        });
        let obsolete = on.obsolete.then_some(ReductionReport::Obsolete {
            steps: counts.dropped,
            executions_verified: counts.obsolete_verified,
        });
        let audiences =
            on.audiences.then_some(ReductionReport::Audiences { steps: counts.smaller_audiences });
        [ranks, obsolete, audiences].into_iter().flatten().collect()
    }

    fn unmatched_patterns(&self) -> Vec<UnmatchedPattern> {
        let unmatched = self.unmatched().into_iter();
        unmatched
            .map(|(option, pattern)| UnmatchedPattern {
                option: option.to_owned(),
                pattern: pattern.to_string(),
            })
            .collect()
    }

    fn violations(&self) -> IndexMap<String, u64> {
        let names = self.space.assertions().into_iter();
        names.zip(self.found.counts.violations.iter().copied()).collect()
    }

    fn kinds(&self) -> IndexMap<String, KindReport> {
        let kinds = self.space.event_kinds().into_iter().zip(&self.found.counts.kinds);
        let report = |kind: &KindCounts| KindReport {
            events: kind.events,
            enabled_states: kind.enabled_states,
        };
        kinds.map(|(name, kind)| (name, report(kind))).collect()
    }

    fn goals(&self) -> Vec<GoalReport<StepsReport<'_>>> {
        let goals = self.space.goals().into_iter().zip(&self.findings.witnesses);
        goals.map(|(goal, witness)| GoalReport::new(goal, witness.as_ref())).collect()
    }
}
