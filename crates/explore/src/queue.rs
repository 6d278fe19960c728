//! The frontier, for each strategy.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::{Options, StateId, Strategy, Ties, rng::Rng};

/// The number of events after which a state was reached, and whether the required event was among
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reach(u32);

impl Reach {
    const MET: u32 = 1 << 31;

    pub(crate) fn new(depth: u32, required_met: bool) -> Self {
        debug_assert!(depth < Self::MET);
        Self(depth | if required_met { Self::MET } else { 0 })
    }

    pub(crate) fn depth(self) -> u32 {
        self.0 & !Self::MET
    }

    pub(crate) fn required_met(self) -> bool {
        self.0 & Self::MET != 0
    }
}

/// A state to be explored.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) state: StateId,
    /// The state's own record, or that of its predecessor if it has none yet.
    pub(crate) record: u32,
    pub(crate) reach: Reach,
}

/// The frontier, in the order of a strategy.
#[derive(Serialize, Deserialize)]
pub(crate) enum Queue {
    Fifo(VecDeque<Entry>),
    Lifo(Vec<Entry>),
    Best(Ranked, Turn),
    Biased(Ranked, Rng),
}

/// Which of equally good entries has its turn.
#[derive(Serialize, Deserialize)]
pub(crate) enum Turn {
    Newest,
    Oldest,
    Drawn(Rng),
}

impl Turn {
    fn new(options: &Options) -> Self {
        match options.ties_used().expect("the strategy takes states by rank") {
            Ties::Newest => Self::Newest,
            Ties::Oldest => Self::Oldest,
            Ties::Shuffled => Self::Drawn(Rng::new(options.seed, "ties")),
        }
    }

    /// Takes one of the entries of a rank.
    fn take(&mut self, entries: &mut VecDeque<Entry>) -> Option<Entry> {
        match self {
            Self::Newest => entries.pop_back(),
            Self::Oldest => entries.pop_front(),
            Self::Drawn(rng) => entries.swap_remove_back(rng.below(entries.len())),
        }
    }
}

/// Entries by rank. There are few distinct ranks, so a list for each costs less than a heap, and no
/// entry carries its rank.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Ranked {
    lists: BTreeMap<Vec<i64>, VecDeque<Entry>>,
    len: usize,
}

impl Ranked {
    pub(crate) fn push(&mut self, entry: Entry, rank: &[i64]) {
        self.len += 1;
        match self.lists.get_mut(rank) {
            Some(list) => list.push_back(entry),
            None => {
                self.lists.insert(rank.to_vec(), VecDeque::from([entry]));
            }
        }
    }

    /// One of the best entries.
    pub(crate) fn pop_best(&mut self, turn: &mut Turn) -> Option<Entry> {
        let mut best = self.lists.last_entry()?;
        let entry = turn.take(best.get_mut());
        if best.get().is_empty() {
            best.remove();
        }
        self.len -= 1;
        entry
    }

    /// A random entry of the best rank with probability one half, otherwise one of the second best
    /// with one half, and so on.
    fn pop_biased(&mut self, rng: &mut Rng) -> Option<Entry> {
        if self.lists.is_empty() {
            return None;
        }
        let better = loop {
            let tails = rng.tails();
            if tails < self.lists.len() {
                break tails;
            }
        };
        let (rank, list) =
            self.lists.iter_mut().nth_back(better).expect("an index below the length");
        let entry = list.swap_remove_back(rng.below(list.len()));
        if list.is_empty() {
            let rank = rank.clone();
            self.lists.remove(&rank);
        }
        self.len -= 1;
        entry
    }
}

impl Queue {
    /// Whether it has as many entries as it claims.
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Self::Fifo(_) | Self::Lifo(_) => true,
            Self::Best(ranked, _) | Self::Biased(ranked, _) => {
                let lists = ranked.lists.values();
                lists.clone().all(|list| !list.is_empty())
                    && lists.map(VecDeque::len).sum::<usize>() == ranked.len
            }
        }
    }

    pub(crate) fn new(options: &Options) -> Self {
        match options.strategy {
            Strategy::BreadthFirst | Strategy::DepthFirstRecursive => Self::Fifo(VecDeque::new()),
            Strategy::BestFirst(_) | Strategy::Beam { .. } => {
                Self::Best(Ranked::default(), Turn::new(options))
            }
            Strategy::BiasedRandom(_) => {
                Self::Biased(Ranked::default(), Rng::new(options.seed, "bias"))
            }
            Strategy::DepthFirst | Strategy::IterativeDeepening | Strategy::RandomWalk { .. } => {
                Self::Lifo(Vec::new())
            }
        }
    }

    pub(crate) fn push(&mut self, entry: Entry, rank: &[i64]) {
        match self {
            Self::Fifo(entries) => entries.push_back(entry),
            Self::Lifo(entries) => entries.push(entry),
            Self::Best(ranked, _) | Self::Biased(ranked, _) => ranked.push(entry, rank),
        }
    }

    pub(crate) fn pop(&mut self) -> Option<Entry> {
        match self {
            Self::Fifo(entries) => entries.pop_front(),
            Self::Lifo(entries) => entries.pop(),
            Self::Best(ranked, turn) => ranked.pop_best(turn),
            Self::Biased(ranked, rng) => ranked.pop_biased(rng),
        }
    }

    /// Drops all entries.
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Fifo(entries) => entries.clear(),
            Self::Lifo(entries) => entries.clear(),
            Self::Best(ranked, _) | Self::Biased(ranked, _) => *ranked = Ranked::default(),
        }
    }

    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = &Entry> + '_> {
        match self {
            Self::Fifo(entries) => Box::new(entries.iter()),
            Self::Lifo(entries) => Box::new(entries.iter()),
            Self::Best(ranked, _) | Self::Biased(ranked, _) => {
                Box::new(ranked.lists.values().flatten())
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Fifo(entries) => entries.len(),
            Self::Lifo(entries) => entries.len(),
            Self::Best(ranked, _) | Self::Biased(ranked, _) => ranked.len,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let capacity = match self {
            Self::Fifo(entries) => entries.capacity(),
            Self::Lifo(entries) => entries.capacity(),
            // Lists are between half full and full.
            Self::Best(ranked, _) | Self::Biased(ranked, _) => ranked.len * 3 / 2,
        };
        capacity * size_of::<Entry>()
    }
}
