//! Runs that are made shorter stay runs.

use std::cell::Cell;

use everypath_explore::{EventPattern, Options, Semantics, Stop, Strategy, Trace, explore, shrink};
use proptest::prelude::*;

use super::graph::{Graph, GraphSpace, KINDS, graphs};

fn first_run(graph: &Graph, options: &Options) -> Option<(usize, Trace)> {
    let found = explore(&mut GraphSpace::new(graph), options, &mut ()).unwrap();
    found.finding().map(|finding| (finding.assertion, finding.trace.clone()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn a_shrunk_run_is_a_run_to_the_same_violation(graph in graphs(), seed in any::<u64>()) {
        let strategy = Strategy::DepthFirst;
        let options =
            Options::default().strategy(strategy).shuffle(seed).stop(Stop::Never);
        let found = explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap();
        for finding in &found.findings {
            let (run, assertion) = (&finding.trace, finding.assertion);
            let shrunk = shrink(&mut GraphSpace::new(&graph), run, assertion, None, &|| false);
            graph.assert_is_violation(&shrunk, assertion);
            prop_assert!(shrunk.steps.len() <= run.steps.len());
        }
    }

    #[test]
    fn a_shrunk_run_keeps_the_event_that_is_required(graph in graphs(), kind in 0..KINDS) {
        let pattern: EventPattern = format!("kind{kind}").parse().unwrap();
        let options = Options::default().strategy(Strategy::DepthFirst).required_on_path(pattern.clone()).semantics(Semantics::Published);
        if let Some((assertion, run)) = first_run(&graph, &options) {
            let shrunk = shrink(&mut GraphSpace::new(&graph), &run, assertion, Some(&pattern), &|| false);
            graph.assert_is_violation(&shrunk, assertion);
            prop_assert!(shrunk.steps.len() <= run.steps.len());
            prop_assert!(shrunk.steps.iter().any(|step| step.event.0 % KINDS == kind));
        }
    }
}

#[test]
fn a_long_way_through_a_grid_becomes_a_shortest_one() {
    for (width, height) in [(5, 5), (9, 4), (12, 12), (30, 30)] {
        let graph = Graph::grid(width, height);
        for seed in 0..5 {
            let strategy = Strategy::DepthFirstRecursive;
            let options = Options::default().strategy(strategy).shuffle(seed);
            let (assertion, run) = first_run(&graph, &options).unwrap();
            let shrunk = shrink(&mut GraphSpace::new(&graph), &run, assertion, None, &|| false);
            graph.assert_is_violation(&shrunk, assertion);
            let shortest = width + height - 2;
            let length = shrunk.steps.len();
            assert!(
                length <= shortest + shortest / 4,
                "{width} by {height}, seed {seed}: {length} instead of {shortest} steps"
            );
        }
    }
}

/// Whenever it has been enough, there is a run.
#[test]
fn shrinking_can_be_interrupted_anywhere() {
    let graph = Graph::grid(9, 9);
    let strategy = Strategy::DepthFirstRecursive;
    let options = Options::default().strategy(strategy).shuffle(3);
    let (assertion, run) = first_run(&graph, &options).unwrap();
    let mut lengths = Vec::new();
    for attempts in [0, 1, 2, 10, 30, 100, 100_000] {
        let asked = Cell::new(0);
        let enough = || asked.replace(asked.get() + 1) >= attempts;
        let shrunk = shrink(&mut GraphSpace::new(&graph), &run, assertion, None, &enough);
        graph.assert_is_violation(&shrunk, assertion);
        lengths.push(shrunk.steps.len());
    }
    assert_eq!(lengths[0], run.steps.len());
    assert!(lengths.is_sorted_by(|one, next| one >= next), "{lengths:?}");
    assert!(lengths[6] < lengths[0], "{lengths:?}");
}
