//! The steps of a run, as reports have them.

use everypath_explore::EventText;
use everypath_report::{Story, StoryStep};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize, Serializer};

/// One step of a run.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Step"))]
pub(crate) struct StepReport {
    /// The node of the event; null if it has none.
    node: Option<u32>,
    /// The kind of the event: of a network, `command`, `deliver`, `timer`, `lose`, `duplicate`, `reboot`, `undeliverable`,
    /// `link-down`, `link-up` or `action`; of a driver, the name of the call, with dashes for underscores.
    kind: String,
    /// The parameters that distinguish the event from others of its kind at its node.
    parameters: IndexMap<String, String>,
    /// The event as a sentence.
    pub(crate) sentence: String,
    /// What the event returned; null if it returned nothing.
    #[serde(default)]
    result: Option<String>,
    /// What the event changed, one line for each change.
    changes: Vec<String>,
}

impl From<&StoryStep> for StepReport {
    fn from(step: &StoryStep) -> Self {
        let EventText { node, kind, parameters, sentence } = step.event.clone();
        let parameters = parameters.into_iter().collect();
        let result = step.result.clone();
        Self { node, kind, parameters, sentence, result, changes: step.lines() }
    }
}

/// The steps of a run, written one by one: a run may have a million steps, and occur twice in a report.
#[derive(Clone, Copy)]
pub(crate) struct StepsReport<'a>(pub(crate) &'a Story);

impl Serialize for StepsReport<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.steps.iter().map(StepReport::from))
    }
}
