//! Assertions at the end of each run, which are evaluated without `--assert`.

use std::fmt::Write;

use everypath_sim::Run;
use serde_json::{Value, json};

use crate::{
    output::{bad, good, numbers::counted},
    scenarios::outline::Outline,
};

/// The results of assertions at the end of each run.
pub(crate) struct Watched {
    assertions: usize,
    /// Why they were not evaluated, if they were not.
    unasked: Option<String>,
    runs: usize,
    /// The runs whose end violates one: number and assertion.
    violated: Vec<(u32, String)>,
}

impl Watched {
    /// From the numbers of runs, and the assertions that their ends violate.
    pub(crate) fn of(
        scenario: &Outline,
        runs: impl Iterator<Item = (u32, Option<String>)>,
    ) -> Self {
        let unasked = scenario.required.as_ref().map(|event| {
            format!("violations count only on runs with `{event}`, which a simulation does not watch for")
        });
        Self::new(scenario.assertions.len(), unasked, runs)
    }

    pub(crate) fn new(
        assertions: usize,
        unasked: Option<String>,
        runs: impl Iterator<Item = (u32, Option<String>)>,
    ) -> Self {
        let all: Vec<(u32, Option<String>)> = runs.collect();
        let runs = all.len();
        let violated = all.into_iter().filter_map(|(run, what)| Some((run, what?))).collect();
        Self { assertions, unasked, runs, violated }
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        if self.assertions == 0 || self.runs == 0 {
            return text;
        }
        let assertions = counted(self.assertions as u64, "assertion");
        let _ = match (&self.unasked, self.violated.first()) {
            (Some(why), _) => writeln!(text, "note: {assertions} not evaluated: {why}"),
            (None, None) => writeln!(
                text,
                "{} at the end of each run: {assertions}; --assert asks after every event",
                good("HELD")
            ),
            (None, Some((run, what))) => writeln!(
                text,
                "{} at the end of {} of {}: {what}\nfirst in replication {run}; `--first {run} --replications 1 --assert` shows how; asked at the ends only",
                bad("VIOLATED"),
                self.violated.len(),
                counted(self.runs as u64, "run"),
            ),
        };
        text
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "asked": if self.unasked.is_some() || self.assertions == 0 { "never" } else { "ends" },
            "violated_runs": self.violated.len(),
            "first_replication": self.violated.first().map(|(run, _)| run),
            "assertion": self.violated.first().map(|(_, what)| what),
        })
    }
}

/// The number of a run, and the assertion that its end violates.
pub(crate) fn end_of(run: &Run) -> (u32, Option<String>) {
    (run.replication, run.violation.as_ref().map(|it| it.assertion.clone()))
}
