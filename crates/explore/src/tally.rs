//! The counts and findings of a search, kept in the same way by every engine.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::{
    Covered, Ended, Exploration, Finding, Judged, Measured, Misfit, Refusal, StateId, Step, Stop,
    StoreReport, Trace, Verdict, Witness,
    exploration::{Counts, KindCounts},
    limits::Guard,
    stopwatch::Stopwatch,
};

/// The counts and findings so far. `L` is a place in the search where something was found, from
/// which a run is built when the search is over.
#[derive(Serialize, Deserialize)]
pub(crate) struct Tally<L> {
    pub(crate) counts: Counts,
    /// The first violation of each assertion.
    pub(crate) violations: Vec<(usize, L)>,
    /// The first state that reaches each goal.
    pub(crate) witnesses: Vec<(usize, L)>,
    /// The assertions violated so far.
    violated: u64,
    /// The model's own assertions.
    own: u64,
    /// The goals not reached so far.
    goals_left: u64,
}

/// The panic text for findings without a run: those of a search in this process always have one.
pub(crate) const REACHED: &str = "every finding has a run";

/// The data about an ended search, besides counts and findings.
pub(crate) struct Ending {
    pub(crate) ended: Ended,
    pub(crate) incomplete: Option<&'static str>,
    pub(crate) states_visited: u64,
    pub(crate) states_waiting: u64,
    pub(crate) bytes: usize,
    pub(crate) store: StoreReport,
    pub(crate) covered: Covered,
    pub(crate) refusal: Option<Refusal>,
}

/// The violated assertions, and the place.
pub(crate) struct Violation<L> {
    pub(crate) verdict: Verdict,
    pub(crate) at: L,
}

impl<L> Default for Tally<L> {
    fn default() -> Self {
        Self {
            counts: Counts::default(),
            violations: Vec::new(),
            witnesses: Vec::new(),
            violated: 0,
            own: 0,
            goals_left: 0,
        }
    }
}

/// A number with this many low bits set.
fn ones(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

impl<L: Copy> Tally<L> {
    pub(crate) fn new(space: &impl Judged) -> Self {
        let counts = Counts {
            violations: vec![0; space.assertions().len()],
            kinds: vec![KindCounts::default(); space.event_kinds().len()],
            ..Counts::default()
        };
        let own = ones(space.own_assertions());
        Self { counts, own, goals_left: ones(space.goals().len()), ..Self::default() }
    }

    /// Whether this tally can be of such a space.
    pub(crate) fn fits(&self, space: &impl Judged) -> bool {
        let found = self.violations.iter().map(|(assertion, _)| assertion);
        let goals = space.goals().len();
        self.counts.are_possible()
            && self.counts.violations.len() == space.assertions().len()
            && self.counts.kinds.len() == space.event_kinds().len()
            && found.into_iter().all(|&assertion| assertion < self.counts.violations.len())
            && self.witnesses.iter().all(|&(goal, _)| goal < goals)
    }

    /// Whether a state is to be explored. A state that violates assertions is, if its run lacks the
    /// required event and may still reach it.
    #[inline]
    pub(crate) fn goes_on(
        &mut self,
        space: &mut impl Judged,
        state: StateId,
        verdict: Verdict,
    ) -> bool {
        if verdict.is_safe() {
            return true;
        }
        let lacks_required = !space.counts(state);
        self.counts.unsafe_without_required += u64::from(lacks_required);
        lacks_required
    }

    /// Records a violation; a break ends the search. Where the search itself looks for an event on
    /// the path, `required_met` says whether it was found.
    pub(crate) fn violated(
        &mut self,
        found: Violation<L>,
        required_met: bool,
        stop: Stop,
    ) -> ControlFlow<Ended> {
        let Violation { verdict, at } = found;
        if !required_met {
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
            Stop::Each => self.violated & self.own == self.own,
            Stop::Never => false,
        };
        if over { ControlFlow::Break(Ended::Violation) } else { ControlFlow::Continue(()) }
    }

    /// Records the goals that a state reaches, as long as some are not reached.
    #[inline]
    pub(crate) fn seek_goals(
        &mut self,
        space: &mut impl Judged,
        state: StateId,
        at: impl Fn() -> L,
    ) {
        if self.goals_left != 0 {
            self.note_goals(space, state, at());
        }
    }

    fn note_goals(&mut self, space: &mut impl Judged, state: StateId, at: L) {
        let new = space.goals_reached(state) & self.goals_left;
        self.goals_left &= !new;
        self.witnesses.extend((0..64).filter(|goal| new >> goal & 1 == 1).map(|goal| (goal, at)));
    }

    /// The places of all findings.
    pub(crate) fn places(&self) -> impl Iterator<Item = L> {
        self.violations.iter().chain(&self.witnesses).map(|&(_, place)| place)
    }

    /// The result of an ended search, with a run to each finding.
    ///
    /// # Errors
    /// If there is no such run. This can happen only if the search was read from a checkpoint.
    pub(crate) fn conclude<S: Judged + Measured>(
        self,
        ending: Ending,
        space: &mut S,
        stopwatch: &mut Stopwatch,
        guard: &mut Guard<'_>,
        mut trace: impl FnMut(&mut S, L) -> Option<Trace>,
    ) -> Result<Exploration, Misfit> {
        // Read before the traces are built: that executes no handler again, but takes time.
        let handler_executions = space.handler_executions();
        let timings = stopwatch.timings(space);
        if !self.violations.is_empty() || !self.witnesses.is_empty() {
            guard.concluding();
        }
        let mut run_to = |at| trace(space, at).ok_or(Misfit::Run);
        let findings = self.violations.into_iter();
        let findings =
            findings.map(|(assertion, at)| run_to(at).map(|trace| Finding { assertion, trace }));
        let findings = findings.collect::<Result<_, _>>()?;
        let witnesses = self.witnesses.into_iter();
        let witnesses = witnesses.map(|(goal, at)| run_to(at).map(|trace| Witness { goal, trace }));
        let witnesses = witnesses.collect::<Result<_, _>>()?;
        let Ending {
            ended,
            incomplete,
            states_visited,
            states_waiting,
            bytes,
            store,
            covered,
            refusal,
        } = ending;
        Ok(Exploration {
            ended,
            incomplete: incomplete.or(space.skips()),
            states_visited,
            states_waiting,
            handler_executions,
            depth: self.counts.deepest(),
            counts: self.counts,
            bytes,
            elapsed: guard.elapsed(),
            findings,
            witnesses,
            store,
            covered,
            noted: None,
            sample: Vec::new(),
            timings,
            refusal,
        })
    }

    /// Counts an event that was executed.
    #[inline]
    pub(crate) fn executed(&mut self, space: &impl Judged, step: &Step) {
        self.counts.events += 1;
        self.counts.kinds[space.event_kind(step.event)].events += 1;
    }

    /// Counts in how many states of a batch each kind of event is enabled, and judges the ends
    /// among them. With `EXECUTED`, all events were executed and are counted, too.
    pub(crate) fn survey<const EXECUTED: bool>(
        &mut self,
        space: &mut impl Judged,
        batch: &[StateId],
        steps: &[Step],
        required_met: bool,
        stop: Stop,
        at: impl Fn(StateId) -> L,
    ) -> ControlFlow<Ended> {
        let mut flow = ControlFlow::Continue(());
        let mut rest = steps;
        for (source, &state) in (0..).zip(batch) {
            let mut kinds = 0_u64;
            while let [step, later @ ..] = rest
                && step.source == source
            {
                if EXECUTED {
                    self.executed(space, step);
                }
                kinds |= 1 << space.event_kind(step.event);
                rest = later;
            }
            if kinds == 0 && space.is_pruned(state) {
                self.counts.pruned += 1;
            } else if kinds == 0 {
                self.counts.ends += 1;
                let verdict = space.verdict_at_end(state);
                if !self.goes_on(space, state, verdict) && flow.is_continue() {
                    flow = self.violated(Violation { verdict, at: at(state) }, required_met, stop);
                }
            }
            while kinds != 0 {
                self.counts.kinds[kinds.trailing_zeros() as usize].enabled_states += 1;
                kinds &= kinds - 1;
            }
        }
        flow
    }
}
