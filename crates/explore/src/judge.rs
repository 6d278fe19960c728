//! Counting what happens and noting what is found, the same way in every search.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::{
    Space, StateId, Step, Stop, Verdict,
    exploration::{Counts, KindCounts},
};

/// What was counted and found so far. `L` says where in the search something was found, so that a
/// run to it can be made when the search is over.
#[derive(Serialize, Deserialize)]
pub(crate) struct Judge<L> {
    pub(crate) counts: Counts,
    /// The first violation of each assertion.
    pub(crate) violations: Vec<(usize, L)>,
    /// The first state that reaches each goal.
    pub(crate) witnesses: Vec<(usize, L)>,
    /// The assertions violated so far.
    violated: u64,
    /// The goals not reached so far.
    goals_left: u64,
}

impl<L> Default for Judge<L> {
    fn default() -> Self {
        Self {
            counts: Counts::default(),
            violations: Vec::new(),
            witnesses: Vec::new(),
            violated: 0,
            goals_left: 0,
        }
    }
}

/// The lowest bits.
fn ones(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

impl<L: Copy> Judge<L> {
    pub(crate) fn new(space: &impl Space) -> Self {
        let counts = Counts {
            violations: vec![0; space.assertions().len()],
            kinds: vec![KindCounts::default(); space.event_kinds().len()],
            ..Counts::default()
        };
        Self { counts, goals_left: ones(space.goals().len()), ..Self::default() }
    }

    /// Whether this was counted in such a space.
    pub(crate) fn fits(&self, space: &impl Space) -> bool {
        let found = self.violations.iter().map(|(assertion, _)| assertion);
        let goals = space.goals().len();
        self.counts.violations.len() == space.assertions().len()
            && self.counts.kinds.len() == space.event_kinds().len()
            && found.into_iter().all(|&assertion| assertion < self.counts.violations.len())
            && self.witnesses.iter().all(|&(goal, _)| goal < goals)
    }

    /// Notes a violation that is one of those sought; a break ends the search.
    pub(crate) fn violation(&mut self, verdict: Verdict, stop: Stop, at: L) -> ControlFlow<()> {
        for assertion in (0..self.counts.violations.len()).filter(|&at| verdict.violates(at)) {
            self.counts.violations[assertion] += 1;
            if self.violated >> assertion & 1 == 0 {
                self.violated |= 1 << assertion;
                self.violations.push((assertion, at));
            }
        }
        let over = match stop {
            Stop::First => true,
            Stop::Each => self.violated == ones(self.counts.violations.len()),
            Stop::Never => false,
        };
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether goals are still to be reached: only then is a state worth asking.
    pub(crate) fn seeks_goals(&self) -> bool {
        self.goals_left != 0
    }

    /// Notes which goals a new state reaches.
    pub(crate) fn reached(&mut self, goals: u64, at: L) {
        let new = goals & self.goals_left;
        self.goals_left &= !new;
        self.witnesses.extend((0..64).filter(|goal| new >> goal & 1 == 1).map(|goal| (goal, at)));
    }

    /// Counts an event that was executed.
    #[inline]
    pub(crate) fn executed(&mut self, space: &impl Space, step: &Step) {
        self.counts.events += 1;
        self.counts.kinds[space.event_kind(step.event)].events += 1;
    }

    /// Counts in how many states of a batch each kind of event is enabled. The states in which
    /// nothing can happen are passed on.
    pub(crate) fn survey<S: Space>(
        &mut self,
        space: &mut S,
        batch: &[StateId],
        steps: &[Step],
        mut at_end: impl FnMut(&mut Self, &mut S, StateId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut rest = steps;
        for (source, &state) in (0..).zip(batch) {
            let mut kinds = 0_u64;
            while let [step, later @ ..] = rest
                && step.source == source
            {
                kinds |= 1 << space.event_kind(step.event);
                rest = later;
            }
            if kinds == 0 {
                if space.is_pruned(state) {
                    self.counts.pruned += 1;
                } else {
                    self.counts.ends += 1;
                    at_end(self, space, state)?;
                }
            }
            while kinds != 0 {
                self.counts.kinds[kinds.trailing_zeros() as usize].enabled_states += 1;
                kinds &= kinds - 1;
            }
        }
        ControlFlow::Continue(())
    }
}
