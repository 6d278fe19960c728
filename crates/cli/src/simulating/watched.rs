//! Assertions at the end of each run, which are evaluated without `--assert`.

use std::fmt::Write;

use everypath_sim::Run;
use serde::Serialize;

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

    pub(crate) fn report(&self) -> AssertionsReport {
        let first = self.violated.first();
        AssertionsReport {
            asked: match self.unasked.is_some() || self.assertions == 0 {
                true => Asked::Never,
                false => Asked::Ends,
            },
            violated_runs: self.violated.len(),
            first_replication: first.map(|(run, _)| *run),
            assertion: first.map(|(_, what)| what.clone()),
        }
    }
}

/// Assertions during a simulation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Assertions"))]
pub(crate) struct AssertionsReport {
    /// When assertions were evaluated.
    pub(crate) asked: Asked,
    /// The number of runs in which one was found to be violated.
    pub(crate) violated_runs: usize,
    /// The first of these runs.
    pub(crate) first_replication: Option<u32>,
    /// The assertion that is violated there.
    pub(crate) assertion: Option<String>,
}

/// When assertions are evaluated.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum Asked {
    /// After every event, with `--assert`.
    #[serde(rename = "every event")]
    EveryEvent,
    /// At the end of each run.
    Ends,
    /// Never, because there are none, or because violations count only on some runs.
    Never,
}

/// The number of a run, and the assertion that its end violates.
pub(crate) fn end_of(run: &Run) -> (u32, Option<String>) {
    (run.replication, run.violation.as_ref().map(|it| it.assertion.clone()))
}
