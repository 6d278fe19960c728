//! Spaces in boxes: all traits forwarded, so that a search takes a space without knowing its type.

use std::{
    io::{self, Read, Write},
    time::Duration,
};

use super::{
    Described, EventId, EventText, Fate, Guided, HistoryText, Judged, Measured, Related, Saved,
    Space, StateId, StateText, Step, Verdict,
};
use crate::{EventPattern, PartChange};

impl<S: Space + ?Sized> Space for Box<S> {
    fn initial(&mut self, states: &mut Vec<StateId>) {
        (**self).initial(states);
    }

    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        (**self).expand(states, steps);
    }

    fn contains(&self, state: StateId) -> bool {
        (**self).contains(state)
    }

    fn event_kinds(&self) -> Vec<String> {
        (**self).event_kinds()
    }

    fn event_kind(&self, event: EventId) -> usize {
        (**self).event_kind(event)
    }

    fn follows_events(&self) -> bool {
        (**self).follows_events()
    }

    fn explored(&mut self, from: StateId, step: &Step, fate: Fate) {
        (**self).explored(from, step, fate);
    }

    fn batch(&self) -> Option<usize> {
        (**self).batch()
    }

    fn flaw(&self) -> Option<&str> {
        (**self).flaw()
    }

    fn skips(&self) -> Option<&'static str> {
        (**self).skips()
    }
}

impl<S: Judged + ?Sized> Judged for Box<S> {
    fn assertions(&self) -> Vec<String> {
        (**self).assertions()
    }

    fn own_assertions(&self) -> usize {
        (**self).own_assertions()
    }

    fn verdict(&mut self, state: StateId) -> Verdict {
        (**self).verdict(state)
    }

    fn verdict_at_end(&mut self, state: StateId) -> Verdict {
        (**self).verdict_at_end(state)
    }

    fn counts(&mut self, state: StateId) -> bool {
        (**self).counts(state)
    }

    fn goals(&self) -> Vec<String> {
        (**self).goals()
    }

    fn goals_reached(&mut self, state: StateId) -> u64 {
        (**self).goals_reached(state)
    }

    fn is_pruned(&mut self, state: StateId) -> bool {
        (**self).is_pruned(state)
    }

    fn explain(&self, state: StateId, assertion: usize) -> Option<String> {
        (**self).explain(state, assertion)
    }
}

impl<S: Guided + ?Sized> Guided for Box<S> {
    fn rankings(&self) -> Vec<String> {
        (**self).rankings()
    }

    fn rank(&mut self, state: StateId, ranking: usize, rank: &mut Vec<i64>) {
        (**self).rank(state, ranking, rank);
    }

    fn parts(&self, state: StateId, parts: &mut Vec<u64>) {
        (**self).parts(state, parts);
    }
}

impl<S: Related + ?Sized> Related for Box<S> {
    fn relations(&self) -> Vec<String> {
        (**self).relations()
    }

    fn relation_refusal(&self, relation: usize) -> Option<String> {
        (**self).relation_refusal(relation)
    }

    fn relation_key(&mut self, state: StateId, relation: usize) -> u64 {
        (**self).relation_key(state, relation)
    }

    fn relation_signature(&mut self, state: StateId, relation: usize) -> u64 {
        (**self).relation_signature(state, relation)
    }

    fn is_simulated_by(&mut self, state: StateId, other: StateId, relation: usize) -> bool {
        (**self).is_simulated_by(state, other, relation)
    }
}

impl<S: Described + ?Sized> Described for Box<S> {
    fn event_text(&self, state: StateId, event: EventId) -> EventText {
        (**self).event_text(state, event)
    }

    fn state_text(&self, state: StateId) -> StateText {
        (**self).state_text(state)
    }

    fn result_text(&self, state: StateId, event: EventId) -> Option<String> {
        (**self).result_text(state, event)
    }

    fn time_before(&self, event: EventId) -> Option<Duration> {
        (**self).time_before(event)
    }

    fn matches(&self, state: StateId, event: EventId, pattern: &EventPattern) -> bool {
        (**self).matches(state, event, pattern)
    }

    fn state_change(&self, before: StateId, after: StateId) -> Vec<(String, PartChange)> {
        (**self).state_change(before, after)
    }

    fn histories(&self, run: &[(StateId, EventId, StateId)]) -> Vec<HistoryText> {
        (**self).histories(run)
    }

    fn digest(&self, state: StateId) -> u64 {
        (**self).digest(state)
    }

    fn fingerprint(&mut self, state: StateId) -> u64 {
        (**self).fingerprint(state)
    }
}

impl<S: Measured + ?Sized> Measured for Box<S> {
    fn handler_executions(&self) -> u64 {
        (**self).handler_executions()
    }

    fn handler_time(&self) -> Duration {
        (**self).handler_time()
    }

    fn reading_time(&self) -> Duration {
        (**self).reading_time()
    }

    fn look_up_time(&self) -> Duration {
        (**self).look_up_time()
    }

    fn sample(&mut self, on: bool) {
        (**self).sample(on);
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn bytes_soon(&self) -> usize {
        (**self).bytes_soon()
    }

    fn is_full(&self) -> bool {
        (**self).is_full()
    }

    fn limit_memory(&mut self, most: Option<u64>) {
        (**self).limit_memory(most);
    }

    fn expand_within(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        (**self).expand_within(states, steps);
    }
}

impl<S: Saved + ?Sized> Saved for Box<S> {
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        (**self).save(out)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        (**self).restore(input)
    }
}
