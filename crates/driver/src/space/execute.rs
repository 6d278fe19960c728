//! Making calls: where each leads, and what fails.

use std::time::Instant;

use everypath_explore::{EventId, StateId, Step};
use everypath_model::panics::{self, Panic};

use super::{DriverSpace, KEPT_MAX, native::Native};
use crate::{
    Repetition,
    call::{REFERENCE, Told},
};

/// One execution in this many is timed.
const TIMED: u64 = 64;
/// All calls before this one are made twice.
const FIRST_TWICE: u64 = 1000;
/// Then, one in this many: a prime, so that it is not always the same call.
const ONE_IN: u64 = 97;

/// The result of a call that did not panic.
pub(super) struct Ran<T, M> {
    pub(super) native: Native<T, M>,
    pub(super) agree: bool,
    /// The results in words, if the call is to be verified.
    pub(super) told: Option<Told>,
    pub(super) value: u32,
    pub(super) model: u32,
}

impl<T: 'static, M: 'static> DriverSpace<'_, T, M> {
    /// Makes every call that is possible in a state.
    pub(super) fn expand_one(&mut self, source: u32, state: u32, steps: &mut Vec<Step>) {
        let mut path = self.path.take();
        let kept = self.kept.remove(&state);
        let machine = self.machine;
        let base = match &kept {
            Some(kept) => Ok(kept),
            None => panics::catch(|| path.reach(machine, &self.states, state)),
        };
        match base {
            Ok(base) => {
                for event in (0..).take(self.disabled.len()) {
                    if let Some(target) = self.target(base, state, event) {
                        let (event, target) = (EventId(event.into()), StateId(target.into()));
                        steps.push(Step { source, event, target });
                    }
                }
            }
            Err(panic) => self.unrepeated(&panic),
        }
        self.path.replace(path);
    }

    /// Where a call leads, if it may be made.
    fn target(&mut self, base: &Native<T, M>, state: u32, event: u32) -> Option<u32> {
        if self.disabled[event as usize] || self.flaw.is_some() {
            return None;
        }
        let made = self.states.events()[event as usize];
        match panics::catch(|| self.machine.allows(base, made)) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(panic) => {
                let call = self.machine.sentence(made);
                self.flaw = Some(format!("the guard of `{call}` panicked: {panic}"));
                return None;
            }
        }
        if let Some(failed) = self.states.failure((state, event)) {
            return Some(failed);
        }
        match self.ran(base, state, event) {
            Ok(ran) => Some(self.reached(state, event, ran)),
            Err(panic) if panic.part.as_deref() == Some(REFERENCE) => {
                let calls = self.sequence(state, Some(made));
                self.flaw = Some(format!(
                    "the reference panicked in `{calls}`: {panic}; a reference must allow every call that a guard allows: fix it, or add a guard with `both_if`"
                ));
                None
            }
            Err(_) => Some(self.failed(state, event, self.places.panics, None)),
        }
    }

    /// Whether the next call is made twice.
    fn is_verified(&self) -> bool {
        match self.options.repetition {
            Repetition::All => true,
            Repetition::Nothing => false,
            Repetition::Share => {
                self.executions < FIRST_TWICE || self.executions.is_multiple_of(ONE_IN)
            }
        }
    }

    /// Makes a call on a copy of a value.
    fn ran(&mut self, base: &Native<T, M>, state: u32, event: u32) -> Result<Ran<T, M>, Panic> {
        let verify = self.is_verified();
        // The first call is slower than others.
        let timed = (self.executions % TIMED == TIMED - 1).then(Instant::now);
        self.executions += 1;
        let made = self.states.events()[event as usize];
        let Self { machine, states, values, models, scratch, .. } = self;
        // A value that panicked is dropped, and not used again.
        let scratch = scratch.take();
        let ran = panics::catch(|| {
            let used = scratch.and_then(|used| machine.overwritten(used, base));
            let mut native = used.unwrap_or_else(|| machine.another(base, states, state));
            let (agree, told) = match verify {
                true => {
                    let told = machine.tell(&mut native, made);
                    (told.agree, Some(told))
                }
                false => (machine.run(&mut native, made), None),
            };
            let value = values.number(&native.value);
            let model = models.as_mut().map_or(0, |models| models.number(&native.model));
            Ran { native, agree, told, value, model }
        });
        if let Some(begin) = timed {
            self.time += begin.elapsed() * TIMED as u32;
        }
        ran
    }

    /// The state to which a call leads that did not panic.
    fn reached(&mut self, state: u32, event: u32, ran: Ran<T, M>) -> u32 {
        if let Some(told) = &ran.told {
            self.verified += 1;
            if let Some(why) = self.differs_again(state, event, told, (ran.value, ran.model)) {
                return self.failed(state, event, self.places.deterministic, Some(why));
            }
        }
        if !ran.agree {
            return self.failed(state, event, self.places.results, None);
        }
        let (target, is_new) = self.states.intern((state, event), ran.value, ran.model);
        if is_new {
            self.judge_and_keep(target, ran.native);
            return target;
        }
        if self.options.repetition == Repetition::All {
            self.flaw = self.behaves_otherwise(&ran.native, (state, event), target);
        }
        self.scratch = Some(ran.native);
        target
    }

    pub(super) fn judge_and_keep(&mut self, target: u32, native: Native<T, M>) {
        let violated = self.judged(&native);
        if violated != 0 {
            self.verdicts.insert(target, violated);
        } else if self.kept.len() < KEPT_MAX {
            self.kept.insert(target, native);
        } else {
            self.scratch = Some(native);
        }
    }

    /// The state of a call that violates an assertion by itself.
    pub(super) fn failed(
        &mut self,
        state: u32,
        event: u32,
        assertion: usize,
        why: Option<String>,
    ) -> u32 {
        let failed = self.states.fail((state, event));
        self.verdicts.insert(failed, 1 << assertion);
        why.into_iter().for_each(|why| drop(self.explanations.insert(failed, why)));
        failed
    }

    /// A sequence of calls panicked that did not panic before.
    pub(super) fn unrepeated(&mut self, panic: &Panic) {
        self.flaw = Some(format!(
            "a sequence of calls panicked when it was made again, and not before: {panic}; calls must depend on nothing but the value and their arguments"
        ));
    }
}
