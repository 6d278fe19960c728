//! `Described`: states and events in words, and digests of their content.

use serde::{Deserialize, Serialize};

use super::{EventId, Space, StateId};
use crate::{EventPattern, PartChange};

/// An event in words: what is printed, and what identifies it in a file.
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
    /// The node at which it happens, where there are nodes.
    pub node: Option<u32>,
    /// Of which kind it is.
    pub kind: String,
    /// What distinguishes it from other events of that kind at that node.
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
    /// Several values whose order says nothing, as `Debug` prints them.
    Bag(Vec<String>),
}

/// A state in words, part by part: each node, the network.
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

/// A space whose states and events can be put into words, and into numbers that mean the same in every process.
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

    /// Whether an event in a state is one that a pattern describes.
    fn matches(&self, state: StateId, event: EventId, pattern: &EventPattern) -> bool {
        pattern.matches(&self.event_text(state, event))
    }

    /// What differs between two states, in words: what their texts differ in. A space that knows it
    /// without making the texts saves much of the time that telling a long run takes.
    fn state_change(&self, before: StateId, after: StateId) -> Vec<(String, PartChange)> {
        self.state_text(before).changes_to(&self.state_text(after))
    }

    /// A number computed from the content of a state: the same in every process, on every
    /// machine.
    fn digest(&self, state: StateId) -> u64;

    /// A number computed from the content of a state, as [`digest`](Self::digest), but as fast as
    /// the space can: for stores that keep nothing else of a state.
    fn fingerprint(&mut self, state: StateId) -> u64 {
        self.digest(state)
    }
}
