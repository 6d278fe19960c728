//! The last trial of route discovery explored apart, from all patterns of routes: the numbers of
//! independent programs, and what this decomposition preserves.

use std::collections::{BTreeMap, BTreeSet};

use everypath_explore::{ExploredPart, Options, Portable, Start, Starts, StateId, explore_part};
use everypath_model::{Scenario, World};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_protocols::route_discovery::{Entry, RouteDiscovery, SOURCE, route_discovery};

use crate::explored::scenario;

/// The cuts: at the last trial, and by the tables of all nodes.
const LAST_TRIAL: usize = 0;
const TABLES: usize = 1;
/// The lists of starts.
const PATTERNS: usize = 0;
const ALL_NEXT_HOPS: usize = 1;

/// Without assertions: worlds with loops are explored, too.
fn unjudged(nodes: u32, trials: u32, retry: &str) -> Scenario<RouteDiscovery> {
    let (nodes, trials) = (nodes.to_string(), trials.to_string());
    let given = [("nodes", &*nodes), ("trials", &*trials), ("retry", retry)];
    let mut scenario = scenario(route_discovery, &given);
    assert_eq!(scenario.cuts[LAST_TRIAL].name, "last trial");
    let lists: Vec<&str> = scenario.starts.iter().map(|list| &*list.name).collect();
    assert_eq!(lists, ["patterns", "patterns with all next hops"]);
    scenario.assertions.clear();
    scenario.cut("tables", |_| true, tables)
}

/// The routes of all nodes but the source, without hop counts.
fn tables(world: &World<'_, RouteDiscovery>) -> String {
    let route =
        |entry: &Option<Entry>| entry.as_ref().map_or((0, 0), |entry| (entry.number, entry.next.0));
    let nodes = world.nodes().filter(|(node, _)| *node != SOURCE);
    let routes = nodes.map(|(_, table)| (route(&table.to_source), route(&table.to_destination)));
    format!("{:?}", routes.collect::<Vec<_>>())
}

fn space(scenario: &Scenario<RouteDiscovery>) -> NetworkSpace<'_> {
    NetworkSpace::new(scenario, SpaceOptions::default()).unwrap()
}

/// Explores from some states to the end.
fn from(space: &mut NetworkSpace<'_>, starts: Starts<'_>) -> ExploredPart {
    let never = &mut |_: &mut NetworkSpace<'_>, _, _| false;
    let part = explore_part(space, &Options::default(), &mut (), starts, never).unwrap();
    assert!(part.found.saw_everything());
    part
}

fn states(part: &ExploredPart) -> BTreeSet<StateId> {
    part.visited().map(|visited| visited.state).collect()
}

/// All instances of a list of starts.
#[derive(Default)]
struct Instances {
    starts: usize,
    sizes: Vec<u64>,
    union: BTreeSet<StateId>,
}

impl Instances {
    fn of(space: &mut NetworkSpace<'_>, list: usize) -> Self {
        let mut all = Self::default();
        for (_, starts) in space.covering_starts(list).unwrap() {
            all.starts += starts.len();
            let starts: Vec<Start> =
                starts.into_iter().map(|state| Start { depth: 0, state }).collect();
            let part = from(space, Starts::Given(&starts));
            all.sizes.push(part.found.states_visited);
            all.union.extend(states(&part));
        }
        all
    }

    fn sum(&self) -> u64 {
        self.sizes.iter().sum()
    }
}

/// Nodes, trials and instances; the states of each, of all added up, and distinct ones if counted.
type Row = (u32, u32, usize, u64, u64, Option<usize>);

/// One world for each pattern: all instances are the same graph.
#[test]
fn instances_are_equally_large() {
    let rows: [Row; 9] = [
        (2, 1, 1, 5, 5, None),
        (2, 2, 2, 5, 10, None),
        (2, 3, 3, 5, 15, Some(11)),
        (3, 1, 1, 29, 29, None),
        (3, 2, 6, 29, 174, None),
        (3, 3, 18, 29, 522, Some(206)),
        (4, 1, 1, 387, 387, None),
        (4, 2, 18, 387, 6966, None),
        (4, 3, 108, 387, 41796, Some(6853)),
    ];
    for (nodes, trials, count, each, sum, union) in rows {
        let scenario = unjudged(nodes, trials, "any-time");
        let all = Instances::of(&mut space(&scenario), PATTERNS);
        assert_eq!((all.starts, all.sizes.len()), (count, count));
        assert!(all.sizes.iter().all(|&size| size == each), "{nodes} nodes, {trials} trials");
        assert_eq!(all.sum(), sum);
        assert!(union.is_none_or(|union| all.union.len() == union), "{}", all.union.len());
    }
    let scenario = unjudged(5, 3, "any-time");
    let mut space = space(&scenario);
    let instances = space.covering_starts(PATTERNS).unwrap();
    assert_eq!(instances.len(), 648);
    for place in [0, 323, 647] {
        let (name, starts) = &instances[place];
        let starts = [Start { depth: 0, state: starts[0] }];
        let part = from(&mut space, Starts::Given(&starts));
        assert_eq!(part.found.states_visited, 10562, "{name}");
    }
}

/// The article's assertions hold in each instance.
#[test]
fn instances_have_no_loops() {
    let scenario = scenario(route_discovery, &[("nodes", "3")]);
    let all = Instances::of(&mut space(&scenario), PATTERNS);
    assert_eq!((all.sizes.len(), all.sum()), (18, 522));
}

#[test]
fn all_next_hops() {
    let rows = [(3, 30, 654, 302, None), (4, 2023, 161_975, 55281, Some(3116))];
    for (nodes, starts, sum, union, largest) in rows {
        let scenario = unjudged(nodes, 3, "any-time");
        let all = Instances::of(&mut space(&scenario), ALL_NEXT_HOPS);
        assert_eq!((all.starts, all.sum(), all.union.len()), (starts, sum, union));
        assert!(largest.is_none_or(|size| all.sizes.iter().max() == Some(&size)));
    }
}

/// Nodes and trials; states of the trunk, and those where the source may begin the last trial;
/// groups; last-trial states, and their sum over the groups.
type ExactRow = (u32, u32, usize, usize, usize, usize, u64);

/// A cut where the last trial begins visits the states of one search, but many of them several times.
#[test]
fn an_exact_cut_visits_the_same_states() {
    let rows: [ExactRow; 6] = [
        (2, 3, 15, 6, 3, 19, 29),
        (3, 3, 261, 147, 14, 1021, 2269),
        (4, 3, 14404, 9217, 70, 172_341, 539_397),
        (2, 2, 5, 0, 2, 10, 14),
        (3, 2, 29, 0, 5, 232, 418),
        (4, 2, 387, 0, 13, 14017, 31834),
    ];
    for (nodes, trials, trunk_states, may_begin, groups, last_states, sum) in rows {
        let scenario = unjudged(nodes, trials, "any-time").cut(
            "the source may begin the last trial",
            move |world| {
                let source = world.node(SOURCE);
                source.trials + 1 == trials && source.to_destination.is_none()
            },
            |_| "",
        );
        let mut space = space(&scenario);
        let is_cut = &mut |space: &mut NetworkSpace<'_>, _, state| space.is_cut(state, LAST_TRIAL);
        let options = Options::default();
        let trunk = explore_part(&mut space, &options, &mut (), Starts::Initial, is_cut).unwrap();
        let before = states(&trunk);
        assert_eq!(before.len(), trunk_states);
        let begins = before.iter().filter(|&&state| space.is_cut(state, TABLES + 1)).count();
        assert!(may_begin == 0 || begins == may_begin, "{begins}");
        let mut by_key: BTreeMap<String, Vec<Start>> = BTreeMap::new();
        for &start in &trunk.stopped {
            by_key.entry(space.cut_key(start.state, LAST_TRIAL)).or_default().push(start);
        }
        assert_eq!(by_key.len(), groups);
        let mut last = BTreeSet::new();
        let mut visited = 0;
        for starts in by_key.values() {
            let part = from(&mut space, Starts::Reached(starts));
            visited += part.found.states_visited;
            last.extend(states(&part));
        }
        assert_eq!((last.len(), visited), (last_states, sum), "{nodes} nodes, {trials} trials");
        assert!(before.is_disjoint(&last));
        // In spaces of their own, states have other numbers: their contents are compared.
        let mut other = self::space(&scenario);
        let whole = from(&mut other, Starts::Initial);
        let whole: BTreeSet<Vec<u8>> =
            whole.visited().map(|visited| other.encode(visited.state)).collect();
        let parts = before.union(&last).map(|&state| space.encode(state));
        assert!(parts.collect::<BTreeSet<Vec<u8>>>() == whole);
    }
}

/// The tables of some states.
fn tables_of(space: &mut NetworkSpace<'_>, states: &BTreeSet<StateId>) -> BTreeSet<String> {
    states.iter().map(|&state| space.cut_key(state, TABLES)).collect()
}

/// The states of one search that belong to the last trial.
fn last_trial(space: &mut NetworkSpace<'_>) -> BTreeSet<StateId> {
    let whole = states(&from(space, Starts::Initial));
    whole.into_iter().filter(|&state| space.is_cut(state, LAST_TRIAL)).collect()
}

/// With all next hops, the instances have all tables of the last trial, and more. With one world for
/// each pattern, as the article counts them, most are missing.
#[test]
fn instances_cover_tables_only_with_all_next_hops() {
    for (nodes, real, covering, extra, missing_with_one) in
        [(2, 4, 4, 0, None), (3, 40, 58, 18, Some(12)), (4, 927, 4633, 3706, Some(670))]
    {
        let scenario = unjudged(nodes, 3, "any-time");
        let mut space = space(&scenario);
        let states = last_trial(&mut space);
        let expected = tables_of(&mut space, &states);
        let all = Instances::of(&mut space, ALL_NEXT_HOPS).union;
        let all = tables_of(&mut space, &all);
        assert_eq!((expected.len(), all.len()), (real, covering), "{nodes} nodes");
        assert_eq!(expected.difference(&all).count(), 0, "nothing is missing");
        assert_eq!(all.difference(&expected).count(), extra);
        let few = Instances::of(&mut space, PATTERNS).union;
        let few = tables_of(&mut space, &few);
        let missing = expected.difference(&few).count();
        assert!(missing_with_one.is_none_or(|expected| missing == expected), "{missing}");
    }
}

/// Of the patterns of all nodes, some never occur together; and most instances with all next hops
/// begin with a loop that no run makes.
#[test]
fn most_starts_cannot_be_reached() {
    for (nodes, instances, occur) in [(2, 3, 3), (3, 18, 14), (4, 108, 70)] {
        let scenario = unjudged(nodes, 3, "any-time");
        let mut space = space(&scenario);
        let all = space.covering_starts(PATTERNS).unwrap();
        assert_eq!(all.len(), instances);
        let names: BTreeSet<String> = all.into_iter().map(|(name, _)| name).collect();
        let is_cut = &mut |space: &mut NetworkSpace<'_>, _, state| space.is_cut(state, LAST_TRIAL);
        let options = Options::default();
        let trunk = explore_part(&mut space, &options, &mut (), Starts::Initial, is_cut).unwrap();
        let real: BTreeSet<String> =
            trunk.stopped.iter().map(|start| space.cut_key(start.state, LAST_TRIAL)).collect();
        assert!(real.is_subset(&names));
        assert_eq!(real.len(), occur);
    }
    let scenario = scenario(route_discovery, &[]);
    let worlds = (scenario.starts[ALL_NEXT_HOPS].worlds)();
    for (assertion, expected) in
        [("routes to the source have no loop", 75), ("routes to the destination have no loop", 27)]
    {
        let condition = scenario.assertions.iter().find(|it| it.name == assertion).unwrap();
        let begins_with = worlds
            .iter()
            .filter(|(_, worlds)| worlds.iter().any(|world| !(condition.holds)(&world.world())));
        assert_eq!(begins_with.count(), expected, "{assertion}");
    }
}

/// Where a trial begins only when nothing is in flight, the instances have the whole worlds of the last
/// trial, with their packets. Only the hop counts of older routes differ.
#[test]
fn instances_cover_whole_worlds_if_trials_do_not_overlap() {
    for (nodes, expected) in [(3, None), (4, Some(5827))] {
        let scenario = unjudged(nodes, 3, "when-quiet").cut(
            "world",
            |_| true,
            |world| {
                let packets = world.packets().map(|packet| format!("{packet:?}"));
                let mut packets: Vec<String> = packets.collect();
                packets.sort_unstable();
                let source = world.node(SOURCE).to_destination.is_some();
                format!("{} {source} {packets:?}", tables(world))
            },
        );
        let mut space = space(&scenario);
        let real = last_trial(&mut space);
        assert!(expected.is_none_or(|expected| real.len() == expected), "{}", real.len());
        let all = Instances::of(&mut space, ALL_NEXT_HOPS).union;
        let mut worlds = |states: &BTreeSet<StateId>| -> BTreeSet<String> {
            states.iter().map(|&state| space.cut_key(state, TABLES + 1)).collect()
        };
        let (real, all) = (worlds(&real), worlds(&all));
        assert!(real.is_subset(&all), "{nodes} nodes");
    }
}
