//! `keyed_priority_queue` 0.4.2: a priority queue whose priorities can be changed.

use std::collections::BTreeMap;

use everypath::{Driver, Parameters};
use keyed_priority_queue::KeyedPriorityQueue;

/// Priorities end with their key: no two are equal, so that it is known what is popped.
type Priority = (u8, u8);
type Queue = KeyedPriorityQueue<u8, Priority>;

fn entries(queue: &Queue) -> Vec<(u8, Priority)> {
    queue.iter().map(|(key, priority)| (*key, *priority)).collect()
}

fn largest(map: &BTreeMap<u8, Priority>) -> Option<(u8, Priority)> {
    map.iter().map(|(key, priority)| (*key, *priority)).max_by_key(|(_, priority)| *priority)
}

/// A queue of a few keys with three priorities. Its order in memory is observed, too.
pub fn keyed_queue(parameters: &mut Parameters) -> Driver<Queue, BTreeMap<u8, Priority>> {
    let keys = parameters.number("keys", 5, 1..=9, "how many keys there are") as u8;
    Driver::observed(Queue::new, entries)
        .about("keyed_priority_queue 0.4.2: a priority queue whose priorities can be changed")
        .against(BTreeMap::new)
        .both(
            "push",
            (1..=keys, 1..=3),
            |queue, (k, p)| queue.push(k, (p, k)),
            |it, (k, p)| it.insert(k, (p, k)),
        )
        .both(
            "pop",
            (),
            |queue, ()| queue.pop(),
            |it, ()| {
                let (key, _) = largest(it)?;
                it.remove_entry(&key)
            },
        )
        .both("remove", 1..=keys, |queue, k| queue.remove(&k), |it, k| it.remove(&k))
        .agree("largest", |it| it.peek().map(|(k, p)| (*k, *p)), largest)
        .agree("entries", |it| entries(it).into_iter().collect(), BTreeMap::clone)
}
