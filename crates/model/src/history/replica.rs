//! What one client can rely on: each looks at a replica, which the operations of others reach in any order, late, or
//! never.

use std::{
    collections::{BTreeMap, BTreeSet},
    marker::PhantomData,
};

use serde::{Deserialize, Serialize};

use super::{
    Patience, Specification,
    kept::{Orders, Waiting},
    linear::{includes, put},
    specification::states_after,
};
use crate::{Data, NodeId};

/// How a replica may look.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct View<S: Specification> {
    state: S,
    /// The operations that have not reached it. Sorted.
    missing: Vec<S::Operation>,
}

/// What an answer says of the replica of its client.
pub(super) trait Session: Data {
    /// The replicas that the client may look at after an operation of its own; nothing, if no replica answers so.
    fn after<S: Specification>(
        views: BTreeSet<View<S>>,
        operation: &S::Operation,
        answer: &S::Answer,
    ) -> Option<BTreeSet<View<S>>>;
}

/// All operations of a client reach the replicas that it looks at at once; each answer may come from another replica.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum ReadYourWrites {}

/// A client always looks at the same replica, which its own operations may reach late, too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum MonotonicReads {}

impl Session for ReadYourWrites {
    fn after<S: Specification>(
        views: BTreeSet<View<S>>,
        operation: &S::Operation,
        answer: &S::Answer,
    ) -> Option<BTreeSet<View<S>>> {
        let outcomes = |view: &View<S>| view.state.outcomes(operation);
        if !views.iter().any(|view| outcomes(view).iter().any(|(possible, _)| possible == answer)) {
            return None;
        }
        let after = views.iter().flat_map(|view| {
            let missing = &view.missing;
            let states = outcomes(view).into_iter();
            states.map(|(_, state)| View { state, missing: missing.clone() })
        });
        Some(after.collect())
    }
}

impl Session for MonotonicReads {
    fn after<S: Specification>(
        views: BTreeSet<View<S>>,
        operation: &S::Operation,
        answer: &S::Answer,
    ) -> Option<BTreeSet<View<S>>> {
        let mut after = BTreeSet::new();
        for view in views {
            for state in states_after(&view.state, operation, answer) {
                if !view.state.only_reads(operation) {
                    let mut late = view.clone();
                    put(&mut late.missing, operation.clone());
                    after.insert(late);
                }
                after.insert(View { state, ..view.clone() });
            }
        }
        (!after.is_empty()).then_some(after)
    }
}

/// The replicas that each client may look at.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Replicas<S: Specification, A: Session> {
    start: S,
    /// All operations so far that may change something. Sorted.
    all: Vec<S::Operation>,
    /// Of clients that were answered. Others may look at any replica.
    views: BTreeMap<NodeId, Vec<View<S>>>,
    session: PhantomData<A>,
}

impl<S: Specification> View<S> {
    /// The replicas after one more operation has reached this one.
    fn next(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for place in 0..self.missing.len() {
            if place == 0 || self.missing[place - 1] != self.missing[place] {
                for (_, state) in self.state.outcomes(&self.missing[place]) {
                    let mut next = Self { state, ..self.clone() };
                    next.missing.remove(place);
                    all.push(next);
                }
            }
        }
        all
    }
}

/// All replicas that follow from some.
fn followers<S: Specification>(from: &[View<S>], patience: &mut Patience) -> BTreeSet<View<S>> {
    let mut open = from.to_vec();
    let mut seen: BTreeSet<_> = from.iter().cloned().collect();
    while let Some(view) = open.pop() {
        patience.look();
        open.extend(view.next().into_iter().filter(|next| seen.insert(next.clone())));
    }
    seen
}

/// The replicas from which all others follow, or would with fewer operations.
fn first<S: Specification>(all: BTreeSet<View<S>>, patience: &mut Patience) -> Vec<View<S>> {
    // Those that miss most come first: few others have to be compared with them.
    let mut sorted: Vec<_> = all.into_iter().collect();
    sorted.sort_by_key(|view| std::cmp::Reverse(view.missing.len()));
    let mut found: Vec<View<S>> = Vec::new();
    let mut covered: BTreeMap<S, Vec<Vec<S::Operation>>> = BTreeMap::new();
    for view in sorted {
        let known = covered.get(&view.state);
        let is_covered =
            known.is_some_and(|known| known.iter().any(|more| includes(more, &view.missing)));
        if !is_covered {
            for follower in followers(std::slice::from_ref(&view), patience) {
                covered.entry(follower.state).or_default().push(follower.missing);
            }
            found.push(view);
        }
    }
    found.sort_unstable();
    found
}

impl<S: Specification, A: Session> Replicas<S, A> {
    fn any(&self) -> Vec<View<S>> {
        vec![View { state: self.start.clone(), missing: self.all.clone() }]
    }
}

impl<S: Specification, A: Session> Orders<S> for Replicas<S, A> {
    fn new(start: S) -> Self {
        Self { start, all: Vec::new(), views: BTreeMap::new(), session: PhantomData }
    }

    fn invoke(&mut self, client: NodeId, operation: &S::Operation) {
        if self.start.only_reads(operation) {
            return;
        }
        let own = self.any();
        self.views.entry(client).or_insert(own);
        put(&mut self.all, operation.clone());
        // Its own replica gets it when it is answered.
        for (_, views) in self.views.iter_mut().filter(|(other, _)| **other != client) {
            views.iter_mut().for_each(|view| put(&mut view.missing, operation.clone()));
            views.sort_unstable();
        }
    }

    fn answer(
        &mut self,
        client: NodeId,
        operation: S::Operation,
        answer: S::Answer,
        _: &Waiting<S>,
    ) -> bool {
        let views = self.views.remove(&client).unwrap_or_else(|| self.any());
        let mut patience = Patience::new();
        let all = followers(&views, &mut patience);
        let Some(after) = A::after(all, &operation, &answer) else { return false };
        let views = first(after, &mut patience);
        if views != self.any() {
            self.views.insert(client, views);
        }
        true
    }

    fn give_up(&mut self, client: NodeId, operation: S::Operation, _: &Waiting<S>) {
        if self.start.only_reads(&operation) {
            return;
        }
        // It may still reach the replica.
        let mut views = self.views.remove(&client).unwrap_or_else(|| self.any());
        views.iter_mut().for_each(|view| put(&mut view.missing, operation.clone()));
        views.sort_unstable();
        if views != self.any() {
            self.views.insert(client, views);
        }
    }
}
