//! The report of `compare`, as text, comma-separated values and a drawing.

use std::{fmt::Write, path::Path};

use everypath_model::Profile;
use everypath_plot::{Panel, Plot, Point, Scale};
use everypath_report::{Table, write_atomically};

use super::{
    comparison::{Compared, Summary},
    differences::Pair,
    spec::CompareSpec,
};
use crate::{
    arguments::compare::Quantity,
    error::CliError,
    output::{
        Outcome,
        numbers::{counted, decimal, grouped},
        unsure,
    },
    scenarios::subject::Subject,
    searching::verdict::{Verdict, stopped_by},
};

/// The report of `compare`.
pub(crate) struct Report<'a> {
    pub(crate) built: &'a Subject<'a>,
    pub(crate) spec: &'a CompareSpec,
    pub(crate) compared: &'a [Compared],
    /// The searches whose differences are reported.
    pub(crate) pairs: &'a [Pair],
    /// Where it was drawn, if it was.
    pub(crate) plot: Option<&'a Path>,
}

const VERDICTS: [Outcome; 3] = [Outcome::Violation, Outcome::Fine, Outcome::Stopped];

impl Report<'_> {
    /// Whether every run was made and finished.
    pub(crate) fn is_complete(&self) -> bool {
        !self.is_interrupted() && self.compared.iter().all(|it| it.stopped() == 0)
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.compared.iter().any(|it| it.runs.len() < it.planned)
    }

    /// The bound of all searches.
    pub(super) fn max_depth(&self) -> Option<u32> {
        self.compared.first().and_then(|it| it.options.max_depth)
    }

    /// The quantities that are reported of each search.
    pub(super) fn quantities(&self) -> Vec<Quantity> {
        use Quantity::{Branches, Events, Space, States, Steps};
        let published = self.built.parameters.profile() == Profile::Thesis;
        let timed = !self.spec.output.no_time;
        let measured = |quantity: &Quantity| match quantity {
            Space => published,
            Branches => self.compared.iter().any(|it| self.summary(it, Branches).is_some()),
            _ => true,
        };
        let told = [Events, States, Space, Branches, Steps].into_iter().filter(measured);
        told.chain(timed.then_some(Quantity::Time)).collect()
    }

    pub(super) fn draws(&self) -> bool {
        self.compared.iter().any(|it| it.search.draws())
    }

    /// What was compared, in a line.
    pub(super) fn about(&self) -> String {
        let mut text = match self.compared.len() {
            1 => "1 search".to_owned(),
            several => format!("{several} searches"),
        };
        let _ = match self.max_depth() {
            Some(depth) => write!(text, " of runs of at most {}", counted(depth.into(), "event")),
            None => write!(text, " of runs of any length"),
        };
        if self.spec.shuffle {
            text.push_str(", shuffled");
        }
        if self.draws() {
            let seeds = self.spec.seeds.clone().unwrap_or_default();
            let _ = write!(text, ", seeds {seeds}");
        }
        text
    }

    /// One quantity over the runs of a search, with intervals at the level that was asked for.
    pub(super) fn summary(&self, compared: &Compared, quantity: Quantity) -> Option<Summary> {
        compared.summary(quantity, self.spec.confidence)
    }

    /// The level of the intervals.
    pub(super) fn level(&self) -> String {
        format!("{} %", self.percent())
    }

    /// The same without its unit. Rounded: 99.9 is not a number of two bits and a half.
    fn percent(&self) -> f64 {
        (self.spec.confidence * 1e10).round() / 1e8
    }

    /// The name of half widths in comma-separated values.
    pub(super) fn half_width_title(&self) -> String {
        format!("half_width_{}", self.percent())
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("{}: {}\n", self.built.title(), self.about());
        text.push_str(&self.interrupted_text());
        text.push('\n');
        if self.compared.iter().all(|it| it.runs.len() <= 1) {
            text.push_str(&self.single_table().to_text());
        } else {
            text.push_str(&self.verdict_table().to_text());
            let has = |quantity: &Quantity| {
                self.compared.iter().any(|it| self.summary(it, *quantity).is_some())
            };
            for quantity in self.quantities().into_iter().filter(has) {
                let _ = write!(text, "\n{}", self.quantity_table(quantity).to_text());
            }
        }
        text.push_str(&self.operation_text());
        text.push_str(&self.difference_text());
        let notes = self.notes();
        if !notes.is_empty() {
            let _ = write!(text, "\n{notes}");
        }
        text
    }

    fn interrupted_text(&self) -> String {
        if !self.is_interrupted() {
            return String::new();
        }
        let made: usize = self.compared.iter().map(|it| it.runs.len()).sum();
        let planned: usize = self.compared.iter().map(|it| it.planned).sum();
        format!(
            "{}: {made} of {planned} runs were made; what was under way is not in the results\n",
            unsure("STOPPED by the user")
        )
    }

    /// One line per search, if each was run once.
    fn single_table(&self) -> Table {
        let quantities = self.quantities();
        let titles = quantities.iter().map(|quantity| quantity.title());
        let mut table =
            Table::new(["search".to_owned(), "verdict".to_owned()].into_iter().chain(titles));
        for compared in self.compared {
            let found =
                compared.runs.first().map_or("not run", |run| Verdict::from(run.outcome).word());
            let cells = quantities.iter().map(|&quantity| {
                let summary = self.summary(compared, quantity);
                summary.map_or_else(nothing, |it| it.mean_text(quantity))
            });
            let name = compared.search.name.clone();
            table.push([name, found.to_owned()].into_iter().chain(cells));
        }
        table
    }

    fn verdict_table(&self) -> Table {
        let titles =
            ["search", "runs"].into_iter().chain(VERDICTS.map(|it| Verdict::from(it).word()));
        let mut table = Table::new(titles);
        for compared in self.compared {
            let counts = VERDICTS.map(|outcome| compared.count(outcome));
            let counts = [compared.runs.len()].into_iter().chain(counts);
            let counts = counts.map(|count| grouped(count as u64));
            table.push([compared.search.name.clone()].into_iter().chain(counts));
        }
        table
    }

    fn quantity_table(&self, quantity: Quantity) -> Table {
        let title = quantity.title();
        let mut table = Table::new([title.as_str(), "min", "mean", &self.level(), "max"]);
        for compared in self.compared {
            let cells = match self.summary(compared, quantity) {
                Some(it) => [
                    at_least_text(it.min_at_least).to_owned() + &quantity.text(it.min),
                    it.mean_text(quantity),
                    it.half_width_text(quantity).unwrap_or_else(nothing),
                    at_least_text(it.at_least).to_owned() + &quantity.text(it.max),
                ],
                None => [(); 4].map(|()| nothing()),
            };
            table.push([compared.search.name.clone()].into_iter().chain(cells));
        }
        table
    }

    /// Notes below the tables.
    fn notes(&self) -> String {
        let mut notes = String::new();
        if self.compared.iter().any(|it| !it.search.draws() && it.runs.len() == 1) {
            notes.push_str(
                "searches that draw nothing were run once: that tells all but their time (--repeat N for that, --shuffle to draw)\n",
            );
        }
        let stopped = self.stopped_text();
        if !stopped.is_empty() {
            let _ = writeln!(notes, "≥: at least so much, since runs were stopped: {stopped}");
        }
        let jobs = self.spec.jobs;
        if jobs > 1 && !self.spec.output.no_time {
            let _ = writeln!(notes, "{jobs} runs were made at once: times are longer than alone");
        }
        notes.push_str(self.operation_notes());
        notes.push_str(&self.difference_notes());
        if let Some(path) = self.plot {
            let _ = writeln!(notes, "plot: {}", path.display());
        }
        notes
    }

    /// How many runs of each search were stopped, and by what.
    fn stopped_text(&self) -> String {
        let stopped = self.compared.iter().filter(|it| it.stopped() > 0).map(|it| {
            let ended = it.runs.iter().filter(|run| run.ended.is_stopped());
            let memory = self.spec.limits.memory;
            let mut limits: Vec<_> = ended.map(|run| stopped_by(run.ended, memory)).collect();
            limits.sort_unstable();
            limits.dedup();
            let limits = limits.join(" and ");
            format!("{} of {} of {} by {limits}", it.stopped(), it.runs.len(), it.search.name)
        });
        stopped.collect::<Vec<_>>().join("; ")
    }

    /// The searches, or their differences if they were asked for.
    pub(crate) fn to_csv(&self) -> String {
        let table = match self.pairs.is_empty() {
            true => self.search_csv(),
            false => self.difference_csv(),
        };
        table.to_csv()
    }

    fn search_csv(&self) -> Table {
        let quantities = self.quantities();
        let mut titles: Vec<String> = ["search", "runs"]
            .into_iter()
            .chain(VERDICTS.map(|it| Verdict::from(it).word()))
            .map(str::to_owned)
            .collect();
        titles.push("stopped".to_owned());
        for quantity in &quantities {
            let of = ["min", "mean", "max", &self.half_width_title()];
            titles.extend(of.map(|what| format!("{}_{what}", quantity.field())));
        }
        titles.extend(self.operation_titles());
        let mut table = Table::new(titles);
        for compared in self.compared {
            let counts = VERDICTS.map(|outcome| compared.count(outcome));
            let counts =
                [compared.runs.len()].into_iter().chain(counts).chain([compared.stopped()]);
            let mut cells = vec![compared.search.name.clone()];
            cells.extend(counts.map(|count| count.to_string()));
            for &quantity in &quantities {
                let values = self.summary(compared, quantity).map_or([None; 4], |it| {
                    [Some(it.min), Some(it.mean), Some(it.max), it.half_width]
                });
                cells.extend(values.map(|value| value.map_or(String::new(), |it| it.to_string())));
            }
            cells.extend(self.operation_cells(compared));
            table.push(cells);
        }
        table
    }

    /// The name of a search in a plot, with its share of findings if others found something that it did not.
    fn plot_row(&self, compared: &Compared) -> String {
        let found = |it: &Compared| it.count(Outcome::Violation);
        let (name, runs) = (compared.search.name.clone(), compared.runs.len());
        if found(compared) < runs && self.compared.iter().any(|it| found(it) > 0) {
            return format!("{name} (found in {} of {runs})", found(compared));
        }
        name
    }

    /// The searches, or their differences if they were asked for.
    pub(crate) fn to_plot(&self) -> Plot {
        match self.pairs.is_empty() {
            true => self.search_plot(),
            false => self.difference_plot(),
        }
    }

    fn search_plot(&self) -> Plot {
        let panel = |&quantity: &Quantity| Panel {
            title: quantity.title(),
            points: self
                .compared
                .iter()
                .map(|it| self.summary(it, quantity).map(|summary| summary.to_point(quantity)))
                .collect(),
        };
        Plot {
            title: self.built.title(),
            about: self.about(),
            interval: format!("{} interval", self.level()),
            scale: Scale::Logarithmic,
            rows: self.compared.iter().map(|it| self.plot_row(it)).collect(),
            panels: self.spec.output.plot_of.iter().map(panel).collect(),
        }
    }
}

pub(crate) fn write_plot(path: &Path, plot: &Plot) -> Result<(), CliError> {
    write_atomically(path, plot.to_svg().as_bytes())
        .map_err(|error| CliError::Plot { path: path.to_owned(), error })
}

/// In place of a missing number.
pub(super) fn nothing() -> String {
    "–".to_owned()
}

fn at_least_text(at_least: bool) -> &'static str {
    if at_least { "≥ " } else { "" }
}

impl Quantity {
    /// A value or a mean of it, for readers.
    fn text(self, value: f64) -> String {
        self.text_beside(value, value)
    }

    /// A value with the precision of another one beside it.
    pub(super) fn text_beside(self, value: f64, other: f64) -> String {
        let decimals = match (self.is_counted(), other) {
            (true, other) if other.fract() == 0.0 && value.fract() == 0.0 => 0,
            (true, ..1e3) => 2,
            (true, ..1e5) => 1,
            (true, _) => 0,
            (false, ..1.0) => 6,
            (false, ..100.0) => 4,
            (false, _) => 2,
        };
        decimal(value, decimals)
    }
}

impl Summary {
    fn mean_text(&self, quantity: Quantity) -> String {
        at_least_text(self.at_least).to_owned() + &quantity.text(self.mean)
    }

    fn half_width_text(&self, quantity: Quantity) -> Option<String> {
        self.half_width.map(|half| format!("± {}", quantity.text_beside(half, self.mean)))
    }

    fn to_point(&self, quantity: Quantity) -> Point {
        let mean = self.mean_text(quantity);
        let half = self.half_width.filter(|half| *half > 0.0);
        let interval = half.and_then(|_| self.half_width_text(quantity));
        let text = interval.map_or_else(|| mean.clone(), |interval| format!("{mean} {interval}"));
        let Self { min, mean, max, at_least, .. } = *self;
        Point { min, mean, max, half_width: half, at_least, text }
    }
}
