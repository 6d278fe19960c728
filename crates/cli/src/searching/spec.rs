//! How `check` explores: the options of a search on the command line.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};
use everypath_explore::{
    Add, EventPattern, Limits, Options, RankBy, RankingPart, Semantics, Space, Stop, StoreKind,
    Strategy,
};
use everypath_model::{EQUAL, NOVELTY, Profile};
use everypath_network::{SpaceOptions, Verification};

use crate::{
    arguments::{bytes, time},
    error::{CliError, remedy},
    running::memory::{MemoryBound, MemoryLimit, memory_bound},
    scenarios::subject::Subject,
};

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArguments {
    /// In which order states are expanded
    #[arg(long, value_enum, default_value_t = StrategyName::Bfs)]
    pub(crate) strategy: StrategyName,
    /// What is good, for best, biased and beam: rankings of the scenario (`show` lists them) or
    /// `novelty`; several, separated by commas, are asked one after the other [default: novelty]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) ranking: Vec<String>,
    /// When a state is looked up and stored: when it is generated, or when it is expanded
    #[arg(long, value_enum, default_value_t = AddName::Next)]
    pub(crate) add: AddName,
    /// Shuffle the events of each state, by this seed
    #[arg(long, value_name = "SEED")]
    pub(crate) shuffle: Option<u64>,
    /// The seed of biased and walk [default: 1]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// How many states of each level beam expands [default: 1000]
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) width: Option<u32>,
    /// How many runs walk makes [default: 10000]
    #[arg(long, value_name = "RUNS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) walks: Option<u64>,
    /// What is kept of visited states
    #[arg(long, value_enum, default_value_t = StoreName::Exact)]
    pub(crate) store: StoreName,
    /// How large the table of bitstate is [default: 64M]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) bitstate_memory: Option<u64>,
    /// How many bits of it each state sets [default: 3]
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) bitstate_hashes: Option<u32>,
    /// By what a state stands for another: equal, simulated (equal nodes and at least the same
    /// packets in flight), or a relation of the scenario
    #[arg(long, value_name = "NAME", default_value = EQUAL)]
    pub(crate) relation: String,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What to look for")]
pub(crate) struct ConditionArguments {
    /// Seek only violations on runs with such an event: KIND, KIND@NODE, KIND:TEXT or
    /// KIND@NODE:TEXT, e.g. reboot@1
    #[arg(long, value_name = "EVENT")]
    pub(crate) require: Option<EventPattern>,
    /// Leave such events out; can be given several times
    #[arg(long, value_name = "EVENT")]
    pub(crate) disable: Vec<EventPattern>,
    /// Take a state in which nothing can happen for a violation
    #[arg(long)]
    pub(crate) deadlock: bool,
    /// Go on until each assertion was violated once, and print a run for each
    #[arg(long, conflicts_with = "keep_going")]
    pub(crate) each_assertion: bool,
    /// Go on after the first violation and count all; violating states are not expanded
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Execute every handler twice, and ask every closure of the scenario twice; without it, that is done
    /// with the first of them and then with a share
    #[arg(long, conflicts_with = "trust_handlers")]
    pub(crate) verify_determinism: bool,
    /// Execute no handler twice, and ask no closure of the scenario twice
    #[arg(long)]
    pub(crate) trust_handlers: bool,
}

impl ConditionArguments {
    /// How much is executed and asked twice.
    pub(crate) fn verification(&self) -> Verification {
        match (self.verify_determinism, self.trust_handlers) {
            (true, _) => Verification::All,
            (false, true) => Verification::Nothing,
            (false, false) => Verification::Share,
        }
    }

    /// The conditions, with the event that the scenario requires if they name none.
    pub(crate) fn with_required(
        &self,
        Subject { name, scenario, .. }: &Subject<'_>,
    ) -> Result<Self, CliError> {
        let mut conditions = self.clone();
        if let (None, Some(required)) = (&conditions.require, &scenario.required) {
            let required = required.parse();
            conditions.require = Some(
                required.map_err(|error| CliError::Required { scenario: name.clone(), error })?,
            );
        }
        Ok(conditions)
    }
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArguments {
    /// Explore runs of at most so many events, or `none` for no bound at all [default: the
    /// scenario's own bound]
    #[arg(long, value_name = "EVENTS", value_parser = depth_bound)]
    pub(crate) max_depth: Option<DepthBound>,
    /// Stop when so many states are stored
    #[arg(long, value_name = "STATES")]
    pub(crate) max_states: Option<u64>,
    /// Stop when the program takes so much memory, e.g. 500M or 4G, or `none` for no limit [default:
    /// three quarters of what the machine or its control group has]
    #[arg(long, value_name = "BYTES", value_parser = memory_bound)]
    pub(crate) max_memory: Option<MemoryBound>,
    /// Stop after so much time, e.g. 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) max_time: Option<Duration>,
}

impl LimitArguments {
    /// The limit on memory that holds.
    pub(crate) fn memory(&self) -> MemoryLimit {
        MemoryLimit::of(self.max_memory)
    }
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Long runs")]
pub(crate) struct LongRunArguments {
    /// How many threads search; what is found does not depend on it
    #[arg(long, value_name = "THREADS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) workers: u32,
    /// Save the search in this file now and then, and when it is stopped
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often it is saved [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = time, requires = "checkpoint")]
    pub(crate) checkpoint_every: Option<Duration>,
    /// Go on with a search that was saved, under the same scenario and options
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
}

impl Default for LongRunArguments {
    fn default() -> Self {
        Self { workers: 1, checkpoint: None, checkpoint_every: None, resume: None }
    }
}

/// How long runs may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DepthBound {
    /// However long they get, whatever the scenario says.
    None,
    AtMost(u32),
}

fn depth_bound(text: &str) -> Result<DepthBound, String> {
    match text {
        NO_BOUND => Ok(DepthBound::None),
        number => number
            .parse()
            .map(DepthBound::AtMost)
            .map_err(|_| format!("write a number of events, at most {}, or {NO_BOUND}", u32::MAX)),
    }
}

/// No bound, on the command line.
const NO_BOUND: &str = "none";

/// The strategies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyName {
    /// Breadth-first: complete, and the counterexample is a shortest one
    Bfs,
    /// Depth-first with a stack
    Dfs,
    /// Depth-first in the order of a recursive procedure
    DfsR,
    /// The best state by --ranking first
    Best,
    /// A random state, the better by --ranking the likelier
    Biased,
    /// Breadth-first, but only the --width best states of each level; not complete
    Beam,
    /// Depth-first to depth 0, 1, 2, …: a shortest counterexample, at the price of many events
    Deepening,
    /// --walks random runs; stores nothing, never complete
    Walk,
}

/// When a state is looked up and stored.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum AddName {
    /// When it is generated: saves memory
    Next,
    /// When it is about to be expanded: saves look-ups
    Current,
}

/// The stores by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum StoreName {
    /// The states, packed
    Exact,
    /// 64 bits of each state's content; prints the probability that a state was missed
    Fingerprint,
    /// A few bits in a table of fixed size; prints an estimate of the coverage; never complete
    Bitstate,
}

impl StoreName {
    pub(crate) fn of(kind: StoreKind) -> Self {
        match kind {
            StoreKind::Exact => Self::Exact,
            StoreKind::Fingerprint => Self::Fingerprint,
            StoreKind::Bitstate { .. } => Self::Bitstate,
        }
    }
}

/// A value as it is written on the command line.
pub(crate) fn word(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value().expect("no value is hidden");
    value.get_name().to_owned()
}

/// All that decides what a search does.
pub(crate) struct Plan<'a> {
    pub(crate) search: &'a SearchArguments,
    pub(crate) conditions: &'a ConditionArguments,
    pub(crate) limits: &'a LimitArguments,
    pub(crate) long_run: &'a LongRunArguments,
    pub(crate) profile: Profile,
    /// The scenario's own bound.
    pub(crate) scenario_max_depth: Option<u32>,
    pub(crate) timings: bool,
    pub(crate) no_shrink: bool,
}

impl Plan<'_> {
    pub(crate) fn space_options(&self) -> SpaceOptions {
        SpaceOptions::default()
            .profile(self.profile)
            .verification(self.conditions.verification())
            .disabled(self.conditions.disable.clone())
            .required(self.conditions.require.clone())
            .deadlock(self.conditions.deadlock)
    }

    pub(crate) fn options(&self, space: &impl Space) -> Result<Options, CliError> {
        let Self { search, conditions, limits, .. } = self;
        let semantics = self.space_options().semantics();
        let published = semantics == Semantics::Published;
        let add = match search.add {
            AddName::Next => Add::Next,
            AddName::Current => Add::Current,
        };
        let stop = match (conditions.keep_going, conditions.each_assertion) {
            (true, _) => Stop::Never,
            (false, true) => Stop::Each,
            (false, false) => Stop::First,
        };
        let limits = Limits::default()
            .states(limits.max_states)
            .bytes(limits.memory().bytes())
            .time(limits.max_time);
        Ok(Options::default()
            .strategy(self.strategy(space)?)
            .add(add)
            .shuffle(search.shuffle)
            .store(self.store())
            .relation(self.relation(space)?)
            .required_on_path(conditions.require.clone().filter(|_| published))
            .max_depth(self.max_depth())
            .limits(limits)
            .stop(stop)
            .semantics(semantics)
            .seed(self.seed())
            .workers(self.long_run.workers)
            .timings(self.timings))
    }

    fn max_depth(&self) -> Option<u32> {
        match self.limits.max_depth {
            Some(DepthBound::AtMost(most)) => Some(most),
            Some(DepthBound::None) => None,
            None => self.scenario_max_depth,
        }
    }

    fn seed(&self) -> u64 {
        self.search.seed.unwrap_or(1)
    }

    fn width(&self) -> u32 {
        self.search.width.unwrap_or(1000)
    }

    fn store(&self) -> StoreKind {
        match self.search.store {
            StoreName::Exact => StoreKind::Exact,
            StoreName::Fingerprint => StoreKind::Fingerprint,
            StoreName::Bitstate => StoreKind::Bitstate {
                bytes: self.search.bitstate_memory.unwrap_or(64 << 20),
                hashes: self.search.bitstate_hashes.unwrap_or(3),
            },
        }
    }

    fn strategy(&self, space: &impl Space) -> Result<Strategy, CliError> {
        let name = self.search.strategy;
        self.all_used()?;
        let rank_by = self.rank_by(space)?;
        Ok(match name {
            StrategyName::Bfs => Strategy::BreadthFirst,
            StrategyName::Dfs => Strategy::DepthFirst,
            StrategyName::DfsR => Strategy::DepthFirstRecursive,
            StrategyName::Best => Strategy::BestFirst(rank_by),
            StrategyName::Biased => Strategy::BiasedRandom(rank_by),
            StrategyName::Beam => Strategy::Beam { rank_by, width: self.width() as usize },
            StrategyName::Deepening => Strategy::IterativeDeepening,
            StrategyName::Walk => {
                Strategy::RandomWalk { walks: self.search.walks.unwrap_or(10_000) }
            }
        })
    }

    /// Nothing that was asked for is without effect.
    fn all_used(&self) -> Result<(), CliError> {
        use StrategyName::{Beam, Best, Bfs, Biased, Deepening, Dfs, DfsR, Walk};
        // A walk draws anyway, and stores nothing.
        const ALL_BUT_WALK: [StrategyName; 7] = [Bfs, Dfs, DfsR, Best, Biased, Beam, Deepening];
        let Self { search, limits, long_run, .. } = self;
        let by_strategy = |given: bool, option, used_by: &[StrategyName]| {
            let unused = given && !used_by.contains(&search.strategy);
            unused.then(|| (option, format!("--strategy {}", word(&search.strategy))))
        };
        let bitstate = matches!(search.store, StoreName::Bitstate);
        let by_store = |given: bool, option| {
            (given && !bitstate).then(|| (option, format!("--store {}", word(&search.store))))
        };
        let savable = !matches!(search.strategy, Deepening | Walk);
        let saves = |given: bool, option| {
            (given && !savable).then(|| {
                (option, format!("--strategy {}, which cannot be saved", word(&search.strategy)))
            })
        };
        let shortest = matches!(search.strategy, Bfs | Deepening);
        let shrinks = (self.no_shrink && shortest).then(|| {
            let why = "whose runs cannot be made shorter";
            ("--no-shrink", format!("--strategy {}, {why}", word(&search.strategy)))
        });
        let unused = by_strategy(!search.ranking.is_empty(), "--ranking", &[Best, Biased, Beam])
            .or(by_strategy(search.width.is_some(), "--width", &[Beam]))
            .or(by_strategy(search.walks.is_some(), "--walks", &[Walk]))
            .or(by_strategy(search.seed.is_some(), "--seed", &[Biased, Walk]))
            .or(by_strategy(search.shuffle.is_some(), "--shuffle", &ALL_BUT_WALK))
            .or(by_strategy(limits.max_states.is_some(), "--max-states", &ALL_BUT_WALK))
            .or(by_store(search.bitstate_memory.is_some(), "--bitstate-memory"))
            .or(by_store(search.bitstate_hashes.is_some(), "--bitstate-hashes"))
            .or(saves(long_run.checkpoint.is_some(), "--checkpoint"))
            .or(saves(long_run.resume.is_some(), "--resume"))
            .or(shrinks);
        match unused {
            Some((option, with)) => Err(CliError::Unused { option: option.to_owned(), with }),
            None => Ok(()),
        }
    }

    fn rank_by(&self, space: &impl Space) -> Result<RankBy, CliError> {
        let known = space.rankings();
        let part = |name: &String| match known.iter().position(|known| known == name) {
            Some(ranking) => Ok(RankingPart::Named(ranking)),
            None if name == NOVELTY => Ok(RankingPart::Novelty),
            None => {
                Err(unknown("ranking", name, known.iter().map(String::as_str).chain([NOVELTY])))
            }
        };
        let parts: Vec<RankingPart> =
            self.search.ranking.iter().map(part).collect::<Result<_, _>>()?;
        Ok(RankBy(if parts.is_empty() { vec![RankingPart::Novelty] } else { parts }))
    }

    fn relation(&self, space: &impl Space) -> Result<Option<usize>, CliError> {
        let name = &self.search.relation;
        if name == EQUAL {
            return Ok(None);
        }
        let known = space.relations();
        match known.iter().position(|known| known == name) {
            Some(relation) => Ok(Some(relation)),
            None => Err(unknown(
                "relation",
                name,
                [EQUAL].into_iter().chain(known.iter().map(String::as_str)),
            )),
        }
    }
}

fn unknown<'a>(
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> CliError {
    CliError::Unknown { what, name: name.to_owned(), help: remedy(name, known) }
}
