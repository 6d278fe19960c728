//! What a comparison has measured.

use everypath_explore::{Ended, Options};
use everypath_sim::Estimate;

use super::searches::ComparedSearch;
use crate::{
    arguments::{compare::Quantity, search::word},
    output::Outcome,
};

impl Quantity {
    fn of(self, run: &Run) -> Option<f64> {
        Some(match self {
            Self::Events => run.events as f64,
            Self::States => run.states_visited as f64,
            Self::Space => run.space as f64,
            Self::Steps => run.steps_found? as f64,
            Self::Time => run.seconds,
        })
    }

    /// What it is called in tables and plots.
    pub(crate) fn title(self) -> String {
        match self {
            Self::Time => "seconds".to_owned(),
            counted => word(&counted),
        }
    }

    /// What it is called in JSON and CSV: as `check` calls it.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::States => "states_visited",
            Self::Space => "space",
            Self::Steps => "steps_found",
            Self::Time => "seconds",
        }
    }

    /// Whether its values are whole numbers.
    pub(crate) fn is_counted(self) -> bool {
        self != Self::Time
    }

    /// Whether a run that is stopped has less of it than one that is not.
    fn grows(self) -> bool {
        self != Self::Steps
    }
}

/// One run that came to its end, or to a limit.
pub(crate) struct Run {
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
    pub(crate) seconds: f64,
}

/// A search and its runs.
pub(crate) struct Compared {
    pub(crate) search: ComparedSearch,
    pub(crate) options: Options,
    /// How many runs were asked for.
    pub(crate) planned: usize,
    /// Those that were made.
    pub(crate) runs: Vec<Run>,
}

/// What the runs of a search tell about one quantity.
pub(crate) struct Summary {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) mean: f64,
    /// Of the 95 % confidence interval; there is none for fewer than two runs, nor if some were
    /// stopped.
    pub(crate) half_width: Option<f64>,
    /// Whether runs were stopped that would have had more of it.
    pub(crate) at_least: bool,
    /// Whether that holds for one with the least of it, too.
    pub(crate) min_at_least: bool,
}

impl Compared {
    pub(crate) fn count(&self, outcome: Outcome) -> usize {
        self.runs.iter().filter(|run| run.outcome == outcome).count()
    }

    /// How many runs a limit has ended.
    pub(crate) fn stopped(&self) -> usize {
        self.runs.iter().filter(|run| run.ended.is_stopped()).count()
    }

    /// Over the runs that have such a quantity, if any has.
    pub(crate) fn summary(&self, quantity: Quantity) -> Option<Summary> {
        let values: Vec<f64> = self.runs.iter().filter_map(|run| quantity.of(run)).collect();
        let min = values.iter().copied().reduce(f64::min)?;
        let max = values.iter().copied().reduce(f64::max)?;
        let estimate = Estimate::of(quantity.field(), "", &values);
        let at_least = quantity.grows() && self.stopped() > 0;
        let stops = |run: &Run| run.ended.is_stopped() && quantity.of(run) == Some(min);
        let min_at_least = at_least && self.runs.iter().any(stops);
        let half_width = estimate.half_width.is_finite() && !at_least;
        let half_width = half_width.then_some(estimate.half_width);
        Some(Summary { min, max, mean: estimate.mean, half_width, at_least, min_at_least })
    }
}
