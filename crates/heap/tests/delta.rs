//! What must hold of delta execution, whatever the subject.

use std::collections::BTreeSet;

use everypath_explore::{Space, StateId};
use everypath_heap::{Merge, Mode, Settings, SubjectSpace, subject};

/// A sorted list without duplicates, and a tree beside it that shares its nodes.
#[subject]
pub mod shared {
    struct Shared {
        size: Int,
        first: Ref<Node>,
        last: Ref<Node>,
    }

    struct Node {
        value: Int,
        is_marked: Bool,
        next: Ref<Node>,
    }

    impl Shared {
        #[call(value in 1..=n)]
        fn insert(self, value: Int) -> Bool {
            let mut before: Ref<Node> = null;
            let mut node = self.first;
            while node != null && node.value < value {
                before = node;
                node = node.next;
            }
            if node != null && node.value == value {
                node.is_marked = !node.is_marked;
                return false;
            }
            let new = Node { value, next: node };
            if before == null {
                self.first = new;
            } else {
                before.next = new;
            }
            self.last = new;
            self.size += 1;
            true
        }

        #[call]
        fn forget(self) {
            self.last = null;
        }

        /// Writes what is there already.
        #[call]
        fn touch(self) {
            self.size = self.size;
            self.first = self.first;
            let mut node = self.first;
            while node != null {
                node.value = node.value;
                node.next = node.next;
                node = node.next;
            }
        }
    }
}

const TOUCH: u64 = 5;

fn space(mode: Mode) -> SubjectSpace {
    shared::subject().space(&Settings::new(4).mode(mode)).expect("it starts")
}

/// All states within three calls, sorted.
fn states(space: &mut SubjectSpace) -> Vec<StateId> {
    let (mut all, mut level, mut steps) = (BTreeSet::new(), Vec::new(), Vec::new());
    space.initial(&mut level);
    for _ in 0..=3 {
        all.extend(level.iter().copied());
        steps.clear();
        space.expand(&level, &mut steps);
        let new: BTreeSet<StateId> = steps.iter().map(|step| step.target).collect();
        level = new.into_iter().filter(|state| !all.contains(state)).collect();
    }
    all.into_iter().collect()
}

/// Walks over merged states are the walks over the states that were merged.
#[test]
fn merging_and_walking_gives_the_same_states() {
    for mode in Mode::ALL {
        let mut space = space(mode);
        let states = states(&mut space);
        assert!(states.len() > 40, "{} states are too few", states.len());
        let (before, mut steps) = (space.counters(), Vec::new());
        space.expand(&states, &mut steps);
        let touched = steps.iter().filter(|step| step.event.0 == TOUCH);
        assert_eq!(touched.clone().count(), states.len(), "{}", mode.name());
        for step in touched {
            assert_eq!(step.target, states[step.source as usize], "{}", mode.name());
        }
        if mode == Mode::Delta(Merge::Level) {
            let counters = space.counters();
            let fields = counters.merged_fields - before.merged_fields;
            let constants = counters.merged_constants - before.merged_constants;
            assert!(constants > 0 && constants < fields, "{constants} of {fields}");
        }
    }
}

/// One state alone takes one path for each call: delta execution of one state is standard execution.
#[test]
fn a_single_state_takes_one_path() {
    for merge in [Merge::Shape, Merge::Level] {
        let mut tracked = space(Mode::Tracked);
        let mut delta = space(Mode::Delta(merge));
        let known = states(&mut tracked);
        assert_eq!(known, states(&mut delta));
        for state in known {
            let before = delta.counters();
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            tracked.expand(&[state], &mut expected);
            delta.expand(&[state], &mut found);
            assert_eq!(found, expected);
            let counters = delta.counters();
            assert_eq!(counters.paths - before.paths, 6);
            assert_eq!(counters.executions - before.executions, 6);
        }
    }
}

/// The parts of an expansion are what the whole gives: nothing leaks from one set of states into another.
#[test]
fn sets_of_states_do_not_disturb_each_other() {
    for mode in [Mode::Delta(Merge::Shape), Mode::Delta(Merge::Level)] {
        let mut space = space(mode);
        let states = states(&mut space);
        let mut whole = Vec::new();
        space.expand(&states, &mut whole);
        for size in [1, 2, 7, 50] {
            let mut parts = Vec::new();
            for (number, part) in states.chunks(size).enumerate() {
                let first = parts.len();
                space.expand(part, &mut parts);
                parts[first..].iter_mut().for_each(|step| step.source += (number * size) as u32);
            }
            assert_eq!(parts, whole, "{} by {size}", mode.name());
        }
    }
}
