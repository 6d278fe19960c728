//! What a search notes for a picture: the example of the thesis (section 3.3.5), by its procedures line by line.

use std::collections::VecDeque;

use everypath_explore::{
    Add, Fate, Options, RankBy, RankingPart, Semantics, Strategy, Ties, explore,
};

use super::graph::{Graph, GraphSpace, INCLUSION, Node, index};

/// As there, `MAXDEPTH` is 3, state 4 is simulated by state 2, and state 7 by state 5.
const MAX_DEPTH: u32 = 3;

fn example() -> Graph {
    let edges: [&[usize]; 10] =
        [&[1, 2], &[3, 4], &[5, 7], &[6, 0], &[8], &[9], &[], &[8], &[], &[]];
    let node = |(state, targets): (usize, &&[usize])| Node {
        edges: (0..).zip(targets.iter().copied()).collect(),
        key: match state {
            2 | 4 => 2,
            5 | 7 => 5,
            other => 10 + other as u64,
        },
        set: match state {
            2 | 5 => 3,
            _ => 1,
        },
        ranks: [state as i64 % 4, 0, 0],
        ..Node::default()
    };
    Graph { initial: vec![0], nodes: edges.iter().enumerate().map(node).collect() }
}

/// What is noted: which states were expanded, and from where each event led to where.
type Visit = (Vec<usize>, Vec<(usize, usize, Fate)>);

fn noted(graph: &Graph, strategy: &Strategy, add: Add) -> Visit {
    let options = Options::default()
        .strategy(strategy.clone())
        .add(add)
        .ties(matches!(strategy, Strategy::BestFirst(_)).then_some(Ties::Newest))
        .semantics(Semantics::Published)
        .relation(INCLUSION)
        .max_depth(MAX_DEPTH)
        .note_events(100);
    let noted = explore(&mut GraphSpace::new(graph), &options, &mut ()).unwrap().noted.unwrap();
    assert!(!noted.more);
    let events = noted.events.iter();
    (
        noted.expanded.iter().copied().map(index).collect(),
        events.map(|it| (index(it.from), index(it.step.target), it.fate)).collect(),
    )
}

/// Figures 3.2, 3.3 and 3.4 of the thesis.
struct Procedure<'a> {
    graph: &'a Graph,
    visited: Vec<(usize, u32)>,
    visit: Visit,
}

/// A state to be explored: its depth, and the number of the event that led to it.
type Waiting = (usize, u32, Option<usize>);

impl Procedure<'_> {
    fn is_simulated(&self, state: usize, depth: u32) -> bool {
        let nodes = &self.graph.nodes;
        self.visited.iter().any(|&(other, its)| {
            its <= depth
                && nodes[state].key == nodes[other].key
                && nodes[state].set & !nodes[other].set == 0
        })
    }

    fn remove(&self, strategy: &Strategy, waiting: &mut VecDeque<Waiting>) -> Option<Waiting> {
        match strategy {
            Strategy::BreadthFirst => waiting.pop_front(),
            Strategy::DepthFirst => waiting.pop_back(),
            _ => {
                let rank = |place: &usize| self.graph.nodes[waiting[*place].0].ranks[0];
                // Of equally good ones the last.
                let best = (0..waiting.len()).max_by_key(rank)?;
                waiting.remove(best)
            }
        }
    }

    fn iterative(mut self, strategy: &Strategy, add: Add) -> Visit {
        let mut waiting = VecDeque::from([(0, 0, None)]);
        if add == Add::Next {
            self.visited.push((0, 0));
        }
        while let Some((state, depth, event)) = self.remove(strategy, &mut waiting) {
            if add == Add::Current {
                if self.is_simulated(state, depth) {
                    self.visit.1[event.unwrap()].2 = Fate::Known;
                    continue;
                }
                self.visited.push((state, depth));
            }
            self.visit.0.push(state);
            for &(_, next) in &self.graph.nodes[state].edges {
                let fate = if depth + 1 == MAX_DEPTH {
                    Fate::Deepest
                } else if add == Add::Next && self.is_simulated(next, depth + 1) {
                    Fate::Known
                } else {
                    if add == Add::Next {
                        self.visited.push((next, depth + 1));
                    }
                    waiting.push_back((next, depth + 1, Some(self.visit.1.len())));
                    Fate::Kept
                };
                self.visit.1.push((state, next, fate));
            }
        }
        self.visit
    }

    fn recursive(&mut self, state: usize, depth: u32) {
        self.visited.push((state, depth));
        self.visit.0.push(state);
        for &(_, next) in &self.graph.nodes[state].edges {
            let fate = if depth + 1 == MAX_DEPTH {
                Fate::Deepest
            } else if self.is_simulated(next, depth + 1) {
                Fate::Known
            } else {
                Fate::Kept
            };
            self.visit.1.push((state, next, fate));
            if fate == Fate::Kept {
                self.recursive(next, depth + 1);
            }
        }
    }
}

#[test]
fn every_strategy_visits_the_example_as_its_procedure_does() {
    let graph = example();
    let best = Strategy::BestFirst(RankBy(vec![RankingPart::Named(0)]));
    let procedure =
        || Procedure { graph: &graph, visited: Vec::new(), visit: (Vec::new(), Vec::new()) };
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst, best] {
        for add in [Add::Next, Add::Current] {
            let expected = procedure().iterative(&strategy, add);
            assert_eq!(noted(&graph, &strategy, add), expected, "{strategy:?}, {add:?}");
        }
    }
    let mut recursive = procedure();
    recursive.recursive(0, 0);
    let visit = noted(&graph, &Strategy::DepthFirstRecursive, Add::Next);
    assert_eq!(visit, recursive.visit);
}

/// As in Figure 3.6, two orders of the same events make two trees.
#[test]
fn shuffled_events_make_other_trees() {
    use Fate::{Deepest, Kept, Known};
    let mut graph = example();
    let (order, events) = noted(&graph, &Strategy::BreadthFirst, Add::Next);
    assert_eq!(order, [0, 1, 2, 3, 5]);
    let tree = |from, to| (from, to, Kept);
    assert_eq!(events[..4], [tree(0, 1), tree(0, 2), tree(1, 3), (1, 4, Known)]);
    assert_eq!(
        events[4..],
        [tree(2, 5), (2, 7, Known), (3, 6, Deepest), (3, 0, Deepest), (5, 9, Deepest)]
    );
    let recursive = |graph: &Graph| noted(graph, &Strategy::DepthFirstRecursive, Add::Next).0;
    // State 4 is met before state 2, which simulates it, and after it.
    assert_eq!(recursive(&graph), [0, 1, 3, 4, 2, 5]);
    graph.nodes[0].edges.reverse();
    assert_eq!(recursive(&graph), [0, 2, 5, 1, 3]);
}

#[test]
fn no_more_is_noted_than_was_asked_for() {
    let graph = Graph::grid(20, 20);
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst] {
        let options = Options::default().strategy(strategy).note_events(50);
        let found = explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap();
        let noted = found.noted.unwrap();
        assert_eq!((noted.events.len(), noted.more), (50, true));
        let plain = options.note_events(None);
        let found = explore(&mut GraphSpace::new(&graph), &plain, &mut ()).unwrap();
        assert!(found.noted.is_none());
    }
}
