//! The published procedures, transcribed line by line over plain lists, and compared event by event.

use everypath_explore::{
    Add, Ended, EventPattern, Options, RankBy, RankingPart, Semantics, Strategy, explore,
};
use proptest::{prelude::*, strategy::Strategy as _};

use super::{
    exact::Context,
    graph::{Graph, GraphSpace, INCLUSION, KINDS, graphs, index, related_graphs},
};

/// A state with the events and states by which it was reached.
#[derive(Clone)]
struct Reached {
    state: usize,
    initial: usize,
    path: Vec<(u64, usize)>,
}

impl Reached {
    fn depth(&self) -> usize {
        self.path.len()
    }

    fn after(&self, edge: (u64, usize)) -> Self {
        let mut path = self.path.clone();
        path.push(edge);
        Self { state: edge.1, initial: self.initial, path }
    }
}

/// What the published procedures keep and count.
struct Procedure<'a> {
    graph: &'a Graph,
    options: &'a Options,
    /// The kind of event that a counterexample must contain.
    required: Option<u64>,
    already_visited: Vec<(usize, usize)>,
    to_be_explored: Vec<Reached>,
    calls: usize,
    expanded: Vec<usize>,
    events: u64,
    unsafe_events: u64,
    deepest_events: u64,
    counterexample: Option<Reached>,
}

impl<'a> Procedure<'a> {
    fn run(graph: &'a Graph, options: &'a Options, required: Option<u64>) -> Self {
        let mut procedure = Self {
            graph,
            options,
            required,
            already_visited: Vec::new(),
            to_be_explored: Vec::new(),
            calls: 0,
            expanded: Vec::new(),
            events: 0,
            unsafe_events: 0,
            deepest_events: 0,
            counterexample: None,
        };
        let _ = procedure.explore();
        procedure
    }

    fn is_visited(&self, state: usize, depth: usize) -> bool {
        self.already_visited.iter().any(|&(stored, stored_depth)| {
            let (new, old) = (&self.graph.nodes[state], &self.graph.nodes[stored]);
            let simulated = match self.options.relation {
                Some(_) => new.key == old.key && new.set & !old.set == 0,
                None => state == stored,
            };
            simulated && stored_depth <= depth
        })
    }

    /// Nothing, once there is a counterexample.
    fn explore(&mut self) -> Option<()> {
        for &initial in &self.graph.initial {
            let start = Reached { state: initial, initial, path: Vec::new() };
            if self.graph.nodes[initial].verdict != 0 {
                self.violated(&start)?;
            } else if self.options.add == Add::Current {
                self.to_be_explored.push(start);
            } else if !self.is_visited(initial, 0) {
                self.already_visited.push((initial, 0));
                self.to_be_explored.push(start);
            }
        }
        if self.options.strategy == Strategy::DepthFirstRecursive {
            while !self.to_be_explored.is_empty() {
                let start = self.to_be_explored.remove(0);
                self.recursive(&start)?;
            }
            return Some(());
        }
        while let Some(place) = self.next_place() {
            let current = self.to_be_explored.remove(place);
            if self.options.add == Add::Current {
                if self.is_visited(current.state, current.depth()) {
                    continue;
                }
                self.already_visited.push((current.state, current.depth()));
            }
            self.expanded.push(current.state);
            for &edge in self.graph.edges(current.state) {
                let next = current.after(edge);
                if !self.is_to_be_looked_up(&next)? {
                    continue;
                }
                if self.options.add == Add::Current {
                    self.to_be_explored.push(next);
                } else if !self.is_visited(next.state, next.depth()) {
                    self.already_visited.push((next.state, next.depth()));
                    self.to_be_explored.push(next);
                }
            }
        }
        Some(())
    }

    fn recursive(&mut self, current: &Reached) -> Option<()> {
        self.calls += 1;
        self.expanded.push(current.state);
        for &edge in self.graph.edges(current.state) {
            let next = current.after(edge);
            if self.is_to_be_looked_up(&next)? && !self.is_visited(next.state, next.depth()) {
                self.already_visited.push((next.state, next.depth()));
                self.recursive(&next)?;
            }
        }
        self.calls -= 1;
        Some(())
    }

    /// The event is executed and the assertion checked.
    fn is_to_be_looked_up(&mut self, next: &Reached) -> Option<bool> {
        self.events += 1;
        if self.graph.nodes[next.state].verdict != 0 {
            self.unsafe_events += 1;
            self.violated(next)?;
            return Some(false);
        }
        let deepest = self.options.max_depth.is_some_and(|most| next.depth() >= most as usize);
        self.deepest_events += u64::from(deepest);
        Some(!deepest)
    }

    fn violated(&mut self, next: &Reached) -> Option<()> {
        let mut kinds = next.path.iter().map(|(label, _)| label % KINDS);
        if self.required.is_none_or(|required| kinds.any(|kind| kind == required)) {
            self.counterexample = Some(next.clone());
            return None;
        }
        Some(())
    }

    /// Which of the states to be explored is the next.
    fn next_place(&self) -> Option<usize> {
        let places = 0..self.to_be_explored.len();
        match self.options.strategy {
            Strategy::BreadthFirst => places.min(),
            Strategy::DepthFirst => places.max(),
            // Of equally good ones the newest.
            _ => places.max_by_key(|&place| {
                let [first, ..] = self.graph.nodes[self.to_be_explored[place].state].ranks;
                (first, place)
            }),
        }
    }
}

fn check(graph: &Graph, options: &Options, required: Option<u64>) {
    let required_on_path =
        required.map(|kind| format!("kind{kind}").parse::<EventPattern>().unwrap());
    let options = options.clone().required_on_path(required_on_path);
    let _context = Context(&options);
    let published = Procedure::run(graph, &options, required);
    let mut space = GraphSpace::new(graph);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let sequence = &published.expanded;
    assert_eq!(&space.expanded[..sequence.len()], sequence, "the rest is for the trace");
    assert_eq!(found.counts.events, published.events);
    assert_eq!(found.counts.unsafe_events, published.unsafe_events);
    assert_eq!(found.counts.deepest_events, published.deepest_events);
    assert_eq!(found.states_visited, published.already_visited.len() as u64);
    let waiting = published.to_be_explored.len() + published.calls;
    assert_eq!(found.states_waiting, waiting as u64);
    let Some(counterexample) = published.counterexample else {
        assert!(found.findings.is_empty());
        let ended = if published.deepest_events > 0 { Ended::Depth } else { Ended::Exhausted };
        assert_eq!(found.ended, ended);
        return;
    };
    assert_eq!(found.ended, Ended::Violation);
    let finding = found.finding().unwrap();
    graph.assert_is_violation(&finding.trace, finding.assertion);
    assert_eq!(index(finding.trace.initial), counterexample.initial);
    let states: Vec<usize> = finding.trace.steps.iter().map(|step| index(step.state)).collect();
    assert_eq!(states, counterexample.path.iter().map(|edge| edge.1).collect::<Vec<_>>());
    if let Some(required) = required {
        assert!(finding.trace.steps.iter().any(|step| step.event.0 % KINDS == required));
    }
}

fn check_all(
    mut graph: Graph,
    max_depth: Option<u32>,
    relation: Option<usize>,
    required: Option<u64>,
) {
    // What the published procedures do not know.
    for node in &mut graph.nodes {
        (node.verdict_at_end, node.goals, node.uncounted) = (0, 0, false);
    }
    let best = Strategy::BestFirst(RankBy(vec![RankingPart::Named(0)]));
    let depth_first = [Strategy::DepthFirst, Strategy::DepthFirstRecursive];
    for strategy in depth_first.into_iter().chain([Strategy::BreadthFirst, best]) {
        for add in [Add::Next, Add::Current] {
            let semantics = Semantics::Published;
            let strategy = strategy.clone();
            let options = Options::default()
                .strategy(strategy)
                .add(add)
                .max_depth(max_depth)
                .relation(relation)
                .semantics(semantics);
            if options.validate(&GraphSpace::new(&graph)).is_ok() {
                check(&graph, &options, required);
            }
        }
    }
}

fn bounds() -> impl proptest::strategy::Strategy<Value = Option<u32>> {
    prop::option::weighted(0.8, 1..8_u32)
}

fn required_kinds() -> impl proptest::strategy::Strategy<Value = Option<u64>> {
    prop::option::of(0..KINDS)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn searches_do_what_was_published(
        graph in graphs(), bound in bounds(), required in required_kinds(),
    ) {
        check_all(graph, bound, None, required);
    }

    #[test]
    fn searches_with_a_relation_do_what_was_published(
        graph in related_graphs(), bound in bounds(), required in required_kinds(),
    ) {
        check_all(graph, bound, Some(INCLUSION), required);
    }

    /// With safe states only, a procedure visits whatever lies within its bound.
    #[test]
    fn safe_graphs_are_searched_to_their_ends(
        graph in graphs().prop_map(|mut graph| {
            graph.nodes.iter_mut().for_each(|node| node.verdict = 0);
            graph
        }),
        bound in bounds(),
    ) {
        check_all(graph, bound, None, None);
    }
}
