//! Directed diffusion explored in our own semantics: what goes wrong, and what does not.

use crate::explored;

use everypath_explore::{Ended, Exploration, Options, Related, explore};
use everypath_model::{Parameters, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_protocols::diffusion::{
    Diffusion, diffusion, diffusion_1, diffusion_2, diffusion_crossing, diffusion_hardened,
};
use explored::{explored, scenario, steps};

type Build = fn(&mut Parameters) -> Scenario<Diffusion>;

const CIRCLE: &str = "no reinforced path leads in a circle";

/// Explores to a bound; also gives the names of the broken assertions.
fn check(build: Build, given: &[(&str, &str)], depth: u32) -> (Exploration, Vec<String>) {
    let max_depth = Some(depth);
    explored(&scenario(build, given), &Options::default().max_depth(max_depth))
}

/// Explores, with states that stand for others.
fn check_related(build: Build, given: &[(&str, &str)], max_depth: Option<u32>) -> Exploration {
    let scenario = scenario(build, given);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let relation = space.relations().iter().position(|name| name == "simulated");
    explore(&mut space, &Options::default().relation(relation).max_depth(max_depth), &mut ())
        .unwrap()
}

/// Faults that are not needed are left out: the shortest runs have none of them.
#[test]
fn the_thesis_s_counterexamples_are_the_shortest() {
    let (found, broken) =
        check(diffusion_1, &[("loss", "off"), ("reboot", "off"), ("interests", "1")], 15);
    assert_eq!((steps(&found), broken), (13, vec![CIRCLE.to_owned()]));
    let (found, broken) =
        check(diffusion_2, &[("loss", "off"), ("interests", "1"), ("expire", "false")], 20);
    assert_eq!((steps(&found), broken), (17, vec![CIRCLE.to_owned()]));
}

/// Where the rules of the paper lead in circles, the hardened ones do not, some steps further.
#[test]
fn labels_keep_paths_from_leading_in_circles() {
    let chain: &[(&str, &str)] = &[("loss", "off"), ("interests", "1"), ("expire", "false")];
    let cases: [(&[(&str, &str)], usize); 4] = [
        (chain, 12),
        (&[("topology", "ring"), ("loss", "off"), ("interests", "1")], 8),
        (&[("topology", "mesh"), ("nodes", "3"), ("loss", "off"), ("interests", "1")], 8),
        (&[("sinks", "2"), ("loss", "off"), ("interests", "1"), ("expire", "false")], 10),
    ];
    for (given, shortest) in cases {
        let bound = shortest as u32 + 1;
        let (found, broken) = check(diffusion, given, bound);
        assert_eq!((steps(&found), broken), (shortest, vec![CIRCLE.to_owned()]), "{given:?}");
        let (found, broken) = check(diffusion_hardened, given, bound);
        assert!(broken.is_empty(), "{given:?}");
        assert_eq!(found.ended, Ended::Depth, "{given:?}");
    }
}

/// Nothing goes wrong but that the second event takes another way than the first.
#[test]
fn events_that_cross_make_a_circle_without_any_fault_but_not_with_labels() {
    let found = check_related(diffusion_crossing, &[], None);
    assert_eq!((found.ended, steps(&found)), (Ended::Violation, 15));
    let found = check_related(diffusion_crossing, &[("rules", "hardened")], None);
    assert_eq!(found.ended, Ended::Exhausted);
    // One event alone makes none.
    let found = check_related(diffusion_crossing, &[("events", "0")], None);
    assert_eq!(found.ended, Ended::Exhausted);
}

/// On a ring, with one event, and either forgetting or reboots.
#[test]
fn labels_keep_rings_from_leading_in_circles() {
    for (fault, shortest) in [(("forget", "true"), 13), (("reboot", "unlimited"), 17)] {
        let given = [("topology", "ring"), ("events", "0"), fault];
        let found = check_related(diffusion_crossing, &given, Some(20));
        assert_eq!((found.ended, steps(&found)), (Ended::Violation, shortest), "{fault:?}");
        let given = [&given[..], &[("rules", "hardened")]].concat();
        let found = check_related(diffusion_crossing, &given, Some(shortest as u32 + 1));
        assert_eq!(found.ended, Ended::Depth, "{fault:?}");
    }
}

/// Whoever has forgotten from whom it heard reinforces nobody.
#[test]
fn forgetting_disrupts_paths() {
    let given = [
        ("property", "disruption"),
        ("loss", "off"),
        ("reboot", "off"),
        ("expire", "false"),
        ("interests", "1"),
    ];
    let (found, broken) = check(diffusion_1, &given, 16);
    assert_eq!(broken, ["every reinforced path begins at a source"]);
    assert_eq!(steps(&found), 9);
    // Nothing is disrupted while nothing is forgotten.
    let safe = [&given[..], &[("forget", "false")]].concat();
    let (found, broken) = check(diffusion_1, &safe, 40);
    assert!(broken.is_empty());
    assert_eq!(found.ended, Ended::Exhausted);
}

#[test]
fn every_topology_can_be_explored() {
    let shapes = ["chain", "ring", "star", "mesh", "grid:2", "0-1,1-2,2-3,1-3"];
    for rules in ["published", "jsim", "hardened"] {
        for topology in shapes {
            let given = [
                ("rules", rules),
                ("topology", topology),
                ("sinks", "2"),
                ("sources", "2"),
                ("tasks", "2"),
                ("events", "1"),
            ];
            let (found, broken) = check(diffusion, &given, 4);
            assert!(broken.is_empty(), "{given:?}: {broken:?}");
            assert_eq!(found.ended, Ended::Depth, "{given:?}");
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let cases: [(&[(&str, &str)], &str); 3] = [
        (&[("sinks", "3"), ("sources", "2")], "parameter `sinks`: there are only 4 nodes"),
        (&[("tasks", "2")], "parameter `tasks`: there are only 1 sinks to ask"),
        (
            &[("preference", "labelled"), ("identity", "rate")],
            "parameter `preference`: labels need numbers of events, which data with identity=rate lack; use identity=event",
        ),
    ];
    for (given, refusal) in cases {
        let mut parameters = Parameters::with(given.iter().copied());
        let _ = diffusion(&mut parameters);
        assert_eq!(parameters.finish().unwrap_err().to_string(), refusal);
    }
}
