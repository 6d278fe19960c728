//! States as bytes: they mean the same in every space, whatever it has met before and in whatever
//! order; and bytes that were damaged are refused or mean a state, and spoil nothing.

use crate::table;

use std::collections::HashSet;

use everypath_explore::{Described, Judged, Portable, Space, StateId, enabled};
use everypath_model::{Budget, NetworkKind, Profile};
use everypath_network::{DecodeError, NetworkSpace};
use proptest::{prelude::*, sample::Index};
use table::{Action, Case, Program, Table, case, cases};

/// How many states of a space are looked at.
const STATES_MAX: usize = 150;

/// All that can be said of a state without an id: its bytes, its digest, and what is possible.
#[derive(Debug, PartialEq, Eq)]
struct Portrait {
    bytes: Vec<u8>,
    digest: u64,
    verdict: u64,
    steps: Vec<(String, u64)>,
}

fn portrait(space: &mut NetworkSpace<'_>, state: StateId) -> Portrait {
    let verdict = space.verdict(state);
    let steps = enabled(space, state).into_iter();
    let mut steps: Vec<_> =
        steps.map(|(step, text)| (format!("{text:?}"), space.digest(step.target))).collect();
    // The order in which the packets of a multiset are tried depends on when each was first met.
    steps.sort_unstable();
    Portrait { bytes: space.encode(state), digest: space.digest(state), verdict: verdict.0, steps }
}

fn initial(space: &mut impl Space) -> Vec<StateId> {
    let mut states = Vec::new();
    space.initial(&mut states);
    states
}

/// The safe states among the first ones that a breadth-first search meets.
fn first_states(space: &mut NetworkSpace<'_>) -> Vec<StateId> {
    let mut met = Vec::new();
    let mut waiting = initial(space);
    let mut next = 0;
    while met.len() < STATES_MAX && next < waiting.len() {
        let state = waiting[next];
        next += 1;
        if space.verdict(state).is_safe() && !met.contains(&state) {
            met.push(state);
            waiting.extend(enabled(space, state).iter().map(|(step, _)| step.target));
        }
    }
    met
}

/// A case with a bit of everything, and a state of it with packets and timers.
fn example() -> Case {
    let program = |actions: &[Action]| Program { actions: actions.to_vec(), next: 1 };
    let table = Table {
        programs: vec![
            program(&[Action::Broadcast { message: 0 }, Action::Set(1), Action::Set(0)]),
            program(&[Action::Reply { message: 1 }]),
        ],
        commands: vec![vec![0]],
        late: None,
    };
    Case {
        loss: Budget::AtMost(2),
        duplication: Budget::Unlimited,
        ..Case::of(table, NetworkKind::FifoPerLink, Profile::Standard)
    }
}

/// Whatever the bytes are, they are refused or mean a state, and the space goes on as before.
fn survives(case: &Case, damaged: &[u8]) -> Result<(), TestCaseError> {
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    if let Ok(state) = space.decode(damaged) {
        let bytes = space.encode(state);
        let again = space.decode(&bytes).expect("what was written can be read");
        prop_assert_eq!(again, state);
        let text = space.state_text(state);
        let is_node = |name: &str| name.starts_with('n') && name[1..].parse::<u32>().is_ok();
        let nodes = text.parts.iter().filter(|(name, _)| is_node(name)).count();
        prop_assert_eq!(nodes, case.nodes);
        portrait(&mut space, state);
    }
    let mut fresh = case.space(&scenario);
    let (states, expected) = (initial(&mut space), initial(&mut fresh));
    for (state, expected) in states.into_iter().zip(expected) {
        if fresh.verdict(expected).is_safe() {
            prop_assert_eq!(portrait(&mut space, state), portrait(&mut fresh, expected));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(80))]

    /// A space that has met nothing reads each state, from the last to the first, as it was meant.
    #[test]
    fn a_fresh_space_reads_what_another_wrote(case in case()) {
        let scenario = case.scenario();
        let mut writer = case.space(&scenario);
        let mut reader = case.space(&scenario);
        for state in first_states(&mut writer).into_iter().rev() {
            let written = portrait(&mut writer, state);
            let read = reader.decode(&written.bytes).expect("what was written can be read");
            prop_assert_eq!(portrait(&mut reader, read), written);
        }
    }

    /// The same states, met depth-first and last step first, are the same bytes.
    #[test]
    fn bytes_do_not_depend_on_the_order_of_discovery(case in case()) {
        let scenario = case.scenario();
        let mut space = case.space(&scenario);
        let states = first_states(&mut space);
        let bytes: HashSet<_> = states.iter().map(|&state| space.encode(state)).collect();
        prop_assert_eq!(bytes.len(), states.len(), "different states are different bytes");

        let mut other = case.space(&scenario);
        let mut stack = initial(&mut other);
        let mut met = HashSet::new();
        while let Some(state) = stack.pop() {
            let encoded = other.encode(state);
            if bytes.contains(&encoded) && met.insert(encoded) {
                stack.extend(enabled(&mut other, state).iter().map(|(step, _)| step.target));
            }
        }
        prop_assert_eq!(met, bytes);
    }

    /// Damage of any kind to any state of any protocol.
    #[test]
    fn damaged_bytes_are_refused_or_mean_a_state(
        case in case(),
        which in any::<Index>(),
        flips in prop::collection::vec((any::<Index>(), 0..8u8), 1..4),
    ) {
        let scenario = case.scenario();
        let mut space = case.space(&scenario);
        let states = first_states(&mut space);
        prop_assume!(!states.is_empty());
        let mut bytes = space.encode(*which.get(&states));
        for (place, bit) in flips {
            let place = place.index(bytes.len());
            bytes[place] ^= 1 << bit;
        }
        survives(&case, &bytes)?;
    }
}

/// Every byte of a state replaced: by small numbers, since most are, and with each bit flipped.
#[test]
fn every_damaged_byte_is_refused_or_means_a_state() {
    let case = example();
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    let state = initial(&mut space)[0];
    let bytes = space.encode(state);
    for place in 0..bytes.len() {
        for value in (0..8).chain((0..8).map(|bit| bytes[place] ^ 1 << bit)) {
            let mut damaged = bytes.clone();
            damaged[place] = value;
            survives(&case, &damaged).expect("nothing is spoilt");
        }
    }
}

/// What was cut off is missed.
#[test]
fn every_truncation_is_refused() {
    let case = example();
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    for state in first_states(&mut space) {
        let bytes = space.encode(state);
        for len in 0..bytes.len() {
            let refused = case.space(&scenario).decode(&bytes[..len]);
            assert!(matches!(refused, Err(DecodeError::Malformed(_))), "{refused:?}");
        }
    }
}

/// What was added is noticed.
#[test]
fn further_bytes_are_refused() {
    let case = example();
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    let state = initial(&mut space)[0];
    let mut bytes = space.encode(state);
    bytes.push(0);
    let refused = space.decode(&bytes);
    assert!(matches!(refused, Err(DecodeError::Malformed(_))), "{refused:?}");
}

/// Timers are a set: there is one way to write it down.
#[test]
fn timers_out_of_order_are_refused() {
    let case = example();
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    let state = initial(&mut space)[0];
    let bytes = space.encode(state);
    // State 1, and two timers.
    let node = [1, 2, 0, 1];
    let place = bytes.windows(4).position(|window| window == node).expect("such a node") + 2;
    for timers in [[1, 0], [0, 0], [1, 1]] {
        let mut damaged = bytes.clone();
        damaged[place..][..2].copy_from_slice(&timers);
        let refused = space.decode(&damaged);
        assert!(matches!(refused, Err(DecodeError::Malformed(_))), "{refused:?}");
    }
}

/// A state of a larger network is none of a smaller one, and says how many nodes it has.
#[test]
fn a_state_of_another_number_of_nodes_is_refused() {
    let small = example();
    let large = Case { nodes: 3, ..example() };
    let (small_scenario, large_scenario) = (small.scenario(), large.scenario());
    let mut writer = large.space(&large_scenario);
    let state = initial(&mut writer)[0];
    let mut reader = small.space(&small_scenario);
    let (found, expected) = (3, 2);
    assert_eq!(reader.decode(&writer.encode(state)), Err(DecodeError::Nodes { found, expected }));
}

/// Faults that the scenario does not allow are no state of it: with the budgets, they would be
/// believed.
#[test]
fn faults_beyond_the_budget_are_refused() {
    let wide = Case { loss: Budget::AtMost(3), ..example() };
    let wide_scenario = wide.scenario();
    let mut writer = wide.space(&wide_scenario);
    let state = initial(&mut writer)[0];
    let bytes = writer.encode(state);
    for loss in [Budget::Off, Budget::AtMost(2), Budget::Unlimited] {
        let narrow = Case { loss, ..example() };
        let scenario = narrow.scenario();
        let refused = narrow.space(&scenario).decode(&bytes);
        assert!(refused.is_err(), "{loss}");
    }
}

/// Events as bytes lead to the same states in a fresh space.
#[test]
fn events_mean_the_same_in_every_space() {
    let scenario = example().scenario();
    let mut here = example().space(&scenario);
    let mut there = example().space(&scenario);
    let mut seen = 0;
    for state in first_states(&mut here) {
        let twin = there.decode(&here.encode(state)).unwrap();
        for (step, _) in enabled(&mut here, state) {
            let bytes = here.encode_event(state, step.event);
            let target = here.digest(step.target);
            let twins = there.steps_of(twin, &bytes);
            assert!(twins.iter().any(|twin| there.digest(twin.target) == target));
            seen += 1;
        }
        assert!(there.steps_of(twin, b"no event").is_empty());
    }
    assert!(seen > 100, "{seen} events were compared");
}
