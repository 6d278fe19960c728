//! Drivers in tests: what is found, what is printed, and what is refused.

use std::{collections::BTreeSet, panic::catch_unwind};

use everypath_driver::Driver;
use everypath_model::Parameters;
use everypath_testing::{check_driver, replay_driver};

/// A sorted list that takes its largest element twice.
fn careless_set(parameters: &mut Parameters) -> Driver<Vec<u8>, BTreeSet<u8>> {
    let most = parameters.number("most", 3, 1..=9, "the largest element") as u8;
    Driver::new(Vec::<u8>::new)
        .constructor("CarelessSet::new()")
        .against(BTreeSet::<u8>::new)
        .both(
            "insert",
            1..=most,
            |list, value| {
                let place = list.iter().position(|&it| it >= value);
                let is_there = place.is_some_and(|it| it + 1 < list.len() && list[it] == value);
                if !is_there {
                    list.insert(place.unwrap_or(list.len()), value);
                }
                !is_there
            },
            |set, value| set.insert(value),
        )
        .agree("elements", Vec::clone, |set| set.iter().copied().collect())
        .max_depth(6)
}

fn careful_set(_: &mut Parameters) -> Driver<BTreeSet<u8>, Vec<u8>> {
    Driver::new(BTreeSet::<u8>::new)
        .against(Vec::<u8>::new)
        .both(
            "insert",
            1..=3,
            |set, value| set.insert(value),
            |list, value| {
                let is_new = !list.contains(&value);
                if is_new {
                    list.push(value);
                    list.sort();
                }
                is_new
            },
        )
        .agree("elements", |set| set.iter().copied().collect(), Vec::clone)
}

fn hidden(_: &mut Parameters) -> Driver<(u8, u8)> {
    Driver::observed(|| (0, 0), |pair: &(u8, u8)| pair.0)
        .call("hide", 0..=1, |pair, value| pair.1 = value)
        .call("show", (), |pair, ()| pair.1)
}

/// The message of a check that fails.
fn message(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let failed = catch_unwind(check).expect_err("it fails");
    *failed.downcast::<String>().expect("the message is a text")
}

#[test]
fn drivers_hold_or_violate() {
    check_driver(careful_set).assert_holds();
    check_driver(careful_set).verify_determinism().max_depth(4).assert_holds();
    let name = "results agree with the reference";
    check_driver(careless_set).set("most", 2).assert_violates(name).in_calls(2);
    let found = check_driver(careful_set).run();
    assert_eq!((found.states, found.saw_everything), (8, true));
}

#[test]
fn a_failing_check_prints_calls_and_tests() {
    let text = message(|| check_driver(careless_set).assert_holds());
    for part in [
        "careless-set: VIOLATED in 2 steps, ",
        " 1  insert(1) -> true\n        state: [0]: added 1\n",
        "\nbroken: results agree with the reference\n  `insert(1)` returned true, and the reference false\n",
        "replay: EVERYPATH_REPLAY=",
        "everypath::testing::replay_driver(careless_set)\n        .calls([\n            \"insert(1)\",\n",
        "fn results_agree_with_the_reference_in_plain_calls() {\n    let mut value = CarelessSet::new();\n    assert_eq!(value.insert(1), true);\n    assert_eq!(value.insert(1), false);\n}\n",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    // The file of the failing run is read first.
    let again = message(|| check_driver(careless_set).assert_holds());
    assert!(again.contains("the run in "), "{again}");
}

#[test]
fn sequences_of_calls_are_replayed() {
    let replay = || replay_driver(careless_set).calls(["insert(2)", "insert(2)"]);
    replay().assert_violates("results agree with the reference");
    replay_driver(careless_set).calls(["insert(1)", "insert(2)", "insert(1)"]).assert_holds();
    let text = message(|| replay_driver(careful_set).calls(["remove(1)"]).assert_violates("x"));
    assert!(text.contains("`remove(1)`, cannot happen; possible events: `insert(1)`"), "{text}");
}

#[test]
fn an_observation_that_misses_something_is_an_error() {
    check_driver(hidden).assert_holds();
    let text = message(|| check_driver(hidden).verify_determinism().assert_holds());
    assert!(text.contains("the observation misses a part of the value"), "{text}");
}

#[test]
fn a_bad_driver_is_an_error() {
    fn empty(_: &mut Parameters) -> Driver<u8> {
        Driver::new(|| 0_u8)
    }
    let text = message(|| check_driver(empty).assert_holds());
    assert!(text.contains("empty: the driver has no calls"), "{text}");
}
