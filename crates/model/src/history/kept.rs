//! What is remembered of a history: who waits, and which orders of the operations are possible.

use std::{collections::BTreeMap, marker::PhantomData};

use serde::{Deserialize, Serialize};

use super::Specification;
use crate::{Data, NodeId};

/// The clients that wait for an answer, with what they have asked for.
pub(super) type Waiting<S> = BTreeMap<NodeId, <S as Specification>::Operation>;

/// The orders of the operations so far that a condition allows. Two histories with the same orders, in which the same
/// clients wait, have the same futures.
pub(super) trait Orders<S: Specification>: Data {
    /// Before the first operation.
    fn new(start: S) -> Self;

    /// A client asks for an operation.
    fn invoke(&mut self, client: NodeId, operation: &S::Operation);

    /// A client that has asked for an operation gets an answer; the others still wait. The result is whether an order is
    /// left.
    fn answer(
        &mut self,
        client: NodeId,
        operation: S::Operation,
        answer: S::Answer,
        others: &Waiting<S>,
    ) -> bool;

    /// A client never gets its answer, and goes on. Its operation may take effect at any later time.
    fn give_up(&mut self, client: NodeId, operation: S::Operation, others: &Waiting<S>);
}

/// Takes the operations of a history in.
pub(super) trait Keep<S: Specification> {
    /// Whether a client waits for an answer; nothing, if it does not matter any more.
    fn waits(&self, client: NodeId) -> Option<bool>;
    fn invoke(&mut self, client: NodeId, operation: S::Operation);
    fn answer(&mut self, client: NodeId, answer: S::Answer);
    fn give_up(&mut self, client: NodeId);
}

/// The memory of a condition: nothing, when no order is left.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Kept<S: Specification, O: Orders<S>>(Option<Possible<S, O>>);

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
struct Possible<S: Specification, O: Orders<S>> {
    waiting: Waiting<S>,
    orders: O,
    of: PhantomData<S>,
}

impl<S: Specification, O: Orders<S>> Kept<S, O> {
    pub(super) fn new(start: S) -> Self {
        let orders = O::new(start);
        Self(Some(Possible { waiting: Waiting::<S>::new(), orders, of: PhantomData }))
    }

    /// Whether some order explains the history.
    pub(super) fn holds(&self) -> bool {
        self.0.is_some()
    }
}

const ASKED: &str = "only a client that waits is answered";

impl<S: Specification, O: Orders<S>> Keep<S> for Kept<S, O> {
    fn waits(&self, client: NodeId) -> Option<bool> {
        self.0.as_ref().map(|possible| possible.waiting.contains_key(&client))
    }

    fn invoke(&mut self, client: NodeId, operation: S::Operation) {
        let Some(Possible { waiting, orders, .. }) = &mut self.0 else { return };
        orders.invoke(client, &operation);
        waiting.insert(client, operation);
    }

    fn answer(&mut self, client: NodeId, answer: S::Answer) {
        let Some(Possible { waiting, orders, .. }) = &mut self.0 else { return };
        let operation = waiting.remove(&client).expect(ASKED);
        if !orders.answer(client, operation, answer, waiting) {
            self.0 = None;
        }
    }

    fn give_up(&mut self, client: NodeId) {
        let Some(Possible { waiting, orders, .. }) = &mut self.0 else { return };
        let operation = waiting.remove(&client).expect(ASKED);
        orders.give_up(client, operation, waiting);
    }
}
