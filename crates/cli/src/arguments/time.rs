//! Options about time in explorations.

use std::time::Duration;

use clap::{Args, ValueEnum};
use everypath_model::Timers;
use everypath_plain::Time;
use serde::{Deserialize, Serialize};

use super::values::moment;

#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Time")]
pub(crate) struct TimeArguments {
    /// Count only counterexamples in which no packet and no timer need be later than this, e.g. 50ms or 0s;
    /// one that needs more is discarded, and the check is then inconclusive
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) max_late: Option<Duration>,
    /// Which timers of a node can fire next: any; or ordered: a timer waits for each timer of its node that was set no
    /// later and lasts no longer
    #[arg(long, value_enum, default_value_t = TimersName::Any)]
    pub(crate) timers: TimersName,
    /// Let packets and timers take the times of the scenario, in whole units of time
    #[arg(long, conflicts_with = "max_late")]
    pub(crate) timed: bool,
    /// The unit of time, e.g. 500us [default: the largest that divides all times]
    #[arg(long, value_name = "TIME", value_parser = moment, requires = "timed")]
    pub(crate) time_unit: Option<Duration>,
}

impl TimeArguments {
    /// Whether time counts.
    pub(crate) fn time(&self) -> Time {
        match (self.timed, self.time_unit) {
            (false, _) => Time::Any,
            (true, None) => Time::Counted,
            (true, Some(unit)) => Time::CountedIn(unit),
        }
    }
}

/// Which timers of a node can fire, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum TimersName {
    /// Any, as if nothing were known of durations
    #[default]
    Any,
    /// In the order that their durations force, if the clock of a node does not drift
    Ordered,
}

impl From<TimersName> for Timers {
    fn from(name: TimersName) -> Self {
        match name {
            TimersName::Any => Self::Any,
            TimersName::Ordered => Self::Ordered,
        }
    }
}
