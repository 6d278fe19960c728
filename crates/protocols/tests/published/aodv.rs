//! The rows of the thesis's tables on AODV.

pub use crate::thesis::{Build, Row, Search, Setting};
use crate::thesis_numbers::{TABLE_4_2, TABLE_4_3, TABLE_4_5, TABLE_4_6};
use everypath_protocols::aodv::{Aodv, aodv_1, aodv_2, aodv_3};

/// The thesis's three counterexamples.
pub const COUNTEREXAMPLES: [Build<Aodv>; 3] = [aodv_1, aodv_2, aodv_3];

/// A state stands for all that it simulates.
pub const SIMULATED: &str = "simulated";

/// Two states are the same if their hashes are.
pub const HASHED: &str = "hashed";

/// Tables 4.2, 4.3, 4.5 and 4.6.
pub fn rows() -> Vec<Row<Aodv>> {
    let row = |table, counterexample: usize, nodes, depth, search, relation, published| Row {
        table,
        counterexample,
        setting: Setting {
            build: COUNTEREXAMPLES[counterexample - 1],
            nodes,
            depth,
            search: Search::named(search),
            relation,
        },
        search,
        states: |found| found.states_visited,
        published,
    };
    let mut rows = Vec::new();
    for (table, relation, parts) in [("4.2", SIMULATED, &TABLE_4_2), ("4.5", HASHED, &TABLE_4_5)] {
        for (counterexample, searches) in (1..).zip(parts) {
            rows.extend(searches.iter().map(|it| {
                let published = (it.states, it.events);
                row(table, counterexample, 3, 10, it.search, relation, published)
            }));
        }
    }
    let search = "AODV-1-BeFS-AN";
    for (table, relation, chains) in
        [("4.3", SIMULATED, &TABLE_4_3[..]), ("4.6", HASHED, &TABLE_4_6[..])]
    {
        rows.extend(chains.iter().map(|it| {
            let published = (it.states, it.events);
            row(table, 3, it.nodes as usize, it.depth, search, relation, published)
        }));
    }
    rows
}
