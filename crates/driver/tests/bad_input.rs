//! Drivers that cannot be explored, and what is said of them.

use std::collections::HashMap;

use everypath_driver::{Driver, DriverError, DriverOptions};
use everypath_explore::{Options, Refusal, explore};

fn refusal<T: 'static, M: 'static>(driver: &Driver<T, M>) -> String {
    let Err(error) = driver.space(DriverOptions::default()) else { panic!("it is refused") };
    error.to_string()
}

#[test]
fn calls_need_values_and_not_too_many() {
    assert!(refusal(&Driver::new(|| 0_u8)).contains("has no calls"));
    let empty = Driver::new(|| 0_u8).call("add", Vec::<u8>::new(), |_, _| ());
    assert!(refusal(&empty).contains("`add` has no argument values; give it a range"));
    let many = Driver::new(|| 0_u64).call("none", (), |_, ()| ()).call(
        "add",
        (0..=999_u64, 0..=99_u64),
        |_, _| (),
    );
    let text = refusal(&many);
    assert!(text.contains("`add` has 100000 argument values, so that 100001 calls"), "{text}");
    let endless = Driver::new(|| 0_u64).call("add", 0..=u64::MAX, |_, _| ());
    assert!(refusal(&endless).contains("more than 2^64"));
}

#[test]
fn names_are_distinct() {
    let twice = Driver::new(|| 0_u8).call("a", (), |_, ()| ()).call("a", (), |_, ()| ());
    assert!(refusal(&twice).contains("two calls are named `a`"));
    let twice = Driver::new(|| 0_u8)
        .call("a", (), |_, ()| ())
        .invariant("i", |_| true)
        .invariant("i", |_| true);
    assert!(refusal(&twice).contains("two assertions are named `i`"));
    let many = (0..61).fold(Driver::new(|| 0_u8).call("a", (), |_, ()| ()), |driver, number| {
        driver.invariant(&number.to_string(), |_| true)
    });
    assert!(refusal(&many).contains("61 assertions"));
}

#[test]
fn the_first_value_must_be_made_and_observed() {
    let panics = Driver::new(|| -> u8 { panic!("no memory") }).call("a", (), |_, ()| ());
    assert!(refusal(&panics).contains("the constructor panicked, or the observation"));
    // The elements of a hash map have another order in each map.
    let map = || (0..20).map(|key| (key, key)).collect::<HashMap<u8, u8>>();
    let unordered = Driver::new(map).call("clear", (), |map, ()| map.clear());
    assert!(matches!(
        unordered.space(DriverOptions::default()).err(),
        Some(DriverError::Nondeterministic { .. })
    ));
}

#[test]
fn a_value_without_a_serde_form_is_an_error() {
    #[derive(Clone)]
    struct Odd;
    impl serde::Serialize for Odd {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("odd"))
        }
    }
    let odd = Driver::new(|| Odd).call("a", (), |_, ()| ());
    assert!(refusal(&odd).contains("use `Driver::observed`"));
}

fn flaw<T: 'static, M: 'static>(driver: &Driver<T, M>) -> String {
    let mut space = driver.space(DriverOptions::default()).unwrap();
    match explore(&mut space, &Options::default().max_depth(5), &mut ()) {
        Err(Refusal::Flaw { what }) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_reference_that_panics_is_an_error() {
    let driver = Driver::new(Vec::<u8>::new)
        .against(Vec::<u8>::new)
        .call("push", 1..=2, |list, value| list.push(value))
        .both("remove", 0..=0, |_, _| 0, |list, at| list.remove(at));
    let what = flaw(&driver);
    assert!(what.starts_with("the reference panicked in `remove(0)`: removal index"), "{what}");
    assert!(what.contains("add a guard with `both_if`"), "{what}");
}

#[test]
fn a_guard_that_panics_is_an_error() {
    let driver = Driver::new(Vec::<u8>::new).call_if(
        "pop",
        (),
        |list, ()| list[0] > 0,
        |list, ()| list.pop(),
    );
    assert!(flaw(&driver).starts_with("the guard of `pop()` panicked: index out of bounds"));
}

#[test]
fn a_sequence_that_panics_only_sometimes_is_an_error() {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let driver = Driver::uncloned(|| 0_u8, |number| *number).call("count", (), |number, ()| {
        assert!(CALLS.fetch_add(1, Relaxed) != 40, "the forty-first");
        *number += 1;
    });
    let mut space = driver.space(DriverOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default().max_depth(30), &mut ());
    // It is an error, or a finding, whichever execution it is; never a crash.
    match found {
        Err(Refusal::Flaw { what }) => assert!(what.contains("when it was made again"), "{what}"),
        Ok(found) => assert!(!found.findings.is_empty()),
        Err(other) => panic!("{other}"),
    }
}
