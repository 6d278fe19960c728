//! Linearizability: what the object may look like now, instead of the history that led there.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    Patience, Specification,
    kept::{Orders, Waiting},
    specification::states_after,
};
use crate::NodeId;

/// How far the operations so far may have come.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
struct Configuration<S: Specification> {
    state: S,
    /// The answers of the operations that have taken effect while their clients wait.
    effective: BTreeMap<NodeId, S::Answer>,
    /// The operations that may take effect at any time, since their clients have given up. Sorted.
    left: Vec<S::Operation>,
}

/// The possible configurations, sorted. Those that follow from another, when one more operation takes effect, are not
/// among them: so there is one list for each set.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Linear<S: Specification>(Vec<Configuration<S>>);

impl<S: Specification> Configuration<S> {
    /// The configurations after one more operation has taken effect.
    fn next(&self, waiting: &Waiting<S>) -> Vec<Self> {
        let mut all = Vec::new();
        for (client, operation) in waiting {
            if !self.effective.contains_key(client) {
                for (answer, state) in self.state.outcomes(operation) {
                    let mut next = Self { state, ..self.clone() };
                    next.effective.insert(*client, answer);
                    all.push(next);
                }
            }
        }
        for place in 0..self.left.len() {
            // Of equal ones the first is enough.
            if place == 0 || self.left[place - 1] != self.left[place] {
                for (_, state) in self.state.outcomes(&self.left[place]) {
                    let mut next = Self { state, ..self.clone() };
                    next.left.remove(place);
                    all.push(next);
                }
            }
        }
        all
    }

    /// Whether all that can follow from another configuration with as many operations left can follow from this one.
    fn covers(&self, other: &Self) -> bool {
        self.state == other.state
            && self.effective == other.effective
            && includes(&self.left, &other.left)
    }
}

/// Whether a sorted list has all of another, as often.
pub(super) fn includes<T: Ord>(all: &[T], some: &[T]) -> bool {
    let mut all = all.iter();
    some.iter().all(|one| all.find(|candidate| *candidate >= one) == Some(one))
}

/// Puts a value into a sorted list.
pub(super) fn put<T: Ord>(list: &mut Vec<T>, value: T) {
    let place = list.partition_point(|other| *other < value);
    list.insert(place, value);
}

/// Visits all configurations that follow from some; `follow` says whether to go on from one.
fn visit<S: Specification>(
    from: impl IntoIterator<Item = Configuration<S>>,
    waiting: &Waiting<S>,
    patience: &mut Patience,
    mut follow: impl FnMut(&Configuration<S>) -> bool,
) {
    let mut open: Vec<_> = from.into_iter().collect();
    let mut seen: BTreeSet<_> = open.iter().cloned().collect();
    while let Some(one) = open.pop() {
        patience.look();
        if follow(&one) {
            let next = one.next(waiting).into_iter();
            open.extend(next.filter(|next| seen.insert(next.clone())));
        }
    }
}

/// The configurations from which all others follow.
fn first<S: Specification>(
    all: BTreeSet<Configuration<S>>,
    waiting: &Waiting<S>,
    patience: &mut Patience,
) -> Vec<Configuration<S>> {
    if all.len() <= 1 {
        return all.into_iter().collect();
    }
    let mut followers = BTreeSet::new();
    for one in &all {
        // What follows from a follower follows from the same one as it.
        if followers.contains(one) {
            continue;
        }
        visit([one.clone()], waiting, patience, |follower| {
            let least = Configuration { left: Vec::new(), ..follower.clone() };
            let alike = all.range(least..).take_while(|it| {
                (&it.state, &it.effective) == (&follower.state, &follower.effective)
            });
            followers.extend(alike.filter(|it| *it != one && follower.covers(it)).cloned());
            true
        });
    }
    all.difference(&followers).cloned().collect()
}

impl<S: Specification> Orders<S> for Linear<S> {
    fn new(start: S) -> Self {
        Self(vec![Configuration { state: start, effective: BTreeMap::new(), left: Vec::new() }])
    }

    // As long as it has not taken effect, nothing is different.
    fn invoke(&mut self, _: NodeId, _: &S::Operation) {}

    fn answer(
        &mut self,
        client: NodeId,
        operation: S::Operation,
        answer: S::Answer,
        others: &Waiting<S>,
    ) -> bool {
        let (mut answered, mut patience) = (BTreeSet::new(), Patience::new());
        visit(std::mem::take(&mut self.0), others, &mut patience, |configuration| {
            match configuration.effective.get(&client) {
                Some(given) if *given == answer => {
                    let mut after = configuration.clone();
                    after.effective.remove(&client);
                    answered.insert(after);
                }
                Some(_) => return false,
                None => {
                    for state in states_after(&configuration.state, &operation, &answer) {
                        answered.insert(Configuration { state, ..configuration.clone() });
                    }
                }
            }
            true
        });
        self.0 = first(answered, others, &mut patience);
        !self.0.is_empty()
    }

    fn give_up(&mut self, client: NodeId, operation: S::Operation, others: &Waiting<S>) {
        let given_up = std::mem::take(&mut self.0).into_iter().map(|mut configuration| {
            let is_effective = configuration.effective.remove(&client).is_some();
            if !is_effective && !configuration.state.only_reads(&operation) {
                put(&mut configuration.left, operation.clone());
            }
            configuration
        });
        self.0 = first(given_up.collect(), others, &mut Patience::new());
    }
}
