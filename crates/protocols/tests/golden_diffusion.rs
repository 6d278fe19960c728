//! Directed diffusion explored: the published numbers, exactly.

#[path = "published/diffusion.rs"]
mod published;

use crate::thesis_runs::RUNS;

use published::{rows, setting};

#[test]
fn rows_of_the_published_tables() {
    let rows = rows();
    assert_eq!(rows.len(), 24);
    for row in rows {
        assert_eq!(row.found(), row.published, "{row}");
    }
}

/// The runs of the thesis's figures C.1 and C.2, event by event.
#[test]
fn the_published_runs() {
    let runs = RUNS.iter().filter(|run| run.scenario.starts_with("diffusion"));
    for (counterexample, run) in (1..).zip(runs) {
        let setting = setting(counterexample, 4, run.depth, run.search);
        let (_, sentences) = setting.explore(|options| options);
        assert_eq!(sentences, run.events, "figure {}", run.figure);
    }
}
