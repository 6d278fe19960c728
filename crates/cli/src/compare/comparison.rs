//! The measurements of a comparison.

use everypath_explore::{Ended, Options, Timings};
use everypath_sim::Estimate;

use super::searches::ComparedSearch;
use crate::{
    arguments::{compare::Quantity, search::word},
    output::Outcome,
};

impl Quantity {
    pub(super) fn of(self, run: &Run) -> Option<f64> {
        Some(match self {
            Self::Events => run.events as f64,
            Self::States => run.states_visited as f64,
            Self::Space => run.space as f64,
            Self::Steps => run.steps_found? as f64,
            Self::Branches => run.branches? as f64,
            Self::Time => run.seconds,
        })
    }

    /// Its name in tables and plots.
    pub(crate) fn title(self) -> String {
        match self {
            Self::Time => "seconds".to_owned(),
            counted => word(&counted),
        }
    }

    /// Its name in JSON and CSV, the same as in `check`.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::States => "states_visited",
            Self::Space => "space",
            Self::Steps => "steps_found",
            Self::Branches => "branches_taken",
            Self::Time => "seconds",
        }
    }

    /// Whether its values are whole numbers.
    pub(crate) fn is_counted(self) -> bool {
        self != Self::Time
    }

    /// Whether a stopped run has less of it than a finished one.
    pub(super) fn grows(self) -> bool {
        self != Self::Steps
    }
}

/// One run that finished, or reached a limit.
pub(crate) struct Run {
    /// The seed from which its search draws, if it does.
    pub(crate) drawn: Option<u64>,
    pub(crate) shuffle: Option<u64>,
    pub(crate) seed: Option<u64>,
    pub(crate) outcome: Outcome,
    pub(crate) ended: Ended,
    pub(crate) events: u64,
    pub(crate) states_visited: u64,
    pub(crate) states_waiting: u64,
    /// As the published experiments count it.
    pub(crate) space: u64,
    pub(crate) depth: u32,
    /// Of the first counterexample, if there is one.
    pub(crate) steps_found: Option<usize>,
    /// How many branches of the code of calls were taken, if that is known.
    pub(crate) branches: Option<u64>,
    pub(crate) seconds: f64,
    /// By operations, if they were measured.
    pub(crate) timings: Option<Timings>,
}

/// A search and its runs.
pub(crate) struct Compared {
    pub(crate) search: ComparedSearch,
    pub(crate) options: Options,
    /// The number of planned runs.
    pub(crate) planned: usize,
    /// The runs that were made.
    pub(crate) runs: Vec<Run>,
}

/// One quantity over the runs of a search.
pub(crate) struct Summary {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) mean: f64,
    /// Of the confidence interval at the level that was asked for; there is none for fewer than two
    /// runs, nor if some were stopped.
    pub(crate) half_width: Option<f64>,
    /// Of the one at 95 %.
    pub(crate) half_width_95: Option<f64>,
    /// Whether stopped runs would have had more of it.
    pub(crate) at_least: bool,
    /// Whether that also holds for a run with the minimum.
    pub(crate) min_at_least: bool,
}

impl Compared {
    pub(crate) fn count(&self, outcome: Outcome) -> usize {
        self.runs.iter().filter(|run| run.outcome == outcome).count()
    }

    /// How many runs a limit stopped.
    pub(crate) fn stopped(&self) -> usize {
        self.runs.iter().filter(|run| run.ended.is_stopped()).count()
    }

    /// Over the runs that have this quantity, if there are any.
    pub(crate) fn summary(&self, quantity: Quantity, confidence: f64) -> Option<Summary> {
        let values: Vec<f64> = self.runs.iter().filter_map(|run| quantity.of(run)).collect();
        let min = values.iter().copied().reduce(f64::min)?;
        let max = values.iter().copied().reduce(f64::max)?;
        let estimate = Estimate::of(quantity.field(), "", &values);
        let at_least = quantity.grows() && self.stopped() > 0;
        let stops = |run: &Run| run.ended.is_stopped() && quantity.of(run) == Some(min);
        let min_at_least = at_least && self.runs.iter().any(stops);
        let known = |half_width: f64| (half_width.is_finite() && !at_least).then_some(half_width);
        Some(Summary {
            min,
            max,
            mean: estimate.mean,
            half_width: known(estimate.half_width_at(confidence)),
            half_width_95: known(estimate.half_width),
            at_least,
            min_at_least,
        })
    }
}
