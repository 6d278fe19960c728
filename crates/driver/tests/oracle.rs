//! The states and calls of a driver, against a search of a few lines.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet, VecDeque},
    sync::Mutex,
};

use everypath_driver::{Driver, DriverOptions};
use everypath_explore::{Options, Strategy, explore};

use crate::explored;

/// The distinct states within a number of calls, and the number of calls.
fn brute_force<T: Clone + Ord>(first: T, depth: u32, next: impl Fn(&T) -> Vec<T>) -> (u64, u64) {
    let (mut seen, mut level) = (BTreeSet::from([first.clone()]), vec![first]);
    let mut calls = 0;
    for _ in 0..depth {
        let mut later = Vec::new();
        for state in level {
            for target in next(&state) {
                calls += 1;
                if seen.insert(target.clone()) {
                    later.push(target);
                }
            }
        }
        level = later;
    }
    (seen.len() as u64, calls)
}

/// Maps of at most `keys` keys to two values.
fn map(keys: u8) -> Driver<BTreeMap<u8, u8>> {
    Driver::new(BTreeMap::<u8, u8>::new)
        .call("insert", (1..=keys, 0..=1), |map, (key, value)| map.insert(key, value))
        .call("remove", 1..=keys, |map, key| map.remove(&key))
        .call("clear", (), |map, ()| map.clear())
}

fn next_maps(keys: u8, map: &BTreeMap<u8, u8>) -> Vec<BTreeMap<u8, u8>> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut BTreeMap<u8, u8>)| {
        let mut next = map.clone();
        change(&mut next);
        all.push(next);
    };
    for key in 1..=keys {
        (0..=1).for_each(|value| with(&|map| _ = map.insert(key, value)));
    }
    (1..=keys).for_each(|key| with(&|map| _ = map.remove(&key)));
    with(&BTreeMap::clear);
    all
}

#[test]
fn every_sequence_of_calls_is_made() {
    for (keys, depth) in [(1, 3), (2, 2), (3, 3), (4, 9), (6, 4)] {
        let found = explored(&map(keys), depth);
        let expected = brute_force(BTreeMap::new(), depth, |it| next_maps(keys, it));
        assert_eq!((found.states_visited, found.counts.events), expected, "{keys} {depth}");
        assert_eq!(found.handler_executions, found.counts.events);
    }
}

#[test]
fn all_strategies_see_the_same_states() {
    let states = explored(&map(4), 99).states_visited;
    // Each of four keys is missing, 0 or 1.
    assert_eq!(states, 81);
    let strategies =
        [Strategy::DepthFirst, Strategy::DepthFirstRecursive, Strategy::IterativeDeepening];
    for strategy in strategies {
        let driver = map(4);
        let mut space = driver.space(DriverOptions::default()).unwrap();
        let options = Options::default().strategy(strategy).max_depth(20);
        let found = explore(&mut space, &options, &mut ()).unwrap();
        assert_eq!(found.states_visited, states, "{:?}", options.strategy);
    }
}

#[test]
fn all_ways_to_observe_a_value_distinguish_the_same_states() {
    let push = |queue: &mut VecDeque<u8>, value| queue.push_back(value);
    let pop = |queue: &mut VecDeque<u8>, ()| queue.pop_front();
    let with = |driver: Driver<VecDeque<u8>>| {
        let driver = driver.call("push", 1..=2, push).call("pop", (), pop);
        explored(&driver, 6).states_visited
    };
    let expected = (1 << 7) - 1;
    assert_eq!(with(Driver::new(VecDeque::new)), expected);
    assert_eq!(with(Driver::observed(VecDeque::new, VecDeque::clone)), expected);
    assert_eq!(with(Driver::serialised(VecDeque::new, VecDeque::clone)), expected);
    assert_eq!(with(Driver::uncloned(VecDeque::new, VecDeque::clone)), expected);
    let locked =
        Driver::uncloned(|| Mutex::new(VecDeque::new()), |queue| queue.lock().unwrap().clone())
            .call("push", 1..=2, move |queue, value| push(queue.get_mut().unwrap(), value))
            .call("pop", (), move |queue, ()| pop(queue.get_mut().unwrap(), ()));
    assert_eq!(explored(&locked, 6).states_visited, expected);
}

#[test]
fn a_reference_is_a_part_of_the_state() {
    // The value forgets everything; the reference does not.
    let driver = Driver::new(|| ()).against(Vec::<u8>::new).both(
        "push",
        1..=2,
        |_, _| (),
        |list, value| list.push(value),
    );
    assert_eq!(explored(&driver, 3).states_visited, 1 + 2 + 4 + 8);
}

#[test]
fn calls_before_the_reference_are_kept() {
    let driver = Driver::new(Vec::<u8>::new)
        .call("shrink_to_fit", (), |list, ()| list.shrink_to_fit())
        .against(Vec::<u8>::new)
        .both("push", 1..=1, |list, value| list.push(value), |list, value| list.push(value))
        .agree("elements", Vec::clone, Vec::clone);
    let found = explored(&driver, 4);
    assert_eq!((found.states_visited, found.counts.events), (5, 8));
}

#[test]
fn more_values_than_are_kept_are_made_again() {
    // 2^18 - 1 states: more than the 65,536 values that are kept.
    let driver = Driver::observed(Vec::<bool>::new, Vec::clone)
        .call("push", [false, true], |list, value| list.push(value))
        .invariant("as many as calls", |list| list.len() <= 17);
    let found = explored(&driver, 17);
    assert_eq!(found.states_visited, (1 << 18) - 1);
    assert!(found.findings.is_empty());
}

#[test]
fn guards_decide_what_can_be_called() {
    let driver = Driver::new(Vec::<u8>::new)
        .call_if("insert", (0..=3, 1..=1), |list, &(at, _)| at <= list.len() && list.len() < 3, {
            |list, (at, value)| list.insert(at, value)
        })
        .call_if("remove", 0..=3, |list, &at| at < list.len(), |list, at| list.remove(at));
    let found = explored(&driver, 9);
    // Lists of 0 to 3 ones: 1 + 2 + 3 insertions, and 0 + 1 + 2 + 3 removals.
    assert_eq!((found.states_visited, found.counts.events), (4, 12));
    assert!(found.findings.is_empty());
}

#[test]
fn same_digests_in_every_process_and_for_every_way() {
    let mut digests = HashSet::new();
    for _ in 0..2 {
        let driver = map(2);
        let mut space = driver.space(DriverOptions::default()).unwrap();
        let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
        use everypath_explore::{Described, StateId};
        let all: Vec<u64> = (0..found.states_visited).map(|it| space.digest(StateId(it))).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 9);
        digests.insert(all);
    }
    assert_eq!(digests.len(), 1);
}
