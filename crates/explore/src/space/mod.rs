//! `Space`, the interface between models and searches: a graph of packed states, and the traits that
//! extend it.

mod boxed;
mod described;
mod guided;
mod history_text;
mod judged;
mod measured;
mod portable;
mod related;
mod saved;

use serde::{Deserialize, Serialize};

pub use self::{
    described::{Described, EventText, PartText, StateText},
    guided::Guided,
    history_text::{HistoryText, OperationText},
    judged::{Judged, Verdict},
    measured::Measured,
    portable::Portable,
    related::Related,
    saved::Saved,
};

/// A state of a space, packed into eight bytes. It has no meaning outside the space that made it.
///
/// A space numbers both halves from 0. In the upper half it puts what neighbouring states share, so
/// that sorted states come in groups. Visited states are stored by the lower half.
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

/// An event of a space, packed into eight bytes. It has no meaning without the state in which it
/// was enabled.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Described, ModelSpace, Space, enabled};
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
    /// The expanded state that it leads from, as an index into the batch.
    pub source: u32,
    /// The event.
    pub event: EventId,
    /// The state that it leads to.
    pub target: StateId,
}

/// What became of an event that a search has explored.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Fate, ModelSpace, Space, Step, StateId};
///
/// // This space does not ask for it.
/// assert!(!ModelSpace::new(Counter).follows_events());
/// assert_ne!(Fate::Kept, Fate::Known);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The state that it leads to is kept, to be expanded: a tree event. If states are looked up only
    /// when they are expanded, all are kept.
    Kept,
    /// It leads to a state that was visited before: a non-tree event.
    Known,
    /// It leads to a state at the depth bound.
    Deepest,
    /// It leads to a state that violates an assertion.
    Unsafe,
}

/// A graph of packed states. Every search walks it, and every kind of model provides it.
///
/// Other abilities of a space are optional, each in a trait: assertions ([`Judged`]), rankings
/// ([`Guided`]), relations ([`Related`]), texts ([`Described`]), memory and time ([`Measured`]),
/// and checkpoints ([`Saved`]). A space without one of these abilities implements the trait by an
/// empty block. A space with all of these traits is [`Explorable`].
///
/// A space interns what it meets, hence the `&mut`. Its answers do not depend on earlier questions.
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

    /// Appends all steps out of the given states: for each state in turn, in the order in which the
    /// space enumerates events. A batch lets a space share work among states. It is cheapest if
    /// neighbours in the batch have much in common.
    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>);

    /// Whether the space has given out this state.
    fn contains(&self, state: StateId) -> bool;

    /// The names of the possible kinds of events; one kind, if the space does not distinguish them.
    fn event_kinds(&self) -> Vec<String> {
        vec!["action".to_owned()]
    }

    /// The kind of an event, as an index into [`event_kinds`](Self::event_kinds).
    fn event_kind(&self, event: EventId) -> usize {
        let _ = event;
        0
    }

    /// How many states of a level a breadth-first search should expand at a time, if the space gains by batches larger
    /// than those that stay in the cache. Called often; must not change.
    fn batch(&self) -> Option<usize> {
        None
    }

    /// Whether a search reports every event that it has explored to [`explored`](Self::explored).
    /// Called often; must be cheap and must not change during a search.
    fn follows_events(&self) -> bool {
        false
    }

    /// A search has explored an event: a step out of this state. Called only if the space
    /// [follows events](Self::follows_events), in the order in which they are explored.
    fn explored(&mut self, from: StateId, step: &Step, fate: Fate) {
        let _ = (from, step, fate);
    }

    /// A fault in the model that has been found by now, if any. The search then ends, because none
    /// of its results can be relied on. Called after every expansion; must be cheap.
    fn flaw(&self) -> Option<&str> {
        None
    }

    /// Why visiting every state of this space does not tell everything, if so: for instance because states that differ
    /// are treated as the same. A search that finds nothing is then inconclusive.
    fn skips(&self) -> Option<&'static str> {
        None
    }
}

/// A space with all that a search may ask for. Every type that implements the traits is explorable.
///
/// ```
/// use everypath_explore::{Described, EventId, EventText, Explorable, Guided, Judged, Measured, Options, Related, Saved};
/// use everypath_explore::{Space, StateId, StateText, Step, explore};
///
/// /// A clock with twelve hours.
/// struct Clock;
///
/// impl Space for Clock {
///     fn initial(&mut self, states: &mut Vec<StateId>) {
///         states.push(StateId(0));
///     }
///     fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
///         for (source, state) in (0..).zip(states) {
///             steps.push(Step { source, event: EventId(0), target: StateId((state.0 + 1) % 12) });
///         }
///     }
///     fn contains(&self, state: StateId) -> bool {
///         state.0 < 12
///     }
/// }
///
/// impl Described for Clock {
///     fn event_text(&self, _: StateId, _: EventId) -> EventText {
///         EventText { node: None, kind: "action".into(), parameters: Vec::new(), sentence: "it ticks".into() }
///     }
///     fn state_text(&self, _: StateId) -> StateText {
///         StateText::default()
///     }
///     fn digest(&self, state: StateId) -> u64 {
///         state.0
///     }
/// }
///
/// // No assertions, no rankings, and so on.
/// impl Judged for Clock {}
/// impl Guided for Clock {}
/// impl Related for Clock {}
/// impl Measured for Clock {}
/// impl Saved for Clock {}
///
/// fn states(mut space: impl Explorable) -> u64 {
///     explore(&mut space, &Options::default(), &mut ()).unwrap().states_visited
/// }
/// assert_eq!(states(Clock), 12);
/// ```
pub trait Explorable: Judged + Guided + Related + Described + Measured + Saved {}

impl<S: Judged + Guided + Related + Described + Measured + Saved> Explorable for S {}
