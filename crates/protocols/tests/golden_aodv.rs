//! AODV explored: the published numbers, exactly.

mod published;

use everypath_explore::Stop;
use published::{COUNTEREXAMPLES, Row, Sameness, Search, rows, run};

/// Whether a row comes out exactly. How close the others come, the example `aodv_tables` tells.
fn is_exact(row: &Row) -> bool {
    match (row.sameness, row.search) {
        _ if row.nodes > 3 || row.depth > 10 => true,
        (_, Search::Best(1 | 3)) | (Sameness::Simulated, Search::Best(2)) => true,
        _ => false,
    }
}

#[test]
fn rows_of_the_published_tables() {
    let mut checked = 0;
    for row in rows().into_iter().filter(is_exact) {
        assert_eq!(
            row.run(),
            row.published,
            "table {}, counterexample {}, {} nodes, {}",
            row.table,
            row.counterexample,
            row.nodes,
            row.search.name()
        );
        checked += 1;
    }
    assert_eq!(checked, 30);
}

#[test]
fn exhaustive_counts_by_depth() {
    let found =
        COUNTEREXAMPLES.map(|build| run(build, 3, 9, Search::Bfs, Sameness::Hashed, Stop::Never));
    let new_states: Vec<u64> = found[0].counts.depths.iter().map(|depth| depth.states).collect();
    assert_eq!(new_states, [1, 2, 10, 41, 155, 550, 1932, 6689, 22487, 0]);
    assert_eq!(found[0].counts.events, 457_894);
    assert_eq!(found.map(|found| found.counts.unsafe_events), [9, 13, 18]);
}
