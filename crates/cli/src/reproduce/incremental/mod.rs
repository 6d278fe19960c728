//! The experiments of chapter 8 of Sobeih's thesis (`docs/references.md`), on incremental exploration: published numbers
//! and ours.

mod published;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use everypath_network::Reckoning;
use everypath_report::Table;
use serde_json::{Value, json};

use self::published::{FLAGGED, Flagged, SEQUENCES, Sequence, Version, Writes};
use super::measured::{Measured, Order, measure};
use crate::{
    arguments::{check_of_words, reproduce::ReproduceArguments},
    check::spec::CheckSpec,
    error::CliError,
    kept::graph::ReckoningReport,
    output::numbers::{counted, size},
    running::{interrupt, progress::Line},
    scenarios::entry::{self, Entry},
};

/// All tables that were made before the user stopped it.
pub(super) struct Tables {
    flagged: Vec<(&'static Flagged, FlaggedRow)>,
    sequences: Vec<(&'static Sequence, Vec<VersionRow>)>,
    repeat: u32,
}

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

    fn to_json(&self) -> Value {
        json!({
            "seconds": self.seconds(),
            "bytes": self.bytes(),
            "events": self.mean(|run| run.counts.events as f64),
            "states": self.mean(|run| run.states as f64),
            "executed_events": self.executed(),
            "handler_executions": self.mean(|run| run.executions as f64),
            "t": self.tree(),
            "reckoning": self.reckoning().as_ref().map(ReckoningReport::from),
        })
    }
}

/// The searches, and the folder of their graphs.
struct Laboratory<'a> {
    entries: &'a [Box<dyn Entry>],
    arguments: &'a ReproduceArguments,
    folder: PathBuf,
    line: Line,
}

/// Runs all experiments.
pub(super) fn tables(
    entries: &[Box<dyn Entry>],
    arguments: &ReproduceArguments,
) -> Result<Tables, CliError> {
    let folder = std::env::temp_dir().join(format!("everypath-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
    let line = Line::new(!arguments.json);
    let mut laboratory = Laboratory { entries, arguments, folder, line };
    let tables = laboratory.tables();
    laboratory.line.clear();
    // It does no harm if it stays.
    let _ = fs::remove_dir_all(&laboratory.folder);
    tables
}

fn unwritable(path: &Path, error: io::Error) -> CliError {
    CliError::Unwritable { option: "the folder for graphs", path: path.to_owned(), error }
}

impl Laboratory<'_> {
    fn tables(&mut self) -> Result<Tables, CliError> {
        let mut tables =
            Tables { flagged: Vec::new(), sequences: Vec::new(), repeat: self.seeds() as u32 };
        for flagged in FLAGGED {
            let Some(row) = self.flagged(flagged)? else { return Ok(tables) };
            tables.flagged.push((flagged, row));
        }
        for sequence in SEQUENCES {
            let Some(rows) = self.sequence(sequence)? else { return Ok(tables) };
            tables.sequences.push((sequence, rows));
        }
        Ok(tables)
    }

    fn seeds(&self) -> u64 {
        if self.arguments.quick { 1 } else { self.arguments.repeat.into() }
    }

    /// A row with zero, one, two, … modified events; `None` if the user stops it.
    fn flagged(&mut self, row: &'static Flagged) -> Result<Option<FlaggedRow>, CliError> {
        let written = self.folder.join("flagged.graph");
        let mut scratch = Totals::default();
        let mut reused: Vec<Totals> = row.saved.iter().map(|_| Totals::default()).collect();
        for seed in 1..=self.seeds() {
            if interrupt::happened() {
                return Ok(None);
            }
            self.tell(row.table, row.search);
            let compares = seed == 1;
            let order = Order { compares, ..Order::FROM_SCRATCH };
            let fresh = self.run(&row.version, seed, order)?;
            self.run(&row.version, seed, Order { writes: Some(&written), ..Order::FROM_SCRATCH })?;
            for (modified, totals) in reused.iter_mut().enumerate() {
                let events: Vec<_> =
                    row.events[..modified].iter().filter_map(|event| event.parse().ok()).collect();
                let reads = Some(written.as_path());
                let order = Order { reads, writes: None, modified: &events, compares };
                let run = self.run(&row.version, seed, order)?;
                ensure_equal(&row.version, &fresh, &run)?;
                totals.runs.push(run);
            }
            scratch.runs.push(fresh);
        }
        Ok(Some(FlaggedRow { scratch, reused }))
    }

    /// Versions one after the other; `None` if the user stops it.
    fn sequence(
        &mut self,
        sequence: &'static Sequence,
    ) -> Result<Option<Vec<VersionRow>>, CliError> {
        let events: Vec<_> =
            sequence.modified.iter().filter_map(|event| event.parse().ok()).collect();
        let mut rows: Vec<VersionRow> = Vec::new();
        for seed in 1..=self.seeds() {
            for (place, version) in sequence.versions.iter().enumerate() {
                if interrupt::happened() {
                    return Ok(None);
                }
                self.tell(sequence.table, sequence.name);
                let compares = seed == 1;
                let order = Order { compares, ..Order::FROM_SCRATCH };
                let fresh = self.run(version, seed, order)?;
                if seed == 1 {
                    rows.push(VersionRow::default());
                }
                let writes = place == 0 || sequence.writes == Writes::EachVersion;
                let written = self.folder.join("sequence.graph");
                if place == 0 {
                    let _ = fs::remove_file(&written);
                }
                let order = Order {
                    reads: Some(written.as_path()).filter(|path| path.exists()),
                    writes: writes.then_some(written.as_path()),
                    modified: &events,
                    compares,
                };
                let run = self.run(version, seed, order)?;
                ensure_equal(version, &fresh, &run)?;
                rows[place].reused.runs.push(run);
                rows[place].scratch.runs.push(fresh);
            }
        }
        Ok(Some(rows))
    }

    fn tell(&mut self, table: &str, what: &str) {
        self.line.update(|| format!("Table {table}, {what}"));
    }

    fn run(&self, version: &Version, seed: u64, order: Order<'_>) -> Result<Measured, CliError> {
        let Version { depth, quick_depth, .. } = *version;
        let depth = if self.arguments.quick { quick_depth } else { depth };
        let spec = parsed(version, depth, seed);
        let entry = entry::find(self.entries, &spec.scenario.name)?;
        let built = entry.build(spec.scenario.parameters())?;
        measure(&built.subject(), &spec.search, order)
    }
}

/// The options of `check` for a version.
fn parsed(version: &Version, depth: u32, seed: u64) -> CheckSpec {
    let (depth, seed) = (depth.to_string(), seed.to_string());
    let words = ["everypath", "check"].into_iter().chain(version.words.split_whitespace());
    let words = words.chain(["--profile", "thesis", "--max-depth", &depth, "--shuffle", &seed]);
    CheckSpec::new(&check_of_words(words), None)
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

fn percent(number: f64) -> String {
    format!("{number:+.0} %")
}

fn seconds(number: f64) -> String {
    format!("{number:.3} s")
}

impl Tables {
    pub(super) fn to_text(&self) -> String {
        let mut text = format!(
            "Means of {}. In brackets: what Sobeih's thesis has, on machines of its time.\nEvery search with a graph was compared with one from scratch: counts, states and steps are the same.\n",
            counted(self.repeat.into(), "run")
        );
        let mut rows = self.flagged.as_slice();
        while let Some((first, _)) = rows.first() {
            let len = rows.iter().take_while(|(row, _)| row.title == first.title).count();
            let (table, rest) = rows.split_at(len);
            text.push_str(&format!("\nTable {}: {}\n\n", first.table, first.title));
            text.push_str(&flagged_table(table).to_text());
            rows = rest;
        }
        for (sequence, rows) in &self.sequences {
            text.push_str(&format!("\nTable {}: {}\n\n", sequence.table, sequence.name));
            text.push_str(&sequence_table(sequence, rows).to_text());
        }
        text
    }

    pub(super) fn to_json(&self) -> Value {
        let flagged = self.flagged.iter().map(|(row, found)| {
            json!({
                "table": row.table,
                "title": row.title,
                "search": row.search,
                "published": {
                    "seconds": row.seconds,
                    "saved_percent": row.saved,
                    "t": row.tree,
                    "p": row.found,
                    "q": row.modified,
                },
                "from_scratch": found.scratch.to_json(),
                "with_graph": found.reused.iter().map(Totals::to_json).collect::<Vec<_>>(),
            })
        });
        let sequences = self.sequences.iter().map(|(sequence, rows)| {
            let versions = sequence.versions.iter().zip(rows).map(|(version, row)| {
                json!({
                    "version": version.name,
                    "published": {
                        "seconds": version.seconds,
                        "reused_seconds": version.reused_seconds,
                        "p": version.proportions.map(|[p, _]| p),
                        "q": version.proportions.map(|[_, q]| q),
                    },
                    "from_scratch": row.scratch.to_json(),
                    "with_graph": row.reused.to_json(),
                })
            });
            json!({
                "table": sequence.table,
                "name": sequence.name,
                "versions": versions.collect::<Vec<_>>(),
            })
        });
        json!({
            "repeat": self.repeat,
            "flagged": flagged.collect::<Vec<_>>(),
            "sequences": sequences.collect::<Vec<_>>(),
        })
    }
}

fn flagged_table(rows: &[(&'static Flagged, FlaggedRow)]) -> Table {
    let columns = rows.first().map_or(0, |(row, _)| row.saved.len());
    let modified = (0..columns).map(|number| format!("{number} modified"));
    let titles = ["search", "from scratch", "t"].map(str::to_owned);
    let mut table = Table::new(titles.into_iter().chain(modified));
    for (row, found) in rows {
        let FlaggedRow { scratch, reused } = found;
        let time = format!("{} ({:.1} s)", seconds(scratch.seconds()), row.seconds);
        let tree = format!("{:.4} ({:.4})", scratch.tree(), row.tree);
        let cells = reused.iter().zip(row.saved).map(|(totals, published)| {
            let saved = saved(scratch.seconds(), totals.seconds());
            format!("{} ({})", percent(saved), percent(*published))
        });
        table.push([row.search.to_owned(), time, tree].into_iter().chain(cells));
        for (label, published, of) in
            [("  p", row.found, found_of as Share), ("  q", row.modified, modified_of)]
        {
            let cells = (0..).zip(reused).map(|(place, totals)| {
                beside(totals.reckoning().map(of), published.get(place).copied())
            });
            let label = [label.to_owned(), String::new(), String::new()];
            table.push(label.into_iter().chain(cells));
        }
        let executed = |totals: &Totals| format!("{:.0}", totals.executed());
        let cells = reused.iter().map(executed);
        let label = ["  events executed".to_owned(), executed(scratch), String::new()];
        table.push(label.into_iter().chain(cells));
        let cells = reused.iter().map(|totals| percent(-saved(scratch.bytes(), totals.bytes())));
        let bytes = size(scratch.bytes() as u64);
        table.push(["  memory".to_owned(), bytes, String::new()].into_iter().chain(cells));
    }
    table
}

/// One of the proportions of a reckoning.
type Share = fn(Reckoning) -> f64;

fn found_of(reckoning: Reckoning) -> f64 {
    reckoning.found
}

fn modified_of(reckoning: Reckoning) -> f64 {
    reckoning.modified
}

/// Our number, with the published one.
fn beside(found: Option<f64>, published: Option<f64>) -> String {
    let number = found.map_or("-".to_owned(), |number| format!("{number:.4}"));
    match published {
        Some(published) => format!("{number} ({published:.4})"),
        None => number,
    }
}

fn sequence_table(sequence: &Sequence, rows: &[VersionRow]) -> Table {
    let titles =
        ["version", "from scratch", "with the graph", "saved", "memory", "executed", "p", "q"];
    let mut table = Table::new(titles);
    let mut sums = [0.0; 4];
    for (version, VersionRow { scratch, reused }) in sequence.versions.iter().zip(rows) {
        let (from, with) = (scratch.seconds(), reused.seconds());
        let published = [version.seconds, version.reused_seconds];
        let reckoning = reused.reckoning();
        let [p, q] = version.proportions.map_or([None; 2], |known| known.map(Some));
        table.push([
            version.name.to_owned(),
            format!("{} ({:.1} s)", seconds(from), published[0]),
            format!("{} ({:.1} s)", seconds(with), published[1]),
            saved_of([from, with], published),
            percent(-saved(scratch.bytes(), reused.bytes())),
            format!("{:.0} of {:.0}", reused.executed(), scratch.executed()),
            beside(reckoning.map(found_of), p),
            beside(reckoning.map(modified_of), q),
        ]);
        for (sum, part) in sums.iter_mut().zip([from, with, published[0], published[1]]) {
            *sum += part;
        }
    }
    let [from, with, published_from, published_with] = sums;
    let all = [
        "all".to_owned(),
        format!("{} ({published_from:.1} s)", seconds(from)),
        format!("{} ({published_with:.1} s)", seconds(with)),
        saved_of([from, with], [published_from, published_with]),
    ];
    table.push(all.into_iter().chain(["", "", "", ""].map(str::to_owned)));
    table
}

fn saved_of([from, with]: [f64; 2], published: [f64; 2]) -> String {
    format!("{} ({})", percent(saved(from, with)), percent(saved(published[0], published[1])))
}
