//! Random search options, and which of them must be refused.

use std::{fmt, time::Duration};

use everypath_explore::{Add, Limits, Options, RankBy, RankingPart, Stop, StoreKind, Strategy};

use crate::{
    conditions::Conditions,
    dice::Dice,
    oracle::Truth,
    scenario::{Case, EQUAL_WORLDS, FEWER_PACKETS},
};

/// The name of the built-in simulation preorder.
pub const SIMULATED: &str = "simulated";

/// What a run reuses from an earlier one.
#[derive(Clone, Debug)]
pub enum Reuse {
    /// Nothing.
    Nothing,
    /// A memo: written, and read by the next run.
    Memo(Rerun),
    /// A graph: written, and read by the next run.
    Graph(Rerun),
    /// A checkpoint: saved after this many stored states, and resumed.
    Checkpoints(Vec<u64>),
}

/// How the next run reuses a file.
#[derive(Clone, Copy, Debug)]
pub struct Rerun {
    /// Whether everything is executed again and compared.
    pub verifies: bool,
    /// Whether the first run was another search, which skipped nothing and was cut off.
    pub of_another: bool,
}

/// A search of a case.
#[derive(Clone, Debug)]
pub struct Search {
    /// The options of the explorer.
    pub options: Options,
    /// The name of the relation.
    pub relation: Option<&'static str>,
    /// Whether handlers are executed twice.
    pub verify_determinism: bool,
    /// What a run reuses from an earlier one.
    pub reuse: Reuse,
}

/// The expected fate of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is carried out.
    Done,
    /// It is refused.
    Refused,
    /// It is refused if it turns out unsound.
    Either,
}

impl Search {
    /// The plain search: breadth-first, to the end.
    #[must_use]
    pub fn plain(truth: &Truth) -> Self {
        // Far above the expected number: a search that never ends is a difference, too.
        let (time, states) = (Some(Duration::from_secs(60)), Some(truth.all_states() + 1000));
        let limits = Limits::default().time(time).states(states);
        let (stop, max_depth) = (Stop::Never, truth.bound);
        let options = Options::default().stop(stop).max_depth(max_depth).limits(limits);
        Self { options, relation: None, verify_determinism: false, reuse: Reuse::Nothing }
    }

    /// A search that is cut off early.
    #[must_use]
    pub fn cut_off() -> Self {
        let mut search = Self::plain(&Truth { bound: Some(8), ..Truth::default() });
        search.options.limits.states = Some(500);
        search
    }

    /// A random search of a case with this truth.
    pub fn draw(dice: &mut Dice, case: &Case, conditions: &Conditions, truth: &Truth) -> Self {
        let mut search = Self::plain(truth);
        let options = &mut search.options;
        options.strategy = draw_strategy(dice, case);
        // A bound may also be larger than all runs.
        if truth.bound.is_none() && dice.percent(40) {
            options.max_depth = Some((truth.states.len() + dice.below(3)) as u32);
        }
        let walks = matches!(options.strategy, Strategy::RandomWalk { .. });
        if walks && options.max_depth.is_none() && dice.percent(95) {
            options.max_depth = Some(20);
        }
        let breadth_first = options.strategy == Strategy::BreadthFirst;
        let plain = breadth_first && dice.percent(40);
        if plain {
            options.workers = dice.between(1, 3) as u32;
            // Where states are not counted continuously, threads run ahead of each other.
            options.limits.states = options.limits.states.filter(|_| options.workers == 1);
        } else {
            let deviates = if walks { 2 } else { 25 };
            options.add = if dice.percent(deviates) { Add::Current } else { Add::Next };
            options.shuffle = dice.perhaps(deviates, Dice::number);
            options.store = draw_store(dice, if walks { 2 } else { 35 });
            options.workers = if dice.percent(3) { 2 } else { 1 };
        }
        options.stop = dice.pick(&[Stop::First, Stop::First, Stop::Each, Stop::Never, Stop::Never]);
        options.seed = dice.number();
        // With ordered packets only one relation exists, and it is refused.
        let ordered = !case.is_harmless();
        let related = !plain && dice.percent(if walks || ordered { 2 } else { 60 });
        if related {
            search.relation = Some(draw_relation(dice, case, conditions));
            if dice.percent(95) {
                search.options.store = StoreKind::Exact;
            }
        }
        search.verify_determinism = dice.percent(15);
        search.reuse = search.draw_reuse(dice, truth);
        search
    }

    fn draw_reuse(&self, dice: &mut Dice, truth: &Truth) -> Reuse {
        let savable = !matches!(
            self.options.strategy,
            Strategy::RandomWalk { .. } | Strategy::IterativeDeepening
        );
        let rerun = Rerun { verifies: dice.percent(30), of_another: dice.percent(50) };
        match dice.below(8) {
            0 if !self.verify_determinism => Reuse::Memo(rerun),
            1 if !self.verify_determinism => Reuse::Graph(rerun),
            2 | 3 if savable => {
                let count = dice.between(1, 3);
                let all = truth.all_states() as usize + 1;
                let mut splits = dice.several(count, |dice| dice.between(1, all) as u64);
                splits.sort_unstable();
                Reuse::Checkpoints(splits)
            }
            _ => Reuse::Nothing,
        }
    }

    /// Whether it must find everything.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let Options { strategy, store, .. } = &self.options;
        !matches!(strategy, Strategy::RandomWalk { .. } | Strategy::Beam { .. })
            && !matches!(store, StoreKind::Bitstate { .. })
    }

    /// Whether it expands each state once, after as few events as possible.
    #[must_use]
    pub fn goes_by_depth(&self) -> bool {
        let Options { strategy, add, .. } = &self.options;
        *strategy == Strategy::BreadthFirst && *add == Add::Next
    }

    /// Its expected fate, by the documented rules.
    #[must_use]
    pub fn fate(&self, case: &Case, conditions: &Conditions) -> Fate {
        let Options { strategy, add, shuffle, store, workers, max_depth, .. } = &self.options;
        let walks = matches!(strategy, Strategy::RandomWalk { .. });
        let beams = matches!(strategy, Strategy::Beam { .. });
        let current = *add == Add::Current;
        let forgets = *store != StoreKind::Exact;
        let related = self.relation.is_some();
        let levels =
            *strategy == Strategy::BreadthFirst && !current && shuffle.is_none() && !related;
        let bounded = max_depth.is_some() || *strategy == Strategy::IterativeDeepening;
        let by_depth = beams || *strategy == Strategy::BreadthFirst && !current;
        let says_ends = conditions.deadlock || !case.ends.is_empty();
        let refused = walks && (forgets || related || current || max_depth.is_none())
            || current && (beams || *strategy == Strategy::DepthFirstRecursive)
            || *workers > 1 && (!levels || forgets)
            || related && forgets
            || matches!(store, StoreKind::Bitstate { .. }) && bounded && !by_depth
            || self.relation == Some(SIMULATED) && (!case.is_harmless() || says_ends);
        match refused {
            true => Fate::Refused,
            false if self.relation == Some(SIMULATED) && case.speaks_of_packets() => Fate::Either,
            false => Fate::Done,
        }
    }
}

fn draw_strategy(dice: &mut Dice, case: &Case) -> Strategy {
    // Its own ranking, those of bounds, and the margin of all bounds.
    let named = 1 + case.bounds.len() + usize::from(!case.bounds.is_empty());
    let parts = dice.between(1, 2);
    let rank_by = RankBy(dice.several(parts, |dice| match dice.below(named + 1) {
        0 => RankingPart::Novelty,
        place => RankingPart::Named(place - 1),
    }));
    match dice.below(11) {
        0..3 => Strategy::BreadthFirst,
        3 | 4 => Strategy::DepthFirst,
        5 => Strategy::DepthFirstRecursive,
        6 => Strategy::BestFirst(rank_by),
        7 => Strategy::BiasedRandom(rank_by),
        8 => Strategy::IterativeDeepening,
        9 => Strategy::Beam { rank_by, width: dice.pick(&[1, 2, 5, 1000]) },
        _ => Strategy::RandomWalk { walks: dice.between(1, 60) as u64 },
    }
}

fn draw_store(dice: &mut Dice, percent: usize) -> StoreKind {
    if !dice.percent(percent) {
        return StoreKind::Exact;
    }
    match dice.percent(50) {
        true => StoreKind::Fingerprint,
        false => {
            let hashes = dice.between(1, 4) as u32;
            StoreKind::Bitstate { bytes: dice.pick(&[8, 64, 1 << 14]), hashes }
        }
    }
}

fn draw_relation(dice: &mut Dice, case: &Case, conditions: &Conditions) -> &'static str {
    let says_ends = conditions.deadlock || !case.ends.is_empty();
    let harmless = !says_ends && !case.speaks_of_packets();
    match dice.below(5) {
        // Formulas cannot read the order of packets, so worlds that look equal are equal only without one.
        0 | 1 if case.order.is_harmless() => EQUAL_WORLDS,
        2 | 3 if case.is_harmless() && harmless => FEWER_PACKETS,
        _ => SIMULATED,
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { strategy, add, shuffle, store, max_depth, stop, workers, seed, .. } =
            &self.options;
        write!(f, "{strategy:?}, max-depth {max_depth:?}, stop {stop:?}")?;
        if *add == Add::Current {
            f.write_str(", add current")?;
        }
        if let Some(shuffle) = shuffle {
            write!(f, ", shuffle {shuffle}")?;
        }
        if *store != StoreKind::Exact {
            write!(f, ", store {store:?}")?;
        }
        if let Some(relation) = self.relation {
            write!(f, ", relation {relation}")?;
        }
        if *workers > 1 {
            write!(f, ", workers {workers}")?;
        }
        if self.verify_determinism {
            f.write_str(", verify determinism")?;
        }
        if !matches!(self.reuse, Reuse::Nothing) {
            write!(f, ", {:?}", self.reuse)?;
        }
        write!(f, ", seed {seed}")
    }
}
