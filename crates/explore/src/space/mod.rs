//! The waist between models and searches: `Space`, a graph of packed states, and the traits that extend it.

mod described;
mod guided;
mod judged;
mod measured;
mod portable;
mod related;
mod saved;

use serde::{Deserialize, Serialize};

pub use self::{
    described::{Described, EventText, PartText, StateText},
    guided::Guided,
    judged::{Judged, Verdict},
    measured::Measured,
    portable::Portable,
    related::Related,
    saved::Saved,
};

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
    /// Which of the expanded states it leads from, as an index into the batch.
    pub source: u32,
    /// What happens.
    pub event: EventId,
    /// Where it leads.
    pub target: StateId,
}

/// A graph of packed states: what every search walks and every kind of model provides.
///
/// What else a space can say is optional, in traits of their own: what is asserted of states ([`Judged`]), how
/// good they are ([`Guided`]), which cover which ([`Related`]), what they are in words ([`Described`]), what the
/// space takes ([`Measured`]), and its content as bytes ([`Saved`]). A space that has nothing to say of one of them
/// implements it by an empty block. With all of them it is [`Explorable`].
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

    /// Whether there is such a state: whether the space has given it out.
    fn contains(&self, state: StateId) -> bool;

    /// The names of the kinds of events that can happen at all; one kind, if the space does not tell
    /// them apart.
    fn event_kinds(&self) -> Vec<String> {
        vec!["action".to_owned()]
    }

    /// Of which kind an event is: an index into [`event_kinds`](Self::event_kinds).
    fn event_kind(&self, event: EventId) -> usize {
        let _ = event;
        0
    }

    /// A mistake in the model that has been found out by now, if one has: nothing that a search says can
    /// be relied on any more, and it ends. Asked after every expansion; must be cheap.
    fn flaw(&self) -> Option<&str> {
        None
    }
}

/// A space with all that a search may ask of it. Every type that implements the traits is one.
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
/// // Nothing is asserted, nothing is ranked, and so on.
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
