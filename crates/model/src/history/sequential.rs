//! Sequential consistency: every client's operations in its order, whatever happened first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::{
    Patience, Specification,
    kept::{Orders, Waiting},
    linear::put,
    specification::states_after,
};
use crate::NodeId;

/// Operations with their answers, in the order of one client.
type Answered<S> = VecDeque<(<S as Specification>::Operation, <S as Specification>::Answer)>;

/// An operation without an answer: how many operations of which client come before it, if any, and what it is.
type GivenUp<S> = (Option<(NodeId, usize)>, <S as Specification>::Operation);

/// What each client was answered, but for reads that the first state explains: any operation of another client may still
/// come before.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Sequential<S: Specification> {
    start: S,
    answered: BTreeMap<NodeId, Answered<S>>,
    /// The operations that clients gave up. What a client asks for later need not come after them. Sorted.
    given_up: Vec<GivenUp<S>>,
}

/// One line of operations, of which the last may have no answer.
struct Line<'a, S: Specification> {
    answered: &'a Answered<S>,
    last: Option<&'a S::Operation>,
    /// How many operations of another line come before it: its number, and how many.
    after: (usize, usize),
}

impl<S: Specification> Sequential<S> {
    /// Takes reads away that the first state explains, at the beginning of a client's operations: they can come first in
    /// any order.
    fn shorten(&mut self) {
        let Self { start, answered, given_up } = self;
        for (client, line) in answered.iter_mut() {
            let is_shown_first = |(operation, answer): &(S::Operation, S::Answer)| {
                start.only_reads(operation)
                    && states_after(start, operation, answer).next().is_some()
            };
            let first = line.iter().take_while(|one| is_shown_first(one)).count();
            line.drain(..first);
            for (after, _) in given_up.iter_mut() {
                if let Some((_, many)) = after.as_mut().filter(|(other, _)| other == client) {
                    *many = many.saturating_sub(first);
                }
                *after = after.filter(|(_, many)| *many > 0);
            }
        }
        answered.retain(|_, line| !line.is_empty());
        given_up.sort_unstable();
    }

    /// Whether there is an order with all answers.
    fn is_possible(&self, waiting: &Waiting<S>) -> bool {
        let none = Answered::<S>::new();
        let mut clients: BTreeSet<NodeId> = self.answered.keys().copied().collect();
        clients.extend(waiting.keys());
        let clients: Vec<NodeId> = clients.into_iter().collect();
        let own = clients.iter().map(|client| Line::<S> {
            answered: self.answered.get(client).unwrap_or(&none),
            last: waiting.get(client),
            after: (0, 0),
        });
        let given_up = self.given_up.iter().map(|(after, operation)| {
            let after = after.map_or((0, 0), |(client, many)| {
                (clients.binary_search(&client).expect("what was answered is kept"), many)
            });
            Line { answered: &none, last: Some(operation), after }
        });
        let lines: Vec<Line<'_, S>> = own.chain(given_up).collect();
        let mut patience = Patience::new();
        let mut open = vec![(vec![0; lines.len()], self.start.clone())];
        let mut seen: BTreeSet<_> = open.iter().cloned().collect();
        while let Some((places, state)) = open.pop() {
            patience.look();
            if places.iter().zip(&lines).all(|(place, line)| *place >= line.answered.len()) {
                return true;
            }
            for (number, line) in lines.iter().enumerate() {
                let (place, (before, many)) = (places[number], line.after);
                if places[before] < many {
                    continue;
                }
                let states: Vec<S> = match line.answered.get(place) {
                    Some((operation, answer)) => states_after(&state, operation, answer).collect(),
                    None if place == line.answered.len() => {
                        let last = line.last.into_iter().flat_map(|last| state.outcomes(last));
                        last.map(|(_, after)| after).collect()
                    }
                    None => Vec::new(),
                };
                for after in states {
                    let mut next = places.clone();
                    next[number] += 1;
                    if seen.insert((next.clone(), after.clone())) {
                        open.push((next, after));
                    }
                }
            }
        }
        false
    }
}

impl<S: Specification> Orders<S> for Sequential<S> {
    fn new(start: S) -> Self {
        Self { start, answered: BTreeMap::new(), given_up: Vec::new() }
    }

    fn invoke(&mut self, _: NodeId, _: &S::Operation) {}

    fn answer(
        &mut self,
        client: NodeId,
        operation: S::Operation,
        answer: S::Answer,
        others: &Waiting<S>,
    ) -> bool {
        self.answered.entry(client).or_default().push_back((operation, answer));
        self.shorten();
        self.is_possible(others)
    }

    fn give_up(&mut self, client: NodeId, operation: S::Operation, _: &Waiting<S>) {
        if !self.start.only_reads(&operation) {
            let after = self.answered.get(&client).map(|line| (client, line.len()));
            put(&mut self.given_up, (after, operation));
        }
    }
}
