//! Tables 4.4 and 4.7 of Sobeih's thesis: the time of each operation of a search.

use super::{
    published::{Breakdown, TABLE_4_4, TABLE_4_7},
    searches::{seeded, words},
    tables::OTHER_SEEDS,
};
use crate::reproduce::{
    cell::Cell,
    laboratory::{Halt, Laboratory},
    listed::Listed,
    table::{Declared, MadeTable, Row},
    value::Unit,
};

pub(super) const TABLES: &[Listed] = &[
    Listed {
        id: "000/4.4",
        others: &[],
        title: "AODV, counterexample 1 by BFS-ANS: the time of each operation, with the simulation relation",
        seconds: 10,
        long_seconds: None,
        make: |laboratory, table| {
            let scenario = "aodv-1 --relation simulated";
            breakdown(laboratory, table, &TABLE_4_4, scenario, "BFS-ANS", OTHER_MEAN)
        },
    },
    Listed {
        id: "000/4.7",
        others: &[],
        title: "AODV, counterexample 2 by DFS-RS: the time of each operation, with hash codes",
        seconds: 5,
        long_seconds: None,
        make: |laboratory, table| {
            let scenario = "aodv-2 --relation hashed";
            breakdown(laboratory, table, &TABLE_4_7, scenario, "DFS-RS", Declared::Within)
        },
    },
];

/// Why operations have no times of ours.
const NOT_APART: &str = "only the published times: this command measures a search as a whole";

/// What the number of events of Table 4.4 is.
const OTHER_MEAN: Declared = Declared::Different(
    "the thesis has another mean of the same search in Table 4.1: 21,933.3, in whose interval ours is",
);

fn breakdown(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    published: &Breakdown,
    scenario: &str,
    search: &str,
    declared: Declared,
) -> Result<(), Halt> {
    let repeat = laboratory.repeat(published.seeds);
    table.note(format!("Means over the seeds 1 to {repeat}."));
    table.columns(["operation", "J-Sim", "JPF"]);
    let words = format!("{scenario} --max-depth 10 {}", words(search).unwrap_or_default());
    let searches: Vec<String> = (1..=repeat).map(|seed| seeded(&words, seed)).collect();
    let found = laboratory.searches(&searches)?;
    let operations = published.operations.iter();
    let operations = operations.map(|&(name, own, jpf)| (name, [own, jpf]));
    for (name, seconds) in operations.chain([("other operations", published.others)]) {
        let cells = seconds.map(only_printed).to_vec();
        table.push(Row::new(name, cells, Declared::NotReproducible(NOT_APART)));
    }
    let seconds = found.iter().map(|run| run.time.as_secs_f64()).sum::<f64>() / f64::from(repeat);
    let [own, jpf] = published.total;
    let cells = vec![Cell::measured(seconds, Unit::Seconds, 3).published(own), only_printed(jpf)];
    table.push(Row::new("total", cells, Declared::Uncompared));
    let events: Vec<f64> = found.iter().map(|run| run.counts.events as f64).collect();
    let cell = Cell::sampled(&events, published.seeds as usize).published(published.events);
    let cells = vec![cell, Cell::only_published(published.events)];
    table.push(match repeat == published.seeds {
        true => Row::new("events", cells, declared),
        false => Row::reduced("events", cells, &declared, OTHER_SEEDS),
    });
    Ok(())
}

fn only_printed(seconds: f64) -> Cell {
    Cell::only_published(seconds).unit(Unit::Seconds).decimals(3)
}
