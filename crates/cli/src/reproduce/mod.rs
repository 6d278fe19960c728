//! `reproduce`: published tables and figures, with the published numbers beside ours.
//!
//! # A table
//!
//! A table is a function that fills a [`MadeTable`] row by row, in a file of its own below the folder of its document. The
//! `TABLES` of that folder list it, with its id, its title and how long it takes; `catalogue.rs` lists the folders.
//!
//! ```text
//! Listed {
//!     id: "000/4.3",
//!     others: &[],
//!     title: "AODV, counterexample 3, from 3 to 12 nodes",
//!     seconds: 2,
//!     long_seconds: None,
//!     make: chains,
//! }
//!
//! fn chains(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
//!     table.columns(["nodes", "states", "events"]);
//!     for published in &CHAINS {
//!         let found = laboratory.search(&words(published), Order::FROM_SCRATCH)?;
//!         table.push(Row::new(
//!             published.nodes.to_string(),
//!             vec![
//!                 Cell::compared(found.states).published(published.states),
//!                 Cell::compared(found.counts.events).published(published.events),
//!             ],
//!             Declared::Exact,
//!         ));
//!     }
//!     Ok(())
//! }
//! ```
//!
//! - A [`Cell`] has our value, the published one, and how they relate: `compared`, `rounded`, `sampled`, `measured` (times and
//!   memory: they decide nothing), `shown`.
//! - A [`Row`] is declared to be exact, within, different or not reproducible; the last two with the reason in a sentence. What
//!   it turns out to be follows from its cells. One that is worse than declared is a failure: the exit code is 1.
//! - A row that takes more than some seconds asks `laboratory.runs_long()`, and is [`Row::not_run`] otherwise. With `--quick`
//!   (`laboratory.is_quick()`) a row may be explored less deep: it is [`Row::reduced`] then.
//! - `laboratory.search` makes a search in the words of `check`, also with `--engine plain`, which stands for a
//!   general-purpose checker. Everything that takes long calls `laboratory.tell`, which
//!   shows what is done and ends the table when the user presses Ctrl-C. The rows so far stay.

mod catalogue;
mod cell;
mod heaps;
mod icfem;
mod incremental;
mod laboratory;
mod listed;
mod manet;
mod measured;
mod memocode;
pub(crate) mod report;
mod table;
mod thesis;
mod value;

use crate::{
    arguments::reproduce::ReproduceArguments,
    error::CliError,
    output::{Outcome, print, print_json},
    running::interrupt,
    scenarios::entry::Entry,
};
use laboratory::{Halt, Laboratory};
use listed::Listed;
use report::{Files, ListReport, ReproduceReport};
use table::MadeTable;

/// Makes tables with scenarios of this program, or lists them.
pub(crate) fn reproduce(
    entries: &[Box<dyn Entry>],
    arguments: &ReproduceArguments,
) -> Result<Outcome, CliError> {
    if arguments.lists()? {
        list(arguments.json);
        return Ok(Outcome::Fine);
    }
    let selected = catalogue::selected(&arguments.tables)?;
    let files = arguments.out.as_deref().map(|folder| Files::open(folder, arguments.json));
    let files = files.transpose()?;
    interrupt::flag();
    let mut laboratory = Laboratory::new(entries, arguments);
    let mut tables: Vec<MadeTable> = Vec::new();
    let mut complete = true;
    for listed in selected {
        let (table, ended) = made(&mut laboratory, listed);
        laboratory.line.clear();
        if !arguments.json {
            let before = if tables.is_empty() { "" } else { "\n" };
            print(&format!("{before}{}", table.to_text()));
        }
        if let Some(files) = &files {
            files.write(&table)?;
        }
        tables.push(table);
        match ended {
            Ok(()) => {}
            Err(Halt::Failed(error)) => return Err(error),
            Err(Halt::Interrupted) => {
                complete = false;
                break;
            }
        }
    }
    Ok(conclude(&ReproduceReport::new(&tables, complete, arguments.quick), arguments.json))
}

/// A table, or as much of it as can be made.
fn made(laboratory: &mut Laboratory<'_>, listed: &'static Listed) -> (MadeTable, Result<(), Halt>) {
    let mut table = MadeTable::new(listed.id, listed.title, catalogue::source(listed));
    laboratory.begin(listed.id);
    let ended = (listed.make)(laboratory, &mut table);
    if ended.is_ok() {
        table.end();
    }
    (table, ended)
}

/// Prints the list of all tables.
fn list(json: bool) {
    let report = ListReport::new();
    match json {
        true => print_json(&report),
        false => print(&report.to_text()),
    }
}

/// Prints what there is to say of all tables.
fn conclude(report: &ReproduceReport<'_>, json: bool) -> Outcome {
    match json {
        true => print_json(report),
        false => print(&format!("\n{}", report.summary())),
    }
    match (report.has_failures(), report.is_complete()) {
        (true, _) => Outcome::Violation,
        (false, true) => Outcome::Fine,
        (false, false) => Outcome::Stopped,
    }
}
