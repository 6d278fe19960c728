//! The rows of the thesis's tables on directed diffusion.

pub use crate::thesis::{Build, Row, Search, Setting};
use crate::thesis_numbers::{TABLE_5_1_FIRST, TABLE_5_1_SECOND, TABLE_5_3};
use everypath_explore::Exploration;
use everypath_protocols::diffusion::{Diffusion, diffusion_1, diffusion_2};

/// The thesis's two counterexamples.
const COUNTEREXAMPLES: [Build<Diffusion>; 2] = [diffusion_1, diffusion_2];

/// A counterexample, from 1, and how the thesis searches it.
pub fn setting(
    counterexample: usize,
    nodes: usize,
    depth: u32,
    search: &str,
) -> Setting<Diffusion> {
    let build = COUNTEREXAMPLES[counterexample - 1];
    Setting { build, nodes, depth, search: Search::named(search), relation: "simulated" }
}

/// States, stored or waiting. A recursion has no list of states to be explored.
fn states(search: &str) -> fn(&Exploration) -> u64 {
    match search {
        "DFS-R" => |found| found.states_visited,
        _ => |found| found.states_visited + found.states_waiting,
    }
}

/// Tables 5.1 and 5.3.
pub fn rows() -> Vec<Row<Diffusion>> {
    let row = |table, counterexample, nodes, depth, search, published| Row {
        table,
        counterexample,
        setting: setting(counterexample, nodes, depth, search),
        search,
        states: states(search),
        published,
    };
    let first = TABLE_5_1_FIRST.iter().map(|it| (1, 15, it));
    let second = TABLE_5_1_SECOND.iter().map(|it| (2, 20, it));
    let by_search = first.chain(second).map(|(counterexample, depth, it)| {
        row("5.1", counterexample, 4, depth, it.search, (it.states, it.events))
    });
    let by_nodes = TABLE_5_3.iter().map(|it| {
        row("5.3", 1, it.nodes as usize, it.depth, "DD-4-BeFS-AC", (it.states, it.events))
    });
    by_search.chain(by_nodes).collect()
}
