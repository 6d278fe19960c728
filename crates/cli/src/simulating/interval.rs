//! Confidence intervals of means, in words.

use everypath_sim::{Estimate, Interval};
use serde::Serialize;

use crate::output::numbers::{counted, significant};

/// The mark of an interval that is known to be too narrow.
const SKEWED: &str = " *";

/// The 95 % interval of a mean.
pub(crate) fn interval_text(estimate: &Estimate, unit: &str) -> String {
    let mark = if estimate.is_skewed() { SKEWED } else { "" };
    let text = match estimate.interval() {
        Interval::Unknown if estimate.undefined > 0 => {
            let runs = counted(estimate.runs.into(), "run");
            format!("undefined in {} of {runs}", estimate.undefined)
        }
        Interval::Unknown => "needs at least two runs".to_owned(),
        Interval::Constant { .. } if unit.is_empty() => {
            format!("in all {} runs", estimate.runs)
        }
        Interval::Constant { .. } => format!("{unit} in all {} runs", estimate.runs),
        Interval::Proportion { low, high } => {
            format!("{} to {} {unit}", significant(low), significant(high))
        }
        Interval::Student { .. } => format!("± {} {unit}", significant(estimate.half_width)),
    };
    format!("{}{mark}", text.trim_end())
}

/// The same in short, behind `±`.
pub(crate) fn half_width_text(estimate: &Estimate) -> String {
    match estimate.interval() {
        Interval::Unknown => String::new(),
        Interval::Constant { .. } => "in all runs".to_owned(),
        _ => {
            let mark = if estimate.is_skewed() { SKEWED } else { "" };
            format!("{}{mark}", significant(estimate.half_width))
        }
    }
}

/// The legend below tables of such intervals.
pub(crate) fn interval_notes<'a>(estimates: impl Iterator<Item = &'a Estimate> + Clone) -> String {
    let mut text = String::new();
    let constant = estimates.clone().find_map(|it| match it.interval() {
        Interval::Constant { others } => Some((it.runs, others)),
        _ => None,
    });
    if let Some((runs, others)) = constant {
        text += &format!(
            "in all {runs} runs: at most {} % of further runs would differ (95 % confidence)\n",
            significant((others * 1000.0).ceil() / 10.0)
        );
    }
    if estimates.clone().any(|it| matches!(it.interval(), Interval::Proportion { .. })) {
        text += "A to B: it is 0 or 1 in each run, so the interval is that of a probability\n";
    }
    if estimates.clone().any(Estimate::is_skewed) {
        text += "*: the runs are skewed and few, so the interval is too narrow; more runs help\n";
    }
    text
}

/// A 95 % confidence interval.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Interval"))]
pub(crate) struct IntervalReport {
    /// The rule that it follows. `student`: Student's for a mean. `clopper-pearson`: Clopper's and Pearson's, for a quantity that
    /// is 0 or 1 in each run and both in some. `constant`: all runs agree, so there is no interval. `unknown`: there are fewer
    /// than two runs, or the quantity is undefined in some.
    #[cfg_attr(
        test,
        schemars(extend("enum" = ["student", "clopper-pearson", "constant", "unknown"]))
    )]
    rule: &'static str,
    /// The lower end; null if there is no interval.
    low: Option<f64>,
    /// The upper end; null if there is no interval.
    high: Option<f64>,
    /// Whether the runs are skewed and few, so that Student's interval is too narrow.
    skewed: bool,
}

impl From<&Estimate> for IntervalReport {
    fn from(estimate: &Estimate) -> Self {
        let interval = estimate.interval();
        let (low, high) = interval.ends().unzip();
        Self { rule: interval.rule(), low, high, skewed: estimate.is_skewed() }
    }
}

/// The half width, if the interval has one.
pub(crate) fn half_width(estimate: &Estimate) -> Option<f64> {
    matches!(estimate.interval(), Interval::Student { .. }).then_some(estimate.half_width)
}
