//! The time of each operation, as means over the runs of each search.

use std::{collections::BTreeMap, fmt::Write};

use everypath_explore::Timings;
use everypath_report::Table;
use everypath_sim::Estimate;
use serde::Serialize;

use super::{
    comparison::Compared,
    report::{Report, nothing},
};
use crate::{arguments::compare::Quantity, simulating::estimates::finite};

/// How many searches stand beside each other in a table.
const SEARCHES_BESIDE: usize = 4;

/// The mean time of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Mean"))]
pub(crate) struct MeanTime {
    /// The mean over the runs, in seconds.
    #[cfg_attr(test, schemars(range(min = 0)))]
    mean: f64,
    /// The half width of its confidence interval after Student at the level `confidence`; null for fewer than two runs, and if
    /// some were stopped.
    #[cfg_attr(test, schemars(range(min = 0)))]
    half_width: Option<f64>,
}

/// The operations of a run in seconds, with measuring and the whole.
fn rows(timings: &Timings) -> impl Iterator<Item = (&'static str, f64)> + use<> {
    let last = [("measuring", timings.measuring), ("total", timings.total())];
    timings.operations().into_iter().chain(last).map(|(name, time)| (name, time.as_secs_f64()))
}

impl Compared {
    /// The mean time of each operation; nothing if it was not measured in any run.
    fn operations(&self, confidence: f64) -> Vec<(&'static str, MeanTime)> {
        let measured: Vec<&Timings> =
            self.runs.iter().filter_map(|run| run.timings.as_ref()).collect();
        let names = measured.first().map(|timings| rows(timings).map(|(name, _)| name));
        let means = names.into_iter().flatten().enumerate().map(|(row, name)| {
            let time = |timings: &&Timings| rows(timings).nth(row).map_or(0.0, |(_, time)| time);
            let values: Vec<f64> = measured.iter().map(time).collect();
            let estimate = Estimate::of(name, "s", &values);
            let half_width = finite(estimate.half_width_at(confidence));
            let half_width = half_width.filter(|_| self.stopped() == 0);
            (name, MeanTime { mean: estimate.mean, half_width })
        });
        means.collect()
    }
}

impl Report<'_> {
    /// The mean time of each operation, by name; nothing without `--stats`.
    pub(super) fn operation_times(
        &self,
        compared: &Compared,
    ) -> Option<BTreeMap<String, MeanTime>> {
        let named = |(name, time): (&str, MeanTime)| (name.to_owned(), time);
        let times = compared.operations(self.spec.confidence).into_iter().map(named);
        self.spec.output.stats.then(|| times.collect())
    }

    /// Tables with a line for each operation and a column for each search.
    pub(super) fn operation_text(&self) -> String {
        let mut text = String::new();
        if !self.spec.output.stats {
            return text;
        }
        for beside in self.compared.chunks(SEARCHES_BESIDE) {
            let names = beside.iter().map(|it| it.search.name.clone());
            let mut table = Table::new(["mean seconds".to_owned()].into_iter().chain(names));
            let columns: Vec<_> =
                beside.iter().map(|it| it.operations(self.spec.confidence)).collect();
            for (name, _) in rows(&Timings::default()) {
                let cells = columns.iter().map(|times| {
                    let time = times.iter().find(|(known, _)| *known == name);
                    time.map_or_else(nothing, |(_, time)| {
                        Quantity::Time.text_beside(time.mean, time.mean)
                    })
                });
                table.push([name.replace('_', "-")].into_iter().chain(cells));
            }
            let _ = write!(text, "\n{}", table.to_text());
        }
        text
    }

    /// What must be known of these tables.
    pub(super) fn operation_notes(&self) -> &'static str {
        match self.spec.output.stats {
            true => {
                "execution and reading are measured every time, other operations on a sample of the states\n"
            }
            false => "",
        }
    }

    /// Further columns of comma-separated values.
    pub(super) fn operation_titles(&self) -> Vec<String> {
        let titles =
            || rows(&Timings::default()).map(|(name, _)| format!("seconds_in_{name}_mean"));
        if self.spec.output.stats { titles().collect() } else { Vec::new() }
    }

    pub(super) fn operation_cells(&self, compared: &Compared) -> Vec<String> {
        let times = compared.operations(self.spec.confidence);
        let titles = self.operation_titles();
        let cell = |at: usize| times.get(at).map_or(String::new(), |(_, it)| it.mean.to_string());
        (0..titles.len()).map(cell).collect()
    }
}
