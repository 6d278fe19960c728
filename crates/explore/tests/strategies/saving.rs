//! Searches that are put aside and gone on with.

use std::ops::ControlFlow;

use everypath_explore::{
    Add, Ended, Exploration, Limits, Options, Progress, ResumeError, Semantics, Stop, StoreKind,
    Strategy, Watch, WriteSearch, explore, resume,
};

use super::{
    exact::{Context, combinations, result},
    graph::{Graph, GraphSpace, INCLUSION, mix},
};

/// Saves a search every few times that it tells its progress, and when it is stopped.
#[derive(Default)]
struct Saver {
    calls: u64,
    /// Every how many calls to save.
    every: Option<u64>,
    /// After how many calls to stop.
    stop_after: Option<u64>,
    saves: Vec<Vec<u8>>,
}

impl Watch for Saver {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        self.calls += 1;
        let stops = self.stop_after.is_some_and(|most| self.calls > most);
        if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn wants_save(&mut self, at_end: bool) -> bool {
        at_end || self.every.is_some_and(|every| self.calls.is_multiple_of(every))
    }

    fn save(&mut self, search: &WriteSearch<'_>) {
        let mut bytes = Vec::new();
        search(&mut bytes).unwrap();
        self.saves.push(bytes);
    }
}

fn go_on(
    graph: &Graph,
    options: &Options,
    watch: &mut dyn Watch,
    saved: &[u8],
) -> Result<Exploration, ResumeError> {
    resume(&mut GraphSpace::new(graph), options, watch, &mut &saved[..])
}

/// All that can be saved, in one graph.
fn saved_options(graph: &Graph) -> Vec<Options> {
    let exact = Options::default().stop(Stop::Never).seed(7);
    let published = exact.clone().semantics(Semantics::Published);
    let bases = [
        exact.clone(),
        exact.clone().max_depth(12),
        exact.clone().shuffle(5).stop(Stop::Each),
        exact.relation(INCLUSION).max_depth(9).shuffle(1),
        published.max_depth(11),
    ];
    let mut all: Vec<Options> = bases.iter().flat_map(|base| combinations(graph, base)).collect();
    all.retain(|options| options.strategy != Strategy::IterativeDeepening);
    all
}

/// States whose keys are all different but for a few, so that a relation has something to do.
fn large_graph(states: u64, seed: u64) -> Graph {
    let mut graph = Graph::scattered(states, 5, seed);
    for (at, node) in graph.nodes.iter_mut().enumerate() {
        let number = mix(at as u64);
        (node.key, node.set) = (number % (states / 2), number >> 32 & 7);
    }
    graph
}

#[test]
fn a_search_that_is_gone_on_with_ends_as_if_it_had_never_stopped() {
    let graph = large_graph(3000, 3);
    let mut resumed = 0;
    for options in saved_options(&graph) {
        let _context = Context(&options);
        let mut saver = Saver { every: Some(2), ..Saver::default() };
        let whole = explore(&mut GraphSpace::new(&graph), &options, &mut saver).unwrap();
        // Some of the moments at which it was saved.
        let moments = saver.saves.len();
        for moment in [moments / 3, moments.saturating_sub(1)] {
            if let Some(saved) = saver.saves.get(moment) {
                let found = go_on(&graph, &options, &mut (), saved).unwrap();
                assert_eq!(result(&found), result(&whole), "from moment {moment} of {moments}");
                resumed += 1;
            }
        }
    }
    assert!(resumed > 200, "{resumed}");
}

/// The end of a run is noticed after the events of its batch, so batches must stay what they are.
#[test]
fn the_first_violation_stays_the_first() {
    for seed in 0..30 {
        let mut graph = Graph::scattered(3000, 4, seed);
        for (at, node) in graph.nodes.iter_mut().enumerate() {
            let number = mix(at as u64 ^ seed << 32);
            node.verdict = u64::from(number.is_multiple_of(500));
            node.verdict_at_end = if number.is_multiple_of(61) { 2 } else { 0 };
        }
        for stop in [Stop::First, Stop::Never] {
            let options = Options::default().stop(stop);
            let mut saver = Saver { every: Some(1), ..Saver::default() };
            let whole = explore(&mut GraphSpace::new(&graph), &options, &mut saver).unwrap();
            for saved in &saver.saves {
                let found = go_on(&graph, &options, &mut (), saved).unwrap();
                assert_eq!(result(&found), result(&whole), "seed {seed}");
            }
        }
    }
}

#[test]
fn a_search_can_be_stopped_again_and_again() {
    let graph = large_graph(3000, 4);
    let mut all = saved_options(&graph);
    all.retain(|options| options.store == StoreKind::Exact);
    for options in all {
        let _context = Context(&options);
        let whole = explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap();
        let limits = Limits::default().states(500);
        let limited = options.clone().limits(limits);
        let mut saver = Saver::default();
        let mut found = explore(&mut GraphSpace::new(&graph), &limited, &mut saver).unwrap();
        let mut stops = 0;
        while !found.ended.is_complete() && found.ended != Ended::Violation {
            stops += 1;
            let saved = saver.saves.pop().unwrap();
            saver = Saver { stop_after: Some(stops), ..Saver::default() };
            found = go_on(&graph, &options, &mut saver, &saved).unwrap();
        }
        assert_eq!(result(&found), result(&whole), "after {stops} stops");
    }
}

/// Nothing if it comes to its end before.
fn saved_in_the_middle(graph: &Graph, options: &Options) -> Option<Vec<u8>> {
    let mut saver = Saver { stop_after: Some(1), ..Saver::default() };
    explore(&mut GraphSpace::new(graph), options, &mut saver).unwrap();
    saver.saves.pop()
}

fn fuzzed_options(graph: &Graph) -> Vec<Options> {
    let mut all = saved_options(graph);
    all.retain(|options| options.store == StoreKind::Exact && options.add == Add::Next);
    all.retain(|options| saved_in_the_middle(graph, options).is_some());
    assert!(all.len() > 30);
    all
}

#[test]
fn a_search_that_was_cut_off_is_not_gone_on_with() {
    let graph = large_graph(3000, 5);
    for options in fuzzed_options(&graph) {
        let saved = saved_in_the_middle(&graph, &options).unwrap();
        for percent in (0..100).step_by(7) {
            let cut = &saved[..saved.len() * percent / 100];
            assert!(go_on(&graph, &options, &mut (), cut).is_err());
        }
    }
}

#[test]
fn a_search_that_was_damaged_is_not_gone_on_with() {
    let graph = large_graph(3000, 6);
    for options in fuzzed_options(&graph) {
        let saved = saved_in_the_middle(&graph, &options).unwrap();
        for change in 0..30 {
            let number = mix(change);
            let mut damaged = saved.clone();
            // The beginning has the most to say.
            let range = if change % 2 == 0 { damaged.len() } else { damaged.len().min(64) };
            let place = (number >> 8) as usize % range;
            damaged[place] ^= 1 << (number % 8);
            let outcome = go_on(&graph, &options, &mut (), &damaged);
            assert!(outcome.is_err(), "bit {} of byte {place}: {options:?}", number % 8);
        }
    }
}

/// Every two searches that do not do the same.
#[test]
fn a_search_is_not_gone_on_with_as_another() {
    let graph = large_graph(3000, 7);
    let mut all = saved_options(&graph);
    all.retain(|options| options.store == StoreKind::Exact);
    let walks = Strategy::RandomWalk { walks: 3 };
    let bounded = Options::default().max_depth(12);
    let never = [bounded.clone().strategy(Strategy::IterativeDeepening), bounded.strategy(walks)];
    for (at, options) in all.iter().enumerate() {
        let Some(saved) = saved_in_the_middle(&graph, options) else {
            continue;
        };
        let others = all.iter().enumerate().filter(|(other, _)| *other != at);
        for other in others.map(|(_, other)| other).chain(&never) {
            let outcome = go_on(&graph, other, &mut (), &saved);
            assert!(outcome.is_err(), "{options:?} as {other:?}");
        }
    }
}
