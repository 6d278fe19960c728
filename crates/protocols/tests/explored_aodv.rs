//! AODV explored in our own semantics: what goes wrong, and what does not.

use everypath_explore::{Ended, Exploration, Options, Space, explore};
use everypath_model::{Parameters, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_protocols::aodv::{
    Aodv, aodv, aodv_1, aodv_2, aodv_3, aodv_ns3, aodv_repaired, aodv_rfc3561,
};

type Build = fn(&mut Parameters) -> Scenario<Aodv>;

/// Explores to a bound, or to the scenario's own; also gives the names of the broken assertions.
fn check(build: Build, given: &[(&str, &str)], depth: Option<u32>) -> (Exploration, Vec<String>) {
    let mut parameters = Parameters::with(given.iter().copied());
    let scenario = build(&mut parameters);
    parameters.finish().unwrap();
    let required = scenario.required.as_ref().map(|event| event.parse().unwrap());
    let options = SpaceOptions { required, ..SpaceOptions::default() };
    let mut space = NetworkSpace::new(&scenario, options).unwrap();
    let options = Options { max_depth: depth.or(scenario.max_depth), ..Options::default() };
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let broken = found.findings.iter().map(|finding| space.assertions()[finding.assertion].clone());
    let broken = broken.collect();
    (found, broken)
}

fn steps(found: &Exploration) -> usize {
    found.finding().map_or(0, |finding| finding.trace.steps.len())
}

#[test]
fn the_thesis_s_counterexamples_have_nine_steps() {
    for build in [aodv_1 as Build, aodv_2, aodv_3] {
        let (found, broken) = check(build, &[], None);
        assert_eq!(broken, ["routes get fresher or shorter from hop to hop"]);
        assert_eq!(steps(&found), 9);
    }
}

/// Each error can also make a route lead in a circle, in as few steps.
#[test]
fn each_error_makes_circles() {
    for build in [aodv_1 as Build, aodv_2, aodv_3] {
        let (found, broken) = check(build, &[("property", "loop")], None);
        assert_eq!(broken, ["no route leads in a circle"]);
        assert_eq!(steps(&found), 9);
    }
}

#[test]
fn whoever_waits_after_a_reboot_is_safe_to_the_bound() {
    let (found, broken) = check(aodv_repaired, &[], None);
    assert!(broken.is_empty());
    assert_eq!(found.ended, Ended::Depth);
    // It is the wait that does it, not what is taken to be long enough.
    let (found, _) = check(aodv_1, &[("timers", "patient")], None);
    assert_eq!(steps(&found), 9);
    // A wait that is too short does not help.
    let (found, _) = check(aodv_repaired, &[("timers", "any")], None);
    assert_eq!(found.ended, Ended::Violation);
}

#[test]
fn ns3_loops_on_four_nodes_when_a_link_fails_and_the_standard_does_not() {
    let (found, broken) = check(aodv_ns3, &[], None);
    assert_eq!(broken, ["no route leads in a circle"]);
    assert_eq!(steps(&found), 12);
    let (found, broken) = check(aodv_ns3, &[("rules", "rfc3561")], None);
    assert!(broken.is_empty());
    assert_eq!(found.ended, Ended::Depth);
    // It takes the number that is not raised.
    let (found, _) = check(aodv_ns3, &[("increment-on-invalidation", "true")], None);
    assert_eq!(found.ended, Ended::Depth);
}

/// A number that is forgotten when a neighbour is heard of again: how one may read the standard.
#[test]
fn the_standard_loops_to_the_letter_but_not_if_numbers_are_kept() {
    let (found, broken) = check(aodv_rfc3561, &[], None);
    assert_eq!(broken, ["no route leads in a circle"]);
    assert_eq!(steps(&found), 12);
    let (found, broken) = check(aodv_rfc3561, &[("neighbour-routes", "keep-number")], None);
    assert!(broken.is_empty());
    assert_eq!(found.ended, Ended::Depth);
}

#[test]
fn every_topology_can_be_explored() {
    let shapes = ["chain", "ring", "star", "mesh", "grid:2", "0-1,1-2,2-3,1-3"];
    for rules in ["rfc3561", "jsim", "ns3"] {
        for topology in shapes {
            let given = [
                ("rules", rules),
                ("topology", topology),
                ("nodes", "4"),
                ("destinations", "2"),
                ("packets", "1"),
            ];
            let (found, broken) = check(aodv, &given, Some(4));
            assert!(broken.is_empty(), "{given:?}: {broken:?}");
            assert_eq!(found.ended, Ended::Depth, "{given:?}");
        }
    }
}
