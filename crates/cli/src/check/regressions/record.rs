//! The results of earlier counterexamples, as a check prints them in JSON and `watch` reads them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::output::numbers::counted;

/// The results of the counterexamples in a folder.
#[derive(Serialize, Deserialize)]
pub(crate) struct ToldRegressions {
    pub(super) folder: String,
    pub(super) runs: Vec<ToldRun>,
    /// The radius of their neighbourhood, in events.
    pub(super) neighbourhood: u32,
    /// The number of states in their neighbourhood.
    pub(super) states: Option<u64>,
    pub(super) ended: Option<String>,
    pub(super) handler_executions: u64,
    pub(super) found: Option<ToldFinding>,
    /// The files that were added to the folder.
    pub(super) added: Vec<String>,
}

/// The result of one of them.
#[derive(Serialize, Deserialize)]
pub(super) struct ToldRun {
    pub(super) file: String,
    /// The assertion that it violated when it was found.
    pub(super) assertion: String,
    pub(super) steps: usize,
    pub(super) replayed: usize,
    pub(super) verdict: ToldVerdict,
    /// The assertion that it violates now.
    pub(super) violated: Option<String>,
    pub(super) reason: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ToldVerdict {
    Violated,
    Holds,
    Unasserted,
    Parted,
    LeftOut,
    Waiting,
}

/// How a violation was found before the search.
#[derive(Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub(super) enum ToldFinding {
    Replay { file: String },
    Neighbourhood { file: String, events: usize },
}

impl ToldRegressions {
    /// One line for each result worth reporting.
    pub(crate) fn to_brief_text(&self) -> String {
        let count = |verdicts: &[ToldVerdict]| {
            self.runs.iter().filter(|run| verdicts.contains(&run.verdict)).count() as u64
        };
        let mut text: String = self.runs.iter().map(ToldRun::to_brief_text).collect();
        if let Some(ToldFinding::Neighbourhood { file, events }) = &self.found {
            let events = counted(*events as u64, "event");
            text.push_str(&format!("  found {events} from {}\n", name(file)));
        }
        for (what, count) in [
            ("no longer violate anything", count(&[ToldVerdict::Holds, ToldVerdict::Unasserted])),
            ("can no longer be run to their ends", count(&[ToldVerdict::Parted])),
        ] {
            if count > 0 {
                let runs = counted(count, "earlier counterexample");
                text.push_str(&format!("  {runs}: {what}\n"));
            }
        }
        text
    }
}

impl ToldRun {
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
