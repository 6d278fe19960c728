//! Calls and states in words, and digests.

use everypath_explore::{Described, EventId, EventText, PartText, StateId, StateText, Trace};
use everypath_model::panics;
use xxhash_rust::xxh3::xxh3_64;

use super::{DriverSpace, Event, kind, narrow};

/// The results of calls that return nothing.
const NOTHING: &str = "()";

impl<T: 'static, M: 'static> DriverSpace<'_, T, M> {
    pub(super) fn event_words(&self, event: Event) -> EventText {
        let call = &self.machine.driver.calls[event.call as usize];
        let arguments = &call.arguments[event.argument as usize];
        let parameters = match arguments.is_empty() {
            true => Vec::new(),
            false => vec![("arguments".to_owned(), arguments.clone())],
        };
        let sentence = self.machine.sentence(event);
        EventText { node: None, kind: kind(&call.name), parameters, sentence }
    }

    /// The calls to a state in words, and one more.
    pub(super) fn sequence(&self, state: u32, next: Option<Event>) -> String {
        let calls = self.states.calls_to(state).chain(next);
        let calls: Vec<String> = calls.map(|event| self.machine.sentence(event)).collect();
        match calls.as_slice() {
            [] => "no call".to_owned(),
            some => some.join("; "),
        }
    }

    /// The parts of a state in words.
    fn words(&self, state: u32) -> Vec<(String, PartText)> {
        let value = |text| ("state".to_owned(), PartText::Value(text));
        let mut path = self.path.take();
        let machine = self.machine;
        let (before, call) = match self.states.is_failed(state) {
            true => (self.states.origin(state).parent, Some(self.states.call_to(state))),
            false => (state, None),
        };
        let parts = panics::catch(|| {
            let native = path.reach(machine, &self.states, before);
            let after = call.map(|call| {
                let mut after = machine.another(native, &self.states, before);
                machine.run(&mut after, call);
                after
            });
            let native = after.as_ref().unwrap_or(native);
            let model = self.models.as_ref().map(|models| models.text(&native.model));
            let model = model.map(|text| ("reference".to_owned(), PartText::Value(text)));
            [value(self.values.text(&native.value))].into_iter().chain(model).collect()
        });
        if parts.is_ok() {
            self.path.replace(path);
        }
        parts.unwrap_or_default()
    }

    /// The results of a call in a state.
    fn told(&self, state: u32, event: Event) -> Option<crate::call::Told> {
        let mut path = self.path.take();
        let machine = self.machine;
        let told = panics::catch(|| {
            let native = path.reach(machine, &self.states, state);
            machine.tell(&mut machine.another(native, &self.states, state), event)
        });
        if told.is_ok() {
            self.path.replace(path);
        }
        told.ok()
    }

    /// A run as plain Rust, if it is known how a value is made. A result that differs from that of
    /// the reference is expected to be the latter.
    pub(super) fn as_code(&self, run: &Trace) -> Option<String> {
        let constructor = self.machine.driver.constructor.as_ref()?;
        let mut code = format!("    let mut value = {constructor};\n");
        for (before, step) in run.transitions() {
            let event = self.event(step.event);
            let call = self.machine.sentence(event);
            let result = self.told(narrow(before), event);
            let result = result.map(|told| told.reference.unwrap_or(told.result));
            code += &match result.filter(|result| result != NOTHING) {
                Some(result) => format!("    assert_eq!(value.{call}, {result});\n"),
                None => format!("    value.{call};\n"),
            };
        }
        Some(code)
    }
}

impl<T: 'static, M: 'static> Described for DriverSpace<'_, T, M> {
    fn event_text(&self, _: StateId, event: EventId) -> EventText {
        self.event_words(self.event(event))
    }

    fn state_text(&self, state: StateId) -> StateText {
        StateText { parts: self.words(narrow(state)) }
    }

    fn result_text(&self, state: StateId, event: EventId) -> Option<String> {
        match self.told(narrow(state), self.event(event)) {
            Some(told) => Some(told.result).filter(|result| result != NOTHING),
            None => Some("panic".to_owned()),
        }
    }

    fn digest(&self, state: StateId) -> u64 {
        let origin = self.states.origin(narrow(state));
        if self.states.is_failed(narrow(state)) {
            let before = self.digest(StateId(origin.parent.into()));
            let call = self.machine.sentence(self.states.call_to(narrow(state)));
            return xxh3_64(format!("{before:x} {call} failed").as_bytes());
        }
        let value = self.values.digest(origin.value);
        match &self.models {
            None => value,
            Some(models) => {
                let model = models.digest(origin.model);
                xxh3_64(&[value.to_le_bytes(), model.to_le_bytes()].concat())
            }
        }
    }
}
