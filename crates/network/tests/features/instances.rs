//! An exploration that is cut into a trunk and instances visits and finds the same as a whole one.

use std::collections::{BTreeMap, BTreeSet};

use everypath_explore::{
    Ended, Exploration, ExploredPart, Judged, Limits, Options, Portable, Space, Start, Starts,
    StateId, Stop, Trace, explore_part,
};
use everypath_model::{Profile, Scenario};
use everypath_network::NetworkSpace;
use proptest::{option, prelude::*};
use xxhash_rust::xxh3::xxh3_64;

use super::case::{Features, features};
use crate::table::{Table, cases};

/// Where a trunk stops, and to which instance a state belongs.
#[derive(Clone, Copy, Debug)]
struct Cut {
    at: At,
    /// How many instances there are at most; each state is one by itself if there is no number.
    parts: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
enum At {
    Depth(u32),
    /// One in this many states, chosen by content.
    OneIn(u64),
}

impl Cut {
    fn holds(self, bytes: &[u8], depth: u32) -> bool {
        match self.at {
            At::Depth(at) => depth == at,
            At::OneIn(number) => xxh3_64(bytes).is_multiple_of(number),
        }
    }

    fn key(self, bytes: &[u8]) -> u64 {
        let digest = xxh3_64(bytes).rotate_left(17);
        self.parts.map_or(digest, |parts| digest % parts)
    }
}

fn cut() -> impl Strategy<Value = Cut> {
    let at = prop_oneof![(0..=6_u32).prop_map(At::Depth), (1..=6_u64).prop_map(At::OneIn)];
    (at, option::of(1..=4_u64)).prop_map(|(at, parts)| Cut { at, parts })
}

/// What can be compared of an exploration, or of its parts together.
#[derive(Debug, Default, PartialEq, Eq)]
struct Summary {
    visited: BTreeSet<Vec<u8>>,
    expanded: BTreeSet<Vec<u8>>,
    /// The expanded states without a successor that are not pruned.
    ends: BTreeSet<Vec<u8>>,
    /// By assertion: the length of a shortest run to a violation.
    violated: BTreeMap<usize, usize>,
    /// By goal: the length of a shortest run to it.
    goals: BTreeMap<usize, usize>,
}

impl Summary {
    /// Adds a part. Its traces begin at states of these depths.
    fn add(&mut self, space: &mut NetworkSpace<'_>, part: &ExploredPart, starts: &[Start]) {
        for visited in part.visited() {
            let bytes = space.encode(visited.state);
            self.visited.insert(bytes.clone());
            if !visited.is_expanded {
                continue;
            }
            let mut steps = Vec::new();
            space.expand(&[visited.state], &mut steps);
            if steps.is_empty() && !space.is_pruned(visited.state) {
                self.ends.insert(bytes.clone());
            }
            self.expanded.insert(bytes);
        }
        let Exploration { findings, witnesses, .. } = &part.found;
        let length = |trace: &Trace| trace.steps.len() + depth_of(starts, trace.initial) as usize;
        for finding in findings {
            shortest(&mut self.violated, finding.assertion, length(&finding.trace));
        }
        for witness in witnesses {
            shortest(&mut self.goals, witness.goal, length(&witness.trace));
        }
    }

    /// Whether no state is left to be expanded.
    fn saw_everything(&self) -> bool {
        self.visited == self.expanded
    }
}

fn shortest(by: &mut BTreeMap<usize, usize>, what: usize, length: usize) {
    let known = by.entry(what).or_insert(length);
    *known = length.min(*known);
}

fn depth_of(starts: &[Start], state: StateId) -> u32 {
    starts.iter().find(|start| start.state == state).map_or(0, |start| start.depth)
}

/// The exploration in one.
fn whole(
    features: &mut Features,
    scenario: &Scenario<Table>,
    options: &Options,
) -> Option<Summary> {
    let mut space = features.space(scenario);
    let part =
        explore_part(&mut space, options, &mut (), Starts::Initial, &mut |_, _, _| false).unwrap();
    if !part.found.is_complete() {
        return None;
    }
    let mut summary = Summary::default();
    summary.add(&mut space, &part, &[]);
    assert_eq!(part.found.states_visited, summary.visited.len() as u64);
    assert_eq!(part.found.counts.ends, summary.ends.len() as u64);
    assert_eq!(part.found.ended == Ended::Exhausted, summary.saw_everything());
    Some(summary)
}

/// Starts as bytes with their depths, by key.
type Instances = BTreeMap<u64, Vec<(u32, Vec<u8>)>>;

/// The trunk, and each instance in a space of its own.
fn in_parts(
    features: &mut Features,
    scenario: &Scenario<Table>,
    options: &Options,
    cut: Cut,
) -> Summary {
    let mut space = features.space(scenario);
    let is_cut =
        &mut |space: &mut NetworkSpace<'_>, depth, state| cut.holds(&space.encode(state), depth);
    let trunk = explore_part(&mut space, options, &mut (), Starts::Initial, is_cut).unwrap();
    let mut summary = Summary::default();
    summary.add(&mut space, &trunk, &[]);
    assert_eq!(trunk.found.states_visited, summary.visited.len() as u64);
    let mut instances = Instances::new();
    for &start in &trunk.stopped {
        let run = trunk.run_to(&mut space, start).expect("a trunk reaches where it stops");
        assert_eq!((run.last(), run.steps.len()), (start.state, start.depth as usize));
        let bytes = space.encode(start.state);
        instances.entry(cut.key(&bytes)).or_default().push((start.depth, bytes));
    }
    for starts in instances.values() {
        let mut space = features.space(scenario);
        let starts: Vec<Start> = starts
            .iter()
            .map(|(depth, bytes)| Start { depth: *depth, state: space.decode(bytes).unwrap() })
            .collect();
        let never = &mut |_: &mut NetworkSpace<'_>, _, _| false;
        let reached = Starts::Reached(&starts);
        let part = explore_part(&mut space, options, &mut (), reached, never).unwrap();
        let Exploration { states_visited, counts, .. } = &part.found;
        let safe = counts.events - counts.unsafe_events - counts.deepest_events;
        assert_eq!(counts.tree_events + counts.non_tree_events, safe);
        assert_eq!(*states_visited, part.visited().count() as u64);
        summary.add(&mut space, &part, &starts);
    }
    summary
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn parts_visit_and_find_what_a_whole_exploration_does(
        mut features in features(),
        cut in cut(),
        most in option::of(0..=6_u32),
    ) {
        features.case.profile = Profile::Standard;
        let scenario = features.scenario();
        let most = most.map_or(Some(30), Some);
        let options = Options::default()
            .stop(Stop::Never)
            .max_depth(most)
            .limits(Limits::default().states(2000));
        let Some(expected) = whole(&mut features, &scenario, &options) else { return Ok(()) };
        let options = options.limits(Limits::default());
        let found = in_parts(&mut features, &scenario, &options, cut);
        prop_assert_eq!(found, expected);
    }

    /// A judged start counts like an initial state; a start that is reached before it enters does
    /// not enter again.
    #[test]
    fn the_initial_states_can_be_given(mut features in features(), late in 0..3_u32) {
        features.case.profile = Profile::Standard;
        let scenario = features.scenario();
        let options = Options::default().stop(Stop::Never).max_depth(4);
        let Some(expected) = whole(&mut features, &scenario, &options) else { return Ok(()) };
        let mut space = features.space(&scenario);
        let mut initial = Vec::new();
        space.initial(&mut initial);
        initial.sort_unstable();
        initial.dedup();
        let mut starts: Vec<Start> =
            initial.iter().map(|&state| Start { depth: 0, state }).collect();
        // One that is reached anyway.
        let mut steps = Vec::new();
        let safe: Vec<StateId> =
            initial.iter().copied().filter(|&state| space.verdict(state).is_safe()).collect();
        space.expand(&safe, &mut steps);
        let again = steps.iter().map(|step| step.target).find(|state| {
            !initial.contains(state) && space.verdict(*state).is_safe()
        });
        starts.extend(again.map(|state| Start { depth: 1 + late, state }));
        let never = &mut |_: &mut NetworkSpace<'_>, _, _| false;
        let part = explore_part(&mut space, &options, &mut (), Starts::Given(&starts), never);
        let mut found = Summary::default();
        let reached: Vec<Start> = starts.iter().copied().filter(|it| it.depth == 0).collect();
        let part = part.unwrap();
        prop_assert_eq!(part.found.states_visited, part.visited().count() as u64);
        found.add(&mut space, &part, &reached);
        if late > 0 || again.is_none() {
            prop_assert_eq!(found, expected);
        } else {
            prop_assert_eq!(found.visited, expected.visited);
        }
    }
}
