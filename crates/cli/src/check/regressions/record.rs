//! The results of earlier counterexamples, as a check prints them in JSON and `watch` reads them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::output::numbers::counted;

/// The results of the counterexamples in a folder.
#[derive(Serialize, Deserialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "Regressions", deny_unknown_fields)
)]
pub(crate) struct RegressionsReport {
    /// The path of the folder.
    pub(super) folder: String,
    /// The counterexamples in the folder, in the order of their names.
    pub(super) runs: Vec<RunReport>,
    /// The radius of their neighbourhood, in events.
    pub(super) neighbourhood: u32,
    /// The number of states in their neighbourhood; null if it was not explored.
    pub(super) states: Option<u64>,
    /// Why the exploration of the neighbourhood ended: depth, violation, or the limit that stopped it.
    pub(super) ended: Option<String>,
    /// How often handlers were executed for all this.
    pub(super) handler_executions: u64,
    /// How a violation was found, so that no search was needed; null if none was.
    pub(super) found: Option<FindingReport>,
    /// The files that were added to the folder.
    pub(super) added: Vec<String>,
}

/// The result of an earlier counterexample.
#[derive(Serialize, Deserialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "Regression", deny_unknown_fields)
)]
pub(super) struct RunReport {
    /// The path of the file.
    pub(super) file: String,
    /// The assertion that it violated when it was found.
    pub(super) assertion: String,
    /// How many steps it was recorded with.
    pub(super) steps: usize,
    /// How many of its steps were run again.
    pub(super) replayed: usize,
    /// What became of it.
    pub(super) verdict: RunVerdict,
    /// The assertion that it violates now.
    pub(super) violated: Option<String>,
    /// Why it was skipped, or cannot be run to its end.
    pub(super) reason: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "RegressionVerdict"))]
pub(super) enum RunVerdict {
    /// It violates an assertion.
    Violated,
    /// It runs to its end and violates nothing.
    Holds,
    /// What it violated is no longer asserted.
    Unasserted,
    /// It cannot be run to its end.
    Parted,
    /// It was skipped: it is of another scenario, profile or start, or has other parameters.
    LeftOut,
    /// It was not run, because the check was stopped before.
    Waiting,
}

/// How a violation was found before the search.
#[derive(Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "FoundBy", deny_unknown_fields))]
pub(super) enum FindingReport {
    /// An earlier counterexample still violates an assertion.
    Replay {
        /// The file of the counterexample.
        file: String,
    },
    /// A violation was found in the neighbourhood of an earlier counterexample.
    Neighbourhood {
        /// The file of the counterexample.
        file: String,
        /// How many events the violation is away from it.
        events: usize,
    },
}

impl RegressionsReport {
    /// One line for each result worth reporting.
    pub(crate) fn to_brief_text(&self) -> String {
        let count = |verdicts: &[RunVerdict]| {
            self.runs.iter().filter(|run| verdicts.contains(&run.verdict)).count() as u64
        };
        let mut text: String = self.runs.iter().map(RunReport::to_brief_text).collect();
        if let Some(FindingReport::Neighbourhood { file, events }) = &self.found {
            let events = counted(*events as u64, "event");
            text.push_str(&format!("  found {events} from {}\n", name(file)));
        }
        for (what, count) in [
            ("no longer violate anything", count(&[RunVerdict::Holds, RunVerdict::Unasserted])),
            ("can no longer be run to their ends", count(&[RunVerdict::Parted])),
        ] {
            if count > 0 {
                let runs = counted(count, "earlier counterexample");
                text.push_str(&format!("  {runs}: {what}\n"));
            }
        }
        text
    }
}

impl RunReport {
    fn to_brief_text(&self) -> String {
        let name = name(&self.file);
        match &self.violated {
            Some(violated) if *violated == self.assertion => {
                format!("  still violated by {name}\n")
            }
            Some(violated) => format!("  now violated by {name}: {violated}\n"),
            None => String::new(),
        }
    }
}

/// A file's name without its folder.
fn name(file: &str) -> String {
    Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned()
}
