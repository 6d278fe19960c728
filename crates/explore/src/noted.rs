//! What a search has done, in its order, for a picture of a small space.

use crate::{Fate, StateId, Step};

/// What a search has done, in its order, if it was [to be noted](crate::Options::note_events).
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Fate, ModelSpace, Options, explore};
///
/// let options = Options::default().max_depth(2).note_events(100);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// let noted = found.noted.unwrap();
/// // By one and by three, out of 0, 1 and 3.
/// assert_eq!((noted.expanded.len(), noted.events.len()), (3, 6));
/// assert_eq!(noted.events[0].fate, Fate::Kept);
/// assert_eq!(noted.events[5].fate, Fate::Deepest);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Noted {
    /// The states that were expanded. One that was reached again after fewer events is there again.
    pub expanded: Vec<StateId>,
    /// The events that were explored.
    pub events: Vec<NotedEvent>,
    /// Whether there were more events than were to be noted: then the rest is missing.
    pub more: bool,
}

/// An event that a search has explored.
///
/// ```
/// use everypath_explore::{EventId, Fate, NotedEvent, StateId, Step};
///
/// let step = Step { source: 0, event: EventId(0), target: StateId(1) };
/// let event = NotedEvent { from: StateId(0), step, fate: Fate::Kept };
/// assert_ne!(event.from, event.step.target);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedEvent {
    /// The state that it leads from.
    pub from: StateId,
    /// The event and where it leads.
    pub step: Step,
    /// What became of it; where states are looked up only when they are expanded, in the end.
    pub fate: Fate,
}

impl Noted {
    pub(crate) fn event(&mut self, event: NotedEvent, most: usize) {
        match self.events.len() < most {
            true => self.events.push(event),
            false => self.more = true,
        }
    }

    /// A state that an event led to was known when its turn came. With `newest`, the last such event had its turn.
    pub(crate) fn was_known(&mut self, from: StateId, target: StateId, newest: bool) {
        let is_it = |event: &&mut NotedEvent| {
            event.from == from && event.step.target == target && event.fate == Fate::Kept
        };
        let mut events = self.events.iter_mut();
        let event = if newest { events.rfind(is_it) } else { events.find(is_it) };
        if let Some(event) = event {
            event.fate = Fate::Known;
        }
    }
}
