//! Estimates as JSON.

use everypath_sim::Estimate;
use serde_json::{Value, json};

use super::interval::{half_width_json, interval_json};

/// An estimate with its interval.
pub(crate) fn estimate_json(estimate: &Estimate) -> Value {
    json!({
        "name": estimate.name,
        "unit": estimate.unit,
        "mean": finite(estimate.mean),
        "half_width_95": half_width_json(estimate),
        "interval": interval_json(estimate),
        "deviation": finite(estimate.deviation),
        "runs": estimate.runs,
        "undefined_in": estimate.undefined,
    })
}

/// JSON has no infinities and no NaN.
pub(crate) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}
