//! Shrinking counterexamples.

use rustc_hash::FxHashMap;

use crate::{
    Described, EventPattern, EventText, Judged, StateId, Step, Trace, TraceStep, replay::enabled,
};

/// The largest number of states to expand: half a second on small models.
const EXPANSIONS_MAX: u32 = 50_000;

/// Shrinks a run to a violation: takes shortcuts between its own states, drops events, and moves
/// events forward, as long as the last state still violates the assertion. The result is a run of
/// the space. It is never longer than the given run, but not always a shortest one. `enough` is
/// asked before each attempt; if it answers yes, the result is the shortest run so far.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, retrace_sentences, shrink};
///
/// let mut space = ModelSpace::new(Counter);
/// let long = retrace_sentences(&mut space, ["1", "1", "1", "3", "1"]).unwrap();
/// let short = shrink(&mut space, &long.trace, 0, None, &|| false);
/// assert_eq!(*space.state(short.last()), 7);
/// assert!(short.steps.len() < 5);
/// ```
pub fn shrink(
    space: &mut (impl Judged + Described),
    trace: &Trace,
    assertion: usize,
    required_on_path: Option<&EventPattern>,
    enough: &dyn Fn() -> bool,
) -> Trace {
    let mut shrinker = Shrinker { space, assertion, required_on_path, expansions: 0, enough };
    let mut best = trace.clone();
    loop {
        let before = best.steps.len();
        shrinker.take_shortcuts(&mut best);
        shrinker.drop_events(&mut best);
        shrinker.move_forward(&mut best);
        if best.steps.len() == before || shrinker.is_exhausted() {
            return best;
        }
    }
}

/// Whether two events are treated as equal.
type Same = fn(&EventText, &EventText) -> bool;

/// Whether two events differ at most in numbers: counters have other values when an earlier event
/// is dropped.
fn differ_in_numbers(event: &EventText, other: &EventText) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let alike = |(one, other): (&(String, String), &(String, String))| {
        one.0 == other.0 && letters(&one.1) == letters(&other.1)
    };
    event.kind == other.kind
        && event.node == other.node
        && event.parameters.len() == other.parameters.len()
        && event.parameters.iter().zip(&other.parameters).all(alike)
}

struct Shrinker<'a, S> {
    space: &'a mut S,
    assertion: usize,
    required_on_path: Option<&'a EventPattern>,
    expansions: u32,
    enough: &'a dyn Fn() -> bool,
}

impl<S: Judged + Described> Shrinker<'_, S> {
    fn is_exhausted(&self) -> bool {
        self.expansions >= EXPANSIONS_MAX || (self.enough)()
    }

    fn expand(&mut self, state: StateId) -> Vec<(Step, EventText)> {
        self.expansions += 1;
        enabled(self.space, state)
    }

    /// Whether the run may end in this state. Nothing, if the state violates only other assertions:
    /// then the attempt fails.
    fn is_end(&mut self, trace: &Trace, nothing_enabled: bool) -> Option<bool> {
        let state = trace.last();
        let mut verdict = self.space.verdict(state);
        if verdict.is_safe() && nothing_enabled && !self.space.is_pruned(state) {
            verdict = self.space.verdict_at_end(state);
        }
        if verdict.is_safe() || !self.space.counts(state) {
            return Some(false);
        }
        let sought = verdict.violates(self.assertion);
        let required = self.required_on_path.is_none_or(|pattern| {
            trace
                .transitions()
                .any(|(before, step)| self.space.matches(before, step.event, pattern))
        });
        (sought && required).then_some(true)
    }

    /// Executes events one after the other until the assertion is violated. Events that are not
    /// enabled are skipped.
    fn follow(&mut self, initial: StateId, events: &[EventText], same: Same) -> Option<Trace> {
        let mut trace = Trace { initial, steps: Vec::new() };
        let mut events = events.iter();
        loop {
            let choices = self.expand(trace.last());
            if self.is_end(&trace, choices.is_empty())? {
                return Some(trace);
            }
            if self.is_exhausted() {
                return None;
            }
            let next = events.find_map(|event| {
                let same = |choice: &&(Step, EventText)| same(&choice.1, event);
                choices.iter().find(same)
            })?;
            trace.steps.push(TraceStep { event: next.0.event, state: next.0.target });
        }
    }

    /// Replaces the best run by a run of other events, if that is shorter.
    fn attempt(&mut self, best: &mut Trace, events: &[EventText]) -> bool {
        let kinds_of_same: [Same; 2] = [|event, other| event == other, differ_in_numbers];
        for same in kinds_of_same {
            match self.follow(best.initial, events, same) {
                Some(shorter) if shorter.steps.len() < best.steps.len() => {
                    *best = shorter;
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    fn texts(&self, trace: &Trace) -> Vec<EventText> {
        trace
            .transitions()
            .map(|(before, step)| self.space.event_text(before, step.event))
            .collect()
    }

    /// Jumps from each state of the run to the last state of the run that is one event away.
    fn take_shortcuts(&mut self, best: &mut Trace) {
        let mut last_place = FxHashMap::default();
        last_place.insert(best.initial, 0);
        for (place, step) in (1..).zip(&best.steps) {
            last_place.insert(step.state, place);
        }
        let mut shorter = Trace { initial: best.initial, steps: Vec::new() };
        let mut steps = Vec::new();
        let mut place = last_place[&best.initial];
        while place < best.steps.len() {
            if self.is_exhausted() {
                return;
            }
            let state = shorter.last();
            self.expansions += 1;
            steps.clear();
            self.space.expand(&[state], &mut steps);
            let places =
                steps.iter().map(|step| last_place.get(&step.target).map(|&at| (at, step)));
            // Of several steps to the same state the first, as everywhere.
            let Some((to, step)) = places.flatten().rev().max_by_key(|(at, _)| *at) else {
                return;
            };
            shorter.steps.push(TraceStep { event: step.event, state: step.target });
            place = to;
        }
        if shorter.steps.len() < best.steps.len() {
            let nothing_enabled = self.expand(shorter.last()).is_empty();
            if self.is_end(&shorter, nothing_enabled) == Some(true) {
                *best = shorter;
            }
        }
    }

    /// Drops smaller and smaller pieces.
    fn drop_events(&mut self, best: &mut Trace) {
        let mut piece = best.steps.len() / 2;
        while piece > 0 && !self.is_exhausted() {
            let mut at = 0;
            while at < best.steps.len() && !self.is_exhausted() {
                let mut events = self.texts(best);
                events.drain(at..(at + piece).min(events.len()));
                if !self.attempt(best, &events) {
                    at += piece;
                }
            }
            piece /= 2;
        }
    }

    /// Moves each event forward. Events that then come too early are skipped.
    fn move_forward(&mut self, best: &mut Trace) {
        let mut from = 1;
        while from < best.steps.len() && !self.is_exhausted() {
            let improved = (0..from).any(|to| {
                if self.is_exhausted() {
                    return false;
                }
                let mut events = self.texts(best);
                events[to..=from].rotate_right(1);
                self.attempt(best, &events)
            });
            if !improved {
                from += 1;
            }
        }
    }
}
