//! The states of a driver: numbers for observations, and how each was first reached.

use rustc_hash::FxHashMap;

use super::native::Event;

/// The number of an observation that a failed call does not have.
const NONE: u32 = u32::MAX;

/// How a state was first reached, and what is observed in it.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// The state before; its own number for the first state.
    pub(super) parent: u32,
    /// The event, as a place in the list of events.
    pub(super) event: u32,
    pub(super) value: u32,
    pub(super) model: u32,
}

/// All states that were met, in the order of discovery.
pub(super) struct States {
    events: Vec<Event>,
    origins: Vec<Origin>,
    /// By observation: the state.
    by_content: FxHashMap<(u32, u32), u32>,
    /// By state and event: the state of the call that failed.
    failed: FxHashMap<(u32, u32), u32>,
}

impl States {
    /// The first state, with its observations.
    pub(super) fn new(events: Vec<Event>, value: u32, model: u32) -> Self {
        let first = Origin { parent: 0, event: 0, value, model };
        let by_content = FxHashMap::from_iter([((value, model), 0)]);
        Self { events, origins: vec![first], by_content, failed: FxHashMap::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.origins.len()
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    pub(super) fn origin(&self, state: u32) -> Origin {
        self.origins[state as usize]
    }

    pub(super) fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// Whether the state is that of a call that failed.
    pub(super) fn is_failed(&self, state: u32) -> bool {
        self.origin(state).value == NONE
    }

    fn add(&mut self, origin: Origin) -> u32 {
        let state = u32::try_from(self.origins.len()).expect("a search ends before");
        self.origins.push(origin);
        state
    }

    /// The state with these observations, and whether it is new.
    pub(super) fn intern(&mut self, from: (u32, u32), value: u32, model: u32) -> (u32, bool) {
        if let Some(&known) = self.by_content.get(&(value, model)) {
            return (known, false);
        }
        let (parent, event) = from;
        let state = self.add(Origin { parent, event, value, model });
        self.by_content.insert((value, model), state);
        (state, true)
    }

    /// The state of a call that failed, if it did.
    pub(super) fn failure(&self, from: (u32, u32)) -> Option<u32> {
        if self.failed.is_empty() { None } else { self.failed.get(&from).copied() }
    }

    /// The state of a call that failed.
    pub(super) fn fail(&mut self, from: (u32, u32)) -> u32 {
        let (parent, event) = from;
        let state = self.add(Origin { parent, event, value: NONE, model: NONE });
        self.failed.insert(from, state);
        state
    }

    /// The states from the first one to this one.
    pub(super) fn way_to(&self, state: u32) -> Vec<u32> {
        let mut way = vec![state];
        let mut at = state;
        while at != 0 {
            at = self.origin(at).parent;
            way.push(at);
        }
        way.reverse();
        way
    }

    /// The last call on the way to a state.
    pub(super) fn call_to(&self, state: u32) -> Event {
        self.events[self.origin(state).event as usize]
    }

    /// The calls on the way to a state.
    pub(super) fn calls_to(&self, state: u32) -> impl Iterator<Item = Event> + '_ {
        self.way_to(state).into_iter().skip(1).map(|state| self.call_to(state))
    }

    pub(super) fn bytes(&self) -> usize {
        // An entry of a hash map has a byte beside it.
        self.origins.capacity() * size_of::<Origin>()
            + (self.by_content.capacity() + self.failed.capacity()) * 13
    }
}
