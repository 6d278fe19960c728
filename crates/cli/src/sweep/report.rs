//! The report of a sweep: tables for people and for other programs.

use std::{collections::BTreeSet, fmt::Write};

use everypath_report::Table;
use everypath_sim::{Estimate, Interval, Sort, Unrecorded, readings, unrecorded};

use super::{
    Study,
    execute::{Executed, estimates},
    folder::Left,
    record::{Kind, Quantity, rows},
};
use crate::{
    error::CliError,
    output::{
        lines,
        numbers::{counted, significant},
        unsure,
    },
    simulating::{
        interval::{half_width, half_width_text, interval_notes, interval_text},
        recorded::{ensure_recorded, unread_notes},
        watched::Watched,
    },
};

/// The report of a sweep.
pub(crate) struct Report<'a> {
    pub(crate) study: &'a Study,
    pub(crate) executed: &'a Executed,
    pub(crate) left: Left,
}

/// A number for other programs; empty if it is not finite.
fn cell(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or(String::new(), |value| value.to_string())
}

impl Report<'_> {
    fn keys(&self) -> impl Iterator<Item = &String> {
        self.study.points.first().into_iter().flat_map(|point| point.swept.keys())
    }

    fn swept(&self, point: usize) -> impl Iterator<Item = String> {
        let values = self.study.points[point].swept.values();
        values.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    /// A line for each point, replication and number.
    pub(crate) fn results_csv(&self) -> String {
        let titles = ["point", "hash", "seed", "replication", "kind", "name", "unit", "value"];
        let titles = titles.into_iter().map(str::to_owned);
        let mut table = Table::new(titles.chain(self.keys().cloned()));
        let rows = rows(self.executed.runs.iter().flatten());
        for (point, runs) in self.executed.runs.iter().enumerate() {
            for run in runs {
                for Quantity { kind, name, unit, value } in run.in_rows(&rows) {
                    let cells = [
                        point.to_string(),
                        run.hash.clone(),
                        run.seed.to_string(),
                        run.replication.to_string(),
                        kind.name().to_owned(),
                        name,
                        unit,
                        cell(value),
                    ];
                    table.push(cells.into_iter().chain(self.swept(point)));
                }
            }
        }
        table.to_csv()
    }

    /// A line for each point and measure.
    pub(crate) fn summary_csv(&self) -> String {
        let titles = [
            "point",
            "measure",
            "unit",
            "runs",
            "mean",
            "half_width_95",
            "interval",
            "low_95",
            "high_95",
            "deviation",
            "undefined_in",
        ];
        let titles = titles.into_iter().map(str::to_owned);
        let mut table = Table::new(titles.chain(self.keys().cloned()));
        for (point, runs) in self.executed.runs.iter().enumerate() {
            for estimate in estimates(runs) {
                let cells = [
                    point.to_string(),
                    estimate.name.clone(),
                    estimate.unit.clone(),
                    estimate.runs.to_string(),
                    cell(Some(estimate.mean)),
                    cell(half_width(&estimate)),
                    estimate.interval().rule().to_owned(),
                    cell(estimate.interval().ends().map(|(low, _)| low)),
                    cell(estimate.interval().ends().map(|(_, high)| high)),
                    cell(Some(estimate.deviation)),
                    estimate.undefined.to_string(),
                ];
                table.push(cells.into_iter().chain(self.swept(point)));
            }
        }
        table.to_csv()
    }

    /// Its text for the terminal.
    pub(crate) fn to_text(&self) -> String {
        let Self { study, executed, left } = self;
        let (made, kept) = (executed.made as u64, executed.kept as u64);
        let mut text = format!(
            "{}: {}, {} made, {kept} kept from before, seed {}\n",
            study.name,
            counted(study.points.len() as u64, "point"),
            counted(made, "run"),
            study.seed
        );
        text += &lines(&self.used());
        text += &unread_notes(&self.unrecorded());
        text += &self.watched().to_text();
        for (count, of) in [(left.program, "another program"), (left.settings, "other settings")] {
            if count > 0 {
                let runs = counted(count, "run");
                let _ = writeln!(text, "not used: {runs} of {of} in the folder");
            }
        }
        if executed.stopped {
            let again = match study.is_kept {
                true => "the runs are kept; run the command again to continue",
                false => "give --out to keep runs",
            };
            let _ = writeln!(
                text,
                "{}: fewer runs than asked for; {again}",
                unsure("STOPPED by the user")
            );
        }
        text.push('\n');
        text.push_str(&self.table().to_text());
        let estimates: Vec<Estimate> =
            self.executed.runs.iter().flat_map(|runs| estimates(runs)).collect();
        text.push_str(&interval_notes(estimates.iter()));
        text
    }

    /// The assertions at the ends of all runs.
    pub(super) fn watched(&self) -> Watched {
        let ends = self.executed.runs.iter().flatten();
        let ends = ends.map(|run| (run.replication, run.violation.clone()));
        // There is at least one point: `grid.rs` refuses others.
        Watched::of(&self.study.points[0].scenario.outline(), ends)
    }

    /// All names under which something was recorded in some run.
    fn recorded(&self) -> BTreeSet<(Sort, String)> {
        let quantities = self.executed.runs.iter().flatten().flat_map(|run| &run.results);
        let sort = |it: &Quantity| match it.kind {
            Kind::Measure => None,
            Kind::Counter => Some((Sort::Counted, it.name.clone())),
            Kind::Mean | Kind::Median | Kind::P95 | Kind::Level => {
                Some((Sort::Observed, it.name.clone()))
            }
        };
        quantities.filter_map(sort).collect()
    }

    /// The names that measures read but no run recorded.
    fn unrecorded(&self) -> Vec<Unrecorded> {
        let first = self.study.points.first();
        let readings = first.map(|point| readings(point.scenario.measures())).unwrap_or_default();
        let is_empty = self.executed.runs.iter().all(Vec::is_empty);
        if is_empty { Vec::new() } else { unrecorded(&readings, &self.recorded()) }
    }

    /// Refuses a measure that reads a name that was probably mistyped.
    pub(crate) fn ensure_recorded(&self) -> Result<(), CliError> {
        let runs = self.executed.runs.iter().map(Vec::len).sum();
        ensure_recorded(&self.unrecorded(), &self.recorded(), runs)
    }

    /// The files and settings that all points share, in words.
    pub(crate) fn used(&self) -> Vec<(String, String)> {
        let points = &self.study.points;
        let first = points.first().map(|point| point.scenario.subject().used_facts());
        let mut facts = first.unwrap_or_default();
        for point in points {
            let here = point.scenario.subject().used_facts();
            facts.retain(|fact| here.contains(fact));
        }
        facts
    }

    /// The measures of all points with their 95 % confidence intervals.
    pub(crate) fn table(&self) -> Table {
        let points: Vec<Vec<Estimate>> =
            self.executed.runs.iter().map(|runs| estimates(runs)).collect();
        let measures = points.iter().find(|it| !it.is_empty()).map_or(&[][..], Vec::as_slice);
        let keys = self.keys().cloned();
        let fixed = keys.chain(["runs".to_owned()]);
        let mut table = Table::new(fixed.chain(measures.iter().map(title)));
        for (point, estimates) in points.iter().enumerate() {
            let runs = self.executed.runs[point].len().to_string();
            let told = measures.iter().map(|measure| {
                let found = estimates.iter().find(|it| it.name == measure.name);
                found.map_or(String::new(), estimate_text)
            });
            table.push(self.swept(point).chain([runs]).chain(told));
        }
        table
    }
}

/// A measure with its unit.
fn title(estimate: &Estimate) -> String {
    match estimate.unit.as_str() {
        "" => estimate.name.clone(),
        unit => format!("{} ({unit})", estimate.name),
    }
}

pub(crate) fn estimate_text(estimate: &Estimate) -> String {
    let mean = significant(estimate.mean);
    match estimate.interval() {
        Interval::Unknown if estimate.undefined > 0 => {
            format!("undefined in {}", estimate.undefined)
        }
        Interval::Unknown => mean,
        Interval::Constant { .. } => format!("{mean} {}", half_width_text(estimate)),
        Interval::Proportion { .. } => format!("{mean} ({})", interval_text(estimate, "")),
        Interval::Student { .. } => format!("{mean} ± {}", half_width_text(estimate)),
    }
}
