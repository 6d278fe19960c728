//! Handler executions: their outcomes, their number, and their memory.

use std::time::Duration;

use everypath_explore::{map_bytes, map_growth};
use rustc_hash::FxHashMap;

use crate::{
    allowance::Allowance,
    memo::Memo,
    nodes::{Executed, Outcome, Outcomes, SavedOutcome},
};

/// The handler executions so far.
pub(crate) struct Executor {
    /// The outcomes of handlers, with the choices that led to them.
    outcomes: Vec<Outcome>,
    choices: FxHashMap<u32, Vec<u32>>,
    /// How many bytes the lists of choices take.
    choice_bytes: usize,
    pub(crate) executions: u64,
    /// How many handlers were executed on distinct inputs.
    handled: usize,
    pub(crate) handler_time: Duration,
    /// Memoised executions of earlier checks, if they are used.
    pub(crate) memo: Option<Memo>,
    /// The memory that expansions may use.
    pub(crate) allowance: Allowance,
}

/// The size of an entry in the map of choices.
const CHOICES_BYTES: usize = size_of::<(u32, Vec<u32>)>();

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("outcomes fit in 32 bits")
}

impl Executor {
    pub(crate) fn new() -> Self {
        Self {
            outcomes: Vec::new(),
            choices: FxHashMap::default(),
            choice_bytes: 0,
            executions: 0,
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

    /// The choices that led to this outcome.
    pub(crate) fn choices_before(&self, outcome: Option<u32>) -> &[u32] {
        outcome.and_then(|outcome| self.choices.get(&outcome)).map_or(&[], Vec::as_slice)
    }

    /// Records the choices that lead to the next outcome, if there are any.
    pub(crate) fn add_choices(&mut self, choices: &[u32]) {
        if !choices.is_empty() {
            self.choice_bytes += size_of_val(choices);
            self.choices.insert(narrow(self.outcomes.len()), choices.to_vec());
        }
    }

    pub(crate) fn add_outcome(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
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
            let choices = self.choices.remove(&place).unwrap_or_default();
            self.choice_bytes -= size_of_val(choices.as_slice());
        }
        self.outcomes.truncate(start);
    }
    /// Outcomes in the form in which they are saved.
    pub(crate) fn saved_outcomes(&self, outcomes: Outcomes) -> Vec<SavedOutcome> {
        let places = outcomes.start..outcomes.start + outcomes.len;
        let saved = |place: u32| {
            let Outcome { slot, output } = self.outcome(place);
            SavedOutcome { slot, output, choices: self.choices_before(Some(place)).to_vec() }
        };
        places.map(saved).collect()
    }

    /// Restores saved outcomes.
    pub(crate) fn learn_outcomes(&mut self, outcomes: Vec<SavedOutcome>) -> Outcomes {
        let learned = Outcomes { start: narrow(self.outcomes.len()), len: narrow(outcomes.len()) };
        for SavedOutcome { slot, output, choices } in outcomes {
            if !choices.is_empty() {
                self.choices.insert(narrow(self.outcomes.len()), choices);
            }
            self.outcomes.push(Outcome { slot, output });
        }
        learned
    }

    pub(crate) fn bytes(&self) -> usize {
        self.outcomes.capacity() * size_of::<Outcome>()
            + map_bytes(self.choices.capacity(), CHOICES_BYTES)
            + self.choice_bytes
            + self.memo.as_ref().map_or(0, Memo::bytes)
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        map_growth(self.choices.len(), self.choices.capacity(), CHOICES_BYTES)
            // Executions are listed when the search is saved or its graph is written.
            + self.handled * size_of::<(Executed, Outcomes)>()
    }
}
