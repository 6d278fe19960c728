//! Estimates, as reports have them.

use everypath_sim::Estimate;
use serde::Serialize;

use super::interval::{IntervalReport, half_width};

/// A quantity over several runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Estimate"))]
pub(crate) struct EstimateReport {
    /// The name of the quantity.
    name: String,
    /// The unit; empty for a plain number or an unknown unit.
    unit: String,
    /// The mean over the runs; null if the quantity is undefined in any.
    mean: Option<f64>,
    /// The half width of the 95 % confidence interval after Student; null if another rule applies, or none.
    #[cfg_attr(test, schemars(range(min = 0)))]
    half_width_95: Option<f64>,
    /// The 95 % confidence interval.
    interval: IntervalReport,
    /// The standard deviation between runs.
    #[cfg_attr(test, schemars(range(min = 0)))]
    deviation: Option<f64>,
    /// How many runs there were.
    runs: u32,
    /// The number of runs in which the quantity has no value.
    undefined_in: u32,
}

impl From<&Estimate> for EstimateReport {
    fn from(estimate: &Estimate) -> Self {
        Self {
            name: estimate.name.clone(),
            unit: estimate.unit.clone(),
            mean: finite(estimate.mean),
            half_width_95: half_width(estimate),
            interval: estimate.into(),
            deviation: finite(estimate.deviation),
            runs: estimate.runs,
            undefined_in: estimate.undefined,
        }
    }
}

/// All of them.
pub(crate) fn estimate_reports(estimates: &[Estimate]) -> Vec<EstimateReport> {
    estimates.iter().map(EstimateReport::from).collect()
}

/// JSON has no infinities and no NaN.
pub(crate) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}
