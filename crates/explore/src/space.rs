//! The waist between models and searches.

use std::{
    io::{self, Read, Write},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::{EventPattern, PartChange};

/// A state of a space, packed into eight bytes. It means nothing outside the space that made it.
///
/// A space counts up both halves from 0. In the upper half it puts what neighbouring states share,
/// if they share something: sorted states then come in groups. Visited states are kept by the lower
/// half.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Space, StateId};
///
/// let mut space = ModelSpace::new(Counter);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// assert!(space.contains(initial[0]) && !space.contains(StateId(99)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StateId(pub u64);

/// An event of a space, packed into eight bytes. It means nothing without the state in which it
/// was enabled.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Space, enabled};
///
/// let mut space = ModelSpace::new(Counter);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// let (step, text) = enabled(&mut space, initial[0]).remove(0);
/// assert_eq!(space.event_text(initial[0], step.event), text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EventId(pub u64);

/// One edge of the graph: an event leads from one of the expanded states to another state.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Space};
///
/// let mut space = ModelSpace::new(Counter);
/// let (mut states, mut steps) = (Vec::new(), Vec::new());
/// space.initial(&mut states);
/// space.expand(&states, &mut steps);
/// let targets: Vec<u32> = steps.iter().map(|step| *space.state(step.target)).collect();
/// assert_eq!(targets, [1, 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Which of the expanded states it leads from, as an index into the batch.
    pub source: u32,
    /// What happens.
    pub event: EventId,
    /// Where it leads.
    pub target: StateId,
}

/// Which assertions a state violates: bit `i` for assertion `i`.
///
/// ```
/// use everypath_explore::Verdict;
///
/// // The second and the fourth assertion are violated.
/// let verdict = Verdict(0b1010);
/// assert!(verdict.violates(1) && !verdict.violates(2));
/// assert_eq!(verdict.first(), Some(1));
/// assert!(Verdict::SAFE.is_safe());
/// ```
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
/// use everypath_explore::{ModelSpace, PartText, Space};
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

/// A graph of packed states: what every search walks and every kind of model provides.
///
/// A space learns as it is walked (it interns what it meets), hence the `&mut`. What it answers
/// does not depend on what it was asked before.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Space};
///
/// /// Visits every state within a depth, level by level.
/// fn count(space: &mut impl Space, depth: u32) -> usize {
///     let (mut level, mut steps) = (Vec::new(), Vec::new());
///     space.initial(&mut level);
///     let mut seen = level.clone();
///     for _ in 0..depth {
///         steps.clear();
///         space.expand(&level, &mut steps);
///         level.clear();
///         for step in &steps {
///             if !seen.contains(&step.target) {
///                 seen.push(step.target);
///                 level.push(step.target);
///             }
///         }
///     }
///     seen.len()
/// }
/// assert_eq!(count(&mut ModelSpace::new(Counter), 2), 6);
/// ```
pub trait Space {
    /// Appends the initial states.
    fn initial(&mut self, states: &mut Vec<StateId>);

    /// Appends all steps out of the given states: for each state in turn, in the order in which
    /// the space enumerates events. Takes a batch so that a space can share work among states;
    /// neighbours in the batch that have much in common are cheapest.
    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>);

    /// Says how many bytes the process may take while a search [expands](Self::expand_within) states.
    fn limit_memory(&mut self, most: Option<u64>) {
        let _ = most;
    }

    /// Expands states as [`expand`](Self::expand) does, as long as there is memory for it. If there is
    /// not, it unwinds with [`NoMemory`](crate::NoMemory), which whoever searches catches, and the same
    /// states can be expanded later as if this had not been tried.
    fn expand_within(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        self.expand(states, steps);
    }

    /// Which assertions a state violates.
    fn verdict(&mut self, state: StateId) -> Verdict;

    /// Which assertions a state violates because nothing can happen in it. Asked only of states out
    /// of which no step leads.
    fn verdict_at_end(&mut self, state: StateId) -> Verdict {
        let _ = state;
        Verdict::SAFE
    }

    /// Whether a violation in this state is one that is sought: not if the run must contain a
    /// certain event and does not.
    fn counts(&mut self, state: StateId) -> bool {
        let _ = state;
        true
    }

    /// The names of the assertions; a verdict's bits refer to them.
    fn assertions(&self) -> Vec<String>;

    /// How many of the assertions are the model's own: the first ones. The others are asserted of
    /// every model, and nobody waits for them to break.
    fn own_assertions(&self) -> usize {
        self.assertions().len()
    }

    /// The names of the goals: what must hold in some reachable state; at most 64.
    fn goals(&self) -> Vec<String> {
        Vec::new()
    }

    /// Which goals a state reaches: bit `i` for goal `i`.
    fn goals_reached(&mut self, state: StateId) -> u64 {
        let _ = state;
        0
    }

    /// Whether the model asks not to look beyond this state. [`expand`](Self::expand) then gives
    /// no steps out of it.
    fn is_pruned(&mut self, state: StateId) -> bool {
        let _ = state;
        false
    }

    /// The names of the rankings.
    fn rankings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Appends how good a state is by one of the rankings: compared element by element, the
    /// larger the better.
    fn rank(&mut self, state: StateId, ranking: usize, rank: &mut Vec<i64>);

    /// Appends what a state is made of, as numbers that are equal for equal parts: the states of
    /// its nodes, each together with the node. A search for novelty counts them.
    fn parts(&self, state: StateId, parts: &mut Vec<u64>) {
        let _ = (state, parts);
    }

    /// The names of the kinds of events that can happen at all.
    fn event_kinds(&self) -> Vec<String>;

    /// Of which kind an event is: an index into [`event_kinds`](Self::event_kinds).
    fn event_kind(&self, event: EventId) -> usize;

    /// Whether an event in a state is one that a pattern describes.
    fn matches(&self, state: StateId, event: EventId, pattern: &EventPattern) -> bool {
        pattern.matches(&self.event_text(state, event))
    }

    /// The names of the relations by which one state can stand for another.
    fn relations(&self) -> Vec<String> {
        Vec::new()
    }

    /// Why a relation would be unsound here, if it would be. Asked before a search, and again while
    /// it lasts: what an assertion reads is known only when it has been asked.
    fn relation_refusal(&self, relation: usize) -> Option<String> {
        let _ = relation;
        None
    }

    /// A number that is the same for every two states of which one can stand for the other.
    fn relation_key(&mut self, state: StateId, relation: usize) -> u64 {
        let _ = (state, relation);
        0
    }

    /// Sixteen numbers of four bits, from 0 to 7: for whatever stands for this state, none of them
    /// is smaller. Tells most states apart that do not stand for each other.
    fn relation_signature(&mut self, state: StateId, relation: usize) -> u64 {
        let _ = (state, relation);
        0
    }

    /// Whether one state is simulated by another: whatever can be reached from it can be reached
    /// from the other, as far as assertions tell.
    fn is_simulated_by(&mut self, state: StateId, other: StateId, relation: usize) -> bool {
        let _ = relation;
        state == other
    }

    /// How often code of the user's model was executed to make successors.
    fn handler_executions(&self) -> u64;

    /// How long that took.
    fn handler_time(&self) -> Duration {
        Duration::ZERO
    }

    /// How much memory the space occupies, roughly, in bytes. Asked often; must be cheap.
    fn bytes(&self) -> usize;

    /// A mistake in the model that has been found out by now, if one has: nothing that a search says can
    /// be relied on any more, and it ends. Asked after every expansion; must be cheap.
    fn flaw(&self) -> Option<&str> {
        None
    }

    /// How many bytes more it takes at once when its tables grow, as far as that is about to happen.
    fn bytes_soon(&self) -> usize {
        0
    }

    /// Whether the space is about to run out of names for states. A search then ends cleanly.
    fn is_full(&self) -> bool {
        false
    }

    /// An event in words.
    fn event_text(&self, state: StateId, event: EventId) -> EventText;

    /// A state in words.
    fn state_text(&self, state: StateId) -> StateText;

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

    /// Writes all that the space has learned, so that another process can go on with the same ids.
    ///
    /// # Errors
    /// If it cannot be written, or the space cannot be saved at all.
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let _ = out;
        Err(io::Error::new(io::ErrorKind::Unsupported, "this space cannot be saved"))
    }

    /// Learns what another space of the same model had learned when it was saved. This space must
    /// not have been used before. Reads as many bytes as [`save`](Self::save) has written: others
    /// follow.
    ///
    /// # Errors
    /// If that is not what was saved, or the space cannot be saved at all. The space is then
    /// useless. If it was a space of another model or with other options, the error is of a
    /// [`Difference`](crate::Difference).
    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let _ = input;
        Err(io::Error::new(io::ErrorKind::Unsupported, "this space cannot be saved"))
    }

    /// Whether there is such a state: whether the space has given it out.
    fn contains(&self, state: StateId) -> bool;

    /// Why a state violates an assertion, if there is more to say than the assertion's name.
    fn explain(&self, state: StateId, assertion: usize) -> Option<String> {
        let _ = (state, assertion);
        None
    }
}

/// A space whose states and events can leave the process: as bytes that mean the same in every
/// process and on every machine.
///
/// ```
/// use everypath_explore::{Portable, StateId};
///
/// /// The state of another process that has the same content.
/// fn carried<S: Portable>(from: &S, state: StateId, to: &mut S) -> Option<StateId> {
///     to.decode(&from.encode(state)).ok()
/// }
/// ```
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
