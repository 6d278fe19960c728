//! Versions one after the other: Tables 8.6, 8.7, 8.11 to 8.13 and 8.15.

use std::{fs, path::Path};

use super::{
    published::{SEQUENCES, Sequence, Step, Writes},
    runs::{
        NATIVE, Slowed, Totals, begin, ensure_equal, megabytes, patterns, percent, row, run, saved,
        seconds, share, tell_of_memory,
    },
};
use crate::{
    output::numbers::grouped,
    reproduce::{
        cell::Cell,
        laboratory::{Halt, Laboratory},
        measured::Order,
        table::{Declared, MadeTable},
        value::Value,
    },
};

/// A version from scratch, and with the graph of an earlier one.
#[derive(Default)]
struct Found {
    scratch: Totals,
    reused: Totals,
}

/// A table of them.
pub(super) fn sequence_table(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    number: &str,
) -> Result<(), Halt> {
    let all = SEQUENCES.iter().filter(|sequence| sequence.table == number);
    slowed_table(laboratory, table, NATIVE, all)
}

/// The same of given ones, with handlers that take this long.
pub(super) fn slowed_table(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    slowed: Slowed<'_>,
    sequences: impl Iterator<Item = &'static Sequence>,
) -> Result<(), Halt> {
    let repeat = begin(laboratory, table);
    tell_of_memory(table);
    table.columns([
        "version",
        "from scratch",
        "with the graph",
        "saved",
        "memory from scratch",
        "memory with the graph",
        "more memory",
        "executed",
        "p",
        "q",
        "v",
    ]);
    laboratory.with_folder(|laboratory, folder| {
        for sequence in sequences {
            let found = versions(laboratory, folder, sequence, slowed, repeat)?;
            push(laboratory, table, sequence, &found);
        }
        Ok(())
    })
}

/// Each version from scratch, and with the graph of an earlier one.
fn versions(
    laboratory: &mut Laboratory<'_>,
    folder: &Path,
    sequence: &Sequence,
    slowed: Slowed<'_>,
    repeat: u32,
) -> Result<Vec<Found>, Halt> {
    let written = folder.join("sequence.graph");
    let events = patterns(sequence.modified);
    let mut all: Vec<Found> = sequence.steps.iter().map(|_| Found::default()).collect();
    for seed in 1..=repeat {
        let _ = fs::remove_file(&written);
        for (place, Step { version, .. }) in sequence.steps.iter().enumerate() {
            // Content does not depend on how slow handlers are.
            let compares = seed == 1 && slowed == NATIVE;
            let order = Order { compares, ..Order::FROM_SCRATCH };
            let fresh = run(laboratory, version, slowed, seed, order)?;
            let writes = place == 0 || sequence.writes == Writes::EachVersion;
            let order = Order {
                reads: (place > 0).then_some(written.as_path()),
                writes: writes.then_some(written.as_path()),
                modified: &events,
                compares,
            };
            let again = run(laboratory, version, slowed, seed, order)?;
            ensure_equal(version, &fresh, &again)?;
            all[place].reused.runs.push(again);
            all[place].scratch.runs.push(fresh);
        }
    }
    Ok(all)
}

fn push(laboratory: &Laboratory<'_>, table: &mut MadeTable, sequence: &Sequence, found: &[Found]) {
    let mut sums = [0.0; 4];
    let mut most = [f64::MIN; 2];
    for (step, Found { scratch, reused }) in sequence.steps.iter().zip(found) {
        let [alone, with] = step.seconds;
        let seconds = [scratch.seconds(), reused.seconds(), alone, with];
        let [alone, with] = step.megabytes;
        let more = [saved(scratch.bytes(), reused.bytes()), saved(alone, with)].map(|it| -it);
        let reckoning = reused.reckoning();
        let [p, q] = step.proportions.map_or([None; 2], |known| known.map(Some));
        let [executed, all] = [reused, scratch].map(|totals| grouped(totals.mean_executed()));
        let rest = [
            megabytes(scratch.bytes(), alone),
            megabytes(reused.bytes(), with),
            percent(more[0]).published(more[1]),
            Cell::shown(format!("{executed} of {all}")),
            share(reckoning.map(|it| it.found), p, 4),
            share(reckoning.map(|it| it.modified), q, 4),
            share(step.safe.map(|_| reused.safe()), step.safe, 6),
        ];
        let name = format!("{}; {}", sequence.name, step.name);
        let cells = timed(seconds).into_iter().chain(rest).collect();
        // Without a graph, only v is compared.
        let declared = match step.proportions {
            Some(_) => sequence.declared.clone(),
            None => Declared::Exact,
        };
        table.push(row(laboratory, name, cells, declared));
        for (sum, part) in sums.iter_mut().zip(seconds) {
            *sum += part;
        }
        for (most, more) in most.iter_mut().zip(more) {
            *most = most.max(more);
        }
    }
    let mut rest = std::array::from_fn::<_, 7, _>(|_| Cell::nothing());
    rest[2] = percent(most[0]).published(most[1]);
    let name = format!("{}; all, and the most memory", sequence.name);
    let cells = timed(sums).into_iter().chain(rest).collect();
    table.push(row(laboratory, name, cells, Declared::Uncompared));
}

/// From scratch and with a graph, and what that saves.
fn timed([from, with, published_from, published_with]: [f64; 4]) -> [Cell; 3] {
    let published = Value::from(saved(published_from, published_with));
    [
        seconds(from, published_from),
        seconds(with, published_with),
        percent(saved(from, with)).published(published),
    ]
}
