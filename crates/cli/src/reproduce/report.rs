//! What `reproduce` prints and writes: tables as text, as Markdown and as JSON, and the list of all.

use std::{
    fs,
    path::{Path, PathBuf},
};

use everypath_report::{Table, write_atomically};
use serde::Serialize;

use super::{
    catalogue,
    listed::Listed,
    table::{MadeTable, Mark, Row},
};
use crate::{error::CliError, output::numbers::counted};

/// Tables that were made.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "MadeTables"))]
pub(crate) struct ReproduceReport<'a> {
    /// Whether every table was made; not if the user stopped it.
    complete: bool,
    /// Whether less was run than was published, with `--quick`.
    quick: bool,
    /// The tables, in the order of the list.
    tables: &'a [MadeTable],
    /// The rows that are worse than they should be; if there are any, the exit code is 1.
    failures: Vec<String>,
    /// The rows that are better than they should be: what is said of them is out of date.
    better: Vec<String>,
}

/// All tables that can be made.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ListOfTables"))]
pub(crate) struct ListReport {
    /// Document by document.
    tables: Vec<ListedReport>,
}

/// A table that can be made.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Listed"))]
struct ListedReport {
    /// How it is called on the command line.
    id: &'static str,
    /// Other ids that name it.
    others: &'static [&'static str],
    /// What it is about.
    title: &'static str,
    /// Where it was published.
    source: String,
    /// About how many seconds it takes without `--long`.
    seconds: u32,
    /// The same with `--long`; null if that makes no difference.
    long_seconds: Option<u32>,
}

impl ListReport {
    pub(super) fn new() -> Self {
        let report = |listed: &'static Listed| ListedReport {
            id: listed.id,
            others: listed.others,
            title: listed.title,
            source: catalogue::source(listed),
            seconds: listed.seconds,
            long_seconds: listed.long_seconds,
        };
        Self { tables: catalogue::all().map(report).collect() }
    }

    pub(super) fn to_text(&self) -> String {
        let mut table = Table::new(["table", "takes", "with --long", "title"]);
        let mut text = String::new();
        for listed in &self.tables {
            let ids: Vec<&str> = [listed.id].iter().chain(listed.others).copied().collect();
            let long = listed.long_seconds.map_or(String::new(), duration);
            let takes = duration(listed.seconds);
            table.push([ids.join(" "), takes, long, listed.title.to_owned()]);
        }
        text.push_str(&left_aligned(&table));
        text
    }
}

/// About how long.
fn duration(seconds: u32) -> String {
    match seconds {
        0 | 1 => "1 s".to_owned(),
        2..120 => format!("{seconds} s"),
        _ => format!("{} min", seconds.div_ceil(60)),
    }
}

impl<'a> ReproduceReport<'a> {
    pub(super) fn new(tables: &'a [MadeTable], complete: bool, quick: bool) -> Self {
        let failures = tables.iter().flat_map(failures_of).collect();
        let better = tables.iter().flat_map(better_of).collect();
        Self { complete, quick, tables, failures, better }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.complete
    }

    pub(super) fn has_failures(&self) -> bool {
        !self.failures.is_empty()
    }

    /// What there is to say after all tables.
    pub(super) fn summary(&self) -> String {
        let rows: Vec<&Row> = self.tables.iter().flat_map(MadeTable::rows).collect();
        let count = |mark: Mark| rows.iter().filter(|row| row.mark() == mark).count();
        let counts = Mark::ALL.into_iter().filter(|mark| count(*mark) > 0);
        let counts: Vec<String> =
            counts.map(|mark| format!("{} {}", count(mark), mark.word())).collect();
        let mut text = format!("{}: {}\n", counted(rows.len() as u64, "row"), counts.join(", "));
        for failure in self.failures.iter().chain(&self.better) {
            text.push_str(&format!("{failure}\n"));
        }
        if !self.complete {
            text.push_str("stopped before every table was made\n");
        }
        text
    }
}

/// The rows that are worse than they should be.
fn failures_of(table: &MadeTable) -> impl Iterator<Item = String> {
    table.rows().iter().filter(|row| row.has_failed()).map(|row| {
        let differing = table.titles()[1..].iter().zip(row.cells());
        let differing = differing.filter(|(_, cell)| cell.agrees() == Some(false));
        let cells: Vec<String> =
            differing.map(|(title, cell)| format!("{title} {}", cell.to_text())).collect();
        let is = if cells.is_empty() { row.mark().word().to_owned() } else { cells.join(", ") };
        format!("{}, {}: should be {}, but: {is}", table.id(), row.name(), row.declared().word())
    })
}

/// The rows that are better than they should be.
fn better_of(table: &MadeTable) -> impl Iterator<Item = String> {
    table.rows().iter().filter(|row| row.is_better()).map(|row| {
        let (should, is) = (row.declared().word(), row.mark().word());
        format!("{}, {}: should be {should}, but is {is}", table.id(), row.name())
    })
}

impl MadeTable {
    /// For a terminal.
    pub(super) fn to_text(&self) -> String {
        let (table, reasons) = self.with_reasons();
        let mut text = format!("{}: {}\n{}\n", self.id(), self.title(), self.source());
        for note in self.notes() {
            text.push_str(&format!("{note}\n"));
        }
        text.push_str(&format!("\n{}", table.to_text()));
        for (number, reason) in (1..).zip(reasons) {
            text.push_str(&format!("[{number}] {reason}\n"));
        }
        if !self.is_complete() {
            text.push_str("(stopped before every row was made)\n");
        }
        text
    }

    /// For a page.
    pub(super) fn to_markdown(&self) -> String {
        let (table, reasons) = self.with_reasons();
        let mut text = format!("## {}: {}\n\n{}.\n", self.id(), self.title(), self.source());
        for note in self.notes() {
            text.push_str(&format!("{note}\n"));
        }
        let mut lines = table.lines().iter().map(|cells| markdown_line(cells));
        text.push_str(&format!("\n{}", lines.next().unwrap_or_default()));
        text.push_str(&markdown_line(&vec!["---".to_owned(); self.titles().len() + 1]));
        text.extend(lines);
        for (number, reason) in (1..).zip(&reasons) {
            let before = if number == 1 { "\n" } else { "" };
            text.push_str(&format!("{before}{number}. {reason}\n"));
        }
        text
    }

    /// With a column of marks, and the reasons that these number.
    fn with_reasons(&self) -> (Table, Vec<&str>) {
        let mut reasons: Vec<&str> = Vec::new();
        let titles = self.titles().iter().map(String::as_str).chain(["mark"]);
        let mut table = Table::new(titles);
        for row in self.rows() {
            let mut mark = row.mark().word().to_owned();
            if let Some(reason) = row.reason() {
                let place = reasons.iter().position(|known| *known == reason);
                let place = place.unwrap_or_else(|| {
                    reasons.push(reason);
                    reasons.len() - 1
                });
                mark.push_str(&format!(" [{}]", place + 1));
            }
            let cells = row.cells().iter().map(|cell| cell.to_text());
            table.push([row.name().to_owned()].into_iter().chain(cells).chain([mark]));
        }
        (table, reasons)
    }
}

fn markdown_line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The files of tables, in a folder.
pub(super) struct Files<'a> {
    folder: &'a Path,
    json: bool,
}

impl<'a> Files<'a> {
    /// Makes the folder, if it is not there.
    pub(super) fn open(folder: &'a Path, json: bool) -> Result<Self, CliError> {
        fs::create_dir_all(folder)
            .map_err(|error| CliError::Folder { path: folder.to_owned(), error })?;
        Ok(Self { folder, json })
    }

    /// The file of a table: its id, with a dash for the slash.
    fn path(&self, table: &MadeTable) -> PathBuf {
        let ending = if self.json { "json" } else { "md" };
        self.folder.join(format!("{}.{ending}", table.id().replace('/', "-")))
    }

    pub(super) fn write(&self, table: &MadeTable) -> Result<(), CliError> {
        let path = self.path(table);
        let content = match self.json {
            true => serde_json::to_string_pretty(table).unwrap_or_default() + "\n",
            false => table.to_markdown(),
        };
        write_atomically(&path, content.as_bytes()).map_err(|error| CliError::Unwritable {
            option: "--out",
            path,
            error,
        })
    }
}

/// The same table with all columns to the left: they hold words.
fn left_aligned(table: &Table) -> String {
    let lines = table.lines();
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    let line = |cells: &Vec<String>| {
        let cells: Vec<String> =
            cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        cells.join("  ").trim_end().to_owned() + "\n"
    };
    lines.iter().map(line).collect()
}
