//! The arguments of `check` and `watch`.

use std::{path::PathBuf, time::Duration};

use clap::{
    ArgGroup, Args,
    builder::{OsStringValueParser, TypedValueParser},
};

use super::{
    earlier::{MemoArguments, RegressionArguments},
    instances::InstanceArguments,
    published::{GraphArguments, ProfileArguments},
    search::{ConditionArguments, LimitArguments, LongRunArguments, SearchArguments},
    time::TimeArguments,
    trial::TrialArguments,
    values::{ChartFile, SpaceFile, chart_file, moment, space_file},
    which::Which,
};

#[derive(Args, Clone, Debug)]
#[command(group(ArgGroup::new("earlier").args(["memo", "graph"]).multiple(true)))]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) which: Which,
    #[command(flatten)]
    pub(crate) start: StartArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) long_run: LongRunArguments,
    #[command(flatten)]
    pub(crate) instances: InstanceArguments,
    #[command(flatten)]
    pub(crate) memo: MemoArguments,
    #[command(flatten)]
    pub(crate) regressions: RegressionArguments,
    #[command(flatten)]
    pub(crate) conditions: ConditionArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    #[command(flatten)]
    pub(crate) time: TimeArguments,
    #[command(flatten)]
    pub(crate) trial: TrialArguments,
    #[command(flatten)]
    pub(crate) output: CheckOutput,
    #[command(flatten)]
    pub(crate) published: ProfileArguments,
    #[command(flatten)]
    pub(crate) graph: GraphArguments,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct CheckOutput {
    /// Print counts by kind of event and by depth, and where the time went
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print what makes the state space large: what the states differ in, what grows with depth, and what can be done.
    /// Goes on after violations, and stops after 100,000 states if no limit is given
    #[arg(long, conflicts_with = "each_assertion")]
    pub(crate) why_large: bool,
    /// Fail (exit code 4) if nothing was found but there are warnings: something never happened, was never in question, or
    /// made no difference
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print the counterexample as found, without shortening it
    #[arg(long)]
    pub(crate) no_shrink: bool,
    /// Print whole states in the counterexample instead of changes
    #[arg(long)]
    pub(crate) show_states: bool,
    /// Save the counterexample in this file [default: SCENARIO.trace.json]
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Draw the counterexample: FILE.svg, FILE.html (a page that steps through it), FILE.mmd or
    /// FILE.md (Mermaid); can be given several times
    #[arg(long = "chart", value_name = "FILE", value_parser = OsStringValueParser::new().try_map(chart_file))]
    pub(crate) charts: Vec<ChartFile>,
    /// Draw the state space, if it is small: FILE.svg, or FILE.dot for Graphviz; states have numbers in the order in
    /// which the search expands them
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(space_file))]
    pub(crate) space: Option<SpaceFile>,
    /// Also print the counterexample as a Rust test
    #[arg(long)]
    pub(crate) as_test: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Start")]
pub(crate) struct StartArguments {
    /// Start from the state of a simulated run at this time, e.g. 2.5s: its nodes, timers and
    /// packets; events at exactly this time have not happened yet
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) from_simulation: Option<Duration>,
    /// The seed of that run, as in `simulate --seed` [default: 1]
    #[arg(long, value_name = "SEED", requires = "from_simulation")]
    pub(crate) simulation_seed: Option<u64>,
    /// The number of that run, as in `simulate --first` [default: 0]
    #[arg(long, value_name = "NUMBER", requires = "from_simulation")]
    pub(crate) replication: Option<u32>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct WatchArguments {
    #[command(flatten)]
    pub(crate) check: CheckArguments,
    /// End after this many versions
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Versions")]
    pub(crate) versions: Option<u64>,
}
