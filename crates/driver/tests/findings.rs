//! Seeded errors, and the calls that show them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use everypath_driver::{CALLS_DETERMINISTIC, Driver, DriverOptions, NO_CALL_PANICS, Repetition};
use everypath_explore::{Options, Refusal, Stop, explore};

use crate::{explored, told};

fn all() -> DriverOptions {
    DriverOptions { repetition: Repetition::All, ..DriverOptions::default() }
}

/// A sorted list that does not look whether an element is there, if it is the largest.
fn careless() -> Driver<Vec<u8>, BTreeSet<u8>> {
    Driver::new(Vec::<u8>::new)
        .against(BTreeSet::<u8>::new)
        .both(
            "insert",
            1..=3,
            |list, value| {
                let place = list.iter().position(|&it| it >= value);
                match place.filter(|&place| place + 1 < list.len() && list[place] == value) {
                    Some(_) => false,
                    None => {
                        list.insert(place.unwrap_or(list.len()), value);
                        true
                    }
                }
            },
            |set, value| set.insert(value),
        )
        .agree("elements", Vec::clone, |set| set.iter().copied().collect())
}

#[test]
fn a_result_that_differs_from_the_reference_is_found() {
    let (assertion, calls, why) = told(&careless(), DriverOptions::default(), 9);
    assert_eq!(assertion, "results agree with the reference");
    assert_eq!(calls, ["insert(1) -> true", "insert(1) -> true"]);
    assert_eq!(why, "`insert(1)` returned true, and the reference false");
}

#[test]
fn contents_that_differ_from_the_reference_are_found() {
    let driver = Driver::new(VecDeque::<u8>::new)
        .against(Vec::<u8>::new)
        .both("push", 1..=2, |queue, value| queue.push_front(value), |list, value| list.push(value))
        .agree("elements", |queue| queue.iter().copied().collect(), Vec::clone);
    let (assertion, calls, why) = told(&driver, DriverOptions::default(), 9);
    assert_eq!(assertion, "elements agree with the reference");
    assert_eq!(calls, ["push(1)", "push(2)"]);
    assert_eq!(why, "[2, 1], but the reference has [1, 2]");
}

#[test]
fn panics_of_calls_and_invariants_are_findings() {
    let driver = Driver::new(Vec::<u8>::new)
        .call("push", 1..=1, |list, value| list.push(value))
        .call("swap_remove", 0..=1, |list, at| match list.len() {
            2 => list.swap_remove(at + 1),
            _ => 0,
        });
    let (assertion, calls, why) = told(&driver, DriverOptions::default(), 9);
    assert_eq!(assertion, NO_CALL_PANICS);
    assert_eq!(calls, ["push(1)", "push(1)", "swap_remove(1) -> panic"]);
    assert!(why.starts_with("`swap_remove(1)` panicked: swap_remove index (is 2)"), "{why}");

    let driver = Driver::new(|| 0_u8)
        .call("count", (), |number, ()| *number += 1)
        .invariant("below three", |number| [0, 1, 2][usize::from(*number)] == *number);
    let (assertion, calls, why) = told(&driver, DriverOptions::default(), 9);
    assert_eq!((assertion.as_str(), calls.len()), ("below three", 3));
    assert!(why.starts_with("the invariant panicked: index out of bounds"), "{why}");
}

#[test]
fn the_first_value_is_judged() {
    let driver =
        Driver::new(|| 7_u8).call("none", (), |_, ()| ()).invariant("small", |number| *number < 7);
    let (assertion, calls, _) = told(&driver, DriverOptions::default(), 9);
    assert_eq!((assertion.as_str(), calls.len()), ("small", 0));
}

#[test]
fn all_violations_are_counted() {
    let driver = Driver::new(|| 0_u8)
        .call("add", 1..=2, |number, value| {
            assert_ne!((*number, value), (2, 2), "no four");
            *number += value;
        })
        .invariant("not five", |number| *number != 5);
    let mut space = driver.space(DriverOptions::default()).unwrap();
    let options = Options::default().max_depth(6).stop(Stop::Never);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    // 2 + 2 panics; 3 + 2 and 4 + 1 make five.
    assert_eq!(found.counts.violations, [2, 1, 0]);
}

#[test]
fn values_that_hide_a_part_of_their_state_are_found() {
    // Which of two elements was touched last is not observed, and decides what is evicted.
    let driver = Driver::observed(Vec::<u8>::new, |order| {
        let mut elements = order.clone();
        elements.sort();
        elements
    })
    .call("touch", 1..=3, |order: &mut Vec<u8>, value| {
        order.retain(|it| *it != value);
        order.push(value);
        if order.len() > 2 { Some(order.remove(0)) } else { None }
    });
    // Nothing is noticed by default.
    assert!(explored(&driver, 9).findings.is_empty());
    let mut space = driver.space(all()).unwrap();
    let refused = explore(&mut space, &Options::default(), &mut ()).unwrap_err();
    let what = "the same is observed after `touch(1); touch(2)` and after `touch(2); touch(1)`, but then `touch(3)` returns Some(1) and Some(2): the observation misses a part of the value, which must be added to it";
    assert!(
        matches!(&refused, Refusal::Flaw { what: told } if told.starts_with(what)),
        "{refused}"
    );
    // If the order is observed, nothing is hidden.
    let driver = Driver::new(Vec::<u8>::new).call("touch", 1..=3, |order: &mut Vec<u8>, value| {
        order.retain(|it| *it != value);
        order.push(value);
    });
    let mut space = driver.space(all()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    assert!(found.findings.is_empty());
    assert_eq!(found.states_visited, 1 + 3 + 6 + 6);
}

#[test]
fn calls_that_are_not_deterministic_are_found() {
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
    static CALLS: AtomicU8 = AtomicU8::new(0);
    let driver = Driver::new(|| 0_u8)
        .call("draw", (), |number, ()| *number = CALLS.fetch_add(1, Relaxed) % 5);
    let (assertion, calls, why) = told(&driver, DriverOptions::default(), 9);
    assert_eq!((assertion.as_str(), calls.len()), (CALLS_DETERMINISTIC, 1));
    assert!(why.contains("another state is observed"), "{why}");

    let driver = Driver::new(|| 0_u8).call("draw", (), |_, ()| CALLS.fetch_add(1, Relaxed));
    let (assertion, _, why) = told(&driver, DriverOptions::default(), 9);
    assert_eq!(assertion, CALLS_DETERMINISTIC);
    assert!(why.contains("when all calls were made again"), "{why}");
}

#[test]
fn a_deadlock_is_found_if_asked_for() {
    let driver = Driver::new(|| 0_u8).call_if(
        "count",
        (),
        |number, ()| *number < 3,
        |number, ()| *number += 1,
    );
    assert!(explored(&driver, 9).findings.is_empty());
    let options = DriverOptions { deadlock: true, ..DriverOptions::default() };
    let (assertion, calls, _) = told(&driver, options, 9);
    assert_eq!((assertion.as_str(), calls.len()), ("something can always happen", 3));
}

#[test]
fn disabled_calls_are_not_made() {
    let driver = Driver::new(BTreeMap::<u8, u8>::new).call(
        "try_insert",
        (1..=2, 0..=1),
        |map, (key, value)| map.insert(key, value),
    );
    let options = |text: &str| DriverOptions {
        disabled: vec![text.parse().unwrap()],
        ..DriverOptions::default()
    };
    let states = |text| {
        let mut space = driver.space(options(text)).unwrap();
        explore(&mut space, &Options::default(), &mut ()).unwrap().states_visited
    };
    assert_eq!([states("try-insert"), states(":2"), states(":, 1")], [1, 3, 4]);
}

#[test]
fn a_run_is_plain_rust() {
    use everypath_driver::Driven;
    let driver = careless().constructor("Sorted::new()");
    let mut space = driver.open(DriverOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    let code = space.run_as_code(&found.finding().unwrap().trace).unwrap();
    assert_eq!(
        code,
        "    let mut value = Sorted::new();\n    assert_eq!(value.insert(1), true);\n    assert_eq!(value.insert(1), false);\n"
    );
}
