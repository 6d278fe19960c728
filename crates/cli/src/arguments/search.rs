//! How a search explores, what it looks for, and when it ends.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Parser, ValueEnum};
use everypath_explore::{EventPattern, Ties};
use everypath_model::{EQUAL, NativeMode};
use everypath_network::Reductions;
use serde::{Deserialize, Serialize};

use super::values::{DepthBound, MemoryBound, bytes, depth_bound, memory_bound, reductions, time};

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArguments {
    /// The order in which states are expanded
    #[arg(long, value_enum, default_value_t = StrategyName::Bfs)]
    pub(crate) strategy: StrategyName,
    /// Which states are good, for best, biased and beam: rankings of the scenario (`show` lists them),
    /// `novelty` or `learnt`; of several, separated by commas, each breaks the ties before it [default:
    /// novelty]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) ranking: Vec<String>,
    /// Counterexamples of an earlier version for the ranking `learnt`: a trace file, or a folder of them;
    /// can be given several times [default: the folder of --regressions]
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) learn_from: Vec<PathBuf>,
    /// Which of equally good states best and beam take first [default: oldest; with --profile thesis,
    /// newest]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) ties: Option<TiesName>,
    /// When to look up and store a state: when it is generated, or when it is expanded
    #[arg(long, value_enum, default_value_t = AddName::Next)]
    pub(crate) add: AddName,
    /// Shuffle the events of each state, with this seed
    #[arg(long, value_name = "SEED")]
    pub(crate) shuffle: Option<u64>,
    /// The seed of biased, walk and --ties shuffled [default: 1]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// How many states of each level beam expands [default: 1000]
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) width: Option<u32>,
    /// How many runs walk makes [default: 10000]
    #[arg(long, value_name = "RUNS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) walks: Option<u64>,
    /// How to store visited states
    #[arg(long, value_enum, default_value_t = StoreName::Exact)]
    pub(crate) store: StoreName,
    /// The size of the bitstate table [default: 64M]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) bitstate_memory: Option<u64>,
    /// How many of its bits each state sets [default: 3]
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) bitstate_hashes: Option<u32>,
    /// Skip states that a visited one covers: equal, simulated (equal nodes and at least the same
    /// packets in flight), or a relation of the scenario
    #[arg(long, value_name = "NAME", default_value = EQUAL)]
    pub(crate) relation: String,
    /// Leave out states that others make redundant, separated by commas: ranks (numbers that are only
    /// compared), obsolete (packets that no longer matter), audiences (smaller ones), or none [default:
    /// ranks, if the scenario says that numbers are only compared]
    #[arg(long, value_name = "NAME,…", value_parser = reductions)]
    pub(crate) reduce: Option<Reductions>,
    /// Where native nodes come from, if the protocol has such; the result does not depend on it
    /// [default: lazy]
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) native: Option<NativeName>,
    /// How many native nodes are kept at most [default: 4096]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) native_nodes: Option<u32>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What to look for")]
pub(crate) struct ConditionArguments {
    /// Report only violations on runs with such an event: KIND, KIND@NODE, KIND:TEXT or
    /// KIND@NODE:TEXT, e.g. reboot@1
    #[arg(long, value_name = "EVENT")]
    pub(crate) require: Option<EventPattern>,
    /// Exclude such events; can be given several times
    #[arg(long, value_name = "EVENT")]
    pub(crate) disable: Vec<EventPattern>,
    /// Report states without an enabled event (deadlocks) as violations
    #[arg(long)]
    pub(crate) deadlock: bool,
    /// Continue until each assertion was violated once, and print a run for each
    #[arg(long, conflicts_with = "keep_going")]
    pub(crate) each_assertion: bool,
    /// Continue after the first violation and count all; violating states are not expanded
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Execute every handler twice, and call every closure of the scenario twice; by default only the
    /// first of them and then a share
    #[arg(long, conflicts_with = "trust_handlers")]
    pub(crate) verify_determinism: bool,
    /// Execute the handler of every event, and judge every state, as a checker does that memoises
    /// nothing; the results are compared with the memoised ones
    #[arg(long)]
    pub(crate) every_event: bool,
    /// Execute no handler twice, and call no closure of the scenario twice
    #[arg(long)]
    pub(crate) trust_handlers: bool,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArguments {
    /// Explore runs of at most this many events, or `none` for no bound [default: the scenario's
    /// bound]
    #[arg(long, value_name = "EVENTS", value_parser = depth_bound)]
    pub(crate) max_depth: Option<DepthBound>,
    /// Stop when this many states are stored
    #[arg(long, value_name = "STATES")]
    pub(crate) max_states: Option<u64>,
    /// Stop when the program uses this much memory, e.g. 500M or 4G, or `none` for no limit [default:
    /// three quarters of the memory of the machine or its control group]
    #[arg(long, value_name = "BYTES", value_parser = memory_bound)]
    pub(crate) max_memory: Option<MemoryBound>,
    /// Stop after this time, e.g. 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) max_time: Option<Duration>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Long runs")]
pub(crate) struct LongRunArguments {
    /// How many threads search; the result does not depend on it
    #[arg(long, value_name = "THREADS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) workers: u32,
    /// Save the search in this file regularly, and when it is stopped
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often to save it [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = time, requires = "checkpoint")]
    pub(crate) checkpoint_every: Option<Duration>,
    /// Resume a saved search, with the same scenario and options
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
}

/// Where native nodes come from, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NativeName {
    /// Each is made again by all its inputs, whenever a handler runs
    Eager,
    /// From a cache; one that is not there is made again by all its inputs
    Cached,
    /// From a cache; one that is not there is made again from its nearest predecessor there
    Lazy,
}

impl From<NativeName> for NativeMode {
    fn from(name: NativeName) -> Self {
        match name {
            NativeName::Eager => Self::Eager,
            NativeName::Cached => Self::Cached,
            NativeName::Lazy => Self::Lazy,
        }
    }
}

/// The strategies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum StrategyName {
    /// Breadth-first: complete, and the counterexample is a shortest one
    Bfs,
    /// Depth-first with a stack
    Dfs,
    /// Depth-first in the order of a recursive procedure
    DfsR,
    /// The best state by --ranking first
    Best,
    /// A random state; better ones by --ranking are likelier
    Biased,
    /// Breadth-first, but only the --width best states of each level; not complete
    Beam,
    /// Depth-first to depth 0, 1, 2, …: a shortest counterexample, at the price of many events
    Deepening,
    /// --walks random runs; stores nothing, never complete
    Walk,
}

/// Which of equally good states comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum TiesName {
    /// The newest: goes deep where states are equally good
    Newest,
    /// The oldest: goes wide where states are equally good
    Oldest,
    /// Any of them, drawn by --seed
    Shuffled,
}

impl From<Ties> for TiesName {
    fn from(ties: Ties) -> Self {
        match ties {
            Ties::Newest => Self::Newest,
            Ties::Oldest => Self::Oldest,
            Ties::Shuffled => Self::Shuffled,
        }
    }
}

impl From<TiesName> for Ties {
    fn from(name: TiesName) -> Self {
        match name {
            TiesName::Newest => Self::Newest,
            TiesName::Oldest => Self::Oldest,
            TiesName::Shuffled => Self::Shuffled,
        }
    }
}

/// When a state is looked up and stored.
#[derive(Clone, Copy, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum AddName {
    /// When it is generated: saves memory
    Next,
    /// When it is about to be expanded: saves look-ups
    Current,
    /// At both moments, and judged only if it is new at the first; only with --profile thesis
    Twice,
}

/// The stores by name.
#[derive(Clone, Copy, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum StoreName {
    /// The states, packed
    Exact,
    /// 64 bits of each state's content; prints the probability that a state was missed
    Fingerprint,
    /// A few bits in a table of fixed size; prints an estimate of the coverage; never complete
    Bitstate,
}

/// A value as it is written on the command line.
pub(crate) fn word(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value().expect("no value is hidden");
    value.get_name().to_owned()
}

/// All values, as they are written on the command line.
pub(crate) fn words<T: ValueEnum>() -> Vec<String> {
    T::value_variants().iter().map(word).collect()
}

/// The options of a search by themselves.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct SearchWords {
    #[command(flatten)]
    search: SearchArguments,
}

/// Parses the options of a search as `check` does; the error is clap's message.
pub(crate) fn search_of_words(words: Vec<String>) -> Result<SearchArguments, String> {
    let read = SearchWords::try_parse_from(words);
    read.map(|it| it.search).map_err(|error| error.render().to_string())
}
