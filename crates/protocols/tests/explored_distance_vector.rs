//! Distance vector routing explored: who counts to infinity, and who does not.

use crate::explored;

use everypath_explore::{Ended, Exploration, Options, Stop};
use everypath_model::{Parameters, Scenario};
use everypath_protocols::distance_vector::{
    DistanceVector, distance_vector, distance_vector_plain, distance_vector_split,
    distance_vector_triangle,
};
use explored::{explored, scenario};

type Build = fn(&mut Parameters) -> Scenario<DistanceVector>;

const BOTH: [&str; 2] = ["no route leads in a circle", "nobody counts to infinity"];

/// Explores, to a bound or to the end; also gives the names of the broken assertions.
fn check(
    build: Build,
    given: &[(&str, &str)],
    max_depth: Option<u32>,
    stop: Stop,
) -> (Exploration, Vec<String>) {
    explored(&scenario(build, given), &Options::default().max_depth(max_depth).stop(stop))
}

fn steps(build: Build, given: &[(&str, &str)]) -> usize {
    let (found, broken) = check(build, given, Some(17), Stop::First);
    assert_eq!(broken, BOTH, "{given:?}");
    explored::steps(&found)
}

fn holds_everywhere(build: Build, given: &[(&str, &str)]) {
    let (found, broken) = check(build, given, None, Stop::First);
    assert!(broken.is_empty(), "{given:?}: {broken:?}");
    assert_eq!(found.ended, Ended::Exhausted, "{given:?}");
    assert_eq!(found.witnesses.len(), 1, "{given:?}: routes settle");
}

#[test]
fn without_split_horizon_two_nodes_count_on_a_chain() {
    assert_eq!(steps(distance_vector_plain, &[]), 8);
    // With periodic updates alone, too.
    assert_eq!(steps(distance_vector_plain, &[("triggered", "false")]), 8);
}

#[test]
fn with_split_horizon_no_node_counts_on_a_chain() {
    for split_horizon in ["simple", "poisoned-reverse"] {
        for nodes in ["2", "3", "4"] {
            let given = [("nodes", nodes), ("split-horizon", split_horizon)];
            holds_everywhere(distance_vector_split, &given);
        }
    }
    holds_everywhere(distance_vector, &[]);
}

#[test]
fn with_split_horizon_three_nodes_count_around_a_triangle() {
    assert_eq!(steps(distance_vector_triangle, &[]), 14);
    let poisoned = [("split-horizon", "poisoned-reverse")];
    assert_eq!(steps(distance_vector_triangle, &poisoned), 17);
}

/// Wherever nothing moves any more, routes are shortest ways: also after all the counting, to an
/// infinity that is near.
#[test]
fn what_settles_is_right_whatever_happened() {
    for split_horizon in ["none", "simple", "poisoned-reverse"] {
        for (nodes, topology) in [("3", "chain"), ("3", "ring")] {
            let given = [
                ("nodes", nodes),
                ("topology", topology),
                ("split-horizon", split_horizon),
                ("infinity", "6"),
                ("link-failure", "2"),
                ("link-return", "1"),
            ];
            let (found, broken) = check(distance_vector_plain, &given, Some(18), Stop::Never);
            assert!(!broken.contains(&"what has settled is right".to_owned()), "{given:?}");
            assert_eq!(found.witnesses.len(), 1, "{given:?}");
        }
    }
}

#[test]
fn every_topology_can_be_explored() {
    for topology in ["chain", "ring", "star", "mesh", "grid:2", "0-1,1-2,2-3,1-3"] {
        let given = [("topology", topology), ("nodes", "4"), ("destinations", "2"), ("loss", "1")];
        let (found, broken) = check(distance_vector, &given, Some(4), Stop::First);
        assert!(broken.is_empty(), "{given:?}: {broken:?}");
        assert_eq!(found.ended, Ended::Depth, "{given:?}");
    }
}
