//! Running a recorded run again.

use crate::{EventText, Space, StateId, Step, Trace, TraceStep};

/// Where a recorded run and the model part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// The initial state is not the recorded one.
    Initial,
    /// The recorded event of a step is not enabled in the state before it.
    Event {
        /// The step, from 1.
        step: usize,
        /// What is enabled instead.
        enabled: Vec<String>,
    },
    /// The event of a step leads to another state than the recorded one.
    State {
        /// The step, from 1.
        step: usize,
    },
}

/// The steps out of one state, with their events in words.
pub fn enabled(space: &mut impl Space, state: StateId) -> Vec<(Step, EventText)> {
    let mut steps = Vec::new();
    space.expand(&[state], &mut steps);
    steps.into_iter().map(|step| (step, space.event_text(state, step.event))).collect()
}

/// Runs a recorded run again through the model's own code: each event is sought among the enabled
/// ones by its words, and each state on the way is compared with the digest that was recorded.
///
/// # Errors
/// Where the model no longer does what was recorded.
pub fn replay<'a>(
    space: &mut impl Space,
    initial: u64,
    steps: impl IntoIterator<Item = (&'a EventText, u64)>,
) -> Result<Trace, Divergence> {
    let mut states = Vec::new();
    space.initial(&mut states);
    let start = states
        .into_iter()
        .find(|&state| space.digest(state) == initial)
        .ok_or(Divergence::Initial)?;
    let mut trace = Trace { initial: start, steps: Vec::new() };
    for (index, (event, digest)) in steps.into_iter().enumerate() {
        let step = index + 1;
        let choices = enabled(space, trace.last());
        let named: Vec<_> = choices.iter().filter(|(_, text)| text == event).collect();
        if named.is_empty() {
            let enabled = choices.into_iter().map(|(_, text)| text.sentence).collect();
            return Err(Divergence::Event { step, enabled });
        }
        // Two events can read alike and lead to different states; the digest tells which.
        let taken = named.iter().find(|(taken, _)| space.digest(taken.target) == digest);
        let (taken, _) = taken.ok_or(Divergence::State { step })?;
        trace.steps.push(TraceStep { event: taken.event, state: taken.target });
    }
    Ok(trace)
}
