//! Route discovery with reductions: the numbers of independent programs, and the tables of the search
//! without them.

use std::collections::BTreeSet;

use everypath_explore::{Options, Starts, explore_part};
use everypath_model::World;
use everypath_network::{NetworkSpace, Reductions, SpaceOptions};
use everypath_protocols::route_discovery::{RouteDiscovery, route_discovery};

use crate::explored::scenario;

/// The routes of all nodes.
fn routes(world: &World<'_, RouteDiscovery>) -> String {
    let routes = world.nodes().map(|(_, table)| (&table.to_source, &table.to_destination));
    format!("{:?}", routes.collect::<Vec<_>>())
}

/// Explores everything. There is no loop. Returns the number of states, and their tables.
fn found(nodes: &str, trials: &str, reductions: Reductions) -> (u64, BTreeSet<String>) {
    let scenario = scenario(route_discovery, &[("nodes", nodes), ("trials", trials)]);
    let cut = scenario.cuts.len();
    let scenario = scenario.cut("routes", |_| true, routes);
    let options = SpaceOptions::default().reductions(reductions);
    let mut space = NetworkSpace::new::<RouteDiscovery>(&scenario, options).unwrap();
    let never = &mut |_: &mut NetworkSpace<'_>, _, _| false;
    let part = explore_part(&mut space, &Options::default(), &mut (), Starts::Initial, never);
    let part = part.unwrap();
    assert!(part.found.findings.is_empty() && part.found.saw_everything());
    let tables = part.visited().map(|visited| space.cut_key(visited.state, cut)).collect();
    (part.found.states_visited, tables)
}

/// The reductions with names.
fn reductions(names: &[&str]) -> Reductions {
    names.iter().fold(Reductions::NONE, |all, name| all.with(name).unwrap())
}

#[test]
fn three_trials() {
    for (nodes, plain, obsolete, both, tables) in
        [("3", 1282, 697, 596, 108), ("4", 186_745, 39843, 34561, 3164)]
    {
        let (states, expected) = found(nodes, "3", Reductions::NONE);
        assert_eq!((states, expected.len()), (plain, tables));
        for (names, states) in [(&["obsolete"][..], obsolete), (&["obsolete", "audiences"], both)] {
            let reduced = found(nodes, "3", reductions(names));
            assert_eq!(reduced.0, states, "{nodes} nodes, {names:?}");
            assert!(reduced.1 == expected, "{nodes} nodes, {names:?}");
        }
    }
}

#[test]
fn any_number_of_trials() {
    let all: [(&str, &[&str], u64); 4] = [
        ("2", &["ranks"], 14),
        ("3", &["ranks"], 2444),
        ("3", &["ranks", "obsolete"], 1272),
        ("3", &["ranks", "obsolete", "audiences"], 1155),
    ];
    for (nodes, names, states) in all {
        assert_eq!(found(nodes, "any", reductions(names)).0, states, "{nodes} nodes, {names:?}");
    }
}
