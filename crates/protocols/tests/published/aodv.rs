//! The rows of the thesis's tables on AODV.

pub use crate::thesis::{Build, Row, Search, Setting};
use everypath_explore::Add;
use everypath_protocols::aodv::{Aodv, aodv_1, aodv_2, aodv_3};

/// The thesis's three counterexamples.
pub const COUNTEREXAMPLES: [Build<Aodv>; 3] = [aodv_1, aodv_2, aodv_3];

/// A state stands for all that it simulates.
pub const SIMULATED: &str = "simulated";

/// Two states are the same if their hashes are.
pub const HASHED: &str = "hashed";

/// Tables 4.2, 4.3, 4.5 and 4.6.
pub fn rows() -> Vec<Row<Aodv>> {
    let best = |ranking| Search::Best(ranking, Add::Next);
    let searches =
        [Search::Bfs(Add::Next), Search::DfsR, best(1), best(2), best(3), best(4), best(5)];
    let by_search = [
        (
            "4.2",
            SIMULATED,
            1,
            [
                (4699, 26303),
                (1459, 21757),
                (489, 4169),
                (394, 1606),
                (240, 1179),
                (745, 8229),
                (588, 6025),
            ],
        ),
        (
            "4.2",
            SIMULATED,
            2,
            [
                (4762, 26641),
                (1502, 22364),
                (485, 4116),
                (389, 1562),
                (240, 1140),
                (2123, 25205),
                (1809, 20976),
            ],
        ),
        (
            "4.2",
            SIMULATED,
            3,
            [
                (4310, 25211),
                (1406, 21056),
                (477, 4039),
                (386, 1552),
                (239, 1131),
                (743, 8216),
                (581, 5806),
            ],
        ),
        (
            "4.5",
            HASHED,
            1,
            [
                (70308, 283_122),
                (22908, 344_333),
                (1346, 10878),
                (6491, 85977),
                (569, 2560),
                (4431, 45816),
                (2398, 19525),
            ],
        ),
        (
            "4.5",
            HASHED,
            2,
            [
                (70551, 284_689),
                (23290, 350_204),
                (1302, 10524),
                (6488, 85941),
                (530, 2284),
                (17004, 183_929),
                (15147, 159_198),
            ],
        ),
        (
            "4.5",
            HASHED,
            3,
            [
                (69073, 280_967),
                (22767, 342_585),
                (1291, 10414),
                (6473, 85779),
                (529, 2275),
                (4427, 45816),
                (2384, 19166),
            ],
        ),
    ];
    let row = |table, counterexample, nodes, depth, search, relation, published| Row {
        table,
        rankings: "AODV",
        counterexample,
        setting: Setting {
            build: COUNTEREXAMPLES[counterexample - 1],
            nodes,
            depth,
            search,
            relation,
        },
        states: |found| found.states_visited,
        published,
    };
    let by_search = by_search.into_iter().flat_map(|(table, relation, counterexample, numbers)| {
        searches.into_iter().zip(numbers).map(move |(search, published)| {
            row(table, counterexample, 3, 10, search, relation, published)
        })
    });
    let chain = |table, relation, (nodes, published): (usize, (u64, u64))| {
        row(table, 3, nodes, 5 * nodes as u32, best(1), relation, published)
    };
    let simulated = [
        (74, 155),
        (402, 2235),
        (1332, 12976),
        (548, 3447),
        (628, 2605),
        (838, 2931),
        (1578, 23658),
        (3875, 118_119),
        (4294, 143_401),
        (6302, 257_045),
    ];
    let hashed = [(86, 134), (520, 1988), (7094, 62206), (3437, 42631), (5269, 102_833)];
    let by_nodes = (3..).zip(simulated).map(|row| chain("4.3", SIMULATED, row));
    let by_nodes = by_nodes.chain((3..).zip(hashed).map(|row| chain("4.6", HASHED, row)));
    by_search.chain(by_nodes).collect()
}
