//! Traces: runs from an initial state.

use serde::{Deserialize, Serialize};

use crate::{EventId, Space, Start, StateId, packed_level::PackedLevel};

/// One step of a run.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Space, TraceStep, enabled};
///
/// let mut space = ModelSpace::new(Counter);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// let (step, _) = enabled(&mut space, initial[0]).remove(0);
/// let step = TraceStep { event: step.event, state: step.target };
/// assert_eq!(*space.state(step.state), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStep {
    /// The event.
    pub event: EventId,
    /// The state it led to.
    pub state: StateId,
}

impl TraceStep {
    /// Whether this step exists in a state.
    pub(crate) fn leads_from(self, state: StateId, space: &mut impl Space) -> bool {
        let mut steps = Vec::new();
        space.expand(&[state], &mut steps);
        steps.iter().any(|step| (step.event, step.target) == (self.event, self.state))
    }
}

/// A run: an initial state and steps.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Described, ModelSpace, Options, explore};
///
/// let mut space = ModelSpace::new(Counter);
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// let trace = &found.finding().unwrap().trace;
/// let events = trace.transitions().map(|(before, step)| space.event_text(before, step.event));
/// assert_eq!(events.count(), 3);
/// assert_eq!(*space.state(trace.last()), 7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The initial state.
    pub initial: StateId,
    /// The steps in order.
    pub steps: Vec<TraceStep>,
}

impl Trace {
    /// The last state of the run.
    #[must_use]
    pub fn last(&self) -> StateId {
        self.steps.last().map_or(self.initial, |step| step.state)
    }

    /// Each step with the state before it.
    pub fn transitions(&self) -> impl Iterator<Item = (StateId, TraceStep)> + '_ {
        let before = std::iter::once(self.initial).chain(self.steps.iter().map(|step| step.state));
        before.zip(self.steps.iter().copied())
    }
}

/// Finds a shortest run to a state by going back level by level: one pass over a level finds a
/// predecessor in it. That costs at most as much as the exploration, and only when there is a
/// finding. Parent pointers would cost memory for every state. It ends earlier at a state that has
/// entered the search at its depth.
pub(crate) fn back_to_start(
    space: &mut impl Space,
    levels_before: &[PackedLevel],
    state: StateId,
    has_entered: impl Fn(Start) -> bool,
) -> Option<Trace> {
    let mut steps = Vec::new();
    let mut current = state;
    for (before, level) in levels_before.iter().enumerate().rev() {
        if has_entered(Start { depth: before as u32 + 1, state: current }) {
            break;
        }
        let (before, event) = predecessor(space, level, current)?;
        steps.push(TraceStep { event, state: current });
        current = before;
    }
    steps.reverse();
    Some(Trace { initial: current, steps })
}

/// A step from a level to a state; nothing, if the level is not the one before.
fn predecessor(
    space: &mut impl Space,
    level: &PackedLevel,
    state: StateId,
) -> Option<(StateId, EventId)> {
    let mut states = level.iter();
    let (mut batch, mut steps) = (Vec::new(), Vec::new());
    loop {
        batch.clear();
        batch.extend(states.by_ref().take(64));
        if batch.is_empty() {
            return None;
        }
        steps.clear();
        space.expand(&batch, &mut steps);
        if let Some(step) = steps.iter().find(|step| step.target == state) {
            return Some((batch[step.source as usize], step.event));
        }
    }
}
