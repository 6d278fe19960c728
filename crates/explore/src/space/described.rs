//! `Described`: states and events in words, and digests of their content.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{EventId, HistoryText, Space, StateId};
use crate::{EventPattern, PartChange};

/// An event in words. It is printed, and identifies the event in files.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Space, enabled};
///
/// let mut space = ModelSpace::new(Counter);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// let (_, event) = enabled(&mut space, initial[0]).remove(1);
/// assert_eq!((event.node, &event.kind[..], &event.sentence[..]), (None, "action", "3"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventText {
    /// The node of the event, if it has one.
    pub node: Option<u32>,
    /// The kind of the event.
    pub kind: String,
    /// The parameters that distinguish it from other events of the same kind and node.
    pub parameters: Vec<(String, String)>,
    /// The event as a sentence.
    pub sentence: String,
}

/// One part of a state in words.
///
/// ```
/// use everypath_explore::PartText;
///
/// let node = PartText::Value("Idle".to_owned());
/// let network = PartText::Bag(vec!["Data(1)".to_owned(), "Data(2)".to_owned()]);
/// assert_ne!(node, network);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartText {
    /// A value, as `Debug` prints it.
    Value(String),
    /// Several values without an order, as `Debug` prints them.
    Bag(Vec<String>),
}

/// A state in words, part by part: each node, then the network.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Described, ModelSpace, PartText, Space};
///
/// let mut space = ModelSpace::new(Counter);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// let text = space.state_text(initial[0]);
/// assert_eq!(text.parts, [("state".to_owned(), PartText::Value("0".to_owned()))]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateText {
    /// The parts with their names.
    pub parts: Vec<(String, PartText)>,
}

/// A space that describes its states and events by texts, and by digests that are the same in every
/// process.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Described, ModelSpace, Space};
///
/// let mut space = ModelSpace::new(Counter);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// assert_eq!(space.fingerprint(initial[0]), space.digest(initial[0]));
/// ```
pub trait Described: Space {
    /// An event in words.
    fn event_text(&self, state: StateId, event: EventId) -> EventText;

    /// A state in words.
    fn state_text(&self, state: StateId) -> StateText;

    /// What an event returns in a state, if it returns something. It is printed, but does not
    /// identify the event.
    fn result_text(&self, state: StateId, event: EventId) -> Option<String> {
        let _ = (state, event);
        None
    }

    /// How much time passes before an event, since the one before it or the start; nothing in a space without time.
    fn time_before(&self, event: EventId) -> Option<Duration> {
        let _ = event;
        None
    }

    /// Whether a pattern matches an event in a state.
    fn matches(&self, state: StateId, event: EventId, pattern: &EventPattern) -> bool {
        pattern.matches(&self.event_text(state, event))
    }

    /// The differences between the texts of two states. A space that finds them without making the
    /// texts prints long runs much faster.
    fn state_change(&self, before: StateId, after: StateId) -> Vec<(String, PartChange)> {
        self.state_text(before).changes_to(&self.state_text(after))
    }

    /// What clients asked for in a run and what they were answered, if the space knows. The run has all its steps, each with
    /// the state before and after it.
    fn histories(&self, run: &[(StateId, EventId, StateId)]) -> Vec<HistoryText> {
        let _ = run;
        Vec::new()
    }

    /// A digest of the content of a state: the same in every process, on every machine.
    fn digest(&self, state: StateId) -> u64;

    /// A number computed from the content of a state, as [`digest`](Self::digest), but as fast as
    /// possible. For stores that keep nothing else of a state.
    fn fingerprint(&mut self, state: StateId) -> u64 {
        self.digest(state)
    }
}
