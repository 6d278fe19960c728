//! The report of `simulate` on the runs of one scenario.

use std::fmt::Write;

use everypath_model::{Budget, Part, WarmUp};
use everypath_sim::{
    Estimate, Precision, Reading, Replications, Run, Sort, Violation, recorded, unrecorded,
};

use super::job::Job;
use crate::{
    output::{
        Outcome, bad, good,
        numbers::{counted, moment, significant},
        unsure,
    },
    scenarios::{any_scenario::LogTail, subject::Subject},
    simulating::{
        interval::{half_width_text, interval_notes, interval_text},
        recorded::unread_notes,
        watched::{Watched, end_of},
    },
};

pub(crate) struct Report<'a> {
    pub(crate) built: &'a Subject<'a>,
    pub(crate) job: &'a Job<'a>,
    pub(crate) precision: Option<&'a Precision>,
    /// The names that measures read.
    pub(crate) readings: Vec<Reading>,
    pub(crate) results: &'a Replications,
    pub(crate) violated: Option<Violated<'a>>,
}

/// A run that violated an assertion.
pub(super) struct Violated<'a> {
    pub(super) violation: &'a Violation,
    pub(super) run: &'a Run,
    /// The end of its log.
    pub(super) log: LogTail,
}

impl Report<'_> {
    pub(crate) fn outcome(&self) -> Outcome {
        if self.violated.is_some() {
            Outcome::Violation
        } else if self.results.stopped || self.reached() == Some(false) {
            Outcome::Stopped
        } else {
            Outcome::Fine
        }
    }

    /// Whether the required precision was reached, if there is one.
    pub(super) fn reached(&self) -> Option<bool> {
        self.precision.map(|precision| precision.is_reached(&self.results.runs))
    }

    pub(super) fn events(&self) -> u64 {
        let last = self.violated.as_ref().map_or(0, |violated| violated.run.events);
        self.results.runs.iter().map(|run| run.events).sum::<u64>() + last
    }

    /// The faults of the scenario that are not simulated.
    fn unsimulated(&self) -> Vec<&'static str> {
        let faults = self.built.scenario.faults;
        let mut parts = self.built.scenario.simulation.outages.iter();
        let nodes_fail = parts.clone().any(|part| matches!(part, Part::Node(_)));
        let links_fail = parts.any(|part| matches!(part, Part::Link(..)));
        let duplicates = self.built.scenario.simulation.link.duplication > 0.0;
        let kinds = [
            ("duplication", faults.duplication, duplicates),
            ("reboot", faults.reboot, nodes_fail),
            ("link failure", faults.link_failure, links_fail),
        ];
        kinds
            .into_iter()
            .filter(|(_, budget, is_simulated)| *budget != Budget::Off && !is_simulated)
            .map(|(name, ..)| name)
            .collect()
    }

    /// The warm-up that was cut off a distribution, if it was to be detected.
    pub(super) fn cut(&self, name: &str) -> Option<Cut> {
        let runs = &self.results.runs;
        if self.built.scenario.simulation.warm_up != WarmUp::Mser5 || runs.is_empty() {
            return None;
        }
        let all = runs.iter().flat_map(|run| &run.truncations).filter(|it| it.0 == name);
        let (cut, at_limit) = all.fold((0, 0), |(cut, at_limit), (_, it)| {
            (cut + it.cut, at_limit + u32::from(it.at_limit))
        });
        Some(Cut { mean: cut as f64 / runs.len() as f64, at_limit })
    }

    pub(crate) fn to_text(&self) -> String {
        let results = self.results;
        let runs = results.runs.len() + usize::from(self.violated.is_some());
        let mut text = self.job.title(self.built, runs as u64, "run");
        self.notes(&mut text);
        if let Some(violated) = &self.violated {
            violated.tell(&mut text, self.job);
        } else {
            text.push('\n');
            table(&mut text, "measure", &results.measures);
            table(&mut text, "counted per run", &results.counters);
            self.distributions(&mut text);
            table(&mut text, "level of", &results.series);
            let all = [&results.measures, &results.counters, &results.distributions];
            let more = [&results.medians, &results.percentiles_95, &results.series];
            text += &interval_notes(all.into_iter().chain(more).flatten());
        }
        text += &self.job.speed(self.events());
        text
    }

    fn notes(&self, text: &mut String) {
        let results = self.results;
        let unsimulated = self.unsimulated();
        if !unsimulated.is_empty() {
            let faults = unsimulated.join(" and ");
            let _ = writeln!(text, "note: {faults} can happen in `check`, but not here");
        }
        let scenario = &self.built.scenario;
        if !scenario.timeouts.is_empty() {
            let _ = writeln!(
                text,
                "note: how often timers may fire is limited in `check`, but not here"
            );
        }
        if scenario.simulation.warm_up == WarmUp::Mser5 {
            let _ = writeln!(
                text,
                "note: only distributions are cut; counters, levels, and measures made of them cover whole runs\nnote: where observations depend on each other, the rest after MSER-5 is biased and its intervals are too narrow"
            );
        }
        if self.job.spec.assert && !scenario.end_assertions.is_empty() {
            let _ = writeln!(
                text,
                "note: assertions about ends are evaluated in `check`, but not here"
            );
        }
        if results.stopped {
            let _ = writeln!(text, "{}: fewer runs than asked for", unsure("STOPPED by the user"));
            if let Some(partial) = &results.partial {
                let _ = writeln!(
                    text,
                    "the run under way had come to {:?} and {}; it is not in the results",
                    partial.elapsed,
                    counted(partial.events, "event")
                );
            }
        }
        self.precision_note(text);
        self.reading_notes(text);
        if !self.job.spec.assert {
            text.push_str(&self.watched().to_text());
        }
        if self.job.spec.assert && self.violated.is_none() {
            let assertions = counted(scenario.assertions.len() as u64, "assertion");
            let verdict =
                if results.stopped { unsure("NOT VIOLATED SO FAR") } else { good("HELD") };
            let _ = writeln!(text, "{verdict}: {assertions}, asked after every event");
        }
    }

    /// The assertions at the ends of runs.
    pub(super) fn watched(&self) -> Watched {
        Watched::of(&self.built.scenario, self.results.runs.iter().map(end_of))
    }

    /// Notes on names that measures read but no run recorded, and on measures that differ from the counter of that name.
    fn reading_notes(&self, text: &mut String) {
        let results = self.results;
        let runs = results.runs.len();
        if runs > 0 {
            let unread = unrecorded(&self.readings, &recorded(results));
            text.push_str(&unread_notes(&unread));
        }
        for reading in &self.readings {
            let estimate = results.measure(&reading.measure);
            let is_undefined = estimate.is_some_and(|it| it.undefined > 0);
            let has = |run: &&Run| {
                run.distribution(&reading.name).is_some() || run.series(&reading.name).is_some()
            };
            let without = runs - results.runs.iter().filter(has).count();
            if is_undefined && reading.sort == Sort::Observed && without > 0 && without < runs {
                let Reading { measure, name, .. } = reading;
                let _ = writeln!(
                    text,
                    "note: nothing was recorded under `{name}`, which `{measure}` reads, in {without} of {runs} runs"
                );
            }
        }
        for counter in &results.counters {
            let measure = results.measure(&counter.name);
            if measure.is_some_and(|measure| measure.mean != counter.mean) {
                let name = &counter.name;
                let _ = writeln!(
                    text,
                    "note: the measure `{name}` differs from the counter of that name; rename it"
                );
            }
        }
    }

    fn precision_note(&self, text: &mut String) {
        let Some(precision) = self.precision else { return };
        let estimates: Vec<Estimate> = precision.estimates(&self.results.runs).collect();
        let asked = format!("± {} %", significant(precision.share * 100.0));
        if self.reached() == Some(true) {
            let _ = writeln!(text, "{}: {asked} of the mean", good("PRECISE ENOUGH"));
            return;
        }
        let _ =
            writeln!(text, "{}: {asked} of the mean was asked for", unsure("NOT PRECISE ENOUGH"));
        for estimate in estimates
            .iter()
            .filter(|it| it.precision().is_nan() || it.precision() > precision.share)
        {
            let percent = estimate.precision() * 100.0;
            let known = if percent.is_finite() {
                format!("± {} %", significant(percent))
            } else {
                "not known".to_owned()
            };
            let _ = writeln!(text, "  {}: {known}", estimate.name);
        }
    }

    /// Mean, median and 95th percentile of distributions, each with its interval.
    fn distributions(&self, text: &mut String) {
        let results = self.results;
        if results.distributions.is_empty() {
            return;
        }
        let title = "distribution";
        let width = width(title, &results.distributions);
        let columns = ["mean", "median", "95th percentile"];
        let heads = columns.map(|column| format!("  {column:>15}  {:<12}", "± 95 %")).concat();
        let _ = writeln!(text, "{title:width$}{}", heads.trim_end());
        let quantiles = results.medians.iter().zip(&results.percentiles_95);
        for (mean, (median, percentile)) in results.distributions.iter().zip(quantiles) {
            let mut line = format!("{:width$}", mean.name);
            if mean.undefined > 0 {
                let _ = write!(line, "  {}", interval_text(mean, ""));
            } else {
                for estimate in [mean, median, percentile] {
                    let (value, half) = (significant(estimate.mean), half_width_text(estimate));
                    let _ = write!(line, "  {value:>15}  {half:<12}");
                }
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        for estimate in &results.distributions {
            let Some(Cut { mean, at_limit }) = self.cut(&estimate.name) else { continue };
            let cut = significant(mean);
            let _ =
                write!(text, "  {}: the first {cut} of a run cut off, on average", estimate.name);
            if at_limit > 0 {
                let runs = self.results.runs.len();
                let _ = write!(
                    text,
                    "; half of it in {at_limit} of {runs} runs, which may be too short"
                );
            }
            text.push('\n');
        }
        text.push('\n');
    }
}

/// The part cut off a distribution, on average, and in how many runs it is as large as allowed.
pub(super) struct Cut {
    pub(super) mean: f64,
    pub(super) at_limit: u32,
}

impl Violated<'_> {
    fn tell(&self, text: &mut String, job: &Job<'_>) {
        let Violation { assertion, panic, .. } = self.violation;
        let _ = writeln!(text, "\n{}: {assertion}", bad("VIOLATED"));
        if let Some(panic) = panic {
            let _ = writeln!(text, "the assertion panicked: {panic}");
        }
        let (replication, time) = (self.run.replication, moment(self.run.elapsed));
        let after = match &self.log.event {
            None => "at the start".to_owned(),
            Some((node, event)) => format!("after event {}: {node} {event}", self.run.events),
        };
        let _ = writeln!(
            text,
            "in replication {replication} of seed {}, {time}, {after}",
            job.plan.seed
        );
        let shown = self.log.lines.len();
        let _ = match self.log.lines_before {
            0 => writeln!(text, "\nits log:"),
            before => {
                writeln!(text, "\nthe last {shown} of {} lines of its log:", before + shown as u64)
            }
        };
        for line in &self.log.lines {
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(
            text,
            "\n`--first {replication} --replications 1 --assert --log` prints all of it"
        );
    }
}

fn width(title: &str, estimates: &[Estimate]) -> usize {
    let names = estimates.iter().map(|estimate| estimate.name.chars().count());
    names.max().unwrap_or(0).max(title.len())
}

/// Estimates with their 95 % confidence intervals.
fn table(text: &mut String, title: &str, estimates: &[Estimate]) {
    if estimates.is_empty() {
        return;
    }
    let width = width(title, estimates);
    let _ = writeln!(text, "{title:width$}  {:>12}  95 % interval", "mean");
    for estimate in estimates {
        let mean = format!("{:>12}", significant(estimate.mean));
        let interval = interval_text(estimate, &estimate.unit);
        let line = format!("{:width$}  {mean}  {interval}", estimate.name);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push('\n');
}
