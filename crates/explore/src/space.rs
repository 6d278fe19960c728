//! The waist between models and searches.

use serde::{Deserialize, Serialize};

/// A state of a space, packed into eight bytes. It means nothing outside the space that made it.
///
/// A space counts up both halves from 0. In the upper half it puts what neighbouring states share,
/// if they share something: visited states are kept by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u64);

/// An event of a space, packed into eight bytes. It means nothing without the state in which it
/// was enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u64);

/// One edge of the graph: an event leads from one of the expanded states to another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which of the expanded states it leads from, as an index into the batch.
    pub source: u32,
    /// What happens.
    pub event: EventId,
    /// Where it leads.
    pub target: StateId,
}

/// Which assertions a state violates: bit `i` for assertion `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict(pub u64);

impl Verdict {
    /// No assertion is violated.
    pub const SAFE: Self = Self(0);

    /// Whether no assertion is violated.
    #[must_use]
    pub fn is_safe(self) -> bool {
        self == Self::SAFE
    }

    /// Whether a certain assertion is violated.
    #[must_use]
    pub fn violates(self, assertion: usize) -> bool {
        self.0 >> assertion & 1 == 1
    }

    /// The first assertion that is violated.
    #[must_use]
    pub fn first(self) -> Option<usize> {
        (!self.is_safe()).then_some(self.0.trailing_zeros() as usize)
    }
}

/// An event in words: what is printed, and what identifies it in a file.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartText {
    /// A value, as `Debug` prints it.
    Value(String),
    /// Several values whose order says nothing, as `Debug` prints them.
    Bag(Vec<String>),
}

/// A state in words, part by part: each node, the network.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateText {
    /// The parts with their names.
    pub parts: Vec<(String, PartText)>,
}

/// A graph of packed states: what every search walks and every kind of model provides.
///
/// A space learns as it is walked (it interns what it meets), hence the `&mut`. What it answers
/// does not depend on what it was asked before.
pub trait Space {
    /// Appends the initial states.
    fn initial(&mut self, states: &mut Vec<StateId>);

    /// Appends all steps out of the given states: for each state in turn, in the order in which
    /// the space enumerates events. Takes a batch so that a space can share work among states;
    /// neighbours in the batch that have much in common are cheapest.
    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>);

    /// Which assertions a state violates.
    fn verdict(&mut self, state: StateId) -> Verdict;

    /// The names of the assertions; a verdict's bits refer to them.
    fn assertions(&self) -> Vec<String>;

    /// The names of the rankings.
    fn rankings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Appends how good a state is by one of the rankings: compared element by element, the
    /// larger the better.
    fn rank(&mut self, state: StateId, ranking: usize, rank: &mut Vec<i64>);

    /// How often code of the user's model was executed to make successors.
    fn handler_executions(&self) -> u64;

    /// How much memory the space occupies, roughly, in bytes. Asked often; must be cheap.
    fn bytes(&self) -> usize;

    /// Whether the space is about to run out of names for states. A search then ends cleanly.
    fn is_full(&self) -> bool {
        false
    }

    /// An event in words.
    fn event_text(&self, state: StateId, event: EventId) -> EventText;

    /// A state in words.
    fn state_text(&self, state: StateId) -> StateText;

    /// A number computed from the content of a state: the same in every process, on every
    /// machine.
    fn digest(&self, state: StateId) -> u64;

    /// Why a state violates an assertion, if there is more to say than the assertion's name.
    fn explain(&self, state: StateId, assertion: usize) -> Option<String> {
        let _ = (state, assertion);
        None
    }
}

/// A space whose states and events can leave the process: as bytes that mean the same in every
/// process and on every machine.
pub trait Portable: Space {
    /// Why some bytes are no state.
    type DecodeError: std::error::Error;

    /// The content of a state: the same bytes for the same content.
    fn encode(&self, state: StateId) -> Vec<u8>;

    /// The state that some bytes describe.
    ///
    /// # Errors
    /// If the bytes are no state of this space.
    fn decode(&mut self, bytes: &[u8]) -> Result<StateId, Self::DecodeError>;

    /// The content of an event: the same bytes for the same content.
    fn encode_event(&self, state: StateId, event: EventId) -> Vec<u8>;

    /// The steps out of a state whose event some bytes describe: none if it is not enabled, more
    /// than one if events of the same content lead to different states.
    fn steps_of(&mut self, state: StateId, bytes: &[u8]) -> Vec<Step> {
        let mut steps = Vec::new();
        self.expand(&[state], &mut steps);
        steps.retain(|step| self.encode_event(state, step.event) == bytes);
        steps
    }
}
