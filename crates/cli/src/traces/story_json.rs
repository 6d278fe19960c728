//! Runs in JSON, written step by step: the data of a step is dropped before the next.

use everypath_explore::EventText;
use everypath_report::{Story, StoryStep};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value};

/// The steps of a run, in JSON.
pub(crate) struct StepsJson<'a>(pub(crate) &'a Story);

impl Serialize for StepsJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.steps.iter().map(StepJson))
    }
}

/// One of them.
pub(crate) struct StepJson<'a>(pub(crate) &'a StoryStep);

impl Serialize for StepJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let EventText { node, kind, parameters, sentence } = &self.0.event;
        let parameters: Map<String, Value> =
            parameters.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("node", node)?;
        map.serialize_entry("kind", kind)?;
        map.serialize_entry("parameters", &parameters)?;
        map.serialize_entry("sentence", sentence)?;
        map.serialize_entry("changes", &self.0.lines())?;
        map.end()
    }
}
