//! Published counts: Table 4.1 and Table 3.2, and closed forms.

use everypath_explore::{Exploration, Options, explore};
use everypath_heap::{Settings, SubjectSpace};
use everypath_structures::{
    named,
    published::{TABLE_3_2, TABLE_4_1},
};

/// Rows with more states are explored only if this variable is set: they need a release build.
const LONG: &str = "EVERYPATH_STRUCTURES_LONG";
const SHORT_STATES: u64 = 150_000;

pub fn is_due(states: u64) -> bool {
    states <= SHORT_STATES || std::env::var_os(LONG).is_some()
}

fn explored(subject: &str, settings: &Settings) -> (SubjectSpace, Exploration) {
    let mut space = named(subject).expect("it is a subject").space(settings).expect("it starts");
    let options = Options::default().max_depth(settings.bound);
    let found = explore(&mut space, &options, &mut ()).expect("it can be explored");
    assert!(found.finding().is_none(), "{subject} {}", settings.bound);
    (space, found)
}

#[test]
fn table_4_1() {
    for row in TABLE_4_1.iter().filter(|row| is_due(row.states)) {
        let (space, found) = explored(row.subject, &row.settings());
        let before_last = &found.counts.depths[..row.bound as usize];
        let states: u64 = before_last.iter().map(|depth| depth.states).sum();
        assert_eq!(states, row.states, "{} {}", row.subject, row.bound);
        let executions = space.counters().executions;
        assert_eq!(executions, row.states * row.operations, "{} {}", row.subject, row.bound);
    }
}

#[test]
fn table_3_2() {
    for row in TABLE_3_2.iter().filter(|row| is_due(row.states)) {
        let (_, found) = explored(row.subject, &Settings::new(row.bound));
        // No call of a vector leads back to the initial state, because each one is counted.
        let never_again = u64::from(row.subject == "vector");
        let states = found.states_visited - never_again;
        assert_eq!(states, row.states, "{} {}", row.subject, row.bound);
    }
}
