//! Numbers that stand for states: the same in every space, and different for different states.

use std::collections::{HashMap, HashSet};

use everypath_explore::{Described, Guided, Portable, Space, StateId};
use everypath_network::NetworkSpace;
use proptest::prelude::*;

use super::case::{Features, features};
use crate::table::cases;

/// How many states of a space are looked at.
const STATES_MAX: usize = 120;

/// The bytes of the first states that a walk meets, with their fingerprints and parts. A walk takes
/// the oldest state next, or the youngest.
fn walk(
    space: &mut NetworkSpace<'_>,
    oldest: bool,
    wanted: impl Fn(&[u8]) -> bool,
) -> HashMap<Vec<u8>, (u64, StateId)> {
    let mut waiting = Vec::new();
    space.initial(&mut waiting);
    let mut met = HashMap::new();
    while !waiting.is_empty() && met.len() < STATES_MAX {
        let state = if oldest { waiting.remove(0) } else { waiting.pop().expect("it waits") };
        let bytes = space.encode(state);
        if !wanted(&bytes) || met.contains_key(&bytes) {
            continue;
        }
        met.insert(bytes, (space.fingerprint(state), state));
        let mut steps = Vec::new();
        space.expand(&[state], &mut steps);
        waiting.extend(steps.iter().map(|step| step.target));
    }
    met
}

/// Nodes are parts: as many different ones as there are different nodes.
fn compare_parts(features: &Features, space: &NetworkSpace<'_>, states: &[StateId]) {
    let mut known: HashMap<u64, (usize, String)> = HashMap::new();
    let mut different = HashSet::new();
    for &state in states {
        let mut parts = Vec::new();
        space.parts(state, &mut parts);
        assert_eq!(parts.len(), features.case.nodes);
        let texts = space.state_text(state).parts;
        for (node, part) in parts.into_iter().enumerate() {
            let own = |name: &str| {
                let name = name.split(' ').next().expect("a name has words");
                name == format!("n{node}")
            };
            let text: Vec<_> = texts.iter().filter(|(name, _)| own(name)).collect();
            let shown = (node, format!("{text:?}"));
            different.insert(shown.clone());
            assert_eq!(known.entry(part).or_insert_with(|| shown.clone()), &shown);
        }
    }
    assert_eq!(known.len(), different.len());
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn fingerprints_depend_on_content_alone(mut features in features()) {
        let scenario = features.scenario();
        let mut space = features.space(&scenario);
        let met = walk(&mut space, true, |_| true);
        let different: HashSet<u64> = met.values().map(|(fingerprint, _)| *fingerprint).collect();
        prop_assert_eq!(different.len(), met.len());
        let states: Vec<StateId> = met.values().map(|(_, state)| *state).collect();
        compare_parts(&features, &space, &states);

        let mut other = features.space(&scenario);
        for (bytes, (fingerprint, _)) in walk(&mut other, false, |bytes| met.contains_key(bytes)) {
            prop_assert_eq!(met[&bytes].0, fingerprint);
        }
        let mut fresh = features.space(&scenario);
        for (bytes, (fingerprint, _)) in &met {
            let state = fresh.decode(bytes).unwrap();
            prop_assert_eq!(fresh.fingerprint(state), *fingerprint);
        }
    }
}
