//! The rows of the tables of the paper at ICFEM 2005.

pub use crate::thesis::{Build, Row, Search, Setting};
use everypath_explore::Add;
use everypath_protocols::aodv::{Aodv, aodv_1, aodv_2, aodv_3};

/// States and events.
type Numbers = (u64, u64);

/// The three counterexamples of AODV.
const COUNTEREXAMPLES: [Build<Aodv>; 3] = [aodv_1, aodv_2, aodv_3];

/// Breadth-first, depth-first, and best-first by each of the five rankings.
const SEARCHES: [(&str, Search); 7] = [
    ("BFS", Search::Bfs(Add::Twice)),
    ("DFS", Search::Dfs(Add::Twice)),
    ("AODV-1-BeFS", Search::Best(1, Add::Twice)),
    ("AODV-2-BeFS", Search::Best(2, Add::Twice)),
    ("AODV-3-BeFS", Search::Best(3, Add::Twice)),
    ("AODV-4-BeFS", Search::Best(4, Add::Twice)),
    ("AODV-5-BeFS", Search::Best(5, Add::Twice)),
];

/// Table 1, by counterexample and search: the published numbers, and ours where they differ.
const TABLE_1: [[(Numbers, Option<Numbers>); 7]; 3] = [
    [
        ((19886, 40445), Some((19874, 40489))),
        ((1844, 21135), Some((1831, 20952))),
        ((1156, 7493), None),
        ((1753, 19617), Some((1748, 19546))),
        ((535, 2118), None),
        ((1626, 14151), Some((1625, 14151))),
        ((1923, 13577), Some((1922, 13577))),
    ],
    [
        ((20072, 40781), Some((20060, 40825))),
        ((1833, 20979), Some((1820, 20796))),
        ((1151, 7440), None),
        ((1750, 19581), Some((1745, 19510))),
        ((535, 2079), None),
        ((4901, 44851), Some((4890, 44733))),
        ((4649, 38853), Some((4641, 38787))),
    ],
    [
        ((19056, 39489), Some((19063, 39545))),
        ((1817, 20814), Some((1804, 20631))),
        ((1150, 7431), None),
        ((1739, 19468), Some((1734, 19397))),
        ((534, 2070), None),
        ((1617, 14051), Some((1616, 14051))),
        ((1889, 13101), Some((1888, 13101))),
    ],
];

/// Table 2, by the number of nodes, from 3: the published numbers, which are ours.
const TABLE_2: [Numbers; 5] = [(93, 134), (575, 1971), (3256, 19803), (2640, 25052), (3339, 46532)];

fn row(
    table: &'static str,
    counterexample: usize,
    (nodes, depth): (usize, u32),
    (name, search): (&'static str, Search),
    published: Numbers,
) -> Row<Aodv> {
    let build = COUNTEREXAMPLES[counterexample - 1];
    Row {
        table,
        counterexample,
        setting: Setting { build, nodes, depth, search, relation: "alike" },
        search: name,
        states: |found| found.states_visited + found.states_waiting,
        published,
    }
}

/// The rows, with the numbers that Everypath finds.
pub fn rows() -> Vec<(Row<Aodv>, Numbers)> {
    let first = (1..).zip(TABLE_1).flat_map(|(counterexample, rows)| {
        SEARCHES.into_iter().zip(rows).map(move |(search, (published, ours))| {
            let row = row("1", counterexample, (3, 10), search, published);
            (row, ours.unwrap_or(published))
        })
    });
    let second = (3..).zip(TABLE_2).map(|(nodes, published)| {
        let search = SEARCHES[2];
        (row("2", 3, (nodes, 5 * nodes as u32), search, published), published)
    });
    first.chain(second).collect()
}
