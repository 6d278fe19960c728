//! The experiments of Kojima, Nagashima and Tsuchiya on route discovery (`docs/references.md`): published numbers
//! and ours.

mod laboratory;
mod patterns;
mod published;
mod report;

use std::time::Duration;

use self::{
    laboratory::{Found, Prepared, with_scenario},
    patterns::{Beginning, Changes},
    published::{LOOPS, PublishedRow, PublishedSearch, SEARCHES},
};
use crate::{
    arguments::reproduce::ReproduceArguments,
    error::CliError,
    running::{interrupt, progress::Line},
    scenarios::entry::Entry,
};

/// The ways to explore three trials.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    ByPatterns,
    Full,
    Cut,
}

impl Way {
    const ALL: [Self; 3] = [Self::ByPatterns, Self::Full, Self::Cut];

    fn name(self) -> &'static str {
        match self {
            Self::ByPatterns => "last trial by patterns",
            Self::Full => "all trials",
            Self::Cut => "all trials cut at the last",
        }
    }

    fn run(self, prepared: &Prepared<'_>) -> Result<Found, CliError> {
        match self {
            Self::ByPatterns => prepared.by_patterns(),
            Self::Full => prepared.full(),
            Self::Cut => prepared.cut(),
        }
    }

    fn published(self, row: &'static PublishedRow) -> Option<&'static PublishedSearch> {
        match self {
            Self::ByPatterns => Some(&row.by_patterns),
            Self::Full => Some(&row.full),
            Self::Cut => None,
        }
    }
}

/// All tables that were made before the user stopped it.
#[derive(Default)]
pub(super) struct Tables {
    repeat: u32,
    /// By number of nodes.
    audiences: Vec<(u32, u64)>,
    /// How many nodes there are where patterns are counted.
    nodes: u32,
    /// By trial.
    beginnings: Vec<Beginning>,
    changes: Changes,
    searches: Vec<(&'static PublishedRow, Way, Found)>,
    loops: Vec<(u32, &'static PublishedSearch, Found)>,
}

/// How many nodes there are at most, and with `--quick`, where everything is explored.
const NODES: u32 = 4;
const QUICK_NODES: u32 = 3;

/// Runs all experiments.
pub(super) fn tables(
    entries: &[Box<dyn Entry>],
    arguments: &ReproduceArguments,
) -> Result<Tables, CliError> {
    let mut line = Line::new(!arguments.json);
    let repeat = if arguments.quick { 1 } else { arguments.repeat };
    let nodes = if arguments.quick { QUICK_NODES } else { NODES };
    let mut tables = Tables { repeat, nodes, ..Tables::default() };
    let made = tables.make(entries, &mut line);
    line.clear();
    made.map(|()| tables)
}

impl Tables {
    fn make(&mut self, entries: &[Box<dyn Entry>], line: &mut Line) -> Result<(), CliError> {
        let most = self.nodes;
        for nodes in 2..=5 {
            let words = format!("route-discovery --set nodes={nodes}");
            let audiences = with_scenario(entries, &words, |prepared| prepared.first_events())?;
            self.audiences.push((nodes, audiences));
        }
        for trials in 1..=3 {
            let words = format!("route-discovery --set nodes={most} --set trials={trials}");
            self.beginnings.push(with_scenario(entries, &words, patterns::beginning)?);
        }
        line.update(|| "Tables 4 to 10".to_owned());
        let words = format!("route-discovery --set nodes={most}");
        self.changes = with_scenario(entries, &words, patterns::changes)?;
        for row in SEARCHES.iter().filter(|row| row.nodes <= most) {
            let words = format!("route-discovery --set nodes={}", row.nodes);
            for way in Way::ALL {
                line.update(|| format!("Table {}, {}", row.table, way.name()));
                let run = || with_scenario(entries, &words, |prepared| way.run(prepared));
                let Some(found) = self.repeated(run)? else { return Ok(()) };
                self.searches.push((row, way, found));
            }
        }
        for (nodes, published) in &LOOPS {
            let words = format!("route-discovery-expiring --set nodes={nodes}");
            line.update(|| format!("Table 15, {nodes} nodes"));
            let run = || with_scenario(entries, &words, |prepared| prepared.full());
            let Some(found) = self.repeated(run)? else { return Ok(()) };
            self.loops.push((*nodes, published, found));
        }
        Ok(())
    }

    /// Runs a search several times, for its mean time; nothing if the user stops it.
    fn repeated(
        &self,
        run: impl Fn() -> Result<Found, CliError>,
    ) -> Result<Option<Found>, CliError> {
        let mut time = Duration::ZERO;
        let mut last = None;
        for _ in 0..self.repeat {
            if interrupt::happened() {
                return Ok(None);
            }
            let found = run()?;
            time += found.time;
            last = Some(found);
        }
        Ok(last.map(|found| Found { time: time / self.repeat, ..found }))
    }
}
