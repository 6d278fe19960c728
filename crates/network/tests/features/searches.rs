//! Every strategy, store and number of workers against the oracle.

use everypath_explore::{
    Add, Described, Ended, Exploration, Options, RankBy, RankingPart, Stop, StoreKind, Strategy,
    explore,
};
use everypath_model::Scenario;
use proptest::prelude::*;

use crate::{
    brute_force::{Oracle, Truth, truth},
    table::{Case, Table, case, cases},
};

fn strategies() -> Vec<Strategy> {
    let by = |parts: &[RankingPart]| RankBy(parts.to_vec());
    let named = || RankingPart::Named(0);
    vec![
        Strategy::BreadthFirst,
        Strategy::DepthFirst,
        Strategy::DepthFirstRecursive,
        Strategy::BestFirst(by(&[named()])),
        Strategy::BestFirst(by(&[RankingPart::Novelty, named()])),
        Strategy::BiasedRandom(by(&[named(), RankingPart::Novelty])),
        Strategy::Beam { rank_by: by(&[named()]), width: usize::MAX },
        Strategy::IterativeDeepening,
    ]
}

fn combinations() -> Vec<Options> {
    let mut all = Vec::new();
    for strategy in strategies() {
        for add in [Add::Next, Add::Current] {
            for shuffle in [None, Some(7)] {
                for store in [
                    StoreKind::Exact,
                    StoreKind::Fingerprint,
                    StoreKind::Bitstate { bytes: 1 << 20, hashes: 3 },
                ] {
                    let strategy = strategy.clone();
                    all.push(
                        Options::default()
                            .strategy(strategy)
                            .add(add)
                            .shuffle(shuffle)
                            .store(store),
                    );
                }
            }
        }
    }
    all.extend((2..=4).map(|workers| Options::default().workers(workers)));
    all
}

fn compare(found: &Exploration, truth: &Truth, what: &str) {
    let counts = truth.counts(truth.levels.len());
    assert_eq!(found.states_per_depth(), counts, "{what}");
    assert_eq!(found.states_visited, counts.iter().sum::<u64>(), "{what}");
    let cut_off = !truth.levels[truth.depth()].is_empty();
    let ended = if cut_off { Ended::Depth } else { Ended::Exhausted };
    assert_eq!((found.ended, found.states_waiting), (ended, 0), "{what}");
    assert_eq!(found.findings.is_empty(), truth.shortest.is_none(), "{what}");
}

fn run(case: &Case, scenario: &Scenario<Table>, options: &Options) -> Option<Exploration> {
    let mut space = case.space(scenario);
    // Some do not go together, and say so.
    options.validate(&space).ok()?;
    Some(explore(&mut space, options, &mut ()).expect("the options go together"))
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn every_search_finds_what_there_is(case in case()) {
        let scenario = case.scenario();
        let oracle = Oracle::new(&case);
        let truth = truth(&oracle);
        let bound = Some(truth.depth() as u32);
        let breadth_first = Options::default().max_depth(bound).stop(Stop::Never);
        let plain = run(&case, &scenario, &breadth_first).expect("nothing is simpler");
        for options in combinations() {
            let options = options.max_depth(bound).stop(Stop::Never);
            let what = format!("{options:?}");
            let Some(found) = run(&case, &scenario, &options) else { continue };
            compare(&found, &truth, &what);
            if options.workers > 1 {
                prop_assert_eq!(&found.counts, &plain.counts);
                prop_assert_eq!(found.handler_executions, plain.handler_executions);
            }
            if options.strategy.finds_shortest() {
                let length = found.finding().map(|finding| finding.trace.steps.len());
                prop_assert_eq!(length, truth.shortest, "{}", what);
            }
        }
    }

    /// However many threads there are, the search stops at the same event with the same run.
    #[test]
    fn workers_find_the_same_run(case in case(), states in 1..60u64, limited: bool) {
        let scenario = case.scenario();
        let mut alone = Options::default().max_depth(5);
        if limited {
            alone.limits.states = Some(states);
        }
        let told = |workers| {
            let mut space = case.space(&scenario);
            let options = alone.clone().workers(workers);
            let found = explore(&mut space, &options, &mut ()).unwrap();
            let traces: Vec<_> = found.findings.iter().map(|finding| {
                let steps = finding.trace.transitions();
                let steps = steps.map(|(before, step)| space.event_text(before, step.event));
                (finding.assertion, steps.collect::<Vec<_>>())
            }).collect();
            (found.ended, found.counts, found.states_visited, found.states_waiting, traces)
        };
        let one = told(1);
        for workers in 2..=4 {
            prop_assert_eq!(&told(workers), &one);
        }
    }
}
