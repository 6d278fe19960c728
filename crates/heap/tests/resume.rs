//! A search that is interrupted and resumed finds the same, with the same ids, also in another mode.

use std::ops::ControlFlow;

use everypath_explore::{
    Limits, Options, Portable, Progress, Saved, Space, Watch, WriteSearch, explore, resume,
};
use everypath_heap::{Matching, Mode, Settings, SubjectSpace};

use crate::features::zoo;

/// Keeps what is saved.
#[derive(Default)]
struct Keep(Vec<u8>);

impl Watch for Keep {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wants_save(&mut self, at_end: bool) -> bool {
        at_end
    }

    fn save(&mut self, search: &WriteSearch<'_>) {
        search(&mut self.0).expect("memory can be written");
    }
}

#[test]
fn a_resumed_search_finds_the_same() {
    let depth = Options::default().max_depth(5).stop(everypath_explore::Stop::Never);
    for matching in [Matching::Exact, Matching::Shape { seed: 3 }] {
        let settings = Settings::new(4).matching(matching);
        let mut whole = SubjectSpace::new(zoo::Code, &settings).expect("it starts");
        let expected = explore(&mut whole, &depth, &mut ()).expect("it runs");
        let mut kept = Keep::default();
        let mut first = SubjectSpace::new(zoo::Code, &settings).expect("it starts");
        let limited = depth.clone().limits(Limits::default().states(expected.states_visited / 2));
        explore(&mut first, &limited, &mut kept).expect("it runs");
        let mut second =
            SubjectSpace::new(zoo::Code, &settings.mode(Mode::LazyDirty)).expect("it starts");
        let found = resume(&mut second, &depth, &mut (), &mut &kept.0[..]).expect("it fits");
        assert_eq!(found.states_visited, expected.states_visited);
        assert_eq!(found.counts.violations, expected.counts.violations);
        assert_eq!(second.counters().executions, whole.counters().executions);
        assert_eq!(second.coverage(), whole.coverage());
    }
}

#[test]
fn another_subject_or_bound_is_refused() {
    let space = SubjectSpace::new(zoo::Code, &Settings::new(4)).expect("it starts");
    let mut saved = Vec::new();
    space.save(&mut saved).expect("memory can be written");
    let mut other = SubjectSpace::new(zoo::Code, &Settings::new(3)).expect("it starts");
    let error = other.restore(&mut &saved[..]).expect_err("the bound differs");
    assert_eq!(error.to_string(), "it was saved with bound 4, but this run has 3");
}

#[test]
fn damaged_bytes_are_refused() {
    let mut space = SubjectSpace::new(zoo::Code, &Settings::new(3)).expect("it starts");
    let (mut states, mut steps) = (Vec::new(), Vec::new());
    space.initial(&mut states);
    space.expand(&states, &mut steps);
    let mut saved = Vec::new();
    space.save(&mut saved).expect("memory can be written");
    for at in 0..saved.len() {
        for bit in [0, 3, 7] {
            let mut damaged = saved.clone();
            damaged[at] ^= 1 << bit;
            let mut other = SubjectSpace::new(zoo::Code, &Settings::new(3)).expect("it starts");
            // It may fit by chance: a value of a state. It must not panic.
            let _ = other.restore(&mut &damaged[..]);
        }
        let mut other = SubjectSpace::new(zoo::Code, &Settings::new(3)).expect("it starts");
        assert!(other.restore(&mut &saved[..at]).is_err());
    }
}

#[test]
fn states_travel_as_bytes() {
    let mut one = SubjectSpace::new(zoo::Code, &Settings::new(3)).expect("it starts");
    let mut other = SubjectSpace::new(zoo::Code, &Settings::new(3)).expect("it starts");
    let (mut states, mut steps) = (Vec::new(), Vec::new());
    one.initial(&mut states);
    one.expand(&states, &mut steps);
    for step in steps.iter().rev() {
        let bytes = one.encode(step.target);
        let there = other.decode(&bytes).expect("it is a state");
        assert_eq!(other.encode(there), bytes);
    }
}
