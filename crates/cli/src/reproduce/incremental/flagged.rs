//! Searches with their own graphs, of which more and more events are treated as modified: Tables 8.1 to 8.5, 8.8 and 8.10.

use std::path::Path;

use everypath_network::Reckoning;

use super::{
    published::{FLAGGED, Flagged},
    runs::{
        NATIVE, Slowed, Totals, begin, ensure_equal, megabytes, patterns, percent, row, run, saved,
        seconds, share, tell_of_memory,
    },
};
use crate::reproduce::{
    cell::Cell,
    laboratory::{Halt, Laboratory},
    measured::Order,
    table::{Declared, MadeTable},
};

/// A search from scratch, and with its own graph.
pub(super) struct FlaggedRow {
    pub(super) scratch: Totals,
    /// By number of modified events.
    pub(super) reused: Vec<Totals>,
}

/// A table of them.
pub(super) fn flagged_table(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    number: &str,
) -> Result<(), Halt> {
    let repeat = begin(laboratory, table);
    tell_of_memory(table);
    let rows: Vec<&'static Flagged> = FLAGGED.iter().filter(|row| row.table == number).collect();
    let modified = (0..rows[0].saved.len()).map(|number| format!("{number} modified"));
    table.columns(["search", "from scratch", "t"].map(str::to_owned).into_iter().chain(modified));
    laboratory.with_folder(|laboratory, folder| {
        for row in rows {
            let found = flagged(laboratory, folder, row, NATIVE, repeat)?;
            push(laboratory, table, row, &found);
        }
        Ok(())
    })
}

/// With zero, one, two, … modified events.
pub(super) fn flagged(
    laboratory: &mut Laboratory<'_>,
    folder: &Path,
    row: &Flagged,
    slowed: Slowed<'_>,
    repeat: u32,
) -> Result<FlaggedRow, Halt> {
    let written = folder.join("flagged.graph");
    let mut scratch = Totals::default();
    let mut reused: Vec<Totals> = row.saved.iter().map(|_| Totals::default()).collect();
    for seed in 1..=repeat {
        // Content does not depend on how slow handlers are.
        let compares = seed == 1 && slowed == NATIVE;
        let order = Order { compares, ..Order::FROM_SCRATCH };
        let fresh = run(laboratory, &row.version, slowed, seed, order)?;
        let order = Order { writes: Some(&written), ..Order::FROM_SCRATCH };
        run(laboratory, &row.version, slowed, seed, order)?;
        for (modified, totals) in reused.iter_mut().enumerate() {
            let events = patterns(&row.events[..modified]);
            let reads = Some(written.as_path());
            let order = Order { reads, writes: None, modified: &events, compares };
            let again = run(laboratory, &row.version, slowed, seed, order)?;
            ensure_equal(&row.version, &fresh, &again)?;
            totals.runs.push(again);
        }
        scratch.runs.push(fresh);
    }
    Ok(FlaggedRow { scratch, reused })
}

/// One of the proportions of a reckoning.
type Share = fn(Reckoning) -> f64;

fn push(
    laboratory: &Laboratory<'_>,
    table: &mut MadeTable,
    published: &Flagged,
    found: &FlaggedRow,
) {
    let FlaggedRow { scratch, reused } = found;
    let name = format!("{}, {}", published.title, published.search);
    let with = |first: [Cell; 2], cells: Vec<Cell>| first.into_iter().chain(cells).collect();
    let declared = || published.declared.clone();
    let cells = reused.iter().zip(published.saved).map(|(totals, published)| {
        percent(saved(scratch.seconds(), totals.seconds())).published(*published)
    });
    let first = [
        seconds(scratch.seconds(), published.seconds),
        Cell::rounded(scratch.tree(), 4).published(published.tree),
    ];
    table.push(row(laboratory, name.clone(), with(first, cells.collect()), declared()));
    let nothing = || [Cell::nothing(), Cell::nothing()];
    let shares: [(&str, &[f64], Share); 2] =
        [("p", published.found, |it| it.found), ("q", published.modified, |it| it.modified)];
    for (label, numbers, of) in shares {
        let cell = |(place, totals): (usize, &Totals)| {
            share(totals.reckoning().map(of), numbers.get(place).copied(), 4)
        };
        let cells: Vec<Cell> = reused.iter().enumerate().map(cell).collect();
        let declared = if numbers.is_empty() { Declared::Uncompared } else { declared() };
        table.push(row(laboratory, format!("{name}: {label}"), with(nothing(), cells), declared));
    }
    let executed = |totals: &Totals| Cell::shown(totals.mean_executed());
    let first = [executed(scratch), Cell::nothing()];
    let cells = with(first, reused.iter().map(executed).collect());
    table.push(row(laboratory, format!("{name}: executed"), cells, Declared::Uncompared));
    let memory = reused.iter().zip(published.more_memory).map(|(totals, published)| {
        percent(-saved(scratch.bytes(), totals.bytes())).published(*published)
    });
    let first = [megabytes(scratch.bytes(), published.megabytes), Cell::nothing()];
    let cells = with(first, memory.collect());
    table.push(row(laboratory, format!("{name}: memory"), cells, Declared::Uncompared));
}
