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

/// Published path counts, for rows that a debug build can afford.
#[test]
fn delta_executions() {
    for row in TABLE_4_1.iter().filter(|row| crate::golden::is_due(row.states)) {
        let settings = row.settings().mode(Mode::Delta(Merge::Level));
        let mut space = space(row.subject, &settings);
        let options = Options::default().max_depth(row.bound);
        explore(&mut space, &options, &mut ()).expect("it can be explored");
        let paths = space.counters().paths;
        if let Some(expected) = row.paths {
            assert_eq!(paths, expected, "{} {}", row.subject, row.bound);
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

/// A look-up writes nothing, and reads at most the search path: the root, and key and one son of each entry.
#[test]
fn a_look_up_translates_the_search_path() {
    for (mode, written) in [(Mode::Lazy, true), (Mode::LazyDirty, false)] {
        // All states, then `get` alone on them.
        let mut space = space("treemap", &Settings::new(6).mode(mode));
        let levels = levels(&mut space, 6);
        let states: usize = levels.iter().map(Vec::len).sum();
        drop(space);
        let settings = Settings::new(6).mode(mode).only(&["get"]);
        let mut gets = crate::walks::space("treemap", &settings);
        let found = explore(&mut gets, &Options::default().max_depth(6), &mut ()).expect("it runs");
        assert_eq!(found.states_visited, 1, "a look-up changes nothing ({states} states)");
        assert_eq!(gets.counters().written_back > 0, written);
        // The root of the empty tree is all that is read.
        assert_eq!(gets.counters().translated, 6);
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
            union.extend(states.concat());
            if subject == "binheap" {
                assert_eq!(before_last, bound as usize, "one shape for each size");
                assert_eq!(executions, 2 * u64::from(bound) * u64::from(bound));
            }
        }
        assert!(sum > 0 && union.len() >= bound as usize, "{subject}");
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
