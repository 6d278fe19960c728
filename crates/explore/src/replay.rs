//! Replaying recorded runs.

use thiserror::Error;

use crate::{Described, EventText, Judged, StateId, Step, Trace, TraceStep, Verdict};

/// The point where a recorded run and the model diverge.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Divergence, ModelSpace, retrace_sentences};
///
/// // The counter cannot grow by two.
/// let run = retrace_sentences(&mut ModelSpace::new(Counter), ["1", "2"]).unwrap();
/// let enabled = vec!["1".to_owned(), "3".to_owned()];
/// assert_eq!(run.divergence, Some(Divergence::Event { step: 2, enabled }));
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Divergence {
    /// The initial state is not the recorded one.
    #[error("the initial state differs")]
    Initial,
    /// The recorded event of a step is not enabled in the state before it.
    #[error("step {step} cannot happen{}", instead(enabled))]
    Event {
        /// The step, from 1.
        step: usize,
        /// The events that are enabled instead.
        enabled: Vec<String>,
    },
    /// The event of a step leads to a state other than the recorded one.
    #[error("step {step} leads to another state")]
    State {
        /// The step, from 1.
        step: usize,
    },
}

fn instead(enabled: &[String]) -> String {
    match enabled {
        [] => ", and no event is enabled".to_owned(),
        some => format!("; enabled instead: {}", some.join("; ")),
    }
}

/// The steps out of one state, with their events in words.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Space, enabled};
///
/// let mut space = ModelSpace::new(Counter);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// let (step, event) = enabled(&mut space, initial[0]).remove(1);
/// assert_eq!((&event.sentence[..], *space.state(step.target)), ("3", 3));
/// ```
pub fn enabled(space: &mut impl Described, state: StateId) -> Vec<(Step, EventText)> {
    let mut steps = Vec::new();
    space.expand(&[state], &mut steps);
    steps.into_iter().map(|step| (step, space.event_text(state, step.event))).collect()
}

/// Replays a recorded run through the model's own code. Each event is identified among the enabled
/// ones by its text, and each state is compared with the recorded digest.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Described, ModelSpace, Options, explore, replay};
///
/// let mut space = ModelSpace::new(Counter);
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// let trace = &found.finding().unwrap().trace;
/// // Record the run as a file does: events in words, states by their digests.
/// let initial = space.digest(trace.initial);
/// let steps: Vec<_> = trace
///     .transitions()
///     .map(|(before, step)| (space.event_text(before, step.event), space.digest(step.state)))
///     .collect();
/// let mut later = ModelSpace::new(Counter);
/// let again = replay(&mut later, initial, steps.iter().map(|(event, digest)| (event, *digest)));
/// assert_eq!(*later.state(again.unwrap().last()), 7);
/// ```
///
/// # Errors
/// If the model no longer does what was recorded.
pub fn replay<'a>(
    space: &mut (impl Judged + Described),
    initial: u64,
    steps: impl IntoIterator<Item = (&'a EventText, u64)>,
) -> Result<Trace, Divergence> {
    let mut states = Vec::new();
    space.initial(&mut states);
    let start = states
        .into_iter()
        .find(|&state| space.digest(state) == initial)
        .ok_or(Divergence::Initial)?;
    replay_from(space, start, steps)
}

/// As [`replay`], from any state.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Described, ModelSpace, Space, enabled, replay_from};
///
/// let mut space = ModelSpace::new(Counter);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// let (step, by_three) = enabled(&mut space, initial[0]).remove(1);
/// let digest = space.digest(step.target);
/// let run = replay_from(&mut space, initial[0], [(&by_three, digest)]).unwrap();
/// assert_eq!(run.last(), step.target);
/// ```
///
/// # Errors
/// If the model no longer does what was recorded.
pub fn replay_from<'a>(
    space: &mut (impl Judged + Described),
    start: StateId,
    steps: impl IntoIterator<Item = (&'a EventText, u64)>,
) -> Result<Trace, Divergence> {
    let mut trace = Trace { initial: start, steps: Vec::new() };
    for (index, (event, digest)) in steps.into_iter().enumerate() {
        let step = index + 1;
        let choices = enabled(space, trace.last());
        let named: Vec<_> = choices.iter().filter(|(_, text)| text == event).collect();
        if named.is_empty() {
            let enabled = choices.into_iter().map(|(_, text)| text.sentence).collect();
            return Err(Divergence::Event { step, enabled });
        }
        // Two events can have the same text and lead to different states; the digest decides.
        let taken = named.iter().find(|(taken, _)| space.digest(taken.target) == digest);
        let (taken, _) = taken.ok_or(Divergence::State { step })?;
        trace.steps.push(TraceStep { event: taken.event, state: taken.target });
    }
    Ok(trace)
}

/// A run of an earlier version of a model, followed in the current version.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, retrace_sentences};
///
/// let run = retrace_sentences(&mut ModelSpace::new(Counter), ["3", "3", "1"]).unwrap();
/// assert_eq!(run.verdict.first(), Some(0));
/// assert_eq!((run.trace.steps.len(), run.divergence), (3, None));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Retraced {
    /// The run: to the first violation, to its recorded end, to the depth bound, or to the point of
    /// divergence.
    pub trace: Trace,
    /// The verdict on its last state.
    pub verdict: Verdict,
    /// Where the model and the recorded run diverge, if they do.
    pub divergence: Option<Divergence>,
}

/// Follows a recorded run by its events, whatever states they lead to now. It stops where an event
/// is not enabled, at the depth bound, or at the first violation that a search with this bound
/// would report. Among events with the same text, it prefers the one that leads to the recorded
/// state, then the first. The result is nothing if the space has no initial state.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Described, ModelSpace, Options, explore, retrace};
///
/// let mut space = ModelSpace::new(Counter);
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// let trace = &found.finding().unwrap().trace;
/// let events: Vec<_> =
///     trace.transitions().map(|(before, step)| space.event_text(before, step.event)).collect();
/// // Digests of an earlier version do not matter: the run goes by its events.
/// let steps = events.iter().map(|event| (event, 0));
/// let run = retrace(&mut ModelSpace::new(Counter), 0, steps, None).unwrap();
/// assert!(run.verdict.violates(0));
/// ```
pub fn retrace<'a>(
    space: &mut (impl Judged + Described),
    initial: u64,
    steps: impl IntoIterator<Item = (&'a EventText, u64)>,
    max_depth: Option<u32>,
) -> Option<Retraced> {
    let mut states = Vec::new();
    space.initial(&mut states);
    let recorded = states.iter().position(|&state| space.digest(state) == initial);
    let initial = *states.get(recorded.unwrap_or(0))?;
    let steps = steps.into_iter();
    Some(follow(space, initial, max_depth, steps, |space, choices, (event, digest)| {
        let mut named = choices.iter().filter(|(_, text)| text == event);
        let as_recorded = named.clone().find(|(step, _)| space.digest(step.target) == digest);
        as_recorded.or_else(|| named.next()).map(|(step, _)| *step)
    }))
}

/// As [`retrace`], for a run of which only the sentences of its events are known. Among several
/// initial states, it chooses one from which the run violates an assertion, or otherwise the one
/// from which it goes furthest.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, retrace_sentences};
///
/// let mut space = ModelSpace::new(Counter);
/// let run = retrace_sentences(&mut space, ["1", "3"]).unwrap();
/// assert_eq!(*space.state(run.trace.last()), 4);
/// ```
pub fn retrace_sentences<'a>(
    space: &mut (impl Judged + Described),
    sentences: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<Retraced> {
    let mut states = Vec::new();
    space.initial(&mut states);
    let runs = states.into_iter().map(|initial| {
        let sentences = sentences.clone().into_iter();
        follow(space, initial, None, sentences, |_, choices, sentence| {
            let named = choices.iter().find(|(_, text)| text.sentence == sentence);
            named.map(|(step, _)| *step)
        })
    });
    let reached = |run: &Retraced| (!run.verdict.is_safe(), run.trace.steps.len());
    runs.collect::<Vec<_>>().into_iter().rev().max_by_key(reached)
}

/// Follows a run from a state. `take` chooses a step for each recorded one.
fn follow<S: Judged + Described, T>(
    space: &mut S,
    initial: StateId,
    max_depth: Option<u32>,
    mut recorded: impl Iterator<Item = T>,
    take: impl Fn(&S, &[(Step, EventText)], T) -> Option<Step>,
) -> Retraced {
    let mut trace = Trace { initial, steps: Vec::new() };
    loop {
        let state = trace.last();
        let mut verdict = space.verdict(state);
        let at_bound = max_depth.is_some_and(|most| trace.steps.len() >= most as usize);
        let choices = if at_bound { Vec::new() } else { enabled(space, state) };
        if verdict.is_safe() && choices.is_empty() && !at_bound && !space.is_pruned(state) {
            verdict = space.verdict_at_end(state);
        }
        if !verdict.is_safe() && space.counts(state) {
            return Retraced { trace, verdict, divergence: None };
        }
        let ended = |trace, divergence| Retraced { trace, verdict: Verdict::SAFE, divergence };
        let next = if at_bound { None } else { recorded.next() };
        let Some(next) = next else { return ended(trace, None) };
        let Some(taken) = take(space, &choices, next) else {
            let step = trace.steps.len() + 1;
            let enabled = choices.into_iter().map(|(_, text)| text.sentence).collect();
            return ended(trace, Some(Divergence::Event { step, enabled }));
        };
        trace.steps.push(TraceStep { event: taken.event, state: taken.target });
    }
}
