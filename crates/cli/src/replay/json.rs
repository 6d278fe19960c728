//! The types of the JSON of `replay`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    scenarios::{start::StartReport, used::UsedReport},
    searching::verdict::Verdict,
    traces::story_json::StepReport,
};

/// What `everypath replay --json` prints of a counterexample.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Counterexample"))]
pub(crate) struct ReplayReport<Steps = Vec<StepReport>> {
    /// The name of the scenario or driver.
    pub(super) scenario: String,
    /// The semantics of runs.
    pub(super) profile: String,
    /// The values of all parameters that have an effect.
    pub(super) parameters: BTreeMap<String, String>,
    /// The network, the traffic and the files that were really used; null for a driver.
    pub(super) used: Option<UsedReport>,
    /// The moment of a simulated run from which it starts; null if that is the scenario's own start.
    pub(super) start: Option<StartReport>,
    /// Whether its end violates the assertion.
    #[cfg_attr(test, schemars(extend("enum" = ["violated", "holds"])))]
    pub(super) verdict: Verdict,
    /// The assertion that it is recorded to violate.
    pub(super) assertion: String,
    /// More on the reason, such as the message of a panic; null if there is none.
    pub(super) explanation: Option<String>,
    /// The steps.
    pub(super) steps: Steps,
    /// The file of the counterexample.
    pub(super) file: String,
    /// The charts that were written.
    pub(super) charts: Vec<String>,
    /// The run as a Rust test; null without `--as-test`.
    pub(super) test: Option<String>,
}

/// What `everypath replay --json` prints of an event log.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Log"))]
pub(crate) struct LogReplayReport {
    /// The name of the scenario.
    pub(super) scenario: String,
    /// The semantics of runs.
    pub(super) profile: String,
    /// The values of all parameters that have an effect.
    pub(super) parameters: BTreeMap<String, String>,
    /// The seed of the run.
    pub(super) seed: u64,
    /// The number of the run.
    pub(super) replication: u32,
    /// How many lines the log has.
    pub(super) lines: u64,
    /// How the run ended.
    pub(super) ending: String,
    /// Whether the log of the new run has the same lines; a log that differs is an error.
    pub(super) identical: bool,
    /// The file of the log.
    pub(super) file: String,
}
