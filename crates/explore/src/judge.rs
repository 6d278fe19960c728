//! Counting what happens and noting what is found, the same way in every search.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::{
    Ended, Space, StateId, Step, Stop, Verdict,
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

/// A state that violates assertions, and where it was found.
pub(crate) struct Violation<L> {
    pub(crate) state: StateId,
    pub(crate) verdict: Verdict,
    pub(crate) at: L,
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

    /// A state violates assertions; a break ends the search. Where the run must have a certain event,
    /// `required_met` says whether it has, as far as the search knows and not the state itself.
    pub(crate) fn violated(
        &mut self,
        space: &mut impl Space,
        found: Violation<L>,
        required_met: bool,
        stop: Stop,
    ) -> ControlFlow<Ended> {
        let Violation { state, verdict, at } = found;
        if !required_met || !space.counts(state) {
            self.counts.unsafe_without_required += 1;
            return ControlFlow::Continue(());
        }
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
        if over { ControlFlow::Break(Ended::Violation) } else { ControlFlow::Continue(()) }
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

    /// Counts in how many states of a batch each kind of event is enabled, and judges those in which
    /// nothing can happen.
    pub(crate) fn survey(
        &mut self,
        space: &mut impl Space,
        batch: &[StateId],
        steps: &[Step],
        required_met: bool,
        stop: Stop,
        at: impl Fn(StateId) -> L,
    ) -> ControlFlow<Ended> {
        let mut rest = steps;
        for (source, &state) in (0..).zip(batch) {
            let mut kinds = 0_u64;
            while let [step, later @ ..] = rest
                && step.source == source
            {
                kinds |= 1 << space.event_kind(step.event);
                rest = later;
            }
            if kinds == 0 && space.is_pruned(state) {
                self.counts.pruned += 1;
            } else if kinds == 0 {
                self.counts.ends += 1;
                let verdict = space.verdict_at_end(state);
                if !verdict.is_safe() {
                    let found = Violation { state, verdict, at: at(state) };
                    self.violated(space, found, required_met, stop)?;
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
