//! Tables 3.2 and 3.3: mixed execution against standard execution, and eager against lazy translation.

use super::{
    Job, median_text, not_now,
    published::{Mixed, TABLE_3_2, TABLE_3_3},
    seconds, times,
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
        id: "001/3.2",
        others: &[],
        title: "Mixed execution: methods on native objects, translated lazily",
        seconds: 5,
        long_seconds: Some(40),
        make: |laboratory, table| {
            table.note("The first way executes calls on the packed state (tracked), the second on native objects (lazy).");
            make(laboratory, table, &TABLE_3_2, ["tracked", "lazy"])
        },
    },
    Listed {
        id: "001/3.3",
        others: &[],
        title: "Mixed execution: eager against lazy translation",
        seconds: 2,
        long_seconds: None,
        make: |laboratory, table| {
            table.note(
                "The first way translates the whole state (eager), the second what is read (lazy).",
            );
            make(laboratory, table, &TABLE_3_3, ["eager", "lazy"])
        },
    },
];

/// Why one number is another.
const VECTOR: &str = "the published number is smaller by seven; no reading of the text gives it";

fn make(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    rows: &'static [Mixed],
    modes: [&'static str; 2],
) -> Result<(), Halt> {
    table.note("The published times are those of JPF, in bytecode: its methods were slow and ours are not.");
    table.columns([
        "subject, bound",
        "states",
        "methods, 1st way",
        "2nd way",
        "ratio",
        "total, 1st way",
        "2nd way",
        "ratio",
    ]);
    let (mut ours, mut published) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for row in rows {
        let name = format!("{} {}", row.subject, row.bound);
        let declared = match (row.subject, row.bound) {
            ("vector", 7) => Declared::Different(VECTOR),
            _ => Declared::Exact,
        };
        let printed = [row.methods, row.total].map(|times| times.map(|it| f64::from(it) / 1e3));
        let ratios = printed.map(|[first, second]| first / second);
        if let Some(why) = not_now(laboratory, row.states) {
            let time = |it: f64| Cell::only_published(it).unit(Unit::Seconds).decimals(3);
            let ratio = |it: f64| Cell::only_published(it).unit(Unit::Times).decimals(2);
            let mut cells = vec![Cell::only_published(row.states)];
            for ([first, second], it) in printed.into_iter().zip(ratios) {
                cells.extend([time(first), time(second), ratio(it)]);
            }
            table.push(Row::not_run(name, cells, &declared, why));
            continue;
        }
        let job =
            |mode| Job { subject: row.subject, bound: row.bound, mode, without: None, seed: None };
        let [first, second] = modes.map(job);
        let first = first.fastest(laboratory, row.states)?;
        let second = second.fastest(laboratory, row.states)?;
        assert_eq!(first.levels, second.levels, "all modes find the same states");
        // No call of a vector leads back to the initial state, and only states after calls were counted.
        let uncounted = u64::from(row.subject == "vector");
        let states: u64 = first.levels.iter().sum();
        let mut cells = vec![Cell::compared(states - uncounted).published(row.states)];
        let methods = [&first, &second].map(|it| it.phases.executing.as_secs_f64());
        for (place, times_of) in
            [methods, [first.seconds(), second.seconds()]].into_iter().enumerate()
        {
            let ratio = times_of[0] / times_of[1];
            ours[place].push(ratio);
            published[place].push(ratios[place]);
            cells.push(seconds(times_of[0], Some(printed[place][0])));
            cells.push(seconds(times_of[1], Some(printed[place][1])));
            cells.push(times(ratio, Some(ratios[place])));
        }
        table.push(Row::new(name, cells, declared));
    }
    for (what, place) in [("Methods", 0), ("Total", 1)] {
        if let Some(text) = median_text(what, &ours[place], &published[place]) {
            table.note(text);
        }
    }
    Ok(())
}
