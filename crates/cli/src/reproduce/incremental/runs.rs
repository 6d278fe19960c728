//! Searches with and without graphs, and cells of what they take.

use everypath_explore::EventPattern;
use everypath_network::Reckoning;

use super::published::Version;
use crate::{
    error::CliError,
    reproduce::{
        cell::Cell,
        laboratory::{Halt, Laboratory},
        measured::{Measured, Order},
        table::{Declared, MadeTable, Row},
        value::Unit,
    },
};

/// How often each search is made.
pub(super) const REPEAT: u32 = 3;

/// Why nothing is compared.
const REDUCED: &str = "--quick explores less deep";
const COMPARED: &str = "Every search with a graph is compared with one from scratch: counts, states and steps are the same.";
const MEMORY: &str = "Memory is what a search holds, its graph included, and is not compared: the thesis's is the heap of a Java machine, sampled every 500 events.";

/// How much longer handlers take than their own work, in the words of `check`; empty if they do not.
pub(super) type Slowed<'a> = &'a str;

/// Handlers as they are.
pub(super) const NATIVE: Slowed<'_> = "";

/// Several runs of a search.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) runs: Vec<Measured>,
}

impl Totals {
    pub(super) fn mean(&self, of: impl Fn(&Measured) -> f64) -> f64 {
        self.runs.iter().map(of).sum::<f64>() / self.runs.len().max(1) as f64
    }

    pub(super) fn seconds(&self) -> f64 {
        self.mean(|run| run.time.as_secs_f64())
    }

    pub(super) fn bytes(&self) -> f64 {
        self.mean(|run| run.bytes as f64)
    }

    /// The events that the thesis executes, of each run.
    pub(super) fn executed(&self) -> Vec<f64> {
        self.runs.iter().map(|run| run.executed() as f64).collect()
    }

    /// Their mean, as a count.
    pub(super) fn mean_executed(&self) -> u64 {
        self.mean(|run| run.executed() as f64).round() as u64
    }

    /// The costs and gains of the graph in the first run.
    pub(super) fn reckoning(&self) -> Option<Reckoning> {
        self.runs.iter().find_map(|run| run.reckoning)
    }

    /// The proportion of events that lead to a new state.
    pub(super) fn tree(&self) -> f64 {
        self.share(|run| run.counts.tree_events)
    }

    /// The proportion of events that lead to a safe state.
    pub(super) fn safe(&self) -> f64 {
        1.0 - self.share(|run| run.counts.unsafe_events)
    }

    fn share(&self, of: impl Fn(&Measured) -> u64) -> f64 {
        self.mean(|run| of(run) as f64) / self.mean(|run| run.counts.events as f64).max(1.0)
    }
}

/// Says how often searches are made; how often that is.
pub(super) fn begin(laboratory: &Laboratory<'_>, table: &mut MadeTable) -> u32 {
    let repeat = laboratory.repeat(REPEAT);
    table.note(laboratory.means_of(repeat));
    table.note(COMPARED);
    repeat
}

/// Says what the numbers of memory are.
pub(super) fn tell_of_memory(table: &mut MadeTable) {
    table.note(MEMORY);
}

pub(super) fn patterns(events: &[&str]) -> Vec<EventPattern> {
    events.iter().filter_map(|event| event.parse().ok()).collect()
}

/// One search, shuffled by a seed.
pub(super) fn run(
    laboratory: &mut Laboratory<'_>,
    version: &Version,
    slowed: Slowed<'_>,
    seed: u32,
    order: Order<'_>,
) -> Result<Measured, Halt> {
    let Version { words, depth, quick_depth } = *version;
    let depth = if laboratory.is_quick() { quick_depth } else { depth };
    let words = format!("{words} --profile thesis --max-depth {depth} --shuffle {seed} {slowed}");
    laboratory.search(&words, order)
}

/// Refuses a search that found other states than one from scratch.
pub(super) fn ensure_equal(
    version: &Version,
    scratch: &Measured,
    reused: &Measured,
) -> Result<(), CliError> {
    let same = scratch.counts == reused.counts
        && scratch.states == reused.states
        && scratch.content == reused.content;
    if same { Ok(()) } else { Err(CliError::Unequal { what: version.words }) }
}

/// The time saved, or lost, in percent.
pub(super) fn saved(scratch: f64, reused: f64) -> f64 {
    100.0 * (scratch - reused) / scratch
}

pub(super) fn seconds(ours: f64, published: f64) -> Cell {
    Cell::measured(ours, Unit::Seconds, 3).published(published)
}

pub(super) fn percent(ours: f64) -> Cell {
    Cell::measured(ours, Unit::Percent, 0)
}

/// Memory, in millions of bytes.
pub(super) fn megabytes(bytes: f64, published: f64) -> Cell {
    Cell::measured(bytes / 1e6, Unit::Megabytes, 3).published(published)
}

pub(super) fn times(ours: f64) -> Cell {
    Cell::measured(ours, Unit::Times, 2)
}

/// A row of this table, less deep with `--quick`.
pub(super) fn row(
    laboratory: &Laboratory<'_>,
    name: String,
    cells: Vec<Cell>,
    declared: Declared,
) -> Row {
    match laboratory.is_quick() {
        true => Row::reduced(name, cells, &declared, REDUCED),
        false => Row::new(name, cells, declared),
    }
}

/// A proportion, with the published one.
pub(super) fn share(found: Option<f64>, published: Option<f64>, decimals: usize) -> Cell {
    match (found, published) {
        (Some(found), published) => Cell::rounded(found, decimals).maybe_published(published),
        (None, Some(published)) => Cell::compared("unknown").published(published),
        (None, None) => Cell::nothing(),
    }
}
