//! Searches that are saved and resumed.

use std::{cell::RefCell, io::Cursor, ops::ControlFlow};

use everypath_driver::{Driver, DriverOptions};
use everypath_explore::{
    Described, Exploration, Limits, Options, Progress, ResumeError, Saved, StateId, Stop, Watch,
    WriteSearch, explore, resume,
};

/// Lists with one element that must not be there.
fn lists() -> Driver<Vec<u8>, Vec<u8>> {
    Driver::new(Vec::<u8>::new)
        .against(Vec::<u8>::new)
        .both("push", 1..=3, |list, value| list.push(value), |list, value| list.push(value))
        .both("pop", (), |list, ()| list.pop(), |list, ()| list.pop())
        .call("check", (), |list, ()| assert!(list != &[3, 1, 2], "three, one, two"))
        .invariant("no three threes", |list| list.as_slice() != [3, 3, 3])
}

#[derive(Default)]
struct Keeper(RefCell<Vec<u8>>);

impl Watch for Keeper {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wants_save(&mut self, at_end: bool) -> bool {
        at_end
    }

    fn save(&mut self, search: &WriteSearch<'_>) {
        let mut bytes = Vec::new();
        search(&mut bytes).unwrap();
        self.0.replace(bytes);
    }
}

fn options() -> Options {
    Options::default().max_depth(7).stop(Stop::Never)
}

fn whole() -> Exploration {
    let driver = lists();
    let mut space = driver.space(DriverOptions::default()).unwrap();
    explore(&mut space, &options(), &mut ()).unwrap()
}

/// The bytes of a search that was stopped after this many states.
fn stopped(states: u64) -> Vec<u8> {
    let driver = lists();
    let mut space = driver.space(DriverOptions::default()).unwrap();
    let mut keeper = Keeper::default();
    let limited = options().limits(Limits::default().states(states));
    explore(&mut space, &limited, &mut keeper).unwrap();
    keeper.0.into_inner()
}

#[test]
fn a_resumed_search_finds_what_the_whole_one_finds() {
    let whole = whole();
    assert_eq!(whole.counts.violations[0], 1);
    for states in [1, 50, 500] {
        let saved = stopped(states);
        let driver = lists();
        let mut space = driver.space(DriverOptions::default()).unwrap();
        let found = resume(&mut space, &options(), &mut (), &mut Cursor::new(saved)).unwrap();
        assert_eq!(found.states_visited, whole.states_visited);
        assert_eq!(found.counts.events, whole.counts.events);
        assert_eq!(found.counts.violations, whole.counts.violations);
        assert_eq!(found.handler_executions, whole.handler_executions);
    }
}

#[test]
fn a_restored_space_has_the_same_ids() {
    let driver = lists();
    let mut space = driver.space(DriverOptions::default()).unwrap();
    let found = explore(&mut space, &options(), &mut ()).unwrap();
    let mut bytes = Vec::new();
    space.save(&mut bytes).unwrap();
    let mut again = driver.space(DriverOptions::default()).unwrap();
    again.restore(&mut Cursor::new(&bytes)).unwrap();
    for state in (0..found.states_visited).map(StateId) {
        assert_eq!(space.digest(state), again.digest(state));
    }
}

#[test]
fn another_driver_is_refused() {
    let saved = stopped(50);
    let other = lists().call("clear", (), |list, ()| list.clear());
    let mut space = other.space(DriverOptions::default()).unwrap();
    let refused = resume(&mut space, &options(), &mut (), &mut Cursor::new(saved)).unwrap_err();
    assert!(matches!(refused, ResumeError::Different(_)), "{refused}");
}

#[test]
fn no_bytes_make_a_space_panic() {
    let driver = lists();
    let mut space = driver.space(DriverOptions::default()).unwrap();
    explore(&mut space, &Options::default().max_depth(2), &mut ()).unwrap();
    let mut bytes = Vec::new();
    space.save(&mut bytes).unwrap();
    for place in 0..bytes.len() {
        for change in [1, 0x80] {
            let mut damaged = bytes.clone();
            damaged[place] ^= change;
            let mut again = driver.space(DriverOptions::default()).unwrap();
            let _ = again.restore(&mut Cursor::new(&damaged));
        }
        let mut again = driver.space(DriverOptions::default()).unwrap();
        assert!(again.restore(&mut Cursor::new(&bytes[..place])).is_err());
    }
}
