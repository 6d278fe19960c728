//! The arguments of `compare`.

use std::path::PathBuf;

use clap::{
    Args, ValueEnum,
    builder::{OsStringValueParser, TypedValueParser},
};

use super::{
    published::ProfileArguments,
    search::{AddName, ConditionArguments, LimitArguments, TiesName},
    seeds::Seeds,
    values::{confidence, plot_file},
    which::Which,
};

#[derive(Args, Clone, Debug)]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    pub(crate) which: Which,
    #[command(flatten)]
    pub(crate) compared: ComparedArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) conditions: ConditionArguments,
    #[command(flatten)]
    pub(crate) output: CompareOutput,
    #[command(flatten)]
    pub(crate) published: ProfileArguments,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Searches")]
pub(crate) struct ComparedArguments {
    /// The searches to compare, separated by commas; the form of a SEARCH is explained below
    #[arg(
        long,
        value_name = "SEARCH,…",
        value_delimiter = ',',
        default_value = "bfs,dfs,best:each"
    )]
    pub(crate) strategies: Vec<String>,
    /// Counterexamples of an earlier version for the ranking `learnt`: a trace file, or a folder of them;
    /// can be given several times
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) learn_from: Vec<PathBuf>,
    /// When to look up and store a state; a search that does not set this itself is run with each
    /// value [default: next]
    #[arg(long, value_enum, value_name = "ADD,…", value_delimiter = ',')]
    pub(crate) add: Vec<AddName>,
    /// Which states cover others; a search that does not set this itself is run with each value
    /// [default: equal]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) relation: Vec<String>,
    /// Which of equally good states best and beam take first; a search that does not set this itself is
    /// run with each value [default: oldest; with --profile thesis, newest]
    #[arg(long, value_enum, value_name = "WHICH,…", value_delimiter = ',')]
    pub(crate) ties: Vec<TiesName>,
    /// Shuffle the events of each state, with each of the seeds
    #[arg(long)]
    pub(crate) shuffle: bool,
    /// Seeds of shuffled searches, biased and walk, one run for each, e.g. 1-20 or 3,5,7
    /// [default: 1-10]
    #[arg(long)]
    pub(crate) seeds: Option<Seeds>,
    /// How often to run a search without random choices; this only makes its time more precise
    /// [default: 1]
    #[arg(long, value_name = "RUNS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) repeat: Option<u32>,
    /// Differences of means: of each search from each of these, in pairs of runs with the same seed;
    /// `each` for all pairs of searches
    #[arg(long, value_name = "SEARCH,…", value_delimiter = ',')]
    pub(crate) against: Vec<String>,
    /// The confidence level of all intervals
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = confidence)]
    pub(crate) confidence: f64,
    /// How many runs to make at once; only times depend on it
    #[arg(long, value_name = "THREADS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) jobs: u32,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct CompareOutput {
    /// Omit times: then the same command prints the same bytes again
    #[arg(long)]
    pub(crate) no_time: bool,
    /// Also print the time spent in each operation, as means over the runs
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print one JSON object, with every run
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values, one line for each search; with --against, one for each difference
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Draw the measured quantities, or with --against their differences: FILE.svg
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(plot_file))]
    pub(crate) plot: Option<PathBuf>,
    /// Which quantities to draw, side by side
    #[arg(
        long,
        value_enum,
        value_name = "QUANTITY,…",
        value_delimiter = ',',
        default_value = "events",
        requires = "plot"
    )]
    pub(crate) plot_of: Vec<Quantity>,
}

/// A measured quantity of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Quantity {
    /// Events executed
    Events,
    /// States stored
    States,
    /// States stored plus states still to be expanded, called space in the published experiments;
    /// only with --profile thesis
    Space,
    /// Steps of the counterexample as found
    Steps,
    /// Branches taken in the code of calls, where that is known
    Branches,
    /// Seconds
    Time,
}
