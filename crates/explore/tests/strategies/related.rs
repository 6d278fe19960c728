//! Searches in which one state stands for others.

use std::collections::BTreeSet;

use everypath_explore::{Add, Ended, Options, Refusal, Stop, Strategy, explore};
use proptest::prelude::*;

use super::{
    exact::{Context, assert_adds_up, bases, strategies},
    graph::{Graph, GraphSpace, INCLUSION, Node, related_graphs},
    truth::Truth,
};

/// Every strategy that goes with a relation.
fn combinations(graph: &Graph, base: &Options) -> Vec<Options> {
    let mut all = Vec::new();
    for strategy in strategies() {
        for add in [Add::Next, Add::Current] {
            let relation = Some(INCLUSION);
            let options = base.clone().strategy(strategy.clone()).add(add).relation(relation);
            if options.validate(&GraphSpace::new(graph)).is_ok() {
                all.push(options);
            }
        }
    }
    all
}

fn keys(graph: &Graph, states: impl IntoIterator<Item = usize>) -> BTreeSet<u64> {
    states.into_iter().map(|state| graph.nodes[state].key).collect()
}

fn check(graph: &Graph, options: &Options) {
    let _context = Context(options);
    let truth = Truth::of(graph, options.max_depth);
    let mut space = GraphSpace::new(graph);
    let found = explore(&mut space, options, &mut ()).unwrap();
    assert_adds_up(&found, options);
    assert!(found.states_visited <= truth.safe.len() as u64);
    for finding in &found.findings {
        graph.assert_is_violation(&finding.trace, finding.assertion);
        let length = finding.trace.steps.len() as u32;
        assert!(length <= options.max_depth.unwrap_or(u32::MAX));
        if options.strategy.finds_shortest() {
            let shortest = match options.stop {
                Stop::First => truth.known_after.iter().flatten().min().copied(),
                Stop::Each | Stop::Never => truth.known_after[finding.assertion],
            };
            assert_eq!(Some(length), shortest);
        }
    }
    let assertions: BTreeSet<usize> =
        found.findings.iter().map(|finding| finding.assertion).collect();
    match options.stop {
        Stop::First => assert_eq!(assertions.is_empty(), truth.violated_assertions().is_empty()),
        Stop::Each | Stop::Never => assert_eq!(assertions, truth.violated_assertions()),
    }
    if found.ended != Ended::Violation {
        assert!(found.ended.is_complete());
        // What stands for others may come to an end within the bound where they go on, and, where
        // runs are not followed by length or states are stored late, what has been met at the bound
        // may be stood for later.
        let in_order = options.strategy == Strategy::BreadthFirst && options.add == Add::Next;
        if in_order && truth.ended == Ended::Exhausted {
            assert_eq!(found.ended, Ended::Exhausted);
        }
        let visited = space.judged.iter().copied().filter(|&state| !graph.breaks(state));
        assert_eq!(keys(graph, visited), keys(graph, truth.safe.keys().copied()));
        // Whatever there is, something stands for it: no deeper than it, and expanded if it is.
        let stands_for = |state: usize, other: usize| {
            let (state, other) = (&graph.nodes[state], &graph.nodes[other]);
            state.key == other.key && state.set & !other.set == 0
        };
        for &state in &truth.expanded {
            assert!(space.expanded.iter().any(|&other| stands_for(state, other)), "{state}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_relation_hides_nothing(graph in related_graphs(), base in bases()) {
        for options in combinations(&graph, &base) {
            check(&graph, &options);
        }
    }

    /// Unless a violation ended the search before.
    #[test]
    fn a_relation_that_turns_out_to_be_unsound_ends_the_search(
        graph in related_graphs(), base in bases(), after in 1..20_usize,
    ) {
        for options in combinations(&graph, &base) {
            let _context = Context(&options);
            let mut space = GraphSpace::new(&graph);
            space.unsound_after = Some(after);
            let found = explore(&mut space, &options, &mut ());
            let unsound = space.judged.len() > after;
            match found {
                Ok(found) if found.ended == Ended::Violation => {}
                // What was found before is true all the same.
                Ok(found) if found.ended == Ended::Refused => {
                    prop_assert!(unsound && !found.findings.is_empty() && !found.is_complete());
                }
                Ok(_) => prop_assert!(!unsound),
                Err(refusal) => {
                    prop_assert!(unsound);
                    prop_assert_eq!(refusal, Refusal::Relation {
                        relation: "inclusion".to_owned(),
                        reason: "an assertion reads it".to_owned(),
                    });
                }
            }
        }
    }
}

#[test]
fn a_state_that_stands_for_all_is_the_only_one() {
    // From the full set everything is reached that is reached from a smaller one.
    let mut graph = Graph::chain(5);
    graph.nodes.iter_mut().for_each(|node| node.set = 1);
    graph.nodes[0].set = 3;
    graph.nodes.iter_mut().for_each(|node| node.verdict = 0);
    let options = Options::default().relation(INCLUSION);
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst, Strategy::DepthFirstRecursive] {
        let mut space = GraphSpace::new(&graph);
        let options = options.clone().strategy(strategy);
        let found = explore(&mut space, &options, &mut ()).unwrap();
        assert_eq!((found.states_visited, found.counts.non_tree_events), (1, 1));
    }
}

#[test]
fn a_state_that_another_stood_for_is_stored_once() {
    // Three ways, of 3, 2 and 1 events, to: a state, one that stands for it, and itself.
    let edges: [&[(u64, usize)]; 6] =
        [&[(0, 1), (1, 3), (2, 5)], &[(0, 2)], &[(0, 5)], &[(0, 4)], &[], &[]];
    let node = |(at, edges): (usize, &[(u64, usize)])| {
        let (key, set) = match at {
            4 => (9, 3),
            5 => (9, 1),
            _ => (at as u64, 0),
        };
        Node { edges: edges.to_vec(), key, set, ..Node::default() }
    };
    let graph = Graph { initial: vec![0], nodes: (0..).zip(edges).map(node).collect() };
    let strategy = Strategy::DepthFirstRecursive;
    let relation = Some(INCLUSION);
    let options = Options::default().strategy(strategy).relation(relation).max_depth(9);
    let found = explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap();
    assert_eq!(found.states_visited, 6);
}
