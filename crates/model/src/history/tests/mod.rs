//! Conditions of histories, against a brute force and examples of the literature.

mod brute_force;
mod literature;
mod random;

use super::{
    Guarantee, Specification,
    kept::{Keep, Kept, Orders},
    linear::Linear,
    replica::{MonotonicReads, ReadYourWrites, Replicas},
    sequential::Sequential,
};
use crate::{Memory, NodeId};

const GUARANTEES: [Guarantee; 4] = [
    Guarantee::Linearizable,
    Guarantee::SequentiallyConsistent,
    Guarantee::ReadYourWrites,
    Guarantee::MonotonicReads,
];

/// Something that is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Moment<S: Specification> {
    Invoke(NodeId, S::Operation),
    Answer(NodeId, S::Answer),
    GiveUp(NodeId),
}

/// What is remembered of a history for a condition, and whether the condition holds.
fn remembered<S: Specification>(
    guarantee: Guarantee,
    start: &S,
    history: &[Moment<S>],
) -> (Vec<u8>, bool) {
    fn kept<S: Specification, O: Orders<S>>(start: &S, history: &[Moment<S>]) -> (Vec<u8>, bool) {
        let mut kept = Kept::<S, O>::new(start.clone());
        for moment in history.iter().cloned() {
            match moment {
                Moment::Invoke(client, operation) => kept.invoke(client, operation),
                Moment::Answer(client, answer) => kept.answer(client, answer),
                Moment::GiveUp(client) => kept.give_up(client),
            }
        }
        (kept.bytes(), kept.holds())
    }
    match guarantee {
        Guarantee::Linearizable => kept::<S, Linear<S>>(start, history),
        Guarantee::SequentiallyConsistent => kept::<S, Sequential<S>>(start, history),
        Guarantee::ReadYourWrites => kept::<S, Replicas<S, ReadYourWrites>>(start, history),
        Guarantee::MonotonicReads => kept::<S, Replicas<S, MonotonicReads>>(start, history),
    }
}

/// Whether a condition holds.
fn holds<S: Specification>(guarantee: Guarantee, start: &S, history: &[Moment<S>]) -> bool {
    remembered(guarantee, start, history).1
}
