//! Search options, and the combinations that are refused.

use std::fmt;

use thiserror::Error;

use crate::{EventPattern, Guided, Learnt, Limits, Related, visited::BitTable};

/// The order in which states are expanded.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, Strategy, explore};
///
/// let options = Options::default().strategy(Strategy::RandomWalk { walks: 100 }).max_depth(10);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// assert!(found.finding().is_some());
/// assert!(!options.strategy.finds_shortest());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// All runs of length 1, then all of length 2, …: the first violation is a shortest one.
    #[default]
    BreadthFirst,
    /// The newest state first: all successors of a state are put on a stack.
    DepthFirst,
    /// Depth-first as a recursive procedure: everything behind the first successor is explored
    /// before the second. The machine's stack is not used.
    DepthFirstRecursive,
    /// The best state first, by a ranking; [`Options::ties`] says which of equally good ones.
    BestFirst(RankBy),
    /// A random state, with a bias for good ones: the best rank has probability one half, the
    /// second best one quarter, and so on.
    BiasedRandom(RankBy),
    /// Breadth-first, but only the best states of each level are expanded.
    Beam {
        /// The ranking.
        rank_by: RankBy,
        /// How many states of a level are expanded.
        width: usize,
    },
    /// Depth-first to depth 0, then from scratch to depth 1, …: the first violation is a shortest
    /// one.
    IterativeDeepening,
    /// Repeated runs from the initial state to the bound, each choosing at random among the enabled
    /// events. Nothing is stored.
    RandomWalk {
        /// How many runs.
        walks: u64,
    },
}

/// The ranking of states: the first part decides, the second breaks its ties, and so on.
///
/// ```
/// use everypath_explore::{Options, RankBy, RankingPart, Strategy};
///
/// // By the first ranking of the space; where it is equal, by novelty.
/// let rank_by = RankBy(vec![RankingPart::Named(0), RankingPart::Novelty]);
/// let options = Options::default().strategy(Strategy::BestFirst(rank_by));
/// assert_eq!(options.strategy.name(), "best");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankBy(pub Vec<RankingPart>);

/// A part of a ranking.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, RankBy, RankingPart, Refusal, Strategy};
///
/// // States of a plain model have no parts to count.
/// let rank_by = RankBy(vec![RankingPart::Novelty]);
/// let options = Options::default().strategy(Strategy::BestFirst(rank_by));
/// let refused = everypath_explore::explore(&mut ModelSpace::new(Counter), &options, &mut ());
/// assert_eq!(refused.unwrap_err(), Refusal::NoParts);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RankingPart {
    /// A ranking of the space, by its index in [`Guided::rankings`].
    Named(usize),
    /// States whose parts were seen least often come first. Needs no code in the model.
    Novelty,
    /// States on the way to which most of an earlier run has happened come first.
    Learnt(Learnt),
}

/// Which of equally good states comes first, where a ranking decides.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, RankBy, Strategy, Ties, explore};
///
/// // Without a ranking all states are equally good, so only ties decide.
/// let best = Options::default().strategy(Strategy::BestFirst(RankBy::default())).max_depth(10);
/// let states = |ties| {
///     let found = explore(&mut ModelSpace::new(Counter), &best.clone().ties(ties), &mut ());
///     found.unwrap().states_visited
/// };
/// // The oldest first is breadth-first, the newest first is depth-first.
/// assert!(states(Ties::Oldest) > states(Ties::Newest));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The newest: the search goes deep where states are equally good.
    Newest,
    /// The oldest: the search goes wide where states are equally good.
    Oldest,
    /// Any of them, drawn by [`Options::seed`].
    Shuffled,
}

impl Ties {
    /// The name in options and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Oldest => "oldest",
            Self::Shuffled => "shuffled",
        }
    }
}

/// When a state is looked up and stored.
///
/// ```
/// use everypath_explore::{Add, Options, Strategy};
///
/// let options = Options::default().strategy(Strategy::DepthFirst).add(Add::Current);
/// assert_eq!((options.add, Options::default().add), (Add::Current, Add::Next));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Add {
    /// When it is generated: saves memory.
    #[default]
    Next,
    /// When it is about to be expanded: saves look-ups of states that are never expanded.
    Current,
    /// Looked up when it is generated, and judged only if it is new; looked up again and stored when
    /// it is about to be expanded. Only in [`Semantics::Published`].
    Twice,
}

/// What the store keeps of visited states.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, StoreKind, explore};
///
/// let options = Options::default().store(StoreKind::Fingerprint);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// assert!(found.store.missed_probability < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreKind {
    /// The states.
    #[default]
    Exact,
    /// A 64-bit hash of each state's content. Two states may share it, and one of them is then
    /// missed.
    Fingerprint,
    /// A few bits in a fixed table. The fuller it is, the more states are missed.
    Bitstate {
        /// The size of the table in bytes.
        bytes: u64,
        /// How many bits each state sets.
        hashes: u32,
    },
}

/// When violations end a search. States that violate an assertion are never expanded.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Ended, ModelSpace, Options, Stop, explore};
///
/// // Seven is reached from four and from six.
/// let options = Options::default().stop(Stop::Never).max_depth(10);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// assert_eq!((found.ended, found.counts.violations[0]), (Ended::Depth, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// At the first violation.
    #[default]
    First,
    /// When each assertion was violated once.
    Each,
    /// Never: all violations are counted.
    Never,
}

/// The rules of a search where tradition and exactness differ.
///
/// ```
/// use everypath_explore::{Options, Semantics};
///
/// let options = Options::default().semantics(Semantics::Published);
/// assert_ne!(options.semantics, Options::default().semantics);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Semantics {
    /// The search finds every state within the depth bound, whatever the strategy: a state that is
    /// reached again after fewer events is expanded again. States at the bound are stored like all
    /// others.
    #[default]
    Exact,
    /// The published procedure. States at the depth bound are reached and checked, but neither
    /// looked up nor stored. A state that is reached again after fewer events is stored again.
    /// States are expanded in the order of their discovery.
    Published,
}

/// The options of a search.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Ended, Limits, ModelSpace, Options, Strategy, explore};
///
/// let options = Options::default()
///     .strategy(Strategy::BreadthFirst)
///     .max_depth(2)
///     .limits(Limits::default().states(1_000_000));
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// // 0, 1, 2, 3, 4 and 6 are reached in at most two steps.
/// assert_eq!((found.ended, found.states_visited), (Ended::Depth, 6));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The order in which states are expanded.
    pub strategy: Strategy,
    /// Which of equally good states [best-first](Strategy::BestFirst) and [beam](Strategy::Beam)
    /// take first. Default: [`Ties::Oldest`]; in published semantics [`Ties::Newest`], as there.
    pub ties: Option<Ties>,
    /// When states are looked up and stored.
    pub add: Add,
    /// The seed by which the events of each state are shuffled; without a seed, they are not
    /// shuffled.
    pub shuffle: Option<u64>,
    /// What the store keeps of visited states.
    pub store: StoreKind,
    /// The relation by which a state covers another, by its index in [`Related::relations`];
    /// without one, a state covers only itself.
    pub relation: Option<usize>,
    /// An event that the run to a violation must contain: it is sought on the path by which the
    /// state was first reached. Published semantics only: a sound search needs states that remember
    /// the event.
    pub required_on_path: Option<EventPattern>,
    /// The largest number of events of a run.
    pub max_depth: Option<u32>,
    /// The limits of the search.
    pub limits: Limits,
    /// When violations end the search.
    pub stop: Stop,
    /// The rules of the search.
    pub semantics: Semantics,
    /// The seed of strategies that choose at random.
    pub seed: u64,
    /// How many threads search; 0 and 1 mean only the calling thread. The result does not depend on
    /// it.
    pub workers: u32,
    /// Of how many pairs of a state that was skipped and one that covers it, one is noted in
    /// [`Exploration::covered`](crate::Exploration::covered), so that the relation can be
    /// [tried](crate::try_relation); without a number, none is.
    pub note_covered: Option<u64>,
    /// How many events at most are noted in [`Exploration::noted`](crate::Exploration::noted), for a picture of a
    /// small space; without a number, none is.
    pub note_events: Option<usize>,
    /// About how many states [`Exploration::sample`](crate::Exploration::sample) has; without a number, there is a
    /// small one if the search is stopped.
    pub sample: Option<usize>,
    /// Whether to measure where the time is spent, which itself takes time.
    pub timings: bool,
}

setters!(Options {
    strategy: Strategy,
    ties: impl Into<Option<Ties>>,
    add: Add,
    shuffle: impl Into<Option<u64>>,
    store: StoreKind,
    relation: impl Into<Option<usize>>,
    required_on_path: impl Into<Option<EventPattern>>,
    max_depth: impl Into<Option<u32>>,
    limits: Limits,
    stop: Stop,
    semantics: Semantics,
    seed: u64,
    workers: u32,
    note_covered: impl Into<Option<u64>>,
    note_events: impl Into<Option<usize>>,
    sample: impl Into<Option<usize>>,
    timings: bool,
});

/// An option that cannot be combined with a strategy.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Conflict, ModelSpace, Options, Refusal, Strategy};
///
/// let endless = Options::default().strategy(Strategy::RandomWalk { walks: 1 });
/// let conflict = Conflict::WalkUnbounded;
/// let refusal = Refusal::Combination { strategy: "walk", conflict };
/// assert_eq!(endless.validate(&ModelSpace::new(Counter)), Err(refusal));
/// assert_eq!(conflict.remedy(), Some("give `max_depth`"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conflict {
    /// A random walk with a store or a relation.
    WalkLooksUp,
    /// A random walk with [`Add::Current`] or [`Add::Twice`].
    WalkStoresLate,
    /// A random walk without [`Options::max_depth`].
    WalkUnbounded,
    /// A recursive search with [`Add::Current`] or [`Add::Twice`].
    RecursionStoresLate,
    /// A beam of width 0.
    NoWidth,
    /// A beam with [`Add::Current`] or [`Add::Twice`].
    BeamStoresLate,
    /// [`Add::Twice`] in exact semantics, or with a store that forgets states.
    LooksUpTwice,
    /// Several workers for a search that does not go level by level.
    Workers,
    /// Several workers with a store that forgets states.
    WorkersForget,
    /// A relation with a store that forgets states.
    RelationForgets,
    /// A bit table for which there is not enough memory.
    TableTooLarge,
    /// A bit table as large as the whole memory that [`Limits::bytes`] allows.
    TableFillsLimit,
    /// A bit table in which states set no bits.
    NoHashes,
    /// A bit table with a depth bound.
    BitsWithBound,
    /// [`Options::required_on_path`] in exact semantics.
    RequiredOnPath,
    /// [`Options::ties`] where no ranking decides alone.
    TiesUnused,
    /// A part of an exploration that is not a plain breadth-first search with [`StoreKind::Exact`].
    Cut,
}

impl Conflict {
    /// The conflicting option, in the words of [`Options`].
    #[must_use]
    pub fn option(self) -> &'static str {
        match self {
            Self::WalkLooksUp => "a store or a relation",
            Self::WalkStoresLate | Self::RecursionStoresLate | Self::BeamStoresLate => {
                "`Add::Current` or `Add::Twice`"
            }
            Self::LooksUpTwice => "`Add::Twice`",
            Self::WalkUnbounded => "an unlimited depth",
            Self::NoWidth => "a width of 0",
            Self::Workers => "several workers",
            Self::WorkersForget => "several workers and a store that forgets states",
            Self::RelationForgets => "a relation and a store that forgets states",
            Self::TableTooLarge | Self::TableFillsLimit => "a table of this size",
            Self::NoHashes => "the store bitstate and no hashes",
            Self::BitsWithBound => "the store bitstate and a depth bound",
            Self::RequiredOnPath => "an event required on the path",
            Self::TiesUnused => "a rule for ties",
            Self::Cut => "a cut",
        }
    }

    /// Why the two cannot be combined.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::WalkLooksUp => "a walk looks up no state",
            Self::WalkStoresLate => "a walk stores no state",
            Self::WalkUnbounded => "a walk would never end",
            Self::RecursionStoresLate => {
                "it has no frontier, so a state is stored when it is reached"
            }
            Self::NoWidth => "nothing would be expanded",
            Self::BeamStoresLate => "a level must be complete before its best are chosen",
            Self::LooksUpTwice => {
                "that is a rule of a published procedure, which stores whole states; in an exact search, every state that is reached is judged"
            }
            Self::Workers => {
                "only a plain breadth-first search finds the same with any number of workers; in all others, the next state to expand depends on the last one found"
            }
            Self::WorkersForget => "the thread that expands a state computes what is stored of it",
            Self::RelationForgets => "only whole states show whether one covers another",
            Self::TableTooLarge => "there is not enough memory",
            Self::TableFillsLimit => "it would take all memory that may be used",
            Self::NoHashes => "every state would look known",
            Self::BitsWithBound => {
                "bits do not record the depth of a state, so states that are reached again after fewer events would be missed"
            }
            Self::RequiredOnPath => {
                "that is a rule of the published procedure; exact searches need states that remember the event"
            }
            Self::TiesUnused => {
                "only best-first and beam take one of equally good states by a rule"
            }
            Self::Cut => {
                "only a plain breadth-first search that stores whole states can be cut into parts that together visit the same states"
            }
        }
    }

    /// What to do about it, in the words of [`Options`], where the reason does not say it.
    #[must_use]
    pub fn remedy(self) -> Option<&'static str> {
        match self {
            Self::WalkUnbounded => Some("give `max_depth`"),
            Self::BitsWithBound => Some("use bfs with `Add::Next`, or no bound"),
            _ => None,
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.option(), self.reason())?;
        self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

/// Options that cannot be combined, and why.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, explore};
///
/// let options = Options::default().relation(0);
/// let refusal = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap_err();
/// assert_eq!(refusal.to_string(), "there is no relation 0; there are none");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// A strategy and an option that cannot be combined.
    #[error("{strategy} cannot be combined with {conflict}")]
    Combination {
        /// The name of the strategy.
        strategy: &'static str,
        /// The conflicting option.
        conflict: Conflict,
    },
    /// A relation that would be unsound.
    #[error("the relation `{relation}` would be unsound here: {reason}")]
    Relation {
        /// The relation.
        relation: String,
        /// Why.
        reason: String,
    },
    /// A ranking or relation that the space does not have.
    #[error("there is no {what} {place}; there {known}")]
    Unknown {
        /// A ranking or a relation.
        what: &'static str,
        /// Its index.
        place: usize,
        /// The existing ones.
        known: String,
    },
    /// The model itself is faulty.
    #[error("{what}")]
    Flaw {
        /// What is wrong with it, and when that was found.
        what: String,
    },
    /// A ranking by novelty for states that have no parts.
    #[error("a ranking by novelty has nothing to count: these states have no parts")]
    NoParts,
}

impl Refusal {
    /// Refuses an index that is not among the rankings or relations of a space.
    fn of_place(what: &'static str, place: usize, names: &[String]) -> Result<(), Self> {
        if place < names.len() {
            return Ok(());
        }
        let named = |(place, name): (usize, &String)| format!("{place} (`{name}`)");
        let list: Vec<String> = names.iter().enumerate().map(named).collect();
        let known = match list.as_slice() {
            [] => "are none".to_owned(),
            [one] => format!("is only {one}"),
            [all @ .., last] => format!("are {} and {last}", all.join(", ")),
        };
        Err(Self::Unknown { what, place, known })
    }

    /// Why a relation would be unsound in a space, to the extent that this is known by now.
    pub(crate) fn of_relation(space: &(impl Guided + Related), relation: usize) -> Option<Self> {
        let reason = space.relation_refusal(relation)?;
        Some(Self::Relation { relation: space.relations().swap_remove(relation), reason })
    }
}

impl Strategy {
    /// The name of the strategy on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::BreadthFirst => "bfs",
            Self::DepthFirst => "dfs",
            Self::DepthFirstRecursive => "dfs-r",
            Self::BestFirst(_) => "best",
            Self::BiasedRandom(_) => "biased",
            Self::Beam { .. } => "beam",
            Self::IterativeDeepening => "deepening",
            Self::RandomWalk { .. } => "walk",
        }
    }

    /// Whether its first violation is a shortest one. The only exception is an end: it is noticed
    /// one event late, when it is expanded. So a violation that is one event longer may come first.
    #[must_use]
    pub fn finds_shortest(&self) -> bool {
        matches!(self, Self::BreadthFirst | Self::IterativeDeepening)
    }

    /// Whether it takes one of several equally good states by a rule.
    pub(crate) fn breaks_ties(&self) -> bool {
        matches!(self, Self::BestFirst(_) | Self::Beam { .. })
    }

    pub(crate) fn ranks_by_novelty(&self) -> bool {
        self.rank_by().is_some_and(|rank_by| rank_by.0.contains(&RankingPart::Novelty))
    }

    pub(crate) fn rank_by(&self) -> Option<&RankBy> {
        match self {
            Self::BestFirst(rank_by) | Self::BiasedRandom(rank_by) | Self::Beam { rank_by, .. } => {
                Some(rank_by)
            }
            _ => None,
        }
    }
}

impl Options {
    /// Refuses options that cannot be combined in a space.
    ///
    /// # Errors
    /// The first reason.
    pub fn validate(&self, space: &(impl Guided + Related)) -> Result<(), Refusal> {
        self.validate_places(space)?;
        if let Some(conflict) = self.conflict() {
            return Err(Refusal::Combination { strategy: self.strategy.name(), conflict });
        }
        match self.relation.and_then(|relation| Refusal::of_relation(space, relation)) {
            Some(refusal) => Err(refusal),
            None => Ok(()),
        }
    }

    /// The option that cannot be combined with the strategy, if there is one.
    fn conflict(&self) -> Option<Conflict> {
        match self.strategy {
            Strategy::RandomWalk { .. } => {
                if self.store != StoreKind::Exact || self.relation.is_some() {
                    return Some(Conflict::WalkLooksUp);
                }
                if self.add != Add::Next {
                    return Some(Conflict::WalkStoresLate);
                }
                if self.max_depth.is_none() {
                    return Some(Conflict::WalkUnbounded);
                }
            }
            Strategy::DepthFirstRecursive if self.add != Add::Next => {
                return Some(Conflict::RecursionStoresLate);
            }
            Strategy::Beam { width: 0, .. } => return Some(Conflict::NoWidth),
            Strategy::Beam { .. } if self.add != Add::Next => {
                return Some(Conflict::BeamStoresLate);
            }
            _ => {}
        }
        if self.ties.is_some() && !self.strategy.breaks_ties() {
            return Some(Conflict::TiesUnused);
        }
        let forgets = self.store != StoreKind::Exact;
        if self.add == Add::Twice && (forgets || self.semantics == Semantics::Exact) {
            return Some(Conflict::LooksUpTwice);
        }
        if self.workers > 1 && !self.goes_by_levels() {
            return Some(Conflict::Workers);
        }
        if self.workers > 1 && forgets {
            return Some(Conflict::WorkersForget);
        }
        if self.relation.is_some() && forgets {
            return Some(Conflict::RelationForgets);
        }
        if let StoreKind::Bitstate { bytes, hashes } = self.store {
            if !BitTable::fits(bytes) {
                return Some(Conflict::TableTooLarge);
            }
            if self.limits.bytes.is_some_and(|most| bytes >= most) {
                return Some(Conflict::TableFillsLimit);
            }
            if hashes == 0 {
                return Some(Conflict::NoHashes);
            }
            // Where states are stored late, a waiting state may be reached at the bound before it
            // is stored.
            let by_depth = match self.strategy {
                Strategy::Beam { .. } => true,
                Strategy::BreadthFirst => self.add == Add::Next,
                _ => false,
            };
            let bounded = self.max_depth.is_some() || self.strategy == Strategy::IterativeDeepening;
            if bounded && !by_depth {
                return Some(Conflict::BitsWithBound);
            }
        }
        let required = self.required_on_path.is_some() && self.semantics == Semantics::Exact;
        required.then_some(Conflict::RequiredOnPath)
    }

    /// Refuses rankings and relations that the space does not have.
    pub(crate) fn validate_places(&self, space: &(impl Guided + Related)) -> Result<(), Refusal> {
        for part in self.strategy.rank_by().into_iter().flat_map(|rank_by| &rank_by.0) {
            if let &RankingPart::Named(ranking) = part {
                Refusal::of_place("ranking", ranking, &space.rankings())?;
            }
        }
        match self.relation {
            Some(relation) => Refusal::of_place("relation", relation, &space.relations()),
            None => Ok(()),
        }
    }

    /// Which of equally good states comes first; nothing, if the strategy does not take one by a
    /// rule.
    #[must_use]
    pub fn ties_used(&self) -> Option<Ties> {
        let own = match self.semantics {
            Semantics::Exact => Ties::Oldest,
            Semantics::Published => Ties::Newest,
        };
        self.strategy.breaks_ties().then(|| self.ties.unwrap_or(own))
    }

    /// Whether the search is breadth-first and may change the order of states within a level.
    #[must_use]
    pub fn goes_by_levels(&self) -> bool {
        self.meets_by_depth()
            && self.semantics == Semantics::Exact
            && self.shuffle.is_none()
            && self.relation.is_none()
    }

    /// Whether states are reached in the order of their depths, so that no state is reached again
    /// after fewer events.
    pub(crate) fn meets_by_depth(&self) -> bool {
        self.strategy == Strategy::BreadthFirst && self.add == Add::Next
    }

    /// Whether a state counts as visited only if it was reached at the same depth or a smaller one.
    pub(crate) fn depth_matters(&self) -> bool {
        self.max_depth.is_some() || self.semantics == Semantics::Published
    }
}
