//! Everything that decides a search, as plain data.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use everypath_explore::{
    Add, EventPattern, Guided, Learnt, Limits, Options, RankBy, RankingPart, Related, Semantics,
    Stop, StoreKind, Strategy,
};
use everypath_model::{EQUAL, LEARNT, NOVELTY, NativeMode, Profile};
use everypath_network::{Reductions, SpaceOptions, Verification};

use crate::{
    arguments::{
        search::{
            AddName, ConditionArguments, LimitArguments, LongRunArguments, SearchArguments,
            StoreName, StrategyName, TiesName, word,
        },
        values::DepthBound,
    },
    error::{CliError, unknown, unused},
    running::memory::MemoryLimit,
    scenarios::{checked_space::CheckedSpace, subject::Subject},
};

/// The default of `--checkpoint-every`.
const SAVED_EVERY: Duration = Duration::from_secs(60);

/// Everything that decides a search.
#[derive(Clone)]
pub(crate) struct SearchSpec {
    pub(crate) method: Method,
    pub(crate) conditions: Conditions,
    pub(crate) limits: SearchLimits,
    pub(crate) long_run: LongRun,
    pub(crate) profile: Profile,
    /// Whether the time of each part is measured.
    pub(crate) timings: bool,
    /// Whether findings are printed as found.
    pub(crate) no_shrink: bool,
}

/// The order in which states are visited, and how they are stored. An option is `None` if the user did not give it:
/// given options must have an effect.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) strategy: StrategyName,
    pub(crate) ranking: Vec<String>,
    /// The counterexamples of an earlier version.
    pub(crate) learn_from: Vec<PathBuf>,
    /// When they are read: what they teach.
    pub(crate) learnt: Option<Learnt>,
    pub(crate) ties: Option<TiesName>,
    pub(crate) add: AddName,
    pub(crate) shuffle: Option<u64>,
    pub(crate) seed: Option<u64>,
    pub(crate) width: Option<u32>,
    pub(crate) walks: Option<u64>,
    pub(crate) store: StoreName,
    pub(crate) bitstate_memory: Option<u64>,
    pub(crate) bitstate_hashes: Option<u32>,
    pub(crate) relation: String,
    pub(crate) reduce: Option<Reductions>,
    pub(crate) native: Option<NativeMode>,
    pub(crate) native_nodes: Option<u32>,
}

impl From<SearchArguments> for Method {
    fn from(arguments: SearchArguments) -> Self {
        Self {
            strategy: arguments.strategy,
            ranking: arguments.ranking,
            learn_from: arguments.learn_from,
            learnt: None,
            ties: arguments.ties,
            add: arguments.add,
            shuffle: arguments.shuffle,
            seed: arguments.seed,
            width: arguments.width,
            walks: arguments.walks,
            store: arguments.store,
            bitstate_memory: arguments.bitstate_memory,
            bitstate_hashes: arguments.bitstate_hashes,
            relation: arguments.relation,
            reduce: arguments.reduce,
            native: arguments.native.map(Into::into),
            native_nodes: arguments.native_nodes,
        }
    }
}

impl Method {
    /// Whether the strategy draws, so that a seed has an effect.
    pub(crate) fn draws(&self) -> bool {
        let by_ties = matches!(self.strategy, StrategyName::Best | StrategyName::Beam)
            && self.ties == Some(TiesName::Shuffled);
        matches!(self.strategy, StrategyName::Biased | StrategyName::Walk) || by_ties
    }
}

/// What the search looks for.
#[derive(Clone)]
pub(crate) struct Conditions {
    pub(crate) require: Option<EventPattern>,
    pub(crate) disable: Vec<EventPattern>,
    pub(crate) deadlock: bool,
    pub(crate) stop: Stop,
    pub(crate) verification: Verification,
    /// Whether nothing is memoised.
    pub(crate) every_event: bool,
}

impl From<&ConditionArguments> for Conditions {
    fn from(arguments: &ConditionArguments) -> Self {
        Self {
            require: arguments.require.clone(),
            disable: arguments.disable.clone(),
            deadlock: arguments.deadlock,
            stop: match (arguments.keep_going, arguments.each_assertion) {
                (true, _) => Stop::Never,
                (false, true) => Stop::Each,
                (false, false) => Stop::First,
            },
            verification: match (arguments.verify_determinism, arguments.trust_handlers) {
                (true, _) => Verification::All,
                (false, true) => Verification::Nothing,
                (false, false) => Verification::Share,
            },
            every_event: arguments.every_event,
        }
    }
}

impl Conditions {
    /// Adds the event that the scenario requires, unless another is named.
    pub(crate) fn require_own(&mut self, built: &Subject<'_>) -> Result<(), CliError> {
        if let (None, Some(required)) = (&self.require, &built.scenario.required) {
            let scenario = built.name.clone();
            let required = required.parse();
            let required = required.map_err(|error| CliError::Required { scenario, error });
            self.require = Some(required?);
        }
        Ok(())
    }

    /// Refuses to verify, or to trust, what cannot but be deterministic.
    pub(crate) fn ensure_verifiable<'a>(
        &self,
        space: &impl CheckedSpace<'a>,
        name: &str,
    ) -> Result<(), CliError> {
        let option = match self.verification {
            Verification::All => "--verify-determinism",
            Verification::Nothing => "--trust-handlers",
            _ => return Ok(()),
        };
        match space.verified_executions() {
            Some(_) => Ok(()),
            None => Err(CliError::NothingToVerify { option, name: name.to_owned() }),
        }
    }

    /// Whether every handler is executed twice.
    pub(crate) fn verifies_all(&self) -> bool {
        matches!(self.verification, Verification::All)
    }

    /// Whether no handler is executed twice.
    pub(crate) fn verifies_nothing(&self) -> bool {
        matches!(self.verification, Verification::Nothing)
    }
}

/// The limits of a search.
#[derive(Clone)]
pub(crate) struct SearchLimits {
    /// By default the scenario's own bound.
    pub(crate) depth: Option<DepthBound>,
    pub(crate) states: Option<u64>,
    pub(crate) memory: MemoryLimit,
    pub(crate) time: Option<Duration>,
}

impl From<&LimitArguments> for SearchLimits {
    fn from(arguments: &LimitArguments) -> Self {
        Self {
            depth: arguments.max_depth,
            states: arguments.max_states,
            memory: MemoryLimit::of(arguments.max_memory),
            time: arguments.max_time,
        }
    }
}

/// The threads and checkpoints of a long search.
#[derive(Clone)]
pub(crate) struct LongRun {
    /// How many threads search.
    pub(crate) workers: u32,
    pub(crate) checkpoint: Option<Checkpoint>,
    /// The checkpoint to resume from.
    pub(crate) resume: Option<PathBuf>,
}

/// Where and how often a search is saved.
#[derive(Clone)]
pub(crate) struct Checkpoint {
    pub(crate) path: PathBuf,
    pub(crate) every: Duration,
}

impl LongRun {
    /// One thread, and nothing is saved.
    pub(crate) const SHORT: Self = Self { workers: 1, checkpoint: None, resume: None };

    /// The file in which the search is saved.
    pub(crate) fn checkpoint_path(&self) -> Option<&Path> {
        self.checkpoint.as_ref().map(|checkpoint| checkpoint.path.as_path())
    }
}

impl From<&LongRunArguments> for LongRun {
    fn from(arguments: &LongRunArguments) -> Self {
        let every = arguments.checkpoint_every.unwrap_or(SAVED_EVERY);
        let checkpoint = arguments.checkpoint.clone().map(|path| Checkpoint { path, every });
        Self { workers: arguments.workers, checkpoint, resume: arguments.resume.clone() }
    }
}

impl SearchSpec {
    /// The options of the space that is searched.
    pub(crate) fn space_options(&self) -> SpaceOptions {
        SpaceOptions::default()
            .profile(self.profile)
            .verification(self.conditions.verification)
            .every_event(self.conditions.every_event)
            .disabled(self.conditions.disable.clone())
            .required(self.conditions.require.clone())
            .deadlock(self.conditions.deadlock)
            .reductions(self.method.reduce)
            .native(self.method.native)
            .native_nodes(self.method.native_nodes.map(|most| most as usize))
    }

    /// The options of the search, in a scenario with this bound of its own.
    pub(crate) fn options(
        &self,
        space: &(impl Guided + Related),
        own_depth: Option<u32>,
    ) -> Result<Options, CliError> {
        let Self { method, conditions, limits, .. } = self;
        let semantics = self.space_options().semantics();
        let published = semantics == Semantics::Published;
        let add = match method.add {
            AddName::Next => Add::Next,
            AddName::Current => Add::Current,
            AddName::Twice => Add::Twice,
        };
        let max_depth = match limits.depth {
            Some(DepthBound::AtMost(most)) => Some(most),
            Some(DepthBound::None) => None,
            None => own_depth,
        };
        let limits =
            Limits::default().states(limits.states).bytes(limits.memory.bytes()).time(limits.time);
        Ok(Options::default()
            .strategy(self.strategy(space)?)
            .ties(method.ties.map(Into::into))
            .add(add)
            .shuffle(method.shuffle)
            .store(self.store())
            .relation(self.relation(space)?)
            .required_on_path(conditions.require.clone().filter(|_| published))
            .max_depth(max_depth)
            .limits(limits)
            .stop(conditions.stop)
            .semantics(semantics)
            .seed(method.seed.unwrap_or(1))
            .workers(self.long_run.workers)
            .timings(self.timings))
    }

    fn store(&self) -> StoreKind {
        match self.method.store {
            StoreName::Exact => StoreKind::Exact,
            StoreName::Fingerprint => StoreKind::Fingerprint,
            StoreName::Bitstate => StoreKind::Bitstate {
                bytes: self.method.bitstate_memory.unwrap_or(64 << 20),
                hashes: self.method.bitstate_hashes.unwrap_or(3),
            },
        }
    }

    fn strategy(&self, space: &(impl Guided + Related)) -> Result<Strategy, CliError> {
        let name = self.method.strategy;
        self.all_used()?;
        let rank_by = self.rank_by(space)?;
        Ok(match name {
            StrategyName::Bfs => Strategy::BreadthFirst,
            StrategyName::Dfs => Strategy::DepthFirst,
            StrategyName::DfsR => Strategy::DepthFirstRecursive,
            StrategyName::Best => Strategy::BestFirst(rank_by),
            StrategyName::Biased => Strategy::BiasedRandom(rank_by),
            StrategyName::Beam => {
                Strategy::Beam { rank_by, width: self.method.width.unwrap_or(1000) as usize }
            }
            StrategyName::Deepening => Strategy::IterativeDeepening,
            StrategyName::Walk => {
                Strategy::RandomWalk { walks: self.method.walks.unwrap_or(10_000) }
            }
        })
    }

    /// Refuses options without effect.
    fn all_used(&self) -> Result<(), CliError> {
        use StrategyName::{Beam, Best, Bfs, Biased, Deepening, Dfs, DfsR, Walk};
        // A walk is random anyway, and stores nothing.
        const ALL_BUT_WALK: [StrategyName; 7] = [Bfs, Dfs, DfsR, Best, Biased, Beam, Deepening];
        let Self { method, limits, long_run, .. } = self;
        let by_strategy = |given: bool, option, used_by: &[StrategyName]| {
            let unused = given && !used_by.contains(&method.strategy);
            unused.then(|| (option, format!("--strategy {}", word(&method.strategy))))
        };
        let bitstate = matches!(method.store, StoreName::Bitstate);
        let by_store = |given: bool, option| {
            (given && !bitstate).then(|| (option, format!("--store {}", word(&method.store))))
        };
        let savable = !matches!(method.strategy, Deepening | Walk);
        let saves = |given: bool, option| {
            (given && !savable).then(|| {
                (option, format!("--strategy {}, which cannot be saved", word(&method.strategy)))
            })
        };
        let shortest = matches!(method.strategy, Bfs | Deepening);
        let shrinks = (self.no_shrink && shortest).then(|| {
            let why = "whose runs cannot be shortened";
            ("--no-shrink", format!("--strategy {}, {why}", word(&method.strategy)))
        });
        let seeds = (method.seed.is_some() && !method.draws()).then(|| {
            let fixed = match method.strategy {
                Best | Beam => ", which draws nothing but with --ties shuffled",
                _ => "",
            };
            ("--seed", format!("--strategy {}{fixed}", word(&method.strategy)))
        });
        let without_effect =
            by_strategy(!method.ranking.is_empty(), "--ranking", &[Best, Biased, Beam])
                .or(by_strategy(method.width.is_some(), "--width", &[Beam]))
                .or(by_strategy(method.walks.is_some(), "--walks", &[Walk]))
                .or(by_strategy(method.ties.is_some(), "--ties", &[Best, Beam]))
                .or(seeds)
                .or(by_strategy(method.shuffle.is_some(), "--shuffle", &ALL_BUT_WALK))
                .or(by_strategy(limits.states.is_some(), "--max-states", &ALL_BUT_WALK))
                .or(by_store(method.bitstate_memory.is_some(), "--bitstate-memory"))
                .or(by_store(method.bitstate_hashes.is_some(), "--bitstate-hashes"))
                .or(saves(long_run.checkpoint.is_some(), "--checkpoint"))
                .or(saves(long_run.resume.is_some(), "--resume"))
                .or(shrinks);
        match without_effect {
            Some((option, with)) => Err(unused(option, with)),
            None => Ok(()),
        }
    }

    fn rank_by(&self, space: &(impl Guided + Related)) -> Result<RankBy, CliError> {
        let known = space.rankings();
        let part = |name: &String| match known.iter().position(|known| known == name) {
            Some(ranking) => Ok(RankingPart::Named(ranking)),
            None if name == NOVELTY => Ok(RankingPart::Novelty),
            None if name == LEARNT => match &self.method.learnt {
                Some(learnt) => Ok(RankingPart::Learnt(learnt.clone())),
                None => Err(CliError::NothingToLearn),
            },
            None => {
                let built_in = [NOVELTY, LEARNT];
                Err(unknown("ranking", name, known.iter().map(String::as_str).chain(built_in)))
            }
        };
        let parts: Vec<RankingPart> =
            self.method.ranking.iter().map(part).collect::<Result<_, _>>()?;
        Ok(RankBy(if parts.is_empty() { vec![RankingPart::Novelty] } else { parts }))
    }

    fn relation(&self, space: &(impl Guided + Related)) -> Result<Option<usize>, CliError> {
        let name = &self.method.relation;
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
