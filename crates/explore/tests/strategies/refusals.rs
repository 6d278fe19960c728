//! Which options do not go together: these and no others.

use everypath_explore::{
    Add, EventPattern, Guided, Model, ModelSpace, Options, RankBy, RankingPart, Refusal, Related,
    Semantics, StoreKind, Strategy, Ties, explore, resume,
};

use super::graph::{Graph, GraphSpace, INCLUSION};

fn is_unsound(options: &Options) -> bool {
    let bitstate = matches!(options.store, StoreKind::Bitstate { .. });
    let bounded = options.max_depth.is_some();
    let current = options.add == Add::Current;
    let required = options.required_on_path.is_some() && options.semantics == Semantics::Exact;
    let forgets = options.relation.is_some() && options.store != StoreKind::Exact;
    let of_strategy = match options.strategy {
        Strategy::BreadthFirst => bitstate && bounded && current,
        Strategy::DepthFirst | Strategy::BestFirst(_) | Strategy::BiasedRandom(_) => {
            bitstate && bounded
        }
        Strategy::DepthFirstRecursive => current || bitstate && bounded,
        Strategy::Beam { width, .. } => current || width == 0,
        Strategy::IterativeDeepening => bitstate,
        Strategy::RandomWalk { .. } => {
            current || !bounded || options.relation.is_some() || options.store != StoreKind::Exact
        }
        ref other => unreachable!("nothing is known of {other:?}"),
    };
    let no_hashes = matches!(options.store, StoreKind::Bitstate { hashes: 0, .. });
    let by_rule = matches!(options.strategy, Strategy::BestFirst(_) | Strategy::Beam { .. });
    let ties = options.ties.is_some() && !by_rule;
    of_strategy || required || forgets || no_hashes || ties
}

fn all_strategies() -> Vec<Strategy> {
    let rank_by = || RankBy(vec![RankingPart::Named(0)]);
    vec![
        Strategy::BreadthFirst,
        Strategy::DepthFirst,
        Strategy::DepthFirstRecursive,
        Strategy::BestFirst(rank_by()),
        Strategy::BiasedRandom(rank_by()),
        Strategy::Beam { rank_by: rank_by(), width: 3 },
        Strategy::Beam { rank_by: rank_by(), width: 0 },
        Strategy::IterativeDeepening,
        Strategy::RandomWalk { walks: 3 },
    ]
}

fn all_options() -> Vec<Options> {
    let stores = [
        StoreKind::Exact,
        StoreKind::Fingerprint,
        StoreKind::Bitstate { bytes: 64, hashes: 3 },
        StoreKind::Bitstate { bytes: 64, hashes: 0 },
    ];
    let pattern: EventPattern = "kind0".parse().unwrap();
    let mut all: Vec<Options> = all_strategies()
        .into_iter()
        .map(|strategy| Options::default().strategy(strategy))
        .collect();
    let mut vary = |change: &dyn Fn(&mut Options)| {
        let mut changed = all.clone();
        changed.iter_mut().for_each(change);
        all.extend(changed);
    };
    vary(&|options| options.add = Add::Current);
    vary(&|options| options.max_depth = Some(3));
    vary(&|options| options.shuffle = Some(1));
    vary(&|options| options.ties = Some(Ties::Shuffled));
    vary(&|options| options.relation = Some(INCLUSION));
    vary(&|options| options.required_on_path = Some(pattern.clone()));
    vary(&|options| options.semantics = Semantics::Published);
    let with_store = |store| {
        let with = move |options: &Options| options.clone().store(store);
        all.iter().map(with).collect::<Vec<_>>()
    };
    stores.into_iter().flat_map(with_store).collect()
}

#[test]
fn what_would_be_unsound_is_refused_and_nothing_else() {
    let graph = Graph::grid(3, 3);
    let all = all_options();
    assert_eq!(all.len(), 9 * 128 * 4);
    for options in all {
        let refused = explore(&mut GraphSpace::new(&graph), &options, &mut ()).err();
        assert_eq!(refused.is_some(), is_unsound(&options), "{refused:?} for {options:?}");
        if let Some(Refusal::Combination { strategy, .. }) = refused {
            assert_eq!(strategy, options.strategy.name());
        }
    }
}

#[test]
fn refusals_speak_of_options_as_they_are_called_here() {
    let graph = Graph::grid(3, 3);
    let told = |options: Options| {
        explore(&mut GraphSpace::new(&graph), &options, &mut ()).unwrap_err().to_string()
    };
    let walk = Strategy::RandomWalk { walks: 3 };
    assert_eq!(
        told(Options::default().strategy(walk)),
        "walk cannot be combined with an unlimited depth: a walk would never end; give `max_depth`"
    );
    for options in all_options() {
        if let Err(refused) = options.validate(&GraphSpace::new(&graph)) {
            assert!(!refused.to_string().contains("--"), "{refused}");
            assert_eq!(refused.to_string(), told(options));
        }
    }
}

#[test]
fn a_relation_that_is_known_to_be_unsound_is_refused() {
    let graph = Graph::grid(3, 3);
    let mut space = GraphSpace::new(&graph);
    space.unsound_after = Some(0);
    space.judged.push(0);
    let options = Options::default().relation(INCLUSION);
    let refused = explore(&mut space, &options, &mut ()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the relation `inclusion` would be unsound here: an assertion reads it"
    );
    assert!(space.expanded.is_empty());
}

#[test]
fn novelty_needs_states_with_parts() {
    struct Partless;
    impl Model for Partless {
        type State = u32;
        type Action = u32;
        fn initial(&self) -> Vec<u32> {
            vec![0]
        }
        fn actions(&self, _: &u32) -> Vec<u32> {
            Vec::new()
        }
        fn next(&self, _: &u32, _: &u32) -> Option<u32> {
            None
        }
    }
    let rank_by = || RankBy(vec![RankingPart::Novelty]);
    for strategy in [
        Strategy::BestFirst(rank_by()),
        Strategy::BiasedRandom(rank_by()),
        Strategy::Beam { rank_by: rank_by(), width: 3 },
    ] {
        let options = Options::default().strategy(strategy);
        let refused = explore(&mut ModelSpace::new(Partless), &options, &mut ()).unwrap_err();
        assert_eq!(refused, Refusal::NoParts);
        explore(&mut GraphSpace::new(&Graph::grid(3, 3)), &options, &mut ()).unwrap();
    }
}

#[test]
fn a_ranking_or_relation_that_is_not_there_is_refused_by_name() {
    let graph = Graph::grid(3, 3);
    let told = |options: &Options| {
        let refused = explore(&mut GraphSpace::new(&graph), options, &mut ()).unwrap_err();
        let saved = resume(&mut GraphSpace::new(&graph), options, &mut (), &mut [0; 8].as_slice());
        assert_eq!(saved.unwrap_err().to_string(), refused.to_string());
        refused.to_string()
    };
    let space = GraphSpace::new(&graph);
    let (rankings, relations) = (space.rankings(), space.relations());
    let rank_by = || RankBy(vec![RankingPart::Novelty, RankingPart::Named(rankings.len())]);
    for strategy in [
        Strategy::BestFirst(rank_by()),
        Strategy::BiasedRandom(rank_by()),
        Strategy::Beam { rank_by: rank_by(), width: 3 },
    ] {
        let refused = told(&Options::default().strategy(strategy));
        assert!(
            refused.starts_with(&format!("there is no ranking {}", rankings.len())),
            "{refused}"
        );
        assert!(rankings.iter().all(|name| refused.contains(name)), "{refused}");
    }
    let refused = told(&Options::default().relation(usize::MAX));
    assert!(refused.starts_with("there is no relation 18446744073709551615; there"), "{refused}");
    assert!(relations.iter().all(|name| refused.contains(name)), "{refused}");

    struct Plain;
    impl Model for Plain {
        type State = u32;
        type Action = u32;
        fn initial(&self) -> Vec<u32> {
            vec![0]
        }
        fn actions(&self, _: &u32) -> Vec<u32> {
            Vec::new()
        }
        fn next(&self, _: &u32, _: &u32) -> Option<u32> {
            None
        }
    }
    let options = Options::default().relation(0);
    let refused = explore(&mut ModelSpace::new(Plain), &options, &mut ()).unwrap_err();
    assert_eq!(refused.to_string(), "there is no relation 0; there are none");
}
