//! Calls per second on small types of the standard library: `cargo bench -p everypath-driver`.

use std::{
    collections::{BTreeMap, VecDeque},
    env,
    hint::black_box,
    time::Instant,
};

use everypath_driver::{Driven, Driver, DriverOptions, Repetition};
use everypath_explore::{Options, explore};

/// Explores a driver to a depth, and prints how many calls it made in a second.
fn measure(name: &str, driver: &dyn Driven, depth: u32, options: DriverOptions) {
    let mut space = driver.open(options).expect("the driver is valid");
    let begin = Instant::now();
    let found = explore(&mut space, &Options::default().max_depth(depth), &mut ());
    let found = black_box(found.expect("the options are valid"));
    let seconds = begin.elapsed().as_secs_f64();
    assert!(found.findings.is_empty(), "nothing is wrong with the standard library");
    println!(
        "{name:34} {:>9} states {:>10} calls {seconds:>7.3} s {:>6.2} million calls per second",
        found.states_visited,
        found.counts.events,
        found.counts.events as f64 / seconds / 1e6,
    );
}

fn map() -> Driver<BTreeMap<u8, u8>> {
    Driver::new(BTreeMap::<u8, u8>::new)
        .call("insert", (1..=9, 0..=1), |map, (key, value)| map.insert(key, value))
        .call("remove", 1..=9, |map, key| map.remove(&key))
}

fn observed_map() -> Driver<BTreeMap<u8, u8>> {
    Driver::observed(BTreeMap::<u8, u8>::new, BTreeMap::clone)
        .call("insert", (1..=9, 0..=1), |map, (key, value)| map.insert(key, value))
        .call("remove", 1..=9, |map, key| map.remove(&key))
}

fn queue() -> Driver<VecDeque<u8>, Vec<u8>> {
    Driver::new(VecDeque::<u8>::new)
        .against(Vec::<u8>::new)
        .both("push_back", 1..=3, |it, value| it.push_back(value), |it, value| it.push(value))
        .both(
            "push_front",
            1..=3,
            |it, value| it.push_front(value),
            |it, value| it.insert(0, value),
        )
        .both("pop_back", (), |it, ()| it.pop_back(), |it, ()| it.pop())
        .agree("elements", |it| it.iter().copied().collect(), Vec::clone)
}

fn uncloned() -> Driver<BTreeMap<u8, u8>> {
    Driver::uncloned(BTreeMap::<u8, u8>::new, BTreeMap::clone)
        .call("insert", (1..=6, 0..=1), |map, (key, value)| map.insert(key, value))
        .call("remove", 1..=6, |map, key| map.remove(&key))
}

fn main() {
    // Cargo runs it so to see whether it still runs.
    let is_test = env::args().any(|word| word == "--test");
    let depth = |depth| if is_test { 2 } else { depth };
    let share = DriverOptions::default;
    let trust = || DriverOptions { repetition: Repetition::Nothing, ..share() };
    let all = || DriverOptions { repetition: Repetition::All, ..share() };
    measure("map, serde form", &map(), depth(9), share());
    measure("map, serde form, nothing twice", &map(), depth(9), trust());
    measure("map, hashed", &observed_map(), depth(9), share());
    measure("queue with a reference", &queue(), depth(10), share());
    measure("map, not cloned", &uncloned(), depth(6), share());
    measure("map, everything twice", &observed_map(), depth(5), all());
}
