//! Records of how each visited state was reached.

use serde::{Deserialize, Serialize};

use crate::{
    Described, EventPattern, Space, StateId, Trace, TraceStep, exploration::Counts, gentle_growth,
    queue::Reach,
};

/// The largest number of records: somewhat less than 2^32, which leaves room between two checks of
/// the limits.
const RECORDS_MAX: usize = (u32::MAX - (1 << 24)) as usize;
/// The record before that of an initial state.
pub(crate) const NOTHING: u32 = u32::MAX;

/// How a state was reached.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) state: StateId,
    /// The record of the state before it.
    pub(crate) before: u32,
    pub(crate) reach: Reach,
}

/// Where something was found: in the state of a record, or one step after it.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Place {
    /// An initial state that is not stored.
    Initial(StateId),
    At(u32),
    After(u32, TraceStep),
}

/// A record for each stored state.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Records {
    list: Vec<Record>,
}

impl Records {
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= RECORDS_MAX
    }

    pub(crate) fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Record>()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Record> {
        self.list.iter()
    }

    pub(crate) fn get(&self, record: u32) -> &Record {
        &self.list[record as usize]
    }

    /// The number that the next record will have.
    pub(crate) fn fresh(&self) -> u32 {
        u32::try_from(self.list.len()).expect("records fit in 32 bits")
    }

    pub(crate) fn push(&mut self, record: Record) {
        gentle_growth::push(&mut self.list, record);
    }

    /// A state was reached again after fewer events. Records stay free of cycles: all states
    /// reached from this one are deeper than it was, and so deeper than its new predecessor.
    pub(crate) fn replace(&mut self, record: u32, again: Record) {
        self.list[record as usize] = again;
    }

    /// Counts the states at each depth.
    pub(crate) fn count(&self, counts: &mut Counts) {
        for record in &self.list {
            counts.depth(record.reach.depth() as usize).states += 1;
        }
    }

    /// Whether a number is that of a record, or [`NOTHING`].
    pub(crate) fn knows(&self, record: u32) -> bool {
        record == NOTHING || (record as usize) < self.list.len()
    }

    /// Whether a record belongs to a state.
    pub(crate) fn owns(&self, record: u32, state: StateId) -> bool {
        self.list.get(record as usize).is_some_and(|record| record.state == state)
    }

    /// Whether all records lead back to initial states, through states of the space.
    pub(crate) fn fits(&self, space: &impl Space) -> bool {
        // In published semantics, and after a state was reached again, a predecessor may come later
        // in the list, but is never deeper.
        let is_deeper = |record: &Record| {
            let before = self.list.get(record.before as usize);
            before.is_some_and(|before| before.reach.depth() < record.reach.depth())
        };
        self.list.iter().all(|record| {
            (record.before == NOTHING || is_deeper(record))
                && space.contains(record.state)
                && self.can_be_reached(record.reach)
        })
    }

    /// Whether there are enough states for this many events: no run of a search visits a state
    /// twice.
    pub(crate) fn can_be_reached(&self, reach: Reach) -> bool {
        reach.depth() as usize <= self.list.len()
    }

    /// Whether a place exists.
    pub(crate) fn has(&self, place: Place, space: &impl Space) -> bool {
        let known = |record| record != NOTHING && self.knows(record);
        match place {
            Place::Initial(state) => space.contains(state),
            Place::At(record) => known(record),
            Place::After(record, step) => known(record) && space.contains(step.state),
        }
    }

    /// The run to a place, if there is one. Where steps are equivalent, required events are
    /// preferred.
    pub(crate) fn trace(
        &self,
        space: &mut impl Described,
        at: Place,
        required: Option<&EventPattern>,
    ) -> Option<Trace> {
        if let Place::After(record, step) = at
            && !step.leads_from(self.get(record).state, space)
        {
            return None;
        }
        let (record, last) = match at {
            Place::Initial(state) => return Some(Trace { initial: state, steps: Vec::new() }),
            Place::At(record) => (record, None),
            Place::After(record, step) => (record, Some(step)),
        };
        let mut states = Vec::new();
        let mut place = record;
        while place != NOTHING {
            let Record { state, before, .. } = *self.get(place);
            states.push(state);
            place = before;
        }
        states.reverse();
        let steps = states.windows(2).map(|pair| step_between(space, pair[0], pair[1], required));
        let steps = steps.chain(last.map(Some)).collect::<Option<_>>()?;
        Some(Trace { initial: states[0], steps })
    }
}

/// A step from one state to another, if there is one; required events are preferred.
fn step_between(
    space: &mut impl Described,
    before: StateId,
    state: StateId,
    required: Option<&EventPattern>,
) -> Option<TraceStep> {
    let mut steps = Vec::new();
    space.expand(&[before], &mut steps);
    steps.retain(|step| step.target == state);
    let required = required
        .and_then(|pattern| steps.iter().find(|step| space.matches(before, step.event, pattern)));
    let step = required.or(steps.first())?;
    Some(TraceStep { event: step.event, state })
}
