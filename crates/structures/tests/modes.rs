//! All modes of execution visit the same states, with the same ids, byte for byte.

use crate::walks::{contents, levels, space};
use everypath_explore::{Options, explore};
use everypath_heap::{Counters, Matching, Merge, Mode, Settings};
use everypath_structures::{all, published::TABLE_4_1};

fn bound_of(subject: &str) -> u32 {
    if subject.starts_with("treemap") { 5 } else { 4 }
}

#[test]
fn the_same_states_in_all_modes() {
    for subject in all() {
        let name = subject.name();
        let bound = bound_of(name);
        let mut tracked = space(name, &Settings::new(bound));
        let expected = levels(&mut tracked, bound);
        let content = contents(&tracked, &expected);
        for mode in Mode::ALL {
            let mut other = space(name, &Settings::new(bound).mode(mode));
            let found = levels(&mut other, bound);
            assert_eq!(found, expected, "{name} {}", mode.name());
            assert_eq!(contents(&other, &found), content, "{name} {}", mode.name());
            assert_eq!(other.coverage(), tracked.coverage(), "{name} {}", mode.name());
            let executions = |counters: Counters| counters.executions;
            assert_eq!(executions(other.counters()), executions(tracked.counters()), "{name}");
        }
    }
}

/// The published states, however sets are merged, and path counts, which are the published ones but for the array heap: for
/// rows that a debug build can afford.
#[test]
fn delta_executions() {
    for row in TABLE_4_1.iter().filter(|row| crate::golden::is_due(row.states)) {
        for merge in [Merge::Level, Merge::Shape] {
            let mut space = space(row.subject, &row.settings().mode(Mode::Delta(merge)));
            let options = Options::default().max_depth(row.bound);
            let found = explore(&mut space, &options, &mut ()).expect("it can be explored");
            let before_last = &found.counts.depths[..row.bound as usize];
            let states: u64 = before_last.iter().map(|depth| depth.states).sum();
            assert_eq!(states, row.states, "{} {} {merge:?}", row.subject, row.bound);
            let counters = space.counters();
            assert_eq!(counters.executions, row.states * row.operations, "{}", row.subject);
            if merge == Merge::Level {
                assert_eq!(counters.paths, row.paths, "{} {}", row.subject, row.bound);
            }
        }
    }
}

#[test]
fn translation_costs_less_when_it_is_lazy() {
    for subject in all().iter().filter(|subject| !subject.name().ends_with("_seeded")) {
        let counted = |mode| {
            let bound = bound_of(subject.name());
            let mut space = space(subject.name(), &Settings::new(bound).mode(mode));
            levels(&mut space, bound);
            space.counters()
        };
        let (eager, lazy, dirty) =
            (counted(Mode::Eager), counted(Mode::Lazy), counted(Mode::LazyDirty));
        let name = subject.name();
        assert!(
            eager.translated >= lazy.translated && lazy.translated == dirty.translated,
            "{name}"
        );
        assert!(eager.written_back >= lazy.written_back, "{name}");
        assert!(lazy.written_back > dirty.written_back, "{name}");
    }
}

/// A look-up writes nothing, and reads the search path alone: the root, and key and one son of each entry.
#[test]
fn a_look_up_translates_the_search_path() {
    const BOUND: u32 = 6;
    // Look-ups lead to no other state, so that they are what the second exploration does besides.
    let counted = |mode, calls: &'static [&'static str]| {
        let mut space = space("treemap", &Settings::new(BOUND).mode(mode).only(calls));
        let found = levels(&mut space, BOUND);
        (contents(&space, &found), space.counters())
    };
    for (mode, written) in [(Mode::Lazy, true), (Mode::LazyDirty, false)] {
        let (states, without) = counted(mode, &["put", "remove"]);
        let (same, with) = counted(mode, &["put", "remove", "get"]);
        assert_eq!(states, same);
        let expanded: usize = states[..BOUND as usize].iter().map(Vec::len).sum();
        let look_ups = with.executions - without.executions;
        assert_eq!(look_ups, expanded as u64 * u64::from(BOUND));
        // At most six entries: a red-black tree of height three.
        let translated = with.translated - without.translated;
        assert!(look_ups < translated && translated <= look_ups * (1 + 2 * 3), "{translated}");
        let written_back = with.written_back - without.written_back;
        assert_eq!(written_back, if written { translated } else { 0 });
    }
}

#[test]
fn abstract_matching_depends_on_the_seed_alone() {
    for (subject, bound) in [("binheap", 8), ("bst", 6), ("fibheap", 6), ("treemap", 7)] {
        let mut union = std::collections::BTreeSet::new();
        let mut sum = 0;
        for seed in 0..5 {
            let run = |mode| {
                let settings = Settings::new(bound).mode(mode).matching(Matching::Shape { seed });
                let mut space = space(subject, &settings.only(calls_of(subject)));
                let found = levels(&mut space, bound);
                (contents(&space, &found), space.shapes(), space.counters().executions)
            };
            let (states, shapes, executions) = run(Mode::Tracked);
            for mode in Mode::ALL {
                assert_eq!(run(mode), (states.clone(), shapes, executions), "{subject} {seed}");
            }
            let count: usize = states.iter().map(Vec::len).sum();
            assert_eq!(count, shapes, "{subject}: one state for each shape");
            let before_last: usize = states[..bound as usize].iter().map(Vec::len).sum();
            sum += before_last;
            union.extend(states[..bound as usize].concat());
            if subject == "binheap" {
                assert_eq!(before_last, bound as usize, "one shape for each size");
                assert_eq!(executions, 2 * u64::from(bound) * u64::from(bound));
            }
        }
        assert!(
            (bound as usize..=sum).contains(&union.len()),
            "{subject}: {} of {sum}",
            union.len()
        );
    }
}

fn calls_of(subject: &str) -> &'static [&'static str] {
    match subject {
        "binheap" => &["insert", "delete"],
        "bst" => &["add", "remove"],
        "fibheap" => &["insert", "remove_min"],
        _ => &["put", "remove"],
    }
}
