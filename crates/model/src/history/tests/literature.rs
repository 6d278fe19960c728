//! Histories of the literature: queues and registers of Herlihy and Wing, and what separates the conditions.

use super::{GUARANTEES, Guarantee, Moment, holds};
use crate::{
    NodeId,
    history::{
        Queue, QueueAnswer, QueueOperation, Register, RegisterAnswer, RegisterOperation,
        Specification,
    },
};

const A: NodeId = NodeId(0);
const B: NodeId = NodeId(1);
const C: NodeId = NodeId(2);

const ENQUEUED: QueueAnswer<char> = QueueAnswer::Done;
const WRITTEN: RegisterAnswer<u8> = RegisterAnswer::Written;

fn enqueue(client: NodeId, value: char) -> Moment<Queue<char>> {
    Moment::Invoke(client, QueueOperation::Enqueue(value))
}

fn dequeue(client: NodeId) -> Moment<Queue<char>> {
    Moment::Invoke(client, QueueOperation::Dequeue)
}

fn dequeued(client: NodeId, value: char) -> Moment<Queue<char>> {
    Moment::Answer(client, QueueAnswer::Value(value))
}

fn enqueued(client: NodeId) -> Moment<Queue<char>> {
    Moment::Answer(client, ENQUEUED)
}

fn is_linearizable(history: &[Moment<Queue<char>>]) -> bool {
    holds(Guarantee::Linearizable, &Queue::default(), history)
}

#[test]
fn herlihy_and_wing_h1_overlapping_enqueues_take_effect_in_either_order() {
    let history = [
        enqueue(A, 'x'),
        enqueue(B, 'y'),
        enqueued(B),
        enqueued(A),
        dequeue(B),
        dequeued(B, 'x'),
        dequeue(A),
        dequeued(A, 'y'),
        enqueue(A, 'z'),
    ];
    assert!(is_linearizable(&history));
}

#[test]
fn herlihy_and_wing_h2_what_was_enqueued_first_comes_out_first() {
    let history =
        [enqueue(A, 'x'), enqueued(A), enqueue(B, 'y'), dequeue(A), enqueued(B), dequeued(A, 'y')];
    assert!(!is_linearizable(&history));
}

#[test]
fn herlihy_and_wing_h3_an_operation_without_an_answer_may_have_taken_effect() {
    let history = [enqueue(A, 'x'), dequeue(B), dequeued(B, 'x')];
    assert!(is_linearizable(&history));
}

#[test]
fn herlihy_and_wing_h4_nothing_is_dequeued_twice() {
    let history = [
        enqueue(A, 'x'),
        enqueue(B, 'y'),
        enqueued(A),
        enqueued(B),
        dequeue(A),
        dequeue(C),
        dequeued(A, 'y'),
        dequeued(C, 'y'),
    ];
    assert!(!is_linearizable(&history));
    assert!(is_linearizable(&history[..7]));
}

fn write(client: NodeId, value: u8) -> [Moment<Register<u8>>; 2] {
    [Moment::Invoke(client, RegisterOperation::Write(value)), Moment::Answer(client, WRITTEN)]
}

fn read(client: NodeId, value: u8) -> [Moment<Register<u8>>; 2] {
    let answer = RegisterAnswer::Value(value);
    [Moment::Invoke(client, RegisterOperation::Read), Moment::Answer(client, answer)]
}

/// Which conditions a history of a register meets, in their order.
fn met(history: &[Moment<Register<u8>>]) -> [bool; 4] {
    GUARANTEES.map(|guarantee| holds(guarantee, &Register(0), history))
}

#[test]
fn a_write_without_an_answer_takes_effect_once() {
    let writes = [Moment::Invoke(A, RegisterOperation::Write(1))];
    let seen = [&writes[..], &read(B, 0), &read(B, 1), &read(C, 1)].concat();
    assert_eq!(met(&seen), [true; 4]);
    let undone = [&writes[..], &read(B, 1), &read(C, 0)].concat();
    assert_eq!(met(&undone), [false, true, true, true]);
}

#[test]
fn a_stale_read_is_sequentially_consistent_but_not_linearizable() {
    let history = [write(A, 1), read(B, 0)].concat();
    assert_eq!(met(&history), [false, true, true, true]);
}

#[test]
fn two_clients_that_miss_each_other_are_not_sequentially_consistent() {
    // Of two writes, every client has seen the other one last.
    let history = [write(A, 1), write(B, 2), read(A, 2), read(B, 1)].concat();
    assert_eq!(met(&history), [false, false, true, true]);
}

#[test]
fn a_client_that_does_not_see_its_own_write_reads_nothing_undone() {
    let history = [write(A, 1), read(A, 0)].concat();
    assert_eq!(met(&history), [false, false, false, true]);
}

#[test]
fn a_client_that_sees_a_write_undone_may_see_its_own() {
    let history = [write(A, 1), read(B, 1), read(B, 0)].concat();
    assert_eq!(met(&history), [false, false, true, false]);
}

#[test]
fn a_client_that_gives_up_keeps_its_order() {
    let gives_up = |operation| [Moment::Invoke(A, operation), Moment::GiveUp(A)];
    let history = [&write(A, 1)[..], &gives_up(RegisterOperation::Read), &read(A, 0)].concat();
    assert_eq!(met(&history), [false, false, false, true]);
    // What it has given up takes effect at any later time, but not before what it was answered earlier.
    let given_up = gives_up(RegisterOperation::Write(2));
    let history = [&write(A, 1)[..], &given_up, &read(A, 1), &read(A, 2)].concat();
    assert_eq!(met(&history)[..2], [true, true]);
    let history = [&read(B, 2)[..], &write(A, 1), &given_up, &read(B, 1)].concat();
    assert_eq!(met(&history)[..2], [false, false]);
}

#[test]
fn what_is_read_is_written_before() {
    let history = [read(B, 1), write(A, 1)].concat();
    assert_eq!(met(&history), [false; 4]);
}

/// Two queues, `p` and `q`.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
struct Two([Queue<char>; 2]);

impl Specification for Two {
    type Operation = (usize, QueueOperation<char>);
    type Answer = QueueAnswer<char>;

    fn apply(&mut self, (which, operation): &Self::Operation) -> Self::Answer {
        self.0[*which].apply(operation)
    }
}

#[test]
fn sequential_consistency_of_each_object_is_not_that_of_both() {
    let (p, q) = (0, 1);
    let put = |client, which, value| {
        let operation = (which, QueueOperation::Enqueue(value));
        [Moment::Invoke(client, operation), Moment::Answer(client, ENQUEUED)]
    };
    let get = |client, which, value| {
        let operation = (which, QueueOperation::Dequeue);
        [Moment::Invoke(client, operation), Moment::Answer(client, QueueAnswer::Value(value))]
    };
    let both: Vec<Moment<Two>> = [
        put(A, p, 'x'),
        put(B, q, 'y'),
        put(A, q, 'x'),
        put(B, p, 'y'),
        get(A, p, 'y'),
        get(B, q, 'x'),
    ]
    .concat();
    let start = Two([Queue::default(), Queue::default()]);
    assert!(!holds(Guarantee::SequentiallyConsistent, &start, &both));
    // Each of them alone is.
    let one = [put(A, p, 'x'), put(B, p, 'y'), get(A, p, 'y')].concat();
    let other = [put(B, q, 'y'), put(A, q, 'x'), get(B, q, 'x')].concat();
    assert!(holds(Guarantee::SequentiallyConsistent, &start, &one));
    assert!(holds(Guarantee::SequentiallyConsistent, &start, &other));
}

#[test]
fn many_operations_without_an_answer_end_with_a_remedy() {
    let waiting = (1..8).map(|client| enqueue(NodeId(client), char::from(b'a' + client as u8)));
    let history: Vec<_> = waiting.chain([enqueue(A, 'x'), enqueued(A)]).collect();
    // The queues that are possible before the answer are not too many; what follows from all of them is.
    let refused = crate::panics::catch(|| is_linearizable(&history));
    let text = refused.expect_err("there are too many orders").to_string();
    assert!(text.contains("possible orders") && text.contains("let fewer clients ask"), "{text}");
}
