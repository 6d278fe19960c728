//! `simulate --versus`: two variants of a scenario under the same random numbers.

use std::{collections::BTreeMap, fmt::Write};

use everypath_sim::{Interval, Paired, PairedEstimate, Plan, Run, VariantError};
use serde::Serialize;

use super::job::{HeadingReport, Job};
use crate::{
    error::{CliError, not_simulated},
    output::{Outcome, numbers::significant, print, print_json, unsure},
    running::progress::Line,
    scenarios::{any_scenario::AnyScenario, subject::Subject},
    simulating::{
        estimates::{EstimateReport, finite},
        interval::{half_width_text, interval_notes},
        watched::{Watched, end_of},
    },
};

/// Runs two variants of a scenario in pairs.
pub(super) fn versus(
    first: &dyn AnyScenario,
    second: &dyn AnyScenario,
    job: &Job<'_>,
) -> Result<Outcome, CliError> {
    let subjects = [first.subject(), second.subject()];
    let different = differences(&subjects);
    if different.is_empty() {
        return Err(CliError::SameVariant { scenario: subjects[0].name.clone() });
    }
    let Plan { replications, .. } = job.plan;
    let mut line = Line::new(!job.spec.json);
    let paired = first.compare(second, &job.plan, &mut |pairs| {
        line.update(|| format!("pair {} of {replications}", pairs.len()));
    });
    drop(line);
    let paired = paired.map_err(|error| match error {
        VariantError::First(error) => {
            not_simulated(&subjects[0].name, error, ", the first variant")
        }
        VariantError::Second(error) => {
            not_simulated(&subjects[1].name, error, ", the second variant")
        }
    })?;
    let report = Report { subjects: &subjects, job, different, paired: &paired };
    if job.spec.json {
        print_json(&report.to_json());
    } else {
        print(&report.to_text());
    }
    Ok(if paired.stopped { Outcome::Stopped } else { Outcome::Fine })
}

/// A parameter in which two variants differ, and its values.
type Different = (String, [Option<String>; 2]);

fn differences([first, second]: &[Subject<'_>; 2]) -> Vec<Different> {
    let (first, second) = (first.values(), second.values());
    let mut names: Vec<&String> = first.keys().chain(second.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let both = names
        .into_iter()
        .map(|name| (name.clone(), [first.get(name).cloned(), second.get(name).cloned()]));
    both.filter(|(_, [one, other])| one != other).collect()
}

/// The report of `simulate --versus`.
struct Report<'a> {
    /// The first variant, and the second.
    subjects: &'a [Subject<'a>; 2],
    job: &'a Job<'a>,
    different: Vec<Different>,
    paired: &'a Paired,
}

impl Report<'_> {
    fn events(&self) -> u64 {
        let of = |(one, other): &(Run, Run)| one.events + other.events;
        self.paired.runs.iter().map(of).sum()
    }

    fn to_json(&self) -> VersusReport {
        VersusReport {
            heading: self.job.heading(&self.subjects[0], &[]),
            second_parameters: self.subjects[1].values(),
            pairs: self.paired.runs.len(),
            complete: !self.paired.stopped,
            events: self.events(),
            seconds: self.job.seconds(),
            measures: self.paired.measures.iter().map(PairedReport::from).collect(),
            unpaired: self.paired.unpaired.clone(),
        }
    }

    fn to_text(&self) -> String {
        let mut text =
            self.job.title(&self.subjects[0], self.paired.runs.len() as u64, "pair of runs");
        for (place, title) in ["first ", "second"].into_iter().enumerate() {
            let settings = self.different.iter().map(|(name, values)| match &values[place] {
                Some(value) => format!("{name}={value}"),
                None => format!("no {name}"),
            });
            let _ = writeln!(text, "{title}  {}", settings.collect::<Vec<_>>().join(", "));
        }
        if self.paired.stopped {
            let _ = writeln!(text, "{}: fewer pairs than asked for", unsure("STOPPED by the user"));
        }
        for (built, place) in self.subjects.iter().zip(["first", "second"]) {
            let run =
                |(one, other): &(Run, Run)| end_of(if place == "first" { one } else { other });
            let watched = Watched::of(&built.scenario, self.paired.runs.iter().map(run)).to_text();
            for line in watched.lines() {
                let _ = writeln!(text, "{place}: {line}");
            }
        }
        text.push('\n');
        self.table(&mut text);
        for name in &self.paired.unpaired {
            let _ = writeln!(text, "note: only one variant measures `{name}`");
        }
        text += &interval_notes(self.paired.measures.iter().map(|it| &it.difference));
        text.push('\n');
        text += &self.job.speed(self.events());
        text
    }

    fn table(&self, text: &mut String) {
        let measures = &self.paired.measures;
        let names = measures.iter().map(|it| it.first.name.chars().count());
        let width = names.max().unwrap_or(0).max("measure".len());
        let _ = writeln!(
            text,
            "{:width$}  {:>12}  {:>12}  {:>12}  {:>14}  variance",
            "measure", "first", "second", "difference", "95 % interval"
        );
        for PairedEstimate { first, second, difference, variance_reduction, .. } in measures {
            let [one, other, apart] =
                [first, second, difference].map(|it| format!("{:>12}", significant(it.mean)));
            let interval = match difference.interval() {
                Interval::Unknown => "unknown".to_owned(),
                Interval::Constant { .. } => half_width_text(difference),
                _ => format!("± {}", half_width_text(difference)),
            };
            let line = format!(
                "{:width$}  {one}  {other}  {apart}  {interval:>14}  {}",
                first.name,
                reduction(*variance_reduction)
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
}

/// How the variance of a difference compares with that of independent runs.
fn reduction(share: f64) -> String {
    if !share.is_finite() {
        return String::new();
    }
    let (percent, word) = if share < 0.0 { (-share, "more") } else { (share, "less") };
    format!("{:.1} % {word}", percent * 100.0)
}

/// Two variants of a scenario.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Versus"))]
pub(crate) struct VersusReport {
    #[serde(flatten)]
    heading: HeadingReport,
    /// The values of all parameters of the second variant.
    second_parameters: BTreeMap<String, String>,
    /// How many pairs of runs there were.
    pairs: usize,
    /// Whether it ended by itself.
    complete: bool,
    /// The number of events in all runs.
    events: u64,
    /// The duration of the simulation; null with `--no-time`.
    #[cfg_attr(test, schemars(range(min = 0)))]
    seconds: Option<f64>,
    /// The measures that both variants have.
    measures: Vec<PairedReport>,
    /// The measures that only one variant has.
    unpaired: Vec<String>,
}

/// A measure of two variants.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Paired"))]
struct PairedReport {
    /// The name of the measure.
    name: String,
    /// The unit; empty for a plain number or an unknown unit.
    unit: String,
    /// The measure of the first variant.
    first: EstimateReport,
    /// The measure of the second variant.
    second: EstimateReport,
    /// The second minus the first, with the interval of the paired t-test.
    difference: EstimateReport,
    /// The share by which the variance of the difference is smaller than that of independent runs; null if neither variant
    /// varies.
    #[cfg_attr(test, schemars(range(max = 1)))]
    variance_reduction: Option<f64>,
}

impl From<&PairedEstimate> for PairedReport {
    fn from(paired: &PairedEstimate) -> Self {
        Self {
            name: paired.first.name.clone(),
            unit: paired.first.unit.clone(),
            first: (&paired.first).into(),
            second: (&paired.second).into(),
            difference: (&paired.difference).into(),
            variance_reduction: finite(paired.variance_reduction),
        }
    }
}
