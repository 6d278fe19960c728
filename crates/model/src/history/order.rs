//! An order of operations that explains their answers, for people to read.

use std::collections::HashSet;

use super::{CONFIGURATIONS_MAX, Specification, specification::states_after};
use crate::NodeId;

/// An operation of a history.
#[derive(Clone)]
pub(super) struct Operation<S: Specification> {
    pub(super) client: NodeId,
    pub(super) operation: S::Operation,
    /// The step in which it was asked for, and the place among all that was recorded.
    pub(super) invoked: (usize, usize),
    pub(super) answer: Option<S::Answer>,
    pub(super) answered: Option<(usize, usize)>,
}

/// Which operations must come before which.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Those that were answered before the other was asked for.
    Answered,
    /// Those of the same client that were answered before. What it gave up may come later.
    OfTheSameClient,
}

impl<S: Specification> Operation<S> {
    fn is_before(&self, other: &Self, before: Before) -> bool {
        match before {
            Before::Answered => self.answered.is_some_and(|answered| answered < other.invoked),
            Before::OfTheSameClient => {
                self.client == other.client
                    && self.answered.is_some()
                    && self.invoked < other.invoked
            }
        }
    }
}

/// An order of all operations with an answer, and of others as needed; nothing if there is none, or if it takes too long.
pub(super) fn order_of<S: Specification>(
    start: &S,
    operations: &[Operation<S>],
    before: Before,
) -> Option<Vec<usize>> {
    let mut open = vec![(Vec::new(), start.clone())];
    let mut seen = HashSet::new();
    while let Some((order, state)) = open.pop() {
        let is_open = |place: &usize| !order.contains(place);
        let rest: Vec<usize> = (0..operations.len()).filter(is_open).collect();
        if rest.iter().all(|&place| operations[place].answer.is_none()) {
            return Some(order);
        }
        if !seen.insert((rest.clone(), state.clone())) || seen.len() > CONFIGURATIONS_MAX {
            continue;
        }
        // What comes last is tried first: of the possible orders, the one nearest to that of asking is found.
        for &place in rest.iter().rev() {
            let one = &operations[place];
            if rest.iter().any(|&other| operations[other].is_before(one, before)) {
                continue;
            }
            let states: Vec<S> = match &one.answer {
                Some(answer) => states_after(&state, &one.operation, answer).collect(),
                None => state.outcomes(&one.operation).into_iter().map(|(_, it)| it).collect(),
            };
            for after in states {
                let mut longer = order.clone();
                longer.push(place);
                open.push((longer, after));
            }
        }
    }
    None
}
