//! Random histories: the verdict of every condition, and memories that are equal.

use std::{collections::BTreeMap, fmt::Debug};

use proptest::{prelude::*, strategy::ValueTree, test_runner::TestCaseResult};

use super::{GUARANTEES, Guarantee, Moment, brute_force, holds, remembered};
use crate::{
    NodeId,
    history::{
        Counter, CounterAnswer, CounterOperation, Lock, LockAnswer, LockOperation, Map, MapAnswer,
        MapOperation, Queue, QueueAnswer, QueueOperation, Register, RegisterAnswer,
        RegisterOperation, Specification,
    },
};

const CLIENTS: u32 = 3;
const OPERATIONS_MAX: usize = 6;

/// A specification with few operations and answers.
trait Sample: Specification {
    fn start() -> Self;
    fn operations(client: NodeId) -> Vec<Self::Operation>;
    fn answers(operation: &Self::Operation) -> Vec<Self::Answer>;
}

impl Sample for Register<u8> {
    fn start() -> Self {
        Self(0)
    }

    fn operations(_: NodeId) -> Vec<Self::Operation> {
        use RegisterOperation::{Read, Write};
        vec![Read, Write(1), Write(2)]
    }

    fn answers(operation: &Self::Operation) -> Vec<Self::Answer> {
        match operation {
            RegisterOperation::Read => (0..3).map(RegisterAnswer::Value).collect(),
            RegisterOperation::Write(_) => vec![RegisterAnswer::Written],
        }
    }
}

impl Sample for Map<bool, u8> {
    fn start() -> Self {
        Self::default()
    }

    fn operations(_: NodeId) -> Vec<Self::Operation> {
        use MapOperation::{Get, Put, Remove};
        vec![Get(false), Get(true), Put(false, 1), Put(true, 2), Remove(false)]
    }

    fn answers(operation: &Self::Operation) -> Vec<Self::Answer> {
        match operation {
            MapOperation::Get(_) => [None, Some(1), Some(2)].map(MapAnswer::Value).to_vec(),
            MapOperation::Put(..) | MapOperation::Remove(_) => vec![MapAnswer::Done],
        }
    }
}

impl Sample for Queue<u8> {
    fn start() -> Self {
        Self::default()
    }

    fn operations(_: NodeId) -> Vec<Self::Operation> {
        use QueueOperation::{Dequeue, Enqueue};
        vec![Dequeue, Enqueue(1), Enqueue(2)]
    }

    fn answers(operation: &Self::Operation) -> Vec<Self::Answer> {
        use QueueAnswer::{Done, Empty, Value};
        match operation {
            QueueOperation::Dequeue => vec![Empty, Value(1), Value(2)],
            QueueOperation::Enqueue(_) => vec![Done],
        }
    }
}

impl Sample for Counter {
    fn start() -> Self {
        Self(0)
    }

    fn operations(_: NodeId) -> Vec<Self::Operation> {
        use CounterOperation::{Add, Next, Read};
        vec![Read, Next, Add(1)]
    }

    fn answers(operation: &Self::Operation) -> Vec<Self::Answer> {
        match operation {
            CounterOperation::Add(_) => vec![CounterAnswer::Added],
            _ => (0..3).map(CounterAnswer::Value).collect(),
        }
    }
}

impl Sample for Lock {
    fn start() -> Self {
        Self::default()
    }

    fn operations(client: NodeId) -> Vec<Self::Operation> {
        vec![LockOperation::Acquire(client), LockOperation::Release(client)]
    }

    fn answers(_: &Self::Operation) -> Vec<Self::Answer> {
        vec![LockAnswer::Granted, LockAnswer::Refused]
    }
}

/// A coin that waits for nothing: it shows either side, and remembers which.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
struct Coin(Option<bool>);

#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
enum Toss {
    Toss,
    /// Possible only after a toss.
    Look,
}

impl Specification for Coin {
    type Operation = Toss;
    type Answer = bool;

    fn apply(&mut self, _: &Toss) -> bool {
        unreachable!("it has several answers")
    }

    fn outcomes(&self, toss: &Toss) -> Vec<(bool, Self)> {
        match toss {
            Toss::Toss => [false, true].map(|side| (side, Self(Some(side)))).to_vec(),
            Toss::Look => self.0.into_iter().map(|side| (side, self.clone())).collect(),
        }
    }

    fn only_reads(&self, toss: &Toss) -> bool {
        *toss == Toss::Look
    }
}

impl Sample for Coin {
    fn start() -> Self {
        Self(None)
    }

    fn operations(_: NodeId) -> Vec<Toss> {
        vec![Toss::Look, Toss::Toss]
    }

    fn answers(_: &Toss) -> Vec<bool> {
        vec![false, true]
    }
}

/// Draws to make a history from: which client, what it does, and how.
type Draws = Vec<(u32, u8, u8)>;

fn draws() -> impl Strategy<Value = Draws> {
    prop::collection::vec((0..CLIENTS, any::<u8>(), any::<u8>()), 0..2 * OPERATIONS_MAX + 2)
}

/// What each client waits for.
fn waiting<S: Sample>(history: &[Moment<S>]) -> BTreeMap<NodeId, S::Operation> {
    let mut waiting = BTreeMap::new();
    for moment in history {
        match moment {
            Moment::Invoke(client, operation) => {
                waiting.insert(*client, operation.clone());
            }
            Moment::Answer(client, _) | Moment::GiveUp(client) => {
                waiting.remove(client);
            }
        }
    }
    waiting
}

/// A history in which most answers are those of an object that takes operations when they are answered.
fn history<S: Sample>(draws: &Draws) -> Vec<Moment<S>> {
    let (mut history, mut object) = (Vec::new(), S::start());
    for &(client, what, how) in draws {
        let client = NodeId(client);
        let invoked = history.iter().filter(|it| matches!(it, Moment::Invoke(..))).count();
        match waiting(&history).remove(&client) {
            None if invoked < OPERATIONS_MAX => {
                let operations = S::operations(client);
                let operation = operations[what as usize % operations.len()].clone();
                history.push(Moment::Invoke(client, operation));
            }
            None => {}
            Some(_) if what >= 240 => history.push(Moment::GiveUp(client)),
            Some(operation) => {
                let outcomes = object.outcomes(&operation);
                let answers = S::answers(&operation);
                let mut answer = answers[how as usize % answers.len()].clone();
                if what < 180 && !outcomes.is_empty() {
                    (answer, object) = outcomes[how as usize % outcomes.len()].clone();
                }
                history.push(Moment::Answer(client, answer));
            }
        }
    }
    history
}

fn agree<S: Sample>(draws: &Draws) -> TestCaseResult {
    let history = history::<S>(draws);
    for guarantee in GUARANTEES {
        let expected = brute_force::holds(guarantee, &S::start(), &history);
        let found = holds(guarantee, &S::start(), &history);
        prop_assert_eq!(found, expected, "{:?}: {:?}", guarantee, history);
    }
    Ok(())
}

/// All histories that are a few moments longer, if clients give up not more often.
fn continued<S: Sample>(history: &[Moment<S>], moments: usize) -> Vec<Vec<Moment<S>>> {
    let mut all = vec![Vec::new()];
    let mut last = vec![history.to_vec()];
    let mut added: Vec<Vec<Moment<S>>> = vec![Vec::new()];
    for _ in 0..moments {
        let (mut longer, mut longer_added) = (Vec::new(), Vec::new());
        for (history, added) in last.iter().zip(&added) {
            let waiting = waiting(history);
            for client in (0..2).map(NodeId) {
                let next: Vec<Moment<S>> = match waiting.get(&client) {
                    Some(operation) => S::answers(operation)
                        .into_iter()
                        .map(|answer| Moment::Answer(client, answer))
                        .collect(),
                    None => S::operations(client)
                        .into_iter()
                        .map(|operation| Moment::Invoke(client, operation))
                        .collect(),
                };
                for moment in next {
                    longer.push([&history[..], std::slice::from_ref(&moment)].concat());
                    longer_added.push([&added[..], &[moment]].concat());
                }
            }
        }
        all.extend(longer_added.iter().cloned());
        (last, added) = (longer, longer_added);
    }
    all
}

/// Of many short histories, those with equal memories have equal futures. The result is how many pairs there were.
fn equal_memories_have_equal_futures<S: Sample + Debug>(guarantee: Guarantee) -> usize {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let short = prop::collection::vec((0..2_u32, any::<u8>(), any::<u8>()), 0..7);
    let mut known: BTreeMap<Vec<u8>, Vec<Moment<S>>> = BTreeMap::new();
    let mut pairs = 0;
    for _ in 0..400 {
        let draws = short.new_tree(&mut runner).expect("draws can be made").current();
        let one = history::<S>(&draws);
        let (memory, holds) = remembered(guarantee, &S::start(), &one);
        if !holds {
            continue;
        }
        let other = known.entry(memory).or_insert_with(|| one.clone());
        if *other == one {
            continue;
        }
        pairs += 1;
        for more in continued(&one, 3) {
            let [first, second] = [&one, &*other].map(|history| {
                let whole = [&history[..], &more[..]].concat();
                brute_force::holds(guarantee, &S::start(), &whole)
            });
            assert_eq!(first, second, "{guarantee:?}: {one:?} and {other:?}, then {more:?}");
        }
    }
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn registers_are_judged_as_by_a_brute_force(draws in draws()) {
        agree::<Register<u8>>(&draws)?;
    }

    #[test]
    fn maps_are_judged_as_by_a_brute_force(draws in draws()) {
        agree::<Map<bool, u8>>(&draws)?;
    }

    #[test]
    fn queues_are_judged_as_by_a_brute_force(draws in draws()) {
        agree::<Queue<u8>>(&draws)?;
    }

    #[test]
    fn counters_are_judged_as_by_a_brute_force(draws in draws()) {
        agree::<Counter>(&draws)?;
    }

    #[test]
    fn locks_are_judged_as_by_a_brute_force(draws in draws()) {
        agree::<Lock>(&draws)?;
    }

    #[test]
    fn objects_with_several_answers_are_judged_as_by_a_brute_force(draws in draws()) {
        agree::<Coin>(&draws)?;
    }
}

#[test]
fn what_is_remembered_alike_has_the_same_future() {
    for guarantee in GUARANTEES {
        let pairs = [
            equal_memories_have_equal_futures::<Register<u8>>(guarantee),
            equal_memories_have_equal_futures::<Queue<u8>>(guarantee),
            equal_memories_have_equal_futures::<Counter>(guarantee),
            equal_memories_have_equal_futures::<Lock>(guarantee),
        ];
        assert!(pairs.iter().all(|pairs| *pairs > 20), "{guarantee:?}: {pairs:?}");
    }
}
