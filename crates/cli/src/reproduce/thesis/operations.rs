//! Tables 4.4 and 4.7 of Sobeih's thesis: the time of each operation of a search.

use std::time::Duration;

use everypath_explore::Timings;

use super::{
    engines::by_plain,
    published::{Breakdown, TABLE_4_4, TABLE_4_7},
    searches::{seeded, words},
    tables::OTHER_SEEDS,
};
use crate::reproduce::{
    cell::Cell,
    laboratory::{Halt, Laboratory},
    listed::Listed,
    measured::Measured,
    table::{Declared, MadeTable, Row},
    value::Unit,
};

pub(super) const TABLES: &[Listed] = &[
    Listed {
        id: "000/4.4",
        others: &[],
        title: "AODV, counterexample 1 by BFS-ANS: the time of each operation, with the simulation relation",
        seconds: 5,
        long_seconds: Some(30),
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
        long_seconds: Some(20),
        make: |laboratory, table| {
            let scenario = "aodv-2 --relation hashed";
            breakdown(laboratory, table, &TABLE_4_7, scenario, "DFS-RS", Declared::Within)
        },
    },
];

/// Over how many seeds the plain engine is measured without `--long`.
const PLAIN_SEEDS: u32 = 4;

/// The time of an operation.
type Operation = fn(&Timings) -> Duration;

/// The published operations, in their order. There is none that constructs a global state.
const OPERATIONS: [Option<Operation>; 8] = [
    Some(|timings| timings.expansion),
    Some(|timings| timings.shuffling),
    Some(|timings| timings.execution),
    Some(|timings| timings.hashing),
    Some(|timings| timings.assertion),
    None,
    Some(|timings| timings.search),
    Some(|timings| timings.insertion),
];

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
    let few = if laboratory.runs_long() { repeat } else { repeat.min(PLAIN_SEEDS) };
    table.note(format!(
        "Means over the seeds 1 to {repeat}; of the plain engine over the seeds 1 to {few}."
    ));
    table.note("The plain engine stands for JPF, whose times are beside its own. Both engines give a state its number when it is generated, so that part of searching among states is in the first row. Neither constructs a global state for an assertion.");
    table.columns(["operation", "time (J-Sim)", "plain engine (JPF)"]);
    let words = format!("{scenario} --max-depth 10 --stats {}", words(search).unwrap_or_default());
    let searches: Vec<String> = (1..=repeat).map(|seed| seeded(&words, seed)).collect();
    let usual = laboratory.searches(&searches)?;
    let plain = by_plain(laboratory, &searches[..few as usize], &usual)?;
    let cell = |runs: &[Measured], of: &dyn Fn(&Timings) -> Duration, published: f64| {
        let times = runs.iter().filter_map(|run| run.timings.as_ref()).map(of);
        let mean = times.sum::<Duration>().as_secs_f64() / runs.len() as f64;
        Cell::measured(mean, Unit::Seconds, 4).published(published)
    };
    for ((name, own, jpf), of) in published.operations.into_iter().zip(OPERATIONS) {
        let cells = match of {
            Some(of) => vec![cell(&usual, &of, own), cell(&plain, &of, jpf)],
            None => vec![only_printed(own), only_printed(jpf)],
        };
        table.push(Row::new(name, cells, Declared::Uncompared));
    }
    for (name, of, [own, jpf]) in [
        ("other operations", others as Operation, published.others),
        ("total", Timings::total, published.total),
    ] {
        let cells = vec![cell(&usual, &of, own), cell(&plain, &of, jpf)];
        table.push(Row::new(name, cells, Declared::Uncompared));
    }
    let events: Vec<f64> = usual.iter().map(|run| run.counts.events as f64).collect();
    let cell = Cell::sampled(&events, published.seeds as usize).published(published.events);
    let cells = vec![cell, Cell::only_published(published.events)];
    table.push(match repeat == published.seeds {
        true => Row::new("events", cells, declared),
        false => Row::reduced("events", cells, &declared, OTHER_SEEDS),
    });
    Ok(())
}

/// What no published operation is.
fn others(timings: &Timings) -> Duration {
    let known = OPERATIONS.iter().flatten().map(|of| of(timings)).sum();
    timings.total().saturating_sub(known)
}

fn only_printed(seconds: f64) -> Cell {
    Cell::only_published(seconds).unit(Unit::Seconds).decimals(4)
}
