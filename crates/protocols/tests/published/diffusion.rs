//! The rows of the thesis's tables on directed diffusion.

pub use crate::thesis::{Build, Row, Search, Setting};
use everypath_explore::{Add, Exploration};
use everypath_protocols::diffusion::{Diffusion, diffusion_1, diffusion_2};

/// The thesis's two counterexamples.
const COUNTEREXAMPLES: [Build<Diffusion>; 2] = [diffusion_1, diffusion_2];

/// A counterexample, from 1, and how the thesis searches it.
pub fn setting(
    counterexample: usize,
    nodes: usize,
    depth: u32,
    search: Search,
) -> Setting<Diffusion> {
    let build = COUNTEREXAMPLES[counterexample - 1];
    Setting { build, nodes, depth, search, relation: "simulated" }
}

/// States, stored or waiting. A recursion has no list of states to be explored.
fn states(search: Search) -> fn(&Exploration) -> u64 {
    match search {
        Search::DfsR => |found| found.states_visited,
        Search::Bfs(_) | Search::Best(..) => |found| found.states_visited + found.states_waiting,
    }
}

/// Tables 5.1 and 5.3. For ranking 5 and the second counterexample the thesis has no numbers.
pub fn rows() -> Vec<Row<Diffusion>> {
    use Search::{Best, Bfs, DfsR};
    let best = |ranking| Best(ranking, Add::Next);
    let first = [
        (Bfs(Add::Next), (16735, 115_698)),
        (DfsR, (8306, 173_823)),
        (best(1), (513, 1042)),
        (best(2), (501, 1279)),
        (best(3), (5638, 113_342)),
        (best(4), (284, 474)),
        (best(5), (14284, 175_807)),
        (best(6), (12985, 95036)),
    ];
    let second = [
        (Bfs(Add::Next), (44348, 425_181)),
        (DfsR, (8027, 179_112)),
        (best(1), (18063, 92820)),
        (best(2), (20435, 132_382)),
        (best(3), (21670, 521_326)),
        (best(4), (3574, 18373)),
        (best(6), (55336, 508_048)),
    ];
    let chains = [
        (247, 474),
        (2289, 27826),
        (3604, 51341),
        (4503, 51649),
        (8506, 110_540),
        (13839, 172_912),
        (24105, 347_204),
        (33422, 495_318),
        (51666, 867_921),
    ];
    let row = |table, counterexample, nodes, depth, search, published| Row {
        table,
        rankings: "DD",
        counterexample,
        setting: setting(counterexample, nodes, depth, search),
        states: states(search),
        published,
    };
    let by_search = |counterexample, depth| {
        move |(search, published)| row("5.1", counterexample, 4, depth, search, published)
    };
    let by_nodes = |(nodes, published): (usize, (u64, u64))| {
        row("5.3", 1, nodes, 5 * nodes as u32 - 5, Best(4, Add::Current), published)
    };
    let first = first.into_iter().map(by_search(1, 15));
    let second = second.into_iter().map(by_search(2, 20));
    first.chain(second).chain((4..).zip(chains).map(by_nodes)).collect()
}
