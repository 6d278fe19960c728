//! To which bound nothing was found in each crate.

use everypath::{
    driver::Driver,
    model::Parameters,
    testing::{Checked, check_driver},
};
use everypath_structures_example::{
    array_deque, bi_map, circular_buffer, forgetful_ring, index_map, keyed_queue, linked_map,
    lru_cache, range_map, slab, slab_by_content, slot_map,
};

fn checked<T: 'static, M: 'static>(driver: fn(&mut Parameters) -> Driver<T, M>) -> Checked {
    let found = check_driver(driver).run();
    let broken: Vec<_> = found.violations.iter().map(|it| &it.assertion).collect();
    assert!(broken.is_empty() && found.is_complete, "{broken:?}");
    found
}

/// How many states there are, and how many calls were made in them: all, so that this is about
/// sequences of any length.
#[test]
fn nothing_was_found_up_to_these_bounds() {
    let counts = |it: Checked| (it.states, it.events, it.saw_everything);
    assert_eq!(counts(checked(array_deque)), (124, 3_864, true));
    assert_eq!(counts(checked(bi_map)), (209, 5_225, true));
    assert_eq!(counts(checked(circular_buffer)), (121, 2_783, true));
    assert_eq!(counts(checked(index_map)), (6_331, 302_307, true));
    assert_eq!(counts(checked(keyed_queue)), (3_805, 79_905, true));
    assert_eq!(counts(checked(linked_map)), (6_331, 202_592, true));
    assert_eq!(counts(checked(lru_cache)), (673, 16_152, true));
    assert_eq!(counts(checked(range_map)), (243, 15_795, true));
    assert_eq!(counts(checked(slab)), (52, 400, true));
    assert_eq!(counts(checked(slot_map)), (22_797, 184_974, true));
}

/// The seeded error is found in the fewest calls.
#[test]
fn a_ring_without_a_limit_is_found() {
    let results = "results agree with the reference";
    check_driver(forgetful_ring).assert_violates(results).in_calls(5);
}

/// An observation that misses what decides about the future is found, where it is looked for.
#[test]
fn a_slab_is_more_than_its_values() {
    check_driver(slab_by_content).assert_holds();
    let misses = || check_driver(slab_by_content).verify_determinism().assert_holds();
    let failed = std::panic::catch_unwind(misses).expect_err("something is missed");
    let text = failed.downcast_ref::<String>().expect("the message is a text");
    assert!(text.contains("the observation misses a part of the value"), "{text}");
}
