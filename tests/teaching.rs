//! What a small network has taught serves a larger one of the same nodes, and what is found there is the same.

use std::time::Duration;

use everypath::{
    Parameters,
    explore::{Exploration, Options, Stop, explore},
    network::{Memo, MemoCounts, NetworkSpace, SpaceOptions},
    protocols::aodv::aodv,
};

/// What a chain of so many nodes comes to, with what is known from before; and what is known then.
fn explored(nodes: usize, memo: Option<Vec<u8>>) -> (Exploration, MemoCounts, Vec<u8>) {
    let scenario = aodv(&mut Parameters::with([("nodes", nodes.to_string())]));
    let space_options = SpaceOptions::default();
    let semantics = space_options.semantics();
    let mut space = NetworkSpace::new(&scenario, space_options).unwrap();
    if let Some(bytes) = memo {
        space.remember_with(Memo::read(&mut bytes.as_slice()).unwrap());
    }
    let options = Options::default().semantics(semantics).max_depth(7).stop(Stop::Never);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let (mut counts, mut bytes) = (MemoCounts::default(), Vec::new());
    if let Some(memo) = space.memo() {
        counts = memo.counts();
        memo.write(&mut bytes, 0, Duration::ZERO).unwrap();
    }
    (found, counts, bytes)
}

#[test]
fn three_nodes_of_aodv_teach_four_and_five() {
    // It says that executing takes long, so that looking is not given up.
    let mut nothing = Vec::new();
    Memo::default().write(&mut nothing, 1, Duration::from_secs(1)).unwrap();
    let (_, _, memo) = explored(3, Some(nothing));
    for nodes in [4, 5] {
        let (fresh, ..) = explored(nodes, None);
        let (taught, counts, _) = explored(nodes, Some(memo.clone()));
        let share = counts.recalled as f64 / fresh.handler_executions as f64;
        assert!(share > 0.1, "{nodes} nodes: {share} of what they do was taught");
        assert!(taught.handler_executions < fresh.handler_executions);
        assert_eq!(taught.states_visited, fresh.states_visited);
        assert_eq!(taught.counts, fresh.counts);
    }
}
