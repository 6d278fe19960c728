//! Exact searches: whatever the strategy, the same states, violations and goals are found.

use std::{collections::BTreeSet, time::Duration};

use everypath_explore::{
    Add, Ended, Exploration, Finding, Limit, Limits, Options, RankBy, RankingPart, Semantics, Stop,
    StoreKind, Strategy, Ties, explore,
};
use proptest::{prelude::*, strategy::Strategy as _};

use super::{
    graph::{GOALS, Graph, GraphSpace, graphs, index},
    truth::Truth,
};

pub fn rank_by(parts: &[RankingPart]) -> RankBy {
    RankBy(parts.to_vec())
}

/// Every strategy that visits everything.
pub fn strategies() -> Vec<Strategy> {
    use RankingPart::{Named, Novelty};
    vec![
        Strategy::BreadthFirst,
        Strategy::DepthFirst,
        Strategy::DepthFirstRecursive,
        Strategy::BestFirst(rank_by(&[Named(0)])),
        Strategy::BestFirst(rank_by(&[Named(1)])),
        Strategy::BestFirst(rank_by(&[Named(0), Named(1)])),
        Strategy::BestFirst(rank_by(&[Novelty])),
        Strategy::BestFirst(rank_by(&[Named(1), Novelty])),
        Strategy::BestFirst(rank_by(&[])),
        Strategy::BiasedRandom(rank_by(&[Named(0)])),
        Strategy::BiasedRandom(rank_by(&[Novelty])),
        Strategy::Beam { rank_by: rank_by(&[Named(1)]), width: usize::MAX },
        Strategy::IterativeDeepening,
    ]
}

const STORES: [StoreKind; 3] =
    [StoreKind::Exact, StoreKind::Fingerprint, StoreKind::Bitstate { bytes: 1 << 13, hashes: 3 }];

/// Everything that does not go together is left out.
pub fn combinations(graph: &Graph, base: &Options) -> Vec<Options> {
    let mut all = Vec::new();
    for strategy in strategies() {
        for add in [Add::Next, Add::Current] {
            for store in STORES {
                let other = match base.semantics {
                    Semantics::Exact => Ties::Newest,
                    Semantics::Published => Ties::Oldest,
                };
                for ties in [None, Some(other), Some(Ties::Shuffled)] {
                    let options = base.clone().strategy(strategy.clone()).add(add).store(store);
                    let options = options.ties(ties);
                    if options.validate(&GraphSpace::new(graph)).is_ok() {
                        all.push(options);
                    }
                }
            }
        }
    }
    all
}

/// What holds of every search, however it ended.
pub fn assert_adds_up(found: &Exploration, options: &Options) {
    let counts = &found.counts;
    assert_eq!(found.states_visited, found.states_per_depth().iter().sum::<u64>());
    assert_eq!(counts.events, counts.kinds.iter().map(|kind| kind.events).sum::<u64>());
    assert_eq!(counts.events, counts.depths.iter().map(|depth| depth.events).sum::<u64>());
    let safe = counts.tree_events + counts.non_tree_events + counts.deepest_events;
    // States that are looked up late are neither before.
    if options.add == Add::Next || found.ended.is_complete() {
        assert_eq!(counts.events, safe + counts.unsafe_events);
    }
    if found.ended.is_complete() && found.incomplete.is_none() {
        assert_eq!(found.states_waiting, 0);
    }
    assert!((0.0..=1.0).contains(&found.store.coverage), "{:?}", found.store);
    assert!((0.0..=1.0).contains(&found.store.missed_probability), "{:?}", found.store);
    assert_eq!(found.store.kind, options.store);
    if let StoreKind::Bitstate { bytes, .. } = options.store {
        assert_eq!(found.store.bytes as u64, bytes);
        assert!(found.incomplete.is_some());
    }
    if let Some(bound) = options.max_depth {
        assert!(found.depth <= bound);
    }
}

fn known_after(graph: &Graph, finding: &Finding) -> u32 {
    let at_end = graph.nodes[index(finding.trace.last())].verdict == 0;
    finding.trace.steps.len() as u32 + u32::from(at_end)
}

fn assert_findings(graph: &Graph, truth: &Truth, options: &Options, found: &Exploration) {
    let assertions: BTreeSet<usize> =
        found.findings.iter().map(|finding| finding.assertion).collect();
    assert_eq!(assertions.len(), found.findings.len(), "one finding for an assertion");
    assert!(assertions.is_subset(&truth.violated_assertions()));
    if options.stop != Stop::First {
        assert_eq!(assertions, truth.violated_assertions());
    }
    for finding in &found.findings {
        graph.assert_is_violation(&finding.trace, finding.assertion);
        let most = options.max_depth.unwrap_or(u32::MAX) as usize;
        assert!(finding.trace.steps.len() <= most);
        if options.strategy.finds_shortest() {
            let shortest = match options.stop {
                Stop::First => truth.known_after.iter().flatten().min().copied(),
                Stop::Each | Stop::Never => truth.known_after[finding.assertion],
            };
            assert_eq!(Some(known_after(graph, finding)), shortest);
        }
    }
}

fn assert_witnesses(graph: &Graph, truth: &Truth, options: &Options, found: &Exploration) {
    let mut reached = 0;
    for witness in &found.witnesses {
        graph.assert_is_run(&witness.trace);
        assert!(witness.trace.steps.len() <= options.max_depth.unwrap_or(u32::MAX) as usize);
        let last = index(witness.trace.last());
        assert!(!graph.breaks(last) && graph.nodes[last].goals >> witness.goal & 1 == 1);
        assert_eq!(reached >> witness.goal & 1, 0, "one witness for a goal");
        reached |= 1 << witness.goal;
    }
    assert_eq!(reached & !truth.goals, 0);
    if found.ended.is_complete() {
        assert_eq!(reached, truth.goals);
        assert!(found.witnesses.len() <= GOALS);
    }
}

fn assert_whole(truth: &Truth, options: &Options, found: &Exploration, space: &GraphSpace<'_>) {
    assert_eq!(found.ended, truth.ended);
    assert_eq!(found.states_visited, truth.safe.len() as u64);
    let expanded: BTreeSet<usize> = space.expanded.iter().copied().collect();
    assert_eq!(expanded, truth.expanded);
    let judged: BTreeSet<usize> = space.judged.iter().copied().collect();
    let met: BTreeSet<usize> =
        truth.safe.keys().chain(truth.unsafe_states.keys()).copied().collect();
    assert_eq!(judged, met);
    let by_levels = matches!(options.strategy, Strategy::BreadthFirst | Strategy::Beam { .. });
    let rounds = options.strategy == Strategy::IterativeDeepening;
    if by_levels || rounds || options.max_depth.is_some() {
        assert_eq!(found.states_per_depth(), truth.states_per_depth());
    }
    if by_levels || !rounds && options.max_depth.is_none() {
        assert_eq!(found.counts.events, truth.events);
        assert_eq!(found.counts.unsafe_events, truth.unsafe_events);
        // An initial state that is stored late may be reached from another before.
        if options.add == Add::Next || by_levels {
            assert_eq!(found.counts.tree_events, truth.tree_events());
        }
        assert_eq!((found.counts.ends, found.counts.pruned), (truth.ends, truth.pruned));
    }
    assert!(found.counts.events >= truth.events);
}

/// Says which options they were when a check fails.
pub struct Context<'a>(pub &'a Options);

impl Drop for Context<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("with {:?}", self.0);
        }
    }
}

/// Explores a graph and compares all that comes out with the truth.
fn check(graph: &Graph, options: &Options) {
    let _context = Context(options);
    let truth = Truth::of(graph, options.max_depth);
    let mut space = GraphSpace::new(graph);
    let found = explore(&mut space, options, &mut ()).unwrap();
    assert_adds_up(&found, options);
    assert_findings(graph, &truth, options, &found);
    assert_witnesses(graph, &truth, options, &found);
    let violated = truth.violated_assertions().len();
    let stops = match options.stop {
        Stop::First => violated > 0,
        Stop::Each => violated == super::graph::ASSERTIONS,
        Stop::Never => false,
    };
    if stops {
        assert_eq!(found.ended, Ended::Violation);
        assert!(found.states_visited <= truth.safe.len() as u64);
    } else {
        assert_whole(&truth, options, &found, &space);
    }
}

/// What of an exploration must be the same whenever the same is done.
pub fn result(found: &Exploration) -> String {
    let store = (found.store.kind, found.store.missed_probability, found.store.coverage);
    format!(
        "{:?}",
        (
            (found.ended, found.incomplete, found.states_visited, found.states_waiting),
            (&found.counts, found.depth, found.handler_executions),
            (&found.findings, &found.witnesses, store),
        )
    )
}

pub fn bases() -> impl proptest::strategy::Strategy<Value = Options> {
    let stops = prop::sample::select(vec![Stop::First, Stop::Each, Stop::Never]);
    let shuffle = prop::option::of(0..1000_u64);
    (prop::option::of(0..7_u32), stops, shuffle, 0..1000_u64).prop_map(
        |(max_depth, stop, shuffle, seed)| {
            Options::default().max_depth(max_depth).stop(stop).shuffle(shuffle).seed(seed)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_strategy_finds_what_there_is(graph in graphs(), base in bases()) {
        for options in combinations(&graph, &base) {
            check(&graph, &options);
        }
    }

    #[test]
    fn a_narrow_beam_finds_nothing_that_is_not_there(
        graph in graphs(), base in bases(), width in 1..4_usize,
    ) {
        let rank_by = rank_by(&[RankingPart::Named(0)]);
        let options = base.strategy(Strategy::Beam { rank_by, width });
        let truth = Truth::of(&graph, options.max_depth);
        let mut space = GraphSpace::new(&graph);
        let found = explore(&mut space, &options, &mut ()).unwrap();
        assert_adds_up(&found, &options);
        for finding in &found.findings {
            graph.assert_is_violation(&finding.trace, finding.assertion);
        }
        prop_assert!(found.states_visited <= truth.safe.len() as u64);
        if found.is_complete() && found.findings.is_empty() {
            prop_assert_eq!(found.states_visited, truth.safe.len() as u64);
            prop_assert!(truth.violated_assertions().is_empty());
        }
    }

    #[test]
    fn random_walks_find_only_what_there_is(
        graph in graphs(), base in bases(), walks in 0..20_u64, bound in 0..7_u32,
    ) {
        let strategy = Strategy::RandomWalk { walks };
        let options = base.strategy(strategy).max_depth(bound).shuffle(None);
        let truth = Truth::of(&graph, options.max_depth);
        let run = || explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap();
        let found = run();
        prop_assert_eq!(result(&found), result(&run()));
        prop_assert!(!found.is_complete());
        prop_assert!(found.counts.events <= walks * u64::from(bound));
        prop_assert!(found.depth <= bound);
        let by_kind = found.counts.kinds.iter().map(|kind| kind.events).sum::<u64>();
        prop_assert_eq!(found.counts.events, by_kind);
        for finding in &found.findings {
            graph.assert_is_violation(&finding.trace, finding.assertion);
            prop_assert!(truth.known_after[finding.assertion].is_some());
            prop_assert!(finding.trace.steps.len() <= bound as usize);
        }
        for witness in &found.witnesses {
            graph.assert_is_run(&witness.trace);
            prop_assert!(truth.goals >> witness.goal & 1 == 1);
        }
        prop_assert_eq!(found.ended == Ended::Violation, match options.stop {
            Stop::First => !found.findings.is_empty(),
            Stop::Each => found.findings.len() == super::graph::ASSERTIONS,
            Stop::Never => false,
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_same_options_give_the_same_result(graph in graphs(), base in bases()) {
        for options in combinations(&graph, &base) {
            let run = || result(&explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap());
            prop_assert_eq!(run(), run());
        }
    }
}

#[test]
fn a_long_chain_needs_no_stack() {
    let graph = Graph::chain(200_000);
    for strategy in [Strategy::DepthFirst, Strategy::DepthFirstRecursive, Strategy::BreadthFirst] {
        let options = Options::default().strategy(strategy);
        let found = explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap();
        assert_eq!((found.ended, found.states_visited), (Ended::Exhausted, 200_000));
        assert_eq!((found.depth, found.counts.ends), (199_999, 1));
    }
}

#[test]
fn many_walks_find_a_violation_that_is_likely() {
    let graph = Graph::grid(3, 3);
    let strategy = Strategy::RandomWalk { walks: 500 };
    let options = Options::default().strategy(strategy).max_depth(12);
    let found = explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap();
    assert_eq!(found.ended, Ended::Violation);
    graph.assert_is_violation(&found.finding().unwrap().trace, 0);
}

#[test]
fn where_nothing_starts_nothing_is_found() {
    let graph = Graph { initial: Vec::new(), ..Graph::chain(3) };
    for options in combinations(&graph, &Options::default()) {
        check(&graph, &options);
    }
    let strategy = Strategy::RandomWalk { walks: 3 };
    let options = Options::default().strategy(strategy).max_depth(3);
    let found = explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap();
    assert_eq!(found.counts.events, 0);
}

#[test]
fn walks_that_end_where_they_start_can_be_stopped() {
    let mut graph = Graph::chain(2);
    graph.nodes[0].verdict = 1;
    let strategy = Strategy::RandomWalk { walks: u64::MAX };
    let limits = Limits::default().time(Duration::from_millis(5));
    let max_depth = Some(3);
    let options =
        Options::default().strategy(strategy).limits(limits).max_depth(max_depth).stop(Stop::Never);
    let found = explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap();
    assert_eq!(found.ended, Ended::Limit(Limit::Time));
}
