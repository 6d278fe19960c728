//! The report of `simulate` on the runs of one scenario, as JSON has it.

use std::path::PathBuf;

use everypath_sim::{Estimate, Run, Violation};
use serde::Serialize;

use super::{
    job::HeadingReport,
    report::{Report, Violated},
};
use crate::{
    output::Outcome,
    simulating::{
        estimates::{EstimateReport, estimate_reports, finite},
        interval::{IntervalReport, half_width},
        watched::{Asked, AssertionsReport},
    },
};

/// The measures of one scenario.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Measured"))]
pub(crate) struct MeasuredReport {
    #[serde(flatten)]
    heading: HeadingReport,
    /// How many runs the estimates are over.
    runs: usize,
    /// Whether it ended by itself, reached the required precision and found no violation.
    complete: bool,
    /// The number of events in all runs.
    events: u64,
    /// The duration of the simulation; null with `--no-time`.
    #[cfg_attr(test, schemars(range(min = 0)))]
    seconds: Option<f64>,
    /// The packets of all runs, including those of warm-ups.
    packets: PacketsReport,
    /// The required precision; null without `--precision`.
    precision: Option<PrecisionReport>,
    /// The first violation, with `--assert`; null if there was none.
    violation: Option<ViolationReport>,
    /// Assertions during the simulation.
    assertions: AssertionsReport,
    /// The measures of the scenario, in its order.
    measures: Vec<EstimateReport>,
    /// The counters, by name.
    counters: Vec<EstimateReport>,
    /// The observed values, by name.
    distributions: Vec<DistributionReport>,
    /// The means over time of levels, by name.
    series: Vec<EstimateReport>,
}

/// Numbers of packets.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Packets"))]
struct PacketsReport {
    /// How many were sent.
    sent: u64,
    /// How many were delivered.
    delivered: u64,
    /// How many were lost on their way.
    lost: u64,
    /// How many were dropped before they left.
    dropped: u64,
}

/// A required precision.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Precision"))]
struct PrecisionReport {
    /// The required half width, as a share of the mean.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    share: f64,
    /// The measure that must be that precise; null for all.
    of: Option<String>,
    /// Whether it was reached.
    reached: bool,
}

/// A violation in a simulated run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Violation"))]
struct ViolationReport {
    /// The violated assertion.
    assertion: String,
    /// The message of its panic; null if it did not panic.
    panic: Option<String>,
    /// The number of the run.
    replication: u32,
    /// The simulated time since the start of the run.
    #[cfg_attr(test, schemars(range(min = 0)))]
    seconds: f64,
    /// The number of events before it; 0 if it was violated from the start.
    event_number: u64,
    /// The node of the last event; null at the start.
    node: Option<u32>,
    /// The last event, in words; null at the start.
    event: Option<String>,
    /// The last lines of the log of the run.
    log: Vec<String>,
    /// How many lines came before.
    log_lines_before: u64,
}

impl From<&Violated<'_>> for ViolationReport {
    fn from(violated: &Violated<'_>) -> Self {
        let Violated { violation: Violation { assertion, panic, .. }, run, log } = violated;
        let (node, event) = log.event.clone().map(|(node, event)| (node.0, event)).unzip();
        Self {
            assertion: assertion.clone(),
            panic: panic.clone(),
            replication: run.replication,
            seconds: run.elapsed.as_secs_f64(),
            event_number: run.events,
            node,
            event,
            log: log.lines.clone(),
            log_lines_before: log.lines_before,
        }
    }
}

/// An observed value over several runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Distribution"))]
struct DistributionReport {
    #[serde(flatten)]
    mean: EstimateReport,
    /// The median.
    median: QuantileReport,
    /// The 95th percentile.
    percentile_95: QuantileReport,
    /// The part that MSER-5 cut off; null without it.
    cut: Option<CutReport>,
}

/// A quantile over several runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Quantile"))]
struct QuantileReport {
    /// The mean over the runs; null if it is undefined in any.
    mean: Option<f64>,
    /// The half width of the 95 % confidence interval after Student; null if another rule applies, or none.
    #[cfg_attr(test, schemars(range(min = 0)))]
    half_width_95: Option<f64>,
    /// The 95 % confidence interval.
    interval: IntervalReport,
}

impl From<&Estimate> for QuantileReport {
    fn from(estimate: &Estimate) -> Self {
        Self {
            mean: finite(estimate.mean),
            half_width_95: half_width(estimate),
            interval: estimate.into(),
        }
    }
}

/// The part that was cut off a distribution.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Cut"))]
struct CutReport {
    /// How many of the first observations of a run do not count, on average.
    #[cfg_attr(test, schemars(range(min = 0)))]
    mean: f64,
    /// The number of runs in which as much was cut off as is allowed: they may be too short.
    at_limit_in: u32,
}

impl Report<'_> {
    /// The report as JSON has it.
    pub(crate) fn to_json(&self, pictures: &[PathBuf]) -> MeasuredReport {
        let results = self.results;
        let sum = |of: fn(&Run) -> u64| results.runs.iter().map(of).sum::<u64>();
        MeasuredReport {
            heading: self.job.heading(self.built, pictures),
            runs: results.runs.len(),
            complete: self.outcome() == Outcome::Fine,
            events: self.events(),
            seconds: self.job.seconds(),
            packets: PacketsReport {
                sent: sum(|run| run.packets.sent),
                delivered: sum(|run| run.packets.delivered),
                lost: sum(|run| run.packets.lost),
                dropped: sum(|run| run.packets.dropped),
            },
            precision: self.precision.map(|precision| PrecisionReport {
                share: precision.share,
                of: precision.of.clone(),
                reached: precision.is_reached(&results.runs),
            }),
            violation: self.violated.as_ref().map(ViolationReport::from),
            assertions: self.assertions(),
            measures: estimate_reports(&results.measures),
            counters: estimate_reports(&results.counters),
            distributions: self.distribution_reports(),
            series: estimate_reports(&results.series),
        }
    }

    fn assertions(&self) -> AssertionsReport {
        if !self.job.spec.assert {
            return self.watched().report();
        }
        let violated = self.violated.as_ref();
        AssertionsReport {
            asked: Asked::EveryEvent,
            violated_runs: usize::from(violated.is_some()),
            first_replication: violated.map(|it| it.run.replication),
            assertion: violated.map(|it| it.violation.assertion.clone()),
        }
    }

    fn distribution_reports(&self) -> Vec<DistributionReport> {
        let results = self.results;
        let quantiles = results.medians.iter().zip(&results.percentiles_95);
        let all = results.distributions.iter().zip(quantiles);
        all.map(|(mean, (median, percentile))| DistributionReport {
            mean: mean.into(),
            median: median.into(),
            percentile_95: percentile.into(),
            cut: self
                .cut(&mean.name)
                .map(|cut| CutReport { mean: cut.mean, at_limit_in: cut.at_limit }),
        })
        .collect()
    }
}
