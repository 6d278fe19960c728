//! AODV explored in our own semantics: what goes wrong, and what does not.

use crate::explored;

use everypath_explore::{Ended, Exploration, Options};
use everypath_model::{Event, Parameters, Scenario};
use everypath_protocols::aodv::{
    Aodv, aodv, aodv_1, aodv_2, aodv_3, aodv_feedback, aodv_ns3, aodv_repaired, aodv_rfc3561,
    aodv_silence,
};
use explored::{explored, scenario, steps};

type Build = fn(&mut Parameters) -> Scenario<Aodv>;

/// Explores to a bound, or to the scenario's own; also gives the names of the broken assertions.
fn check(build: Build, given: &[(&str, &str)], depth: Option<u32>) -> (Exploration, Vec<String>) {
    check_scenario(&scenario(build, given), depth)
}

fn check_scenario(scenario: &Scenario<Aodv>, depth: Option<u32>) -> (Exploration, Vec<String>) {
    let max_depth = depth.or(scenario.max_depth);
    explored(scenario, &Options::default().max_depth(max_depth))
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
fn waiting_after_a_reboot_is_safe_to_the_bound() {
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

/// Appendix B.1 of the thesis: a link layer that notices the reboot prevents its first counterexample.
#[test]
fn feedback_of_reboots_prevents_the_first_counterexample() {
    let (found, broken) = check(aodv_feedback, &[], None);
    assert!(broken.is_empty());
    assert_eq!(found.ended, Ended::Depth);
    let (found, broken) = check(aodv_feedback, &[("reboot-seen", "false")], None);
    assert_eq!(broken, ["routes get fresher or shorter from hop to hop"]);
    assert_eq!(steps(&found), 9);
    // It is the feedback, not what is assumed about packets in flight at a reboot.
    let scenario =
        aodv_1(&mut Parameters::new()).assume("sent before", |world, event| match event {
            Event::Reboot { node } => world.packets().all(|packet| packet.from != *node),
            _ => true,
        });
    let (found, _) = check_scenario(&scenario, aodv_feedback(&mut Parameters::new()).max_depth);
    assert_eq!(found.ended, Ended::Violation);
}

/// Appendix B.1, the second defect: a silent neighbour is deleted, and the routes over it stay.
#[test]
fn routes_over_a_silent_neighbour_become_a_loop() {
    let (found, broken) = check(aodv_silence, &[], None);
    assert_eq!(broken, ["no route leads in a circle"]);
    assert_eq!(steps(&found), 15);
    let (found, broken) = check(aodv_silence, &[("silence-breaks-link", "true")], Some(16));
    assert!(broken.is_empty());
    assert_eq!(found.ended, Ended::Depth);
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

/// Every optional clause at once, everything that can go wrong, and every timer at any moment: no
/// handler panics or is undecided, and next hops are neighbours.
#[test]
fn all_clauses_go_together() {
    for rules in ["rfc3561", "ns3", "jsim"] {
        let given = [
            ("rules", rules),
            ("topology", "ring"),
            ("timers", "any"),
            ("packets", "1"),
            ("link-failure", "1"),
            ("link-return", "1"),
            ("hello", "always"),
            ("local-repair", "true"),
            ("reboot-seen", "true"),
            ("blacklist", "acknowledged"),
            ("link-feedback", "true"),
            ("request-rate", "1"),
            ("error-rate", "1"),
            ("buffer-time", "30s"),
        ];
        let (found, broken) = check(aodv, &given, Some(5));
        assert!(broken.is_empty(), "{rules}: {broken:?}");
        assert_eq!(found.ended, Ended::Depth, "{rules}");
    }
}

/// J-Sim's router is not told what a broken link could not deliver, so it just gets lost.
#[test]
fn links_of_the_thesis_s_model_can_fail() {
    let failing = [("link-failure", "1"), ("link-return", "1")];
    let (found, broken) = check(aodv_1, &failing, Some(7));
    assert!(broken.is_empty());
    let (whole, _) = check(aodv_1, &[], Some(7));
    // After commands, deliveries, timers, losses and reboots come the three kinds that links have.
    let happened = |found: &Exploration| -> Vec<bool> {
        found.counts.kinds.iter().skip(5).map(|kind| kind.events > 0).collect()
    };
    assert_eq!((happened(&found), happened(&whole)), (vec![true; 3], vec![]));
    // What goes wrong without failures still does, as soon.
    let (found, _) = check(aodv_1, &failing, Some(9));
    assert_eq!(steps(&found), 9);
}

/// A packet of data that goes round in a circle, and no sooner than there is one.
#[test]
fn data_comes_to_a_node_twice_when_routes_lead_in_a_circle() {
    let given = [("property", "data"), ("packets", "1"), ("loss", "off"), ("reboot", "off")];
    let given = given.into_iter().chain([("requests", "1"), ("sources", "2")]).collect::<Vec<_>>();
    let (found, broken) = check(aodv_3, &given, Some(14));
    assert_eq!(broken, ["no packet of data comes to a node twice"]);
    // Nine to a circle, of which one is the command, and two hops.
    assert_eq!(steps(&found), 11);
}

/// If a reply jumped to the node that asked, it would take the sender for its next hop.
#[test]
fn next_hops_that_are_no_neighbours_are_found() {
    let scenario = aodv_1(&mut Parameters::new()).receivers(|_, packet| [packet.to]);
    let (_, broken) = check_scenario(&scenario, Some(9));
    assert_eq!(broken, ["next hops are or were neighbours"]);
}

#[test]
fn large_networks_can_be_explored_for_some_steps() {
    for (nodes, depth) in [("50", 2), ("500", 1)] {
        let (found, broken) = check(aodv, &[("nodes", nodes)], Some(depth));
        assert!(broken.is_empty());
        assert_eq!(found.ended, Ended::Depth);
    }
}
