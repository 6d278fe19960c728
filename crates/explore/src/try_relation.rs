//! Trying whether a relation is a simulation, on pairs of states that a search has met.

use crate::{Explorable, StateId, Step};

/// What a state can do that one that covers it cannot.
///
/// ```
/// use everypath_explore::{RelationFailure, StateId};
///
/// let failure = RelationFailure::Goal { state: StateId(1), other: StateId(2), goal: 0 };
/// assert_eq!(failure.states(), (StateId(1), StateId(2)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelationFailure {
    /// A step of `state` leads to `step.target`, which no step of `other` leads to cover, nor does
    /// `other` itself.
    Step {
        /// The covered state.
        state: StateId,
        /// The state that covers it.
        other: StateId,
        /// The step.
        step: Step,
    },
    /// `state` violates an assertion, and `other` does not.
    Assertion {
        /// The covered state.
        state: StateId,
        /// The state that covers it.
        other: StateId,
        /// The assertion.
        assertion: usize,
    },
    /// `state` reaches a goal, and `other` does not.
    Goal {
        /// The covered state.
        state: StateId,
        /// The state that covers it.
        other: StateId,
        /// The goal.
        goal: usize,
    },
}

impl RelationFailure {
    /// The covered state, and the one that covers it.
    #[must_use]
    pub fn states(&self) -> (StateId, StateId) {
        match *self {
            Self::Step { state, other, .. }
            | Self::Assertion { state, other, .. }
            | Self::Goal { state, other, .. } => (state, other),
        }
    }
}

/// The result of trying a relation.
///
/// ```
/// assert_eq!(everypath_explore::RelationTrial::default().failure, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RelationTrial {
    /// How many pairs were tried.
    pub pairs: u64,
    /// For how many steps of covered states a match was sought.
    pub steps: u64,
    /// The first failure.
    pub failure: Option<RelationFailure>,
}

/// Tries whether a relation is a simulation: for each pair of a state and one that covers it, each
/// step of the first must be matched by a step of the second to a state that covers where it leads,
/// unless the second state itself does. What the first violates or reaches, the second must, too. It
/// ends at the first failure, or when `enough`.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, StateId, try_relation};
///
/// // A plain model has no relations; any state covers itself.
/// let mut space = ModelSpace::new(Counter);
/// let trial = try_relation(&mut space, 0, &[], &|| false);
/// assert_eq!((trial.pairs, trial.failure), (0, None));
/// ```
pub fn try_relation(
    space: &mut (impl Explorable + ?Sized),
    relation: usize,
    pairs: &[(StateId, StateId)],
    enough: &dyn Fn() -> bool,
) -> RelationTrial {
    let mut trial = RelationTrial::default();
    let mut steps = [Vec::new(), Vec::new()];
    for &(state, other) in pairs {
        if trial.failure.is_some() || enough() {
            break;
        }
        trial.pairs += 1;
        trial.failure = judged_less(space, state, other);
        if trial.failure.is_some() {
            break;
        }
        for (steps, state) in steps.iter_mut().zip([state, other]) {
            steps.clear();
            space.expand(&[state], steps);
        }
        let [own, others] = &steps;
        trial.failure = ends_worse(space, (state, own), (other, others));
        for &step in own {
            if trial.failure.is_some() {
                break;
            }
            trial.steps += 1;
            if !is_matched(space, relation, step.target, other, others) {
                trial.failure = Some(RelationFailure::Step { state, other, step });
            }
        }
    }
    trial
}

/// Whether a state that is reached by a step is covered by the other state, or by one that its steps
/// lead to. A state that violates an assertion is not explored, so only its violations count.
fn is_matched(
    space: &mut (impl Explorable + ?Sized),
    relation: usize,
    target: StateId,
    other: StateId,
    others: &[Step],
) -> bool {
    let verdict = space.verdict(target);
    let candidates = others.iter().map(|step| step.target).chain([other]);
    let mut candidates = candidates.collect::<Vec<_>>().into_iter();
    match verdict.is_safe() {
        false => candidates.any(|candidate| verdict.0 & !space.verdict(candidate).0 == 0),
        true => candidates.any(|candidate| {
            candidate == target || space.is_simulated_by(target, candidate, relation)
        }),
    }
}

fn judged_less(
    space: &mut (impl Explorable + ?Sized),
    state: StateId,
    other: StateId,
) -> Option<RelationFailure> {
    let violated = space.verdict(state).0 & !space.verdict(other).0;
    let reached = space.goals_reached(state) & !space.goals_reached(other);
    if violated != 0 {
        let assertion = violated.trailing_zeros() as usize;
        return Some(RelationFailure::Assertion { state, other, assertion });
    }
    let goal = reached.trailing_zeros() as usize;
    (reached != 0).then_some(RelationFailure::Goal { state, other, goal })
}

/// The failure if the first state violates something by being an end, and the second does not.
fn ends_worse(
    space: &mut (impl Explorable + ?Sized),
    (state, own): (StateId, &[Step]),
    (other, others): (StateId, &[Step]),
) -> Option<RelationFailure> {
    if !own.is_empty() || space.is_pruned(state) {
        return None;
    }
    let is_end = others.is_empty() && !space.is_pruned(other);
    let of_other = if is_end { space.verdict_at_end(other).0 } else { 0 };
    let violated = space.verdict_at_end(state).0 & !of_other;
    let assertion = violated.trailing_zeros() as usize;
    (violated != 0).then_some(RelationFailure::Assertion { state, other, assertion })
}
