//! The experiments of chapter 8 of Sobeih's thesis (`docs/references.md`), on incremental exploration.

mod published;

use std::{fs, path::Path};

use everypath_explore::EventPattern;
use everypath_network::Reckoning;

use self::published::{FLAGGED, Flagged, SEQUENCES, Sequence, Version, Writes};
use super::{
    cell::Cell,
    laboratory::{Halt, Laboratory},
    listed::Listed,
    measured::{Measured, Order},
    table::{Declared, MadeTable, Row},
    value::{Unit, Value},
};
use crate::error::CliError;

/// The tables of chapter 8.
pub(super) const TABLES: &[Listed] = &[
    Listed {
        id: "000/8.1",
        others: &[],
        title: "AODV with its own graph, of which events are treated as modified",
        seconds: 40,
        long_seconds: None,
        make: |laboratory, table| flagged_table(laboratory, table, "8.1"),
    },
    Listed {
        id: "000/8.4",
        others: &[],
        title: "the same past counterexamples",
        seconds: 20,
        long_seconds: None,
        make: |laboratory, table| flagged_table(laboratory, table, "8.4"),
    },
    Listed {
        id: "000/8.6",
        others: &[],
        title: "AODV, three versions one after the other",
        seconds: 10,
        long_seconds: None,
        make: |laboratory, table| sequence_table(laboratory, table, "8.6"),
    },
    Listed {
        id: "000/8.8",
        others: &[],
        title: "directed diffusion with its own graph, of which events are treated as modified",
        seconds: 10,
        long_seconds: None,
        make: |laboratory, table| flagged_table(laboratory, table, "8.8"),
    },
    Listed {
        id: "000/8.11",
        others: &[],
        title: "directed diffusion, versions to which events are added",
        seconds: 10,
        long_seconds: None,
        make: |laboratory, table| sequence_table(laboratory, table, "8.11"),
    },
    Listed {
        id: "000/8.13",
        others: &[],
        title: "ARQ, the erroneous version and the correct one",
        seconds: 10,
        long_seconds: None,
        make: |laboratory, table| sequence_table(laboratory, table, "8.13"),
    },
];

/// How often each search is made.
const REPEAT: u32 = 3;

/// Why the proportions of AODV are others.
const OTHER_STATES: &str = "AODV has 457,927 events here and 460,150 in the thesis: one of its rules is not known; and searches that stop early depend on their seeds";
/// Why those of searches that stop early are others.
const OTHER_SEEDS: &str =
    "the searches stop early, so their shares depend on seeds, which were not published";
/// Why nothing is compared.
const REDUCED: &str = "--quick explores less deep";
const NOTE: &str = "Every search with a graph is compared with one from scratch: counts, states and steps are the same.";

/// A search from scratch, and with its own graph, of which more and more is treated as modified.
struct FlaggedRow {
    scratch: Totals,
    /// By number of modified events.
    reused: Vec<Totals>,
}

/// A version from scratch, and with the graph of an earlier one.
#[derive(Default)]
struct VersionRow {
    scratch: Totals,
    reused: Totals,
}

/// Several runs of a search.
#[derive(Default)]
struct Totals {
    runs: Vec<Measured>,
}

impl Totals {
    fn mean(&self, of: impl Fn(&Measured) -> f64) -> f64 {
        self.runs.iter().map(of).sum::<f64>() / self.runs.len().max(1) as f64
    }

    fn seconds(&self) -> f64 {
        self.mean(|run| run.time.as_secs_f64())
    }

    fn bytes(&self) -> f64 {
        self.mean(|run| run.bytes as f64)
    }

    fn executed(&self) -> f64 {
        self.mean(|run| run.executed() as f64)
    }

    /// The costs and gains of the graph in the first run.
    fn reckoning(&self) -> Option<Reckoning> {
        self.runs.iter().find_map(|run| run.reckoning)
    }

    /// The proportion of events that lead to a new state.
    fn tree(&self) -> f64 {
        self.mean(|run| run.counts.tree_events as f64)
            / self.mean(|run| run.counts.events as f64).max(1.0)
    }
}

/// Says how often searches are made; how often that is.
fn begin(laboratory: &Laboratory<'_>, table: &mut MadeTable) -> u32 {
    let repeat = laboratory.repeat(REPEAT);
    table.note(laboratory.means_of(repeat));
    table.note(NOTE);
    repeat
}

/// Searches with their own graphs.
fn flagged_table(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    number: &str,
) -> Result<(), Halt> {
    let repeat = begin(laboratory, table);
    let rows: Vec<&'static Flagged> = FLAGGED.iter().filter(|row| row.table == number).collect();
    let modified = (0..rows[0].saved.len()).map(|number| format!("{number} modified"));
    table.columns(["search", "from scratch", "t"].map(str::to_owned).into_iter().chain(modified));
    laboratory.with_folder(|laboratory, folder| {
        for row in rows {
            let found = flagged(laboratory, folder, row, repeat)?;
            push_flagged(laboratory, table, row, &found);
        }
        Ok(())
    })
}

/// Versions one after the other.
fn sequence_table(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    number: &str,
) -> Result<(), Halt> {
    let repeat = begin(laboratory, table);
    table.columns([
        "version",
        "from scratch",
        "with the graph",
        "saved",
        "memory",
        "executed",
        "p",
        "q",
    ]);
    laboratory.with_folder(|laboratory, folder| {
        for sequence in SEQUENCES.iter().filter(|sequence| sequence.table == number) {
            let rows = versions(laboratory, folder, sequence, repeat)?;
            push_sequence(laboratory, table, sequence, &rows);
        }
        Ok(())
    })
}

/// With zero, one, two, … modified events.
fn flagged(
    laboratory: &mut Laboratory<'_>,
    folder: &Path,
    row: &Flagged,
    repeat: u32,
) -> Result<FlaggedRow, Halt> {
    let written = folder.join("flagged.graph");
    let mut scratch = Totals::default();
    let mut reused: Vec<Totals> = row.saved.iter().map(|_| Totals::default()).collect();
    for seed in 1..=repeat {
        let compares = seed == 1;
        let order = Order { compares, ..Order::FROM_SCRATCH };
        let fresh = run(laboratory, &row.version, seed, order)?;
        let order = Order { writes: Some(&written), ..Order::FROM_SCRATCH };
        run(laboratory, &row.version, seed, order)?;
        for (modified, totals) in reused.iter_mut().enumerate() {
            let events = patterns(&row.events[..modified]);
            let reads = Some(written.as_path());
            let order = Order { reads, writes: None, modified: &events, compares };
            let again = run(laboratory, &row.version, seed, order)?;
            ensure_equal(&row.version, &fresh, &again)?;
            totals.runs.push(again);
        }
        scratch.runs.push(fresh);
    }
    Ok(FlaggedRow { scratch, reused })
}

/// Each version from scratch, and with the graph of an earlier one.
fn versions(
    laboratory: &mut Laboratory<'_>,
    folder: &Path,
    sequence: &Sequence,
    repeat: u32,
) -> Result<Vec<VersionRow>, Halt> {
    let written = folder.join("sequence.graph");
    let events = patterns(sequence.modified);
    let mut rows: Vec<VersionRow> =
        sequence.versions.iter().map(|_| VersionRow::default()).collect();
    for seed in 1..=repeat {
        let _ = fs::remove_file(&written);
        for (place, version) in sequence.versions.iter().enumerate() {
            let compares = seed == 1;
            let order = Order { compares, ..Order::FROM_SCRATCH };
            let fresh = run(laboratory, version, seed, order)?;
            let writes = place == 0 || sequence.writes == Writes::EachVersion;
            let order = Order {
                reads: (place > 0).then_some(written.as_path()),
                writes: writes.then_some(written.as_path()),
                modified: &events,
                compares,
            };
            let again = run(laboratory, version, seed, order)?;
            ensure_equal(version, &fresh, &again)?;
            rows[place].reused.runs.push(again);
            rows[place].scratch.runs.push(fresh);
        }
    }
    Ok(rows)
}

fn patterns(events: &[&str]) -> Vec<EventPattern> {
    events.iter().filter_map(|event| event.parse().ok()).collect()
}

/// One search, shuffled by a seed.
fn run(
    laboratory: &mut Laboratory<'_>,
    version: &Version,
    seed: u32,
    order: Order<'_>,
) -> Result<Measured, Halt> {
    let Version { words, depth, quick_depth, .. } = *version;
    let depth = if laboratory.is_quick() { quick_depth } else { depth };
    let words = format!("{words} --profile thesis --max-depth {depth} --shuffle {seed}");
    laboratory.search(&words, order)
}

fn ensure_equal(version: &Version, scratch: &Measured, reused: &Measured) -> Result<(), CliError> {
    let same = scratch.counts == reused.counts
        && scratch.states == reused.states
        && scratch.content == reused.content;
    if same { Ok(()) } else { Err(CliError::Unequal { what: version.words }) }
}

/// The time saved, or lost, in percent.
fn saved(scratch: f64, reused: f64) -> f64 {
    100.0 * (scratch - reused) / scratch
}

fn seconds(ours: f64, published: f64) -> Cell {
    Cell::measured(ours, Unit::Seconds, 3).published(published)
}

fn percent(ours: f64) -> Cell {
    Cell::measured(ours, Unit::Percent, 0)
}

/// A row of this table, less deep with `--quick`.
fn row(laboratory: &Laboratory<'_>, name: String, cells: Vec<Cell>, declared: Declared) -> Row {
    match laboratory.is_quick() {
        true => Row::reduced(name, cells, &declared, REDUCED),
        false => Row::new(name, cells, declared),
    }
}

fn push_flagged(
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
    for (label, numbers, of) in
        [("p", published.found, found_of as Share), ("q", published.modified, modified_of)]
    {
        let cell = |(place, totals): (usize, &Totals)| {
            share(totals.reckoning().map(of), numbers.get(place).copied())
        };
        let cells: Vec<Cell> = reused.iter().enumerate().map(cell).collect();
        let declared = if numbers.is_empty() { Declared::Uncompared } else { declared() };
        table.push(row(laboratory, format!("{name}: {label}"), with(nothing(), cells), declared));
    }
    let executed = |totals: &Totals| Cell::shown(totals.executed().round() as u64);
    let first = [executed(scratch), Cell::nothing()];
    let cells = with(first, reused.iter().map(executed).collect());
    table.push(row(laboratory, format!("{name}: executed"), cells, Declared::Uncompared));
    let memory = reused.iter().map(|totals| percent(-saved(scratch.bytes(), totals.bytes())));
    let first = [Cell::measured(scratch.bytes(), Unit::Bytes, 0), Cell::nothing()];
    let cells = with(first, memory.collect());
    table.push(row(laboratory, format!("{name}: memory"), cells, Declared::Uncompared));
}

/// One of the proportions of a reckoning.
type Share = fn(Reckoning) -> f64;

fn found_of(reckoning: Reckoning) -> f64 {
    reckoning.found
}

fn modified_of(reckoning: Reckoning) -> f64 {
    reckoning.modified
}

/// A proportion, with the published one.
fn share(found: Option<f64>, published: Option<f64>) -> Cell {
    match (found, published) {
        (Some(found), published) => Cell::rounded(found, 4).maybe_published(published),
        (None, Some(published)) => Cell::compared("unknown").published(published),
        (None, None) => Cell::nothing(),
    }
}

fn push_sequence(
    laboratory: &Laboratory<'_>,
    table: &mut MadeTable,
    sequence: &Sequence,
    rows: &[VersionRow],
) {
    let mut sums = [0.0; 4];
    for (version, VersionRow { scratch, reused }) in sequence.versions.iter().zip(rows) {
        let times = [scratch.seconds(), reused.seconds(), version.seconds, version.reused_seconds];
        let reckoning = reused.reckoning();
        let [p, q] = version.proportions.map_or([None; 2], |known| known.map(Some));
        let executed = format!("{:.0} of {:.0}", reused.executed(), scratch.executed());
        let rest = [
            percent(-saved(scratch.bytes(), reused.bytes())),
            Cell::shown(executed),
            share(reckoning.map(found_of), p),
            share(reckoning.map(modified_of), q),
        ];
        let name = format!("{}; {}", sequence.name, version.name);
        let declared = match version.proportions {
            Some(_) => sequence.declared.clone(),
            None => Declared::Uncompared,
        };
        table.push(row(laboratory, name, timed(times).into_iter().chain(rest).collect(), declared));
        for (sum, part) in sums.iter_mut().zip(times) {
            *sum += part;
        }
    }
    let rest = std::array::from_fn::<_, 4, _>(|_| Cell::nothing());
    let name = format!("{}; all", sequence.name);
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
