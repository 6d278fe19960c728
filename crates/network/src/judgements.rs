//! Judgements: the answers of assertions, goals, prunings, assumptions and rankings, memoised by
//! tuple if the network was not read.

use std::cell::Cell;

use everypath_explore::{StateId, Verdict, map_bytes, map_growth};
use everypath_model::Rank;
use rustc_hash::FxHashMap;

use crate::{
    answers::{ByTuple, Reading},
    machine::Machine,
    nodes::Breakage,
    packed::{EventName, unpack},
    readers::Readers,
    setup::Setup,
    tables::Tables,
    verify::Sort,
};

/// All judgements of states.
pub(crate) struct Judgements {
    verdicts: ByTuple,
    goals_reached: ByTuple,
    pruned: ByTuple,
    pub(crate) readers: Readers,
    /// Whether a verdict depended on the network: on packets or links.
    pub(crate) judged_by_network: bool,
    /// By ranking and tuple: the rank, or nothing if it depends on the network.
    ranks: Vec<FxHashMap<u32, Option<Rank>>>,
}

/// The size of an entry in the map of ranks.
const RANK_BYTES: usize = size_of::<(u32, Option<Rank>)>();

/// Whether one of several answered yes; counts its index.
fn is_some_and_counted(place: Option<usize>, counts: &[Cell<u64>]) -> bool {
    if let Some(place) = place {
        counts[place].set(counts[place].get() + 1);
    }
    place.is_some()
}

impl Judgements {
    pub(crate) fn new(setup: &Setup) -> Self {
        Self {
            verdicts: ByTuple::default(),
            goals_reached: ByTuple::default(),
            pruned: ByTuple::default(),
            readers: Readers::new(setup),
            judged_by_network: false,
            ranks: setup.rankings.iter().map(|_| FxHashMap::default()).collect(),
        }
    }

    /// The assertions about every state that a state violates. `is_safe` says whether it is known to
    /// violate none.
    #[inline]
    pub(crate) fn verdict(
        &mut self,
        tables: &Tables,
        machine: &dyn Machine,
        state: StateId,
        is_safe: impl FnOnce() -> bool,
    ) -> Verdict {
        let (tuple, _) = unpack(state);
        match self.verdicts.get(tuple) {
            Some(known) => Verdict(known),
            None if is_safe() => Verdict::SAFE,
            None => self.find_verdict(tables, machine, state),
        }
    }

    /// Memoises that states with this tuple violate no assertion, whatever their network.
    pub(crate) fn learn_safe(&mut self, tuple: u32) {
        let answer = Verdict::SAFE.0;
        self.verdicts.learn(tuple, &Reading { answer, network_read: false });
    }

    #[cold]
    fn find_verdict(&mut self, tables: &Tables, machine: &dyn Machine, state: StateId) -> Verdict {
        let (tuple, network) = unpack(state);
        let always = tables.interner.breakage(tuple).map(|(_, breakage)| match breakage {
            Breakage::Panicked { .. } => 0,
            Breakage::Nondeterministic { .. } => 1,
        });
        let reading = match always {
            Some(always) => Reading {
                answer: 1 << (tables.setup.own_assertion_count() + always),
                network_read: false,
            },
            None => {
                let twice = tables.verifier.is_due(Sort::Assertion, || state.0);
                machine.failing(tables, &self.readers, tuple, network, twice)
            }
        };
        self.judged_by_network |= reading.network_read;
        Verdict(self.verdicts.learn(tuple, &reading))
    }

    /// The assertions about ends that a state violates as an end.
    pub(crate) fn verdict_at_end(
        &mut self,
        tables: &Tables,
        machine: &dyn Machine,
        state: StateId,
    ) -> Verdict {
        let (tuple, network) = unpack(state);
        // A pruned or broken state has no enabled event for another reason.
        if !tables.setup.asks_of_ends()
            || tables.interner.breakage(tuple).is_some()
            || self.is_pruned(tables, machine, state)
        {
            return Verdict::SAFE;
        }
        let twice = tables.verifier.is_due(Sort::End, || state.0);
        let failing = machine.failing_at_end(tables, tuple, network, twice);
        let ends = tables.setup.end_assertions.len();
        let deadlock = u64::from(tables.setup.options.deadlock) << ends;
        Verdict((failing | deadlock) << tables.setup.assertions.len())
    }

    /// The goals that a state reaches.
    pub(crate) fn goals_reached(
        &mut self,
        tables: &Tables,
        machine: &dyn Machine,
        state: StateId,
    ) -> u64 {
        let (tuple, network) = unpack(state);
        if let Some(known) = self.goals_reached.get(tuple) {
            return known;
        }
        if tables.setup.goals.is_empty() || tables.interner.breakage(tuple).is_some() {
            return 0;
        }
        let twice = tables.verifier.is_due(Sort::Goal, || state.0);
        let reading = machine.reached(tables, &self.readers, tuple, network, twice);
        self.goals_reached.learn(tuple, &reading)
    }

    /// Whether the scenario prunes a state.
    #[inline]
    pub(crate) fn is_pruned(
        &mut self,
        tables: &Tables,
        machine: &dyn Machine,
        state: StateId,
    ) -> bool {
        !tables.setup.prunings.is_empty() && self.is_pruned_by_scenario(tables, machine, state)
    }

    fn is_pruned_by_scenario(
        &mut self,
        tables: &Tables,
        machine: &dyn Machine,
        state: StateId,
    ) -> bool {
        let (tuple, network) = unpack(state);
        if let Some(known) = self.pruned.get(tuple) {
            return known != 0;
        }
        if tables.interner.breakage(tuple).is_some() {
            return false;
        }
        let twice = tables.verifier.is_due(Sort::Pruning, || state.0);
        let Reading { answer, network_read } =
            machine.pruning(tables, &self.readers, tuple, network, twice);
        let prunes = is_some_and_counted(answer, &self.readers.pruned);
        self.pruned.learn(tuple, &Reading { answer: u64::from(prunes), network_read }) != 0
    }

    /// Whether the assumptions allow an event in a state.
    pub(crate) fn allows(
        &self,
        tables: &Tables,
        machine: &dyn Machine,
        state: StateId,
        event: EventName,
    ) -> Reading<bool> {
        let twice = tables.verifier.is_due(Sort::Assumption, || state.0);
        let Reading { answer, network_read } =
            machine.objection(tables, &self.readers, state, event, twice);
        Reading { answer: !is_some_and_counted(answer, &self.readers.excluded), network_read }
    }

    /// Appends the rank of a state.
    pub(crate) fn rank(
        &mut self,
        tables: &Tables,
        machine: &dyn Machine,
        state: StateId,
        ranking: usize,
        rank: &mut Vec<i64>,
    ) {
        let (tuple, network) = unpack(state);
        if let Some(Some(known)) = self.ranks[ranking].get(&tuple) {
            rank.extend_from_slice(&known.0);
            return;
        }
        let twice = tables.verifier.is_due(Sort::Ranking, || state.0);
        let reading = machine.rank(tables, tuple, network, ranking, twice);
        rank.extend_from_slice(&reading.answer.0);
        let remembered = (!reading.network_read).then_some(reading.answer);
        self.ranks[ranking].insert(tuple, remembered);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.ranks.iter().map(|ranks| map_bytes(ranks.capacity(), RANK_BYTES)).sum::<usize>()
            + self.verdicts.bytes()
            + self.goals_reached.bytes()
            + self.pruned.bytes()
    }

    /// How many bytes more they take at once if they are about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        let growth = |ranks: &FxHashMap<u32, Option<Rank>>| {
            map_growth(ranks.len(), ranks.capacity(), RANK_BYTES)
        };
        self.ranks.iter().map(growth).sum()
    }
}
