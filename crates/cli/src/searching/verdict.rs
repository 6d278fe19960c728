//! The verdict of a search, in one word.

use std::borrow::Cow;

use everypath_explore::{Ended, Exploration, Limit};

use crate::{output::Outcome, running::memory::MemoryLimit};

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

pub(crate) fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Violation => "violated",
        Outcome::Fine | Outcome::Vacuous => "holds",
        Outcome::BadInput | Outcome::Stopped => "inconclusive",
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
