//! Logs: the whole history of one run, for a person who reads it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    Guarantee, Specification,
    kept::{Keep, Kept, Orders},
    linear::Linear,
    order::{Before, Operation, order_of},
    replica::{MonotonicReads, ReadYourWrites, Replicas},
    sequential::Sequential,
};
use crate::{NodeId, shown};

/// The history of one run in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldHistory {
    /// The name of the history.
    pub name: String,
    /// The operations, in the order in which they were asked for.
    pub operations: Vec<ToldOperation>,
    /// Why it breaks what is asserted of it, a line each.
    pub reasons: Vec<String>,
}

/// An operation in words. Steps are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldOperation {
    /// Who has asked for it.
    pub client: NodeId,
    /// What it is.
    pub operation: String,
    /// The step in which it was asked for.
    pub invoked: usize,
    /// The step in which it was answered, and the answer; nothing if it was not.
    pub answered: Option<(usize, String)>,
}

/// Something that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
enum Moment<S: Specification> {
    Invoked(S::Operation),
    Answered(S::Answer),
    GivenUp,
}

/// All that was recorded in a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Log<S: Specification> {
    /// How many steps there were.
    pub(super) steps: usize,
    waiting: BTreeSet<NodeId>,
    moments: Vec<(usize, NodeId, Moment<S>)>,
}

impl<S: Specification> Keep<S> for Log<S> {
    fn waits(&self, client: NodeId) -> Option<bool> {
        Some(self.waiting.contains(&client))
    }

    fn invoke(&mut self, client: NodeId, operation: S::Operation) {
        self.waiting.insert(client);
        self.moments.push((self.steps, client, Moment::Invoked(operation)));
    }

    fn answer(&mut self, client: NodeId, answer: S::Answer) {
        self.waiting.remove(&client);
        self.moments.push((self.steps, client, Moment::Answered(answer)));
    }

    fn give_up(&mut self, client: NodeId) {
        self.waiting.remove(&client);
        self.moments.push((self.steps, client, Moment::GivenUp));
    }
}

impl<S: Specification> Log<S> {
    pub(super) fn new() -> Self {
        Self { steps: 0, waiting: BTreeSet::new(), moments: Vec::new() }
    }

    /// The operations of the first moments.
    fn operations(&self, moments: usize) -> Vec<Operation<S>> {
        let mut operations: Vec<Operation<S>> = Vec::new();
        let mut current: BTreeMap<NodeId, usize> = BTreeMap::new();
        for (place, (step, client, moment)) in self.moments[..moments].iter().enumerate() {
            match moment {
                Moment::Invoked(operation) => {
                    current.insert(*client, operations.len());
                    operations.push(Operation {
                        client: *client,
                        operation: operation.clone(),
                        invoked: (*step, place),
                        answer: None,
                        answered: None,
                    });
                }
                Moment::Answered(answer) => {
                    let operation = &mut operations[current[client]];
                    operation.answer = Some(answer.clone());
                    operation.answered = Some((*step, place));
                }
                Moment::GivenUp => {}
            }
        }
        operations
    }

    /// The first moment after which a condition does not hold.
    fn broken_at<O: Orders<S>>(&self, start: &S) -> Option<usize> {
        let mut kept = Kept::<S, O>::new(start.clone());
        self.moments.iter().position(|(_, client, moment)| {
            match moment.clone() {
                Moment::Invoked(operation) => kept.invoke(*client, operation),
                Moment::Answered(answer) => kept.answer(*client, answer),
                Moment::GivenUp => kept.give_up(*client),
            }
            !kept.holds()
        })
    }

    /// Why it breaks what is asserted of it.
    fn reason(&self, start: &S, assertion: &str, guarantee: Guarantee) -> Option<String> {
        let broken = match guarantee {
            Guarantee::Linearizable => self.broken_at::<Linear<S>>(start),
            Guarantee::SequentiallyConsistent => self.broken_at::<Sequential<S>>(start),
            Guarantee::ReadYourWrites => self.broken_at::<Replicas<S, ReadYourWrites>>(start),
            Guarantee::MonotonicReads => self.broken_at::<Replicas<S, MonotonicReads>>(start),
        }?;
        let (step, client, moment) = &self.moments[broken];
        let answer = match moment {
            Moment::Answered(answer) => shown(answer),
            Moment::Invoked(_) | Moment::GivenUp => unreachable!("only an answer can be wrong"),
        };
        let asked = self.operations(broken).into_iter().rev().find(|it| it.client == *client);
        let asked = asked.map_or_else(String::new, |it| shown(&it.operation));
        let (none, before) = match guarantee {
            Guarantee::Linearizable => ("no order of the operations", Some(Before::Answered)),
            Guarantee::SequentiallyConsistent => (
                "no order of the operations that has those of each client in its order",
                Some(Before::OfTheSameClient),
            ),
            Guarantee::ReadYourWrites => ("no replica that has the client's own operations", None),
            Guarantee::MonotonicReads => ("no replica that the client has looked at", None),
        };
        let mut reason = format!(
            "{assertion}: {none} explains the answer {answer} to {asked} of {client} in step {step}"
        );
        if let Some(before) = before {
            let operations = self.operations(broken);
            if let Some(order) = order_of(start, &operations, before) {
                let order: Vec<String> =
                    order.iter().map(|&at| one_line(&operations[at])).collect();
                reason += &match order.is_empty() {
                    true => "; before it, there was no answer".to_owned(),
                    false => format!("; before it, this order does: {}", order.join(", ")),
                };
            }
        }
        Some(reason)
    }

    /// The history in words.
    pub(super) fn tell(
        &self,
        name: &str,
        start: &S,
        assertions: &[(String, Guarantee)],
    ) -> ToldHistory {
        let told = self.operations(self.moments.len()).into_iter().map(|operation| {
            let answer = operation.answer.as_ref().map(shown);
            ToldOperation {
                client: operation.client,
                operation: shown(&operation.operation),
                invoked: operation.invoked.0,
                answered: operation.answered.map(|(step, _)| step).zip(answer),
            }
        });
        let reasons = assertions.iter();
        ToldHistory {
            name: name.to_owned(),
            operations: told.collect(),
            reasons: reasons.filter_map(|(name, it)| self.reason(start, name, *it)).collect(),
        }
    }
}

fn one_line<S: Specification>(operation: &Operation<S>) -> String {
    let Operation { client, operation, answer, .. } = operation;
    match answer {
        Some(answer) => format!("{client} {} → {}", shown(operation), shown(answer)),
        None => format!("{client} {}", shown(operation)),
    }
}
