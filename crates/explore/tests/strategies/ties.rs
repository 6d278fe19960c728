//! Which of equally good states comes first, against a list that is searched for the best.

use everypath_explore::{Options, RankBy, RankingPart, Semantics, Stop, Strategy, Ties, explore};
use proptest::prelude::*;

use super::graph::{Graph, GraphSpace, graphs};

fn meet(state: usize, found: &mut Vec<usize>, waiting: &mut Vec<usize>) {
    if !found.contains(&state) {
        found.push(state);
        waiting.push(state);
    }
}

/// A best-first search over a plain list of waiting states, in the order in which they were found.
/// `place` says which of the places of the best is next.
fn expanded(graph: &Graph, mut place: impl FnMut(&[usize]) -> usize) -> Vec<usize> {
    let (mut found, mut waiting, mut expanded) = (Vec::new(), Vec::new(), Vec::new());
    graph.initial.iter().for_each(|&state| meet(state, &mut found, &mut waiting));
    while let Some(best) = waiting.iter().map(|&state| graph.nodes[state].ranks[0]).max() {
        let places = (0..waiting.len()).filter(|&at| graph.nodes[waiting[at]].ranks[0] == best);
        let state = waiting.remove(place(&places.collect::<Vec<_>>()));
        expanded.push(state);
        graph.edges(state).iter().for_each(|&(_, to)| meet(to, &mut found, &mut waiting));
    }
    expanded
}

/// Removes all findings, since a run to a finding is made by expanding its states once more.
fn make_harmless(graph: &mut Graph) {
    for node in &mut graph.nodes {
        (node.verdict, node.verdict_at_end, node.goals) = (0, 0, 0);
    }
}

fn best_first(graph: &Graph, options: &Options) -> Vec<usize> {
    let best = Strategy::BestFirst(RankBy(vec![RankingPart::Named(0)]));
    let mut space = GraphSpace::new(graph);
    explore(&mut space, &options.clone().strategy(best).stop(Stop::Never), &mut ()).unwrap();
    // A pruned state is expanded to nothing.
    space.expanded
}

fn with_ties(graph: &Graph, ties: Ties, seed: u64) -> Vec<usize> {
    best_first(graph, &Options::default().ties(ties).seed(seed))
}

fn first(places: &[usize]) -> usize {
    places[0]
}

fn last(places: &[usize]) -> usize {
    places[places.len() - 1]
}

proptest! {
    #[test]
    fn the_oldest_or_the_newest_of_the_best_is_next(mut graph in graphs()) {
        make_harmless(&mut graph);
        prop_assert_eq!(with_ties(&graph, Ties::Oldest, 1), expanded(&graph, first));
        prop_assert_eq!(with_ties(&graph, Ties::Newest, 1), expanded(&graph, last));
        // What happens if nothing is said.
        let plain = Options::default();
        prop_assert_eq!(best_first(&graph, &plain), expanded(&graph, first));
    }

    #[test]
    fn drawn_ties_are_among_the_best(mut graph in graphs(), seed: u64) {
        make_harmless(&mut graph);
        let drawn = with_ties(&graph, Ties::Shuffled, seed);
        prop_assert_eq!(&drawn, &with_ties(&graph, Ties::Shuffled, seed));
        let (mut found, mut waiting) = (Vec::new(), Vec::new());
        graph.initial.iter().for_each(|&state| meet(state, &mut found, &mut waiting));
        for state in drawn {
            let best = waiting.iter().map(|&it| graph.nodes[it].ranks[0]).max();
            prop_assert_eq!(best, Some(graph.nodes[state].ranks[0]));
            prop_assert!(waiting.contains(&state));
            waiting.retain(|&it| it != state);
            graph.edges(state).iter().for_each(|&(_, to)| meet(to, &mut found, &mut waiting));
        }
        prop_assert!(waiting.is_empty());
    }
}

#[test]
fn a_seed_decides_drawn_ties() {
    let mut graph = Graph::scattered(200, 4, 1);
    make_harmless(&mut graph);
    let orders: Vec<_> = (0..4).map(|seed| with_ties(&graph, Ties::Shuffled, seed)).collect();
    assert!(orders.iter().all(|order| order.len() == orders[0].len()));
    assert!((1..4).all(|seed| orders[seed] != orders[0]));
}

#[test]
fn the_published_procedure_takes_the_newest() {
    let published = Options::default().semantics(Semantics::Published);
    let best = Strategy::BestFirst(RankBy::default());
    let options = |options: Options| options.strategy(best.clone());
    assert_eq!(options(published.clone()).ties_used(), Some(Ties::Newest));
    assert_eq!(options(published.clone().ties(Ties::Oldest)).ties_used(), Some(Ties::Oldest));
    assert_eq!(options(Options::default()).ties_used(), Some(Ties::Oldest));
    assert_eq!(published.ties_used(), None);
}
