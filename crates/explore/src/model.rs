//! Plain Rust models, and their spaces.

use std::{fmt::Debug, hash::Hash};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    Described, EventId, EventText, Guided, Judged, Measured, PartText, Related, Saved, Space,
    StateId, StateText, Step, Verdict,
};

/// A plain model: states that can be cloned, compared and hashed, and a successor function.
///
/// ```
/// use everypath_explore::{Model, ModelSpace, Options, explore};
///
/// /// A traffic light.
/// struct Light;
///
/// impl Model for Light {
///     type State = &'static str;
///     type Action = ();
///
///     fn initial(&self) -> Vec<&'static str> {
///         vec!["red"]
///     }
///
///     fn actions(&self, _: &&'static str) -> Vec<()> {
///         vec![()]
///     }
///
///     fn next(&self, light: &&'static str, (): &()) -> Option<&'static str> {
///         Some(match *light { "red" => "green", "green" => "yellow", _ => "red" })
///     }
/// }
///
/// let found = explore(&mut ModelSpace::new(Light), &Options::default(), &mut ()).unwrap();
/// assert_eq!(found.states_visited, 3);
/// ```
pub trait Model {
    /// A state of the system.
    type State: Clone + Eq + Hash + Debug;
    /// An event of the system.
    type Action: Clone + Eq + Hash + Debug;

    /// The initial states.
    fn initial(&self) -> Vec<Self::State>;

    /// The actions that may be enabled in a state.
    fn actions(&self, state: &Self::State) -> Vec<Self::Action>;

    /// The successor by an action, or nothing if the action is not enabled after all.
    fn next(&self, state: &Self::State, action: &Self::Action) -> Option<Self::State>;

    /// The assertions about every state; at most 64.
    fn assertions(&self) -> Vec<ModelAssertion<Self>> {
        Vec::new()
    }
}

/// An assertion about every state of a [`Model`].
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::ModelAssertion;
///
/// let even = ModelAssertion::<Counter>::new("the counter is even", |_, state| state % 2 == 0);
/// assert!((even.holds)(&Counter, &4) && !(even.holds)(&Counter, &5));
/// ```
pub struct ModelAssertion<M: Model + ?Sized> {
    /// The name of the assertion.
    pub name: String,
    /// Whether it holds.
    pub holds: fn(&M, &M::State) -> bool,
}

impl<M: Model> ModelAssertion<M> {
    /// An assertion with a name.
    pub fn new(name: &str, holds: fn(&M, &M::State) -> bool) -> Self {
        Self { name: name.to_owned(), holds }
    }
}

/// The only kind of event of a plain model: the default of [`Space::event_kinds`].
const ACTION: &str = "action";

/// A [`Model`] as a space: every distinct state is kept once, and its id is its index in the list.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, explore};
///
/// let mut space = ModelSpace::new(Counter);
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// // The run ends in the state that violates the assertion.
/// let last = found.finding().unwrap().trace.last();
/// assert_eq!(*space.state(last), 7);
/// ```
pub struct ModelSpace<M: Model> {
    model: M,
    assertions: Vec<ModelAssertion<M>>,
    states: IndexSet<M::State, FxBuildHasher>,
    actions: IndexSet<M::Action, FxBuildHasher>,
    executions: u64,
}

impl<M: Model> ModelSpace<M> {
    /// The space of a model.
    ///
    /// # Panics
    /// If the model has more than 64 assertions.
    pub fn new(model: M) -> Self {
        let assertions = model.assertions();
        assert!(assertions.len() <= 64, "a model has at most 64 assertions");
        Self {
            model,
            assertions,
            states: IndexSet::default(),
            actions: IndexSet::default(),
            executions: 0,
        }
    }

    /// The state behind an id.
    pub fn state(&self, state: StateId) -> &M::State {
        &self.states[usize::try_from(state.0).expect("ids are places in a list")]
    }

    fn intern(&mut self, state: M::State) -> StateId {
        StateId(self.states.insert_full(state).0 as u64)
    }
}

impl<M: Model> Space for ModelSpace<M> {
    fn initial(&mut self, states: &mut Vec<StateId>) {
        for state in self.model.initial() {
            let id = self.intern(state);
            states.push(id);
        }
    }

    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        for (source, &id) in (0..).zip(states) {
            let state = self.state(id).clone();
            for action in self.model.actions(&state) {
                self.executions += 1;
                if let Some(next) = self.model.next(&state, &action) {
                    let event = EventId(self.actions.insert_full(action).0 as u64);
                    let target = self.intern(next);
                    steps.push(Step { source, event, target });
                }
            }
        }
    }

    fn contains(&self, state: StateId) -> bool {
        state.0 < self.states.len() as u64
    }
}

impl<M: Model> Judged for ModelSpace<M> {
    fn verdict(&mut self, state: StateId) -> Verdict {
        let state = self.state(state);
        let violated = |assertion: &ModelAssertion<M>| !(assertion.holds)(&self.model, state);
        let bits = self.assertions.iter().enumerate();
        Verdict(bits.fold(0, |bits, (at, assertion)| bits | u64::from(violated(assertion)) << at))
    }

    fn assertions(&self) -> Vec<String> {
        self.assertions.iter().map(|assertion| assertion.name.clone()).collect()
    }
}

impl<M: Model> Measured for ModelSpace<M> {
    fn handler_executions(&self) -> u64 {
        self.executions
    }

    fn bytes(&self) -> usize {
        // An entry of an index set: the hash, the value, and 8 bytes of table.
        self.states.capacity() * (size_of::<M::State>() + 16)
    }
}

impl<M: Model> Described for ModelSpace<M> {
    fn event_text(&self, _: StateId, event: EventId) -> EventText {
        let place = usize::try_from(event.0).expect("ids are places in a list");
        let action = format!("{:?}", self.actions[place]);
        EventText {
            node: None,
            kind: ACTION.to_owned(),
            parameters: vec![(ACTION.to_owned(), action.clone())],
            sentence: action,
        }
    }

    fn state_text(&self, state: StateId) -> StateText {
        let value = PartText::Value(format!("{:?}", self.state(state)));
        StateText { parts: vec![("state".to_owned(), value)] }
    }

    fn digest(&self, state: StateId) -> u64 {
        xxh3_64(format!("{:?}", self.state(state)).as_bytes())
    }
}

impl<M: Model> Guided for ModelSpace<M> {}
impl<M: Model> Related for ModelSpace<M> {}
impl<M: Model> Saved for ModelSpace<M> {}
