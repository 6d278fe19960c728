//! The verdict of a search, in one word.

use std::borrow::Cow;

use everypath_explore::{Ended, Exploration, Limit};

use serde::{Deserialize, Serialize};

use crate::{output::Outcome, running::memory::MemoryLimit};

/// The verdict of a search.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum Verdict {
    /// No violation was found, and everything within the bound was explored.
    Holds,
    /// A violation was found; or every reachable state was visited, and a goal was not reached.
    Violated,
    /// No violation was found, but not everything was explored; or a goal was not reached that may lie beyond the bound or
    /// behind a pruned state.
    Inconclusive,
}

impl Verdict {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Inconclusive => "inconclusive",
        }
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Violation => Self::Violated,
            Outcome::Fine | Outcome::Vacuous => Self::Holds,
            Outcome::BadInput | Outcome::Stopped => Self::Inconclusive,
        }
    }
}

/// How a search ended. A goal that was not reached is a violation if every reachable state was seen; otherwise
/// it may lie behind one that was not.
pub(crate) fn outcome(found: &Exploration, goals: usize) -> Outcome {
    let missed = found.witnesses.len() < goals;
    if !found.findings.is_empty() || missed && found.saw_everything() {
        Outcome::Violation
    } else if found.is_complete() && !missed {
        Outcome::Fine
    } else {
        Outcome::Stopped
    }
}

/// What stopped a search with this limit on memory.
pub(crate) fn stopped_by(ended: Ended, memory: MemoryLimit) -> Cow<'static, str> {
    let what = match ended {
        Ended::Limit(Limit::Bytes) => return memory.name().into(),
        Ended::Limit(Limit::States) => "--max-states",
        Ended::Limit(Limit::Time) => "--max-time",
        Ended::Limit(Limit::Capacity) => "the number of networks that can be distinguished",
        Ended::Interrupted => "the user",
        Ended::Refused => "what was found out about the scenario",
        Ended::Exhausted | Ended::Depth | Ended::Violation => "nothing",
        other => other.name(),
    };
    what.into()
}
