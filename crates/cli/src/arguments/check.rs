//! What `check` and `watch` are told.

use std::{path::PathBuf, time::Duration};

use clap::{
    ArgGroup, Args,
    builder::{OsStringValueParser, TypedValueParser},
};

use super::{
    earlier::{MemoArguments, RegressionArguments},
    published::{GraphArguments, ProfileArguments},
    search::{ConditionArguments, LimitArguments, LongRunArguments, SearchArguments},
    values::{ChartFile, chart_file, moment},
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
    pub(crate) memo: MemoArguments,
    #[command(flatten)]
    pub(crate) regressions: RegressionArguments,
    #[command(flatten)]
    pub(crate) conditions: ConditionArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
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
    /// Print what was counted by kind of event and by depth, and what the time went into
    #[arg(long)]
    pub(crate) stats: bool,
    /// Fail (exit code 4) if nothing was found and there are warnings: something never happened, was never in question, or
    /// made no difference
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print the counterexample as it was found, without making it shorter
    #[arg(long)]
    pub(crate) no_shrink: bool,
    /// Print whole states in the counterexample instead of what changed
    #[arg(long)]
    pub(crate) show_states: bool,
    /// Where to save the counterexample [default: SCENARIO.trace.json]
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Draw the counterexample: FILE.svg, FILE.html (a page that steps through it), FILE.mmd or
    /// FILE.md (Mermaid); can be given several times
    #[arg(long = "chart", value_name = "FILE", value_parser = OsStringValueParser::new().try_map(chart_file))]
    pub(crate) charts: Vec<ChartFile>,
    /// Print the counterexample as a test in Rust, too
    #[arg(long)]
    pub(crate) as_test: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Start")]
pub(crate) struct StartArguments {
    /// Start from what a simulated run has come to at this moment, e.g. 2.5s: its nodes, timers and
    /// packets; what happens at the very moment is still to come
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) from_simulation: Option<Duration>,
    /// The seed of that run, as `simulate --seed` has it [default: 1]
    #[arg(long, value_name = "SEED", requires = "from_simulation")]
    pub(crate) simulation_seed: Option<u64>,
    /// The number of that run, as `simulate --first` has it [default: 0]
    #[arg(long, value_name = "NUMBER", requires = "from_simulation")]
    pub(crate) replication: Option<u32>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct WatchArguments {
    #[command(flatten)]
    pub(crate) check: CheckArguments,
    /// End after so many versions
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Versions")]
    pub(crate) versions: Option<u64>,
}
