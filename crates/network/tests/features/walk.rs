//! Every state within a bound, and every step out of it, against the oracle.

use std::collections::HashSet;

use everypath_explore::{
    Described, EventPattern, Judged, PartChange, PartText, Portable, Space, StateId, Step,
};
use everypath_network::NetworkSpace;
use proptest::prelude::*;

use super::case::{Features, Sight, describes, features, pattern, runs};
use crate::{
    brute_force::{Label, Oracle},
    oracle::{label_of, world_of},
    table::cases,
};

const DEPTH: usize = 5;
/// It looks no deeper once a level has this many states.
const LEVEL_MAX: usize = 50;

fn sight(oracle: &Oracle<'_>, space: &mut NetworkSpace<'_>, state: StateId) -> Sight {
    let parts = space.state_text(state).parts;
    let required = parts.iter().find(|(name, _)| name == "required event");
    let happened = required.map(|(_, text)| *text == PartText::Value("has happened".to_owned()));
    let world = world_of(oracle, space, state);
    // A handler that panics is a finding on any run.
    let panicked = world.nodes.contains(&None);
    assert_eq!(space.counts(state), happened.unwrap_or(true) || panicked);
    (world, happened.unwrap_or(false))
}

fn compare(features: &mut Features, asked: &[EventPattern]) {
    let scenario = features.scenario();
    let mut space = features.space(&scenario);
    let case = features.case.clone();
    let oracle = Oracle::new(&case);
    let mut states = Vec::new();
    space.initial(&mut states);
    let mut expected: HashSet<Sight> = features.initial(&oracle).into_iter().collect();
    let mut seen: HashSet<Sight> = HashSet::new();
    let mut labels: HashSet<Label> = HashSet::new();
    for _ in 0..=DEPTH {
        let sights: HashSet<Sight> =
            states.iter().map(|&state| sight(&oracle, &mut space, state)).collect();
        assert_eq!(sights, expected);
        seen.extend(sights);
        if expected.len() > LEVEL_MAX {
            break;
        }
        let mut next = HashSet::new();
        let mut expected_next = HashSet::new();
        for &state in &states {
            let here = sight(&oracle, &mut space, state);
            if runs(&here.0) && !features.is_pruned(&here.0) {
                labels.extend(oracle.successors(&here.0).into_iter().map(|(label, _)| label));
            }
            compare_conditions(features, &here, &mut space, state);
            for step in compare_steps(features, &oracle, &mut space, (state, &here), asked) {
                let there = sight(&oracle, &mut space, step.target);
                if !seen.contains(&there) {
                    next.insert(step.target);
                }
            }
            let steps = features.successors(&oracle, &here).into_iter();
            expected_next.extend(steps.map(|(_, there)| there).filter(|it| !seen.contains(it)));
        }
        states = next.into_iter().collect();
        expected = expected_next;
    }
    for pattern in asked.iter().chain(&features.disabled) {
        let met = labels.iter().any(|label| describes(pattern, label));
        assert!(!met || space.has_met(pattern), "{pattern} describes something");
    }
    if let (Some(pattern), Some(happened)) = (&features.required, space.required_has_happened()) {
        let met = seen.iter().any(|(_, happened)| *happened);
        assert!(!met || happened, "{pattern} has happened");
    }
}

fn compare_conditions(
    features: &Features,
    (world, _): &Sight,
    space: &mut NetworkSpace<'_>,
    state: StateId,
) {
    assert_eq!(space.goals_reached(state), features.goals(world), "{world:?}");
    assert_eq!(space.is_pruned(state), features.is_pruned(world), "{world:?}");
    let bytes = space.encode(state);
    assert_eq!(space.decode(&bytes), Ok(state), "{world:?}");
}

/// What is said to differ between two states is what their texts differ in.
fn compare_texts(space: &NetworkSpace<'_>, before: StateId, after: StateId) {
    let sorted = |mut changes: Vec<(String, PartChange)>| {
        for (_, change) in &mut changes {
            if let PartChange::Bag { gone, come } = change {
                gone.sort_unstable();
                come.sort_unstable();
            }
        }
        changes.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        changes
    };
    let texts = space.state_text(before).changes_to(&space.state_text(after));
    assert_eq!(sorted(space.state_change(before, after)), sorted(texts));
}

fn compare_steps(
    features: &Features,
    oracle: &Oracle<'_>,
    space: &mut NetworkSpace<'_>,
    (state, here): (StateId, &Sight),
    asked: &[EventPattern],
) -> Vec<Step> {
    let mut steps = Vec::new();
    space.expand(&[state], &mut steps);
    let kinds = space.event_kinds();
    let mut found: Vec<(Label, Sight)> = Vec::new();
    for step in &steps {
        let label = label_of(&space.event_text(state, step.event));
        assert_eq!(kinds[space.event_kind(step.event)], label.1);
        for pattern in asked {
            let matches = space.matches(state, step.event, pattern);
            assert_eq!(matches, describes(pattern, &label), "{pattern} {label:?}");
        }
        found.push((label, sight(oracle, space, step.target)));
        compare_texts(space, state, step.target);
    }
    let mut expected = features.successors(oracle, here);
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "the steps out of {here:?}");
    if steps.is_empty() {
        let verdict = features.verdict_at_end(&here.0);
        assert_eq!(space.verdict_at_end(state), verdict, "{here:?}");
        let names = space.assertions();
        if let Some(violated) = verdict.first() {
            let name = names[violated].as_str();
            assert!(["end", "something can always happen"].contains(&name), "{name}");
        }
        assert!(verdict.is_safe() || runs(&here.0));
    }
    steps
}

proptest! {
    #![proptest_config(cases(150))]

    /// Worlds, steps, goals, ends, prunings; events that never happen, and one that must.
    #[test]
    fn features_do_what_is_documented(
        mut features in features(),
        asked in proptest::collection::vec(pattern(), 3),
    ) {
        compare(&mut features, &asked);
    }

    /// That an event is required adds to a state's bytes, and changes nothing else about them.
    #[test]
    fn what_is_required_is_the_last_byte(mut features in features()) {
        let scenario = features.scenario();
        let mut space = features.space(&scenario);
        let mut plain = Features { required: None, ..features.clone() };
        let mut plain = plain.space(&scenario);
        let mut states = Vec::new();
        space.initial(&mut states);
        for state in states {
            let mut bytes = space.encode(state);
            if features.remembers() {
                prop_assert_eq!(bytes.pop(), Some(0));
                prop_assert!(space.decode(&bytes).is_err());
                bytes.push(1);
                let happened = space.decode(&bytes).unwrap();
                prop_assert!(happened != state && space.counts(happened));
                prop_assert_eq!(space.encode(happened), bytes.clone());
                bytes.pop();
                prop_assert!(space.decode(&[bytes.as_slice(), &[2]].concat()).is_err());
            }
            let same = plain.decode(&bytes).unwrap();
            prop_assert_eq!(plain.encode(same), bytes);
        }
    }
}
