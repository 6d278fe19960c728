//! The network space and the breadth-first search against a brute-force oracle that knows nothing
//! of how they work. Both follow the same random table, so what they agree on is not the code's own
//! opinion of itself: worlds, steps, verdicts, ranks, numbers and counterexamples.

use crate::brute_force;
use crate::table;

use std::collections::{BTreeSet, HashSet};

use brute_force::{Label, Oracle, Truth, World, can_break, truth};
use everypath_explore::{
    Described, Ended, EventText, Explorable, Exploration, Guided, Judged, Options, Portable,
    Semantics, Space, StateId, Stop, explore, replay,
};
use everypath_model::{EventKind, NetworkKind, Profile, Scenario};
use everypath_network::NetworkSpace;
use proptest::prelude::*;
use serde::Deserialize;
use table::{Case, Input, Table, case, cases};

/// A state's bytes in a form of their own.
#[derive(Deserialize)]
struct Content {
    nodes: Vec<Result<(u32, Vec<u8>), Breakage>>,
    left: [Left; 3],
    packets: Vec<Vec<u8>>,
}

#[derive(Deserialize)]
enum Breakage {
    Panicked(#[allow(dead_code)] String),
    Nondeterministic(#[allow(dead_code)] String),
}

#[derive(Deserialize)]
enum Left {
    Times(u32),
    Unlimited,
}

impl Left {
    fn times(&self) -> Option<u32> {
        match self {
            Self::Times(times) => Some(*times),
            Self::Unlimited => None,
        }
    }
}

/// What follows where links can fail: what is left of failures and returns, and which are down.
type Links = (Left, Left, u128);

/// A state of the space as a world of the oracle.
pub fn world_of(oracle: &Oracle<'_>, space: &NetworkSpace<'_>, state: StateId) -> World {
    let bytes = space.encode(state);
    let (content, rest): (Content, _) =
        postcard::take_from_bytes(&bytes).expect("states are readable");
    let [_, _, _, mut failures, mut returns] = oracle.left();
    let mut down = BTreeSet::new();
    if can_break(oracle.case) {
        let links: Links = postcard::from_bytes(rest).expect("links are readable");
        (failures, returns) = (links.0.times(), links.1.times());
        let all = oracle.links().into_iter().enumerate();
        down.extend(all.filter(|(place, _)| links.2 >> place & 1 == 1).map(|(_, link)| link));
    }
    let nodes = content.nodes.into_iter().map(|node| match node {
        Ok((state, timers)) => {
            assert!(timers.is_sorted_by(|a, b| a < b), "timers are a set");
            Some((state, timers.into_iter().collect()))
        }
        Err(Breakage::Panicked(_)) => None,
        Err(Breakage::Nondeterministic(_)) => unreachable!("tables are deterministic"),
    });
    let packets = content.packets.iter();
    oracle.canonical(World {
        nodes: nodes.collect(),
        packets: packets
            .map(|packet| postcard::from_bytes(packet).expect("packets are readable"))
            .collect(),
        left: {
            let [losses, duplications, reboots] = content.left.map(|left| left.times());
            [losses, duplications, reboots, failures, returns]
        },
        down,
    })
}

/// Walks the space level by level as far as the oracle did, and compares every world and every
/// step out of it.
fn compare_graphs(oracle: &Oracle<'_>, truth: &Truth, scenario: &Scenario<Table>) {
    let mut space = oracle.case.space(scenario);
    let mut initial = Vec::new();
    space.initial(&mut initial);
    let worlds: Vec<World> = initial.iter().map(|&state| world_of(oracle, &space, state)).collect();
    let running = worlds.iter().filter(|world| !world.nodes.contains(&None)).count();
    let worlds = each_once(worlds);
    assert_eq!(worlds, each_once(oracle.initial()), "the initial worlds");
    // Where a node has panicked, what a world does not show may differ.
    let shown = worlds.iter().filter(|world| !world.nodes.contains(&None)).count();
    assert_eq!(running, shown, "each once");
    let mut seen = HashSet::new();
    let mut level = safe_and_new(&mut space, initial, &mut seen);
    for (depth, expected) in truth.levels.iter().enumerate() {
        let worlds = level.iter().map(|&state| world_of(oracle, &space, state));
        let worlds: HashSet<World> = worlds.collect();
        assert_eq!(worlds.len(), level.len(), "each world once, depth {depth}");
        assert_eq!(&worlds, expected, "the worlds at depth {depth}");
        if depth == truth.depth() {
            break;
        }
        level.sort_unstable();
        let next = compare_steps(oracle, &mut space, &level);
        level = safe_and_new(&mut space, next, &mut seen);
    }
}

fn each_once(worlds: Vec<World>) -> Vec<World> {
    let mut met = HashSet::new();
    worlds.into_iter().filter(|world| met.insert(world.clone())).collect()
}

fn safe_and_new(
    space: &mut impl Explorable,
    states: Vec<StateId>,
    seen: &mut HashSet<StateId>,
) -> Vec<StateId> {
    let states = states.into_iter();
    states.filter(|&state| space.verdict(state).is_safe() && seen.insert(state)).collect()
}

/// Compares the steps out of a level's states, their verdicts and ranks; where the steps lead.
fn compare_steps(
    oracle: &Oracle<'_>,
    space: &mut NetworkSpace<'_>,
    level: &[StateId],
) -> Vec<StateId> {
    let mut steps = Vec::new();
    space.expand(level, &mut steps);
    for (source, &state) in (0..).zip(level) {
        let world = world_of(oracle, space, state);
        let mut found = Vec::new();
        for step in steps.iter().filter(|step| step.source == source) {
            let next = world_of(oracle, space, step.target);
            assert_eq!(space.verdict(step.target), oracle.verdict(&next), "{next:?}");
            found.push((label_of(&space.event_text(state, step.event)), next));
        }
        let mut expected = oracle.successors(&world);
        if oracle.case.network == NetworkKind::Unordered && oracle.case.profile == Profile::Standard
        {
            // In which order the packets of a multiset are tried is the space's own business.
            found.sort_unstable();
            expected.sort_unstable();
        }
        assert_eq!(found, expected, "the steps out of {world:?}");
        for (ranking, expected) in oracle.ranks(&world).into_iter().enumerate() {
            let mut rank = Vec::new();
            space.rank(state, ranking, &mut rank);
            assert_eq!(rank, expected, "ranking {ranking} of {world:?}");
        }
    }
    steps.into_iter().map(|step| step.target).collect()
}

pub fn label_of(text: &EventText) -> Label {
    let kinds = EventKind::ALL.into_iter();
    let kind = kinds.map(EventKind::name).find(|name| *name == text.kind);
    (
        text.node.expect("events of a network have a node"),
        kind.expect("a kind of event"),
        text.parameters.clone(),
    )
}

/// A run as it is written to a file: the initial digest, and each event with the digest after it.
type Recorded = (u64, Vec<(EventText, u64)>);

fn run(
    case: &Case,
    scenario: &Scenario<Table>,
    options: Options,
) -> (Exploration, Option<Recorded>) {
    let mut space = case.space(scenario);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let recorded = found.finding().map(|finding| {
        let steps = finding.trace.transitions().map(|(before, step)| {
            let text = space.event_text(before, step.event);
            (text, space.digest(step.state))
        });
        (space.digest(finding.trace.initial), steps.collect())
    });
    (found, recorded)
}

/// The whole space to the oracle's depth, by one of the semantics.
fn compare_counts(
    oracle: &Oracle<'_>,
    truth: &Truth,
    scenario: &Scenario<Table>,
    semantics: Semantics,
) {
    let options =
        Options::default().max_depth(truth.depth() as u32).stop(Stop::Never).semantics(semantics);
    let (found, _) = run(oracle.case, scenario, options);
    let published = semantics == Semantics::Published;
    let stored_levels =
        if published && truth.depth() > 0 { truth.depth() } else { truth.levels.len() };
    let counts = truth.counts(stored_levels);
    assert_eq!(found.states_per_depth(), counts);
    assert_eq!(found.states_visited, counts.iter().sum::<u64>());
    assert_eq!(found.counts.events, truth.events);
    assert_eq!(found.counts.unsafe_events, truth.unsafe_events);
    let cut_off = match published && truth.depth() > 0 {
        true => truth.safe_at_bound,
        false => !truth.levels[truth.depth()].is_empty(),
    };
    let ended = if cut_off { Ended::Depth } else { Ended::Exhausted };
    assert_eq!(found.ended, ended);
    assert_eq!(found.states_waiting, 0);
    let length = found.finding().map(|finding| finding.trace.steps.len());
    assert_eq!(length, truth.shortest, "the shortest counterexample");
    if oracle.case.forbidden.is_none() && !oracle.case.reboot.is_counted() {
        let starts = (0..oracle.case.nodes as u32)
            .map(|node| oracle.executions(node, 0, Input::Start).len())
            .sum::<usize>();
        let executions = truth.inputs.len() + starts;
        assert_eq!(found.handler_executions, executions as u64, "never twice");
    }
}

/// The first counterexample is a run of the oracle's, as short as can be, and can be replayed.
fn compare_trace(oracle: &Oracle<'_>, truth: &Truth, scenario: &Scenario<Table>) {
    let options = Options::default().max_depth(truth.depth() as u32);
    let (found, recorded) = run(oracle.case, scenario, options);
    assert_eq!(found.ended == Ended::Violation, truth.shortest.is_some());
    let Some((initial, steps)) = recorded else {
        assert_eq!(truth.shortest, None);
        return;
    };
    assert_eq!(Some(steps.len()), truth.shortest);
    let mut space = oracle.case.space(scenario);
    let recorded = steps.iter().map(|(text, digest)| (text, *digest));
    let trace = replay(&mut space, initial, recorded).expect("the run can be replayed");
    let mut world = world_of(oracle, &space, trace.initial);
    assert!(oracle.initial().contains(&world));
    for ((before, step), (text, _)) in trace.transitions().zip(&steps) {
        assert_eq!(&space.event_text(before, step.event), text);
        let taken = (label_of(text), world_of(oracle, &space, step.state));
        assert!(oracle.verdict(&world).is_safe());
        assert!(oracle.successors(&world).contains(&taken), "{taken:?}");
        world = taken.1;
    }
    let assertion = found.finding().map(|finding| finding.assertion);
    assert_eq!(assertion, oracle.verdict(&world).first());
}

proptest! {
    #![proptest_config(cases(250))]

    /// Worlds, steps, verdicts and ranks.
    #[test]
    fn the_space_is_the_one_that_is_documented(case in case()) {
        let oracle = Oracle::new(&case);
        compare_graphs(&oracle, &truth(&oracle), &case.scenario());
    }

    /// Numbers by both semantics, and counterexamples.
    #[test]
    fn the_search_finds_what_there_is(case in case()) {
        let scenario = case.scenario();
        let oracle = Oracle::new(&case);
        let truth = truth(&oracle);
        compare_counts(&oracle, &truth, &scenario, Semantics::Exact);
        compare_counts(&oracle, &truth, &scenario, Semantics::Published);
        compare_trace(&oracle, &truth, &scenario);
    }
}
