//! Handler executions: their outcomes, their number, and their memory.

use std::time::Duration;

use everypath_explore::{map_bytes, map_growth};
use rustc_hash::FxHashMap;

use crate::{
    allowance::Allowance,
    memo::Memo,
    nodes::{Decided, Executed, Outcome, Outcomes, SavedOutcome},
};

/// The handler executions so far.
pub(crate) struct Executor {
    /// The outcomes of handlers, with the decisions that led to them.
    outcomes: Vec<Outcome>,
    decided: FxHashMap<u32, Decided>,
    /// How many bytes the lists of decisions take.
    decided_bytes: usize,
    pub(crate) executions: u64,
    /// Executions of handlers whose outcomes were known.
    pub(crate) repeated: u64,
    /// How many handlers were executed on distinct inputs.
    handled: usize,
    pub(crate) handler_time: Duration,
    /// Memoised executions of earlier checks, if they are used.
    pub(crate) memo: Option<Memo>,
    /// The memory that expansions may use.
    pub(crate) allowance: Allowance,
}

/// The size of an entry in the map of decisions.
const DECIDED_BYTES: usize = size_of::<(u32, Decided)>();

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("outcomes fit in 32 bits")
}

impl Executor {
    pub(crate) fn new() -> Self {
        Self {
            outcomes: Vec::new(),
            decided: FxHashMap::default(),
            decided_bytes: 0,
            executions: 0,
            repeated: 0,
            handled: 0,
            handler_time: Duration::ZERO,
            memo: None,
            allowance: Allowance::new(None),
        }
    }

    /// How many outcomes are known.
    pub(crate) fn len(&self) -> usize {
        self.outcomes.len()
    }

    #[inline]
    pub(crate) fn outcome(&self, place: u32) -> Outcome {
        self.outcomes[place as usize]
    }

    pub(crate) fn outcomes_of(&self, outcomes: Outcomes) -> &[Outcome] {
        &self.outcomes[outcomes.start as usize..][..outcomes.len as usize]
    }

    /// The decisions that led to this outcome.
    pub(crate) fn decided_before(&self, outcome: Option<u32>) -> &Decided {
        outcome.and_then(|outcome| self.decided.get(&outcome)).unwrap_or(Decided::NOTHING)
    }

    /// Adds an outcome, and the decisions that lead to it.
    pub(crate) fn add_outcome(&mut self, decided: Decided, outcome: Outcome) {
        if !decided.is_nothing() {
            self.decided_bytes += decided.heap_bytes();
            self.decided.insert(narrow(self.outcomes.len()), decided);
        }
        self.outcomes.push(outcome);
    }

    /// How many executions led to the outcomes. The audiences of broadcasts are decided after an
    /// execution, so it has an outcome for each.
    pub(crate) fn executions_of_outcomes(&self) -> u64 {
        let is_further =
            |decided: &&Decided| decided.audiences.iter().any(|&audience| audience > 0);
        (self.outcomes.len() - self.decided.values().filter(is_further).count()) as u64
    }

    /// The outcomes from an index on, which belong to one execution.
    pub(crate) fn executed(&mut self, start: usize) -> Outcomes {
        self.handled += 1;
        Outcomes { start: narrow(start), len: narrow(self.outcomes.len() - start) }
    }

    /// Removes the outcomes from an index on, which belong to no memoised execution.
    pub(crate) fn forget_outcomes(&mut self, start: usize) {
        for place in start..self.outcomes.len() {
            let place = u32::try_from(place).expect("outcomes fit in 32 bits");
            let decided = self.decided.remove(&place).unwrap_or_default();
            self.decided_bytes -= decided.heap_bytes();
        }
        self.outcomes.truncate(start);
    }

    /// Outcomes in the form in which they are saved.
    pub(crate) fn saved_outcomes(&self, outcomes: Outcomes) -> Vec<SavedOutcome> {
        let places = outcomes.start..outcomes.start + outcomes.len;
        let saved = |place: u32| {
            let Outcome { slot, output } = self.outcome(place);
            SavedOutcome { slot, output, decided: self.decided_before(Some(place)).clone() }
        };
        places.map(saved).collect()
    }

    /// Restores saved outcomes.
    pub(crate) fn learn_outcomes(&mut self, outcomes: Vec<SavedOutcome>) -> Outcomes {
        let learned = Outcomes { start: narrow(self.outcomes.len()), len: narrow(outcomes.len()) };
        for SavedOutcome { slot, output, decided } in outcomes {
            self.add_outcome(decided, Outcome { slot, output });
        }
        learned
    }

    pub(crate) fn bytes(&self) -> usize {
        self.outcomes.capacity() * size_of::<Outcome>()
            + map_bytes(self.decided.capacity(), DECIDED_BYTES)
            + self.decided_bytes
            + self.memo.as_ref().map_or(0, Memo::bytes)
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        map_growth(self.decided.len(), self.decided.capacity(), DECIDED_BYTES)
            // Executions are listed when the search is saved or its graph is written.
            + self.handled * size_of::<(Executed, Outcomes)>()
    }
}
