//! Specifications that are ready-made: register, map, queue, counter, lock.

use std::collections::{BTreeMap, VecDeque};

use super::Specification;
use crate::{Data, NodeId, data};

/// A register: holds one value.
///
/// ```
/// use everypath_model::history::{Register, RegisterAnswer, RegisterOperation, Specification};
///
/// let mut register = Register(0);
/// assert_eq!(register.apply(&RegisterOperation::Write(1)), RegisterAnswer::Written);
/// assert_eq!(register.apply(&RegisterOperation::Read), RegisterAnswer::Value(1));
/// ```
#[data]
pub struct Register<V>(pub V);

/// What a [`Register`] is asked for.
#[data]
pub enum RegisterOperation<V> {
    /// Its value.
    Read,
    /// To hold another value.
    Write(V),
}

/// What a [`Register`] answers.
#[data]
pub enum RegisterAnswer<V> {
    /// The value that was read.
    Value(V),
    /// The value was written.
    Written,
}

impl<V: Data + Ord> Specification for Register<V> {
    type Operation = RegisterOperation<V>;
    type Answer = RegisterAnswer<V>;

    fn apply(&mut self, operation: &Self::Operation) -> Self::Answer {
        match operation {
            RegisterOperation::Read => RegisterAnswer::Value(self.0.clone()),
            RegisterOperation::Write(value) => {
                self.0 = value.clone();
                RegisterAnswer::Written
            }
        }
    }

    fn only_reads(&self, operation: &Self::Operation) -> bool {
        *operation == RegisterOperation::Read
    }
}

/// A map from keys to values: a register for each key.
///
/// ```
/// use everypath_model::history::{Map, MapAnswer, MapOperation, Specification};
///
/// let mut map = Map::default();
/// assert_eq!(map.apply(&MapOperation::Put("a".to_owned(), 1)), MapAnswer::Done);
/// assert_eq!(map.apply(&MapOperation::Get("a".to_owned())), MapAnswer::Value(Some(1)));
/// assert_eq!(map.apply(&MapOperation::Remove("a".to_owned())), MapAnswer::Done);
/// assert_eq!(map.apply(&MapOperation::Get("a".to_owned())), MapAnswer::Value(None));
/// ```
#[data]
#[serde(bound(deserialize = "K: Ord + serde::Deserialize<'de>, V: serde::Deserialize<'de>"))]
pub struct Map<K, V>(pub BTreeMap<K, V>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

/// What a [`Map`] is asked for.
#[data]
pub enum MapOperation<K, V> {
    /// The value of a key.
    Get(K),
    /// To give a key a value.
    Put(K, V),
    /// To forget a key.
    Remove(K),
}

/// What a [`Map`] answers.
#[data]
pub enum MapAnswer<V> {
    /// The value of the key, if it has one.
    Value(Option<V>),
    /// The key has its value, or none any more.
    Done,
}

impl<K: Data + Ord, V: Data + Ord> Specification for Map<K, V> {
    type Operation = MapOperation<K, V>;
    type Answer = MapAnswer<V>;

    fn apply(&mut self, operation: &Self::Operation) -> Self::Answer {
        match operation {
            MapOperation::Get(key) => return MapAnswer::Value(self.0.get(key).cloned()),
            MapOperation::Put(key, value) => drop(self.0.insert(key.clone(), value.clone())),
            MapOperation::Remove(key) => drop(self.0.remove(key)),
        }
        MapAnswer::Done
    }

    fn only_reads(&self, operation: &Self::Operation) -> bool {
        matches!(operation, MapOperation::Get(_))
    }
}

/// A queue: what is put in first comes out first.
///
/// ```
/// use everypath_model::history::{Queue, QueueAnswer, QueueOperation, Specification};
///
/// let mut queue = Queue::default();
/// assert_eq!(queue.apply(&QueueOperation::Enqueue(1)), QueueAnswer::Done);
/// assert_eq!(queue.apply(&QueueOperation::Dequeue), QueueAnswer::Value(1));
/// assert_eq!(queue.apply(&QueueOperation::Dequeue), QueueAnswer::Empty);
/// ```
#[data]
pub struct Queue<V>(pub VecDeque<V>);

impl<V> Default for Queue<V> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

/// What a [`Queue`] is asked for.
#[data]
pub enum QueueOperation<V> {
    /// To take a value in.
    Enqueue(V),
    /// The first value that it still has.
    Dequeue,
}

/// What a [`Queue`] answers.
#[data]
pub enum QueueAnswer<V> {
    /// The value was taken in.
    Done,
    /// The value that was first.
    Value(V),
    /// There is no value.
    Empty,
}

impl<V: Data + Ord> Specification for Queue<V> {
    type Operation = QueueOperation<V>;
    type Answer = QueueAnswer<V>;

    fn apply(&mut self, operation: &Self::Operation) -> Self::Answer {
        match operation {
            QueueOperation::Enqueue(value) => {
                self.0.push_back(value.clone());
                QueueAnswer::Done
            }
            QueueOperation::Dequeue => {
                self.0.pop_front().map_or(QueueAnswer::Empty, QueueAnswer::Value)
            }
        }
    }
}

/// A counter.
///
/// ```
/// use everypath_model::history::{Counter, CounterAnswer, CounterOperation, Specification};
///
/// let mut counter = Counter(0);
/// assert_eq!(counter.apply(&CounterOperation::Add(2)), CounterAnswer::Added);
/// assert_eq!(counter.apply(&CounterOperation::Next), CounterAnswer::Value(2));
/// assert_eq!(counter.apply(&CounterOperation::Read), CounterAnswer::Value(3));
/// ```
#[data]
pub struct Counter(pub i64);

/// What a [`Counter`] is asked for.
#[data]
pub enum CounterOperation {
    /// Its value.
    Read,
    /// To add to its value.
    Add(i64),
    /// Its value, and to add one: no two clients get the same.
    Next,
}

/// What a [`Counter`] answers.
#[data]
pub enum CounterAnswer {
    /// The value, before anything is added.
    Value(i64),
    /// The number was added.
    Added,
}

impl Specification for Counter {
    type Operation = CounterOperation;
    type Answer = CounterAnswer;

    fn apply(&mut self, operation: &Self::Operation) -> Self::Answer {
        let before = self.0;
        match operation {
            CounterOperation::Read => {}
            CounterOperation::Next => self.0 += 1,
            CounterOperation::Add(number) => {
                self.0 += number;
                return CounterAnswer::Added;
            }
        }
        CounterAnswer::Value(before)
    }

    fn only_reads(&self, operation: &Self::Operation) -> bool {
        *operation == CounterOperation::Read
    }
}

/// A lock, and the client that holds it.
///
/// A client that waits for the lock is one that is not answered yet.
///
/// ```
/// use everypath_model::{NodeId, history::{Lock, LockAnswer, LockOperation, Specification}};
///
/// let mut lock = Lock::default();
/// assert_eq!(lock.apply(&LockOperation::Acquire(NodeId(1))), LockAnswer::Granted);
/// assert_eq!(lock.apply(&LockOperation::Acquire(NodeId(2))), LockAnswer::Refused);
/// assert_eq!(lock.apply(&LockOperation::Release(NodeId(1))), LockAnswer::Granted);
/// ```
#[data]
#[derive(Default)]
pub struct Lock(pub Option<NodeId>);

/// What a [`Lock`] is asked for.
#[data]
pub enum LockOperation {
    /// To be held by a client.
    Acquire(NodeId),
    /// To be free again.
    Release(NodeId),
}

/// What a [`Lock`] answers.
#[data]
pub enum LockAnswer {
    /// The client holds it, or does not hold it any more.
    Granted,
    /// The lock is held already, or not by this client.
    Refused,
}

impl Specification for Lock {
    type Operation = LockOperation;
    type Answer = LockAnswer;

    fn apply(&mut self, operation: &Self::Operation) -> Self::Answer {
        let (before, after) = match *operation {
            LockOperation::Acquire(client) => (None, Some(client)),
            LockOperation::Release(client) => (Some(client), None),
        };
        if self.0 != before {
            return LockAnswer::Refused;
        }
        self.0 = after;
        LockAnswer::Granted
    }
}
