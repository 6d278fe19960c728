//! The conditions as they are defined: every order of every prefix is tried. It shares nothing with what it checks but
//! the specification.

use super::{Guarantee, Moment};
use crate::{NodeId, history::Specification};

/// An operation: its client, what it is, when it was asked for, its answer and when.
struct Operation<S: Specification> {
    client: NodeId,
    what: S::Operation,
    asked: usize,
    answer: Option<(usize, S::Answer)>,
}

fn operations<S: Specification>(history: &[Moment<S>]) -> Vec<Operation<S>> {
    let mut all: Vec<Operation<S>> = Vec::new();
    for (time, moment) in history.iter().enumerate() {
        match moment {
            Moment::Invoke(client, what) => {
                let what = what.clone();
                all.push(Operation { client: *client, what, asked: time, answer: None });
            }
            Moment::Answer(client, answer) => {
                let last = all.iter_mut().rev().find(|it| it.client == *client).unwrap();
                last.answer = Some((time, answer.clone()));
            }
            Moment::GiveUp(_) => {}
        }
    }
    all
}

/// Whether the rest of the operations can take effect one after the other, but perhaps not those without an answer.
fn can_end<S: Specification>(
    state: &S,
    rest: &[&Operation<S>],
    is_before: &dyn Fn(&Operation<S>, &Operation<S>) -> bool,
) -> bool {
    rest.iter().all(|it| it.answer.is_none())
        || (0..rest.len()).any(|place| {
            let next = rest[place];
            let others: Vec<&Operation<S>> =
                rest.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, it)| *it).collect();
            !others.iter().any(|other| is_before(other, next))
                && state.outcomes(&next.what).iter().any(|(answer, after)| {
                    next.answer.as_ref().is_none_or(|(_, given)| given == answer)
                        && can_end(after, &others, is_before)
                })
        })
}

/// Whether a replica of a client can answer as the history says: all answers, or the one at the end.
fn replica<S: Specification>(
    client: NodeId,
    all_answers: bool,
    state: &S,
    on_the_way: &[S::Operation],
    asked: Option<&S::Operation>,
    history: &[Moment<S>],
) -> bool {
    let arrives = (0..on_the_way.len()).any(|place| {
        let mut rest = on_the_way.to_vec();
        let arriving = rest.remove(place);
        let mut outcomes = state.outcomes(&arriving).into_iter();
        outcomes.any(|(_, after)| replica(client, all_answers, &after, &rest, asked, history))
    });
    let with = |operation: &S::Operation| [on_the_way, std::slice::from_ref(operation)].concat();
    let Some((moment, later)) = history.split_first() else { return true };
    let is_last = later.is_empty();
    arrives
        || match moment {
            Moment::Invoke(own, operation) if *own == client => {
                replica(client, all_answers, state, on_the_way, Some(operation), later)
            }
            Moment::Invoke(_, operation) => {
                replica(client, all_answers, state, &with(operation), asked, later)
            }
            Moment::Answer(own, answer) if *own == client => {
                let operation = asked.unwrap();
                state.outcomes(operation).iter().any(|(possible, after)| {
                    let is_right = possible == answer || !(all_answers || is_last);
                    let next = |state: &S, on_the_way: &[S::Operation]| {
                        replica(client, all_answers, state, on_the_way, None, later)
                    };
                    is_right
                        && (next(after, on_the_way) || all_answers && next(state, &with(operation)))
                })
            }
            Moment::GiveUp(own) if *own == client => {
                replica(client, all_answers, state, &with(asked.unwrap()), None, later)
            }
            Moment::Answer(..) | Moment::GiveUp(_) => {
                replica(client, all_answers, state, on_the_way, asked, later)
            }
        }
}

/// Whether the last answer is right.
fn is_right<S: Specification>(guarantee: Guarantee, start: &S, history: &[Moment<S>]) -> bool {
    let Some(Moment::Answer(client, _)) = history.last() else { return true };
    let all = operations(history);
    let all: Vec<&Operation<S>> = all.iter().collect();
    match guarantee {
        Guarantee::Linearizable => can_end(start, &all, &|one, other| {
            one.answer.as_ref().is_some_and(|(answered, _)| *answered < other.asked)
        }),
        // What a client has given up may take effect at any time after its earlier operations.
        Guarantee::SequentiallyConsistent => can_end(start, &all, &|one, other| {
            one.client == other.client && one.answer.is_some() && one.asked < other.asked
        }),
        Guarantee::ReadYourWrites => replica(*client, false, start, &[], None, history),
        Guarantee::MonotonicReads => replica(*client, true, start, &[], None, history),
    }
}

/// Whether all answers of a history are right when they are given.
pub(super) fn holds<S: Specification>(
    guarantee: Guarantee,
    start: &S,
    history: &[Moment<S>],
) -> bool {
    (1..=history.len()).all(|until| is_right(guarantee, start, &history[..until]))
}
