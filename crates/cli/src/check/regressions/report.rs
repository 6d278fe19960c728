//! The results of earlier counterexamples, as text and as JSON.

use std::{borrow::Cow, fmt::Write};

use everypath_explore::{Ended, Limit};

use super::{
    Earlier, FoundBy, Near, Standing,
    folder::EarlierRun,
    record::{FindingReport, RegressionsReport, RunReport, RunVerdict},
};
use crate::{
    output::{bad, good, numbers::counted, unsure},
    running::memory::MemoryLimit,
    searching::verdict::stopped_by,
};

impl Earlier {
    /// How a violation was found, if not by the search.
    pub(crate) fn found_text(&self) -> Option<String> {
        Some(match self.found? {
            FoundBy::Replay { run } => {
                format!("by running {} again; there may be a shorter run", self.runs[run].name())
            }
            FoundBy::Neighbourhood { run, events } => format!(
                "found {} from {}; there may be a shorter run",
                counted(events as u64, "event"),
                self.runs[run].name()
            ),
        })
    }

    /// The result of each of them.
    pub(crate) fn to_text(&self) -> String {
        let folder = self.folder.display();
        let mut text = match self.runs.len() as u64 {
            0 => format!("\n{folder} has no earlier counterexamples\n"),
            runs => format!("\n{} in {folder}:\n", counted(runs, "earlier counterexample")),
        };
        for run in &self.runs {
            let _ = writeln!(text, "  {}", run.to_text());
        }
        if let Some(Near { states, ended }) = &self.near {
            let around = format!(
                "{} at most {} from them",
                counted(*states, "state"),
                counted(self.events.into(), "event")
            );
            let _ = match ended {
                Ended::Violation => writeln!(text, "  a violation was found among {around}"),
                Ended::Limit(_) | Ended::Interrupted => writeln!(
                    text,
                    "  nothing was found among the first {around}, stopped by {}",
                    limit_name(*ended)
                ),
                _ => writeln!(text, "  nothing was found among {around}"),
            };
        }
        for file in &self.written {
            let _ = writeln!(text, "  added: {}", file.display());
        }
        text
    }

    /// The same, for JSON.
    pub(crate) fn report(&self) -> RegressionsReport {
        let run = |run: usize| self.runs[run].file.display().to_string();
        RegressionsReport {
            folder: self.folder.display().to_string(),
            runs: self.runs.iter().map(EarlierRun::report).collect(),
            neighbourhood: self.events,
            states: self.near.as_ref().map(|near| near.states),
            ended: self.near.as_ref().map(|near| near.ended.name().to_owned()),
            handler_executions: self.handler_executions,
            found: self.found.map(|found| match found {
                FoundBy::Replay { run: which } => FindingReport::Replay { file: run(which) },
                FoundBy::Neighbourhood { run: which, events } => {
                    FindingReport::Neighbourhood { file: run(which), events }
                }
            }),
            added: self.written.iter().map(|it| it.display().to_string()).collect(),
        }
    }
}

/// What ended the exploration of the neighbourhood. The limits on states and memory need not be the user's.
fn limit_name(ended: Ended) -> Cow<'static, str> {
    match ended {
        Ended::Limit(Limit::States) => "their number".into(),
        Ended::Limit(Limit::Bytes) => "the limit on memory".into(),
        _ => stopped_by(ended, MemoryLimit::None),
    }
}

impl EarlierRun {
    fn to_text(&self) -> String {
        let (name, own) = (self.name(), &self.trace.assertion);
        match &self.standing {
            Standing::Violated { assertion } if assertion == own => {
                format!("{} by {name}: {own}", bad("still violated"))
            }
            Standing::Violated { assertion } => {
                format!("{} by {name}: {assertion} (before: {own})", bad("now violated"))
            }
            Standing::Holds => format!("{} by {name}: {own}", good("no longer violated")),
            Standing::Unasserted => {
                format!("{}, as {name} violated it: {own}", unsure("no longer asserted"))
            }
            Standing::Parted { why } => {
                let steps = counted(self.replayed as u64, "step");
                format!("{} after {steps}, {name}: {why}", unsure("can no longer be run"))
            }
            Standing::LeftOut { why } => format!("{}, {name}: {why}", unsure("skipped")),
            Standing::Waiting => format!("{}, {name}", unsure("not run")),
        }
    }

    fn report(&self) -> RunReport {
        let (verdict, violated, reason) = match &self.standing {
            Standing::Violated { assertion } => (RunVerdict::Violated, Some(assertion), None),
            Standing::Holds => (RunVerdict::Holds, None, None),
            Standing::Unasserted => (RunVerdict::Unasserted, None, None),
            Standing::Parted { why } => (RunVerdict::Parted, None, Some(why)),
            Standing::LeftOut { why } => (RunVerdict::LeftOut, None, Some(why)),
            Standing::Waiting => (RunVerdict::Waiting, None, None),
        };
        RunReport {
            file: self.file.display().to_string(),
            assertion: self.trace.assertion.clone(),
            steps: self.trace.steps.len(),
            replayed: self.replayed,
            verdict,
            violated: violated.cloned(),
            reason: reason.cloned(),
        }
    }
}
