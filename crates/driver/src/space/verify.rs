//! Making calls twice: some that are not deterministic, and states that hide a difference.

use everypath_model::panics;

use super::{DriverSpace, native::Native};
use crate::call::Told;

impl<T: 'static, M: 'static> DriverSpace<'_, T, M> {
    /// Makes a whole sequence of calls again, and says how it differs from the first time.
    pub(super) fn differs_again(
        &mut self,
        state: u32,
        event: u32,
        told: &Told,
        observed: (u32, u32),
    ) -> Option<String> {
        let made = self.states.events()[event as usize];
        let Self { machine, states, values, models, .. } = self;
        let again = panics::catch(|| {
            let mut native = machine.again(states, state);
            let told = machine.tell(&mut native, made);
            let value = values.number(&native.value);
            let model = models.as_mut().map_or(0, |models| models.number(&native.model));
            (told, (value, model), values.text(&native.value))
        });
        let call = machine.sentence(made);
        match again {
            Err(panic) => Some(format!("`{call}` panicked when it was made again: {panic}")),
            Ok((again, ..)) if again.result != told.result => Some(format!(
                "`{call}` returned {}, and {} when all calls were made again",
                told.result, again.result
            )),
            Ok((_, again, text)) if again != observed => Some(format!(
                "after all calls were made again, another state is observed: {text}; an observation must be a function of the value: sort what has no order, and skip addresses and random numbers; if it is, a clone differs from its value: use `Driver::uncloned`"
            )),
            Ok(_) => None,
        }
    }

    /// Makes every call on a value and on the one that is known to have the same observation, and
    /// says how they differ.
    pub(super) fn behaves_otherwise(
        &mut self,
        native: &Native<T, M>,
        from: (u32, u32),
        target: u32,
    ) -> Option<String> {
        let mut path = std::mem::take(&mut self.other_path);
        let (machine, states) = (self.machine, &self.states);
        let disabled = self.disabled.clone();
        let known = panics::catch(|| path.reach(machine, states, target));
        let found = match known {
            Err(panic) => Some(format!("the calls to an equal state now panic: {panic}")),
            Ok(known) => {
                let mut enabled = (0..self.disabled.len()).filter(|event| !disabled[*event]);
                enabled.find_map(|event| self.otherwise(native, from, known, target, event))
            }
        };
        self.other_path = path;
        found
    }

    fn otherwise(
        &mut self,
        native: &Native<T, M>,
        (state, event): (u32, u32),
        known: &Native<T, M>,
        target: u32,
        next: usize,
    ) -> Option<String> {
        let machine = self.machine;
        let next = self.states.events()[next];
        let by = self.states.events()[event as usize];
        // A value that cannot be copied is made again by its own calls.
        let mut first = match machine.driver.copying {
            Some(_) => machine.another(native, &self.states, state),
            None => {
                let mut again = machine.again(&self.states, state);
                machine.run(&mut again, by);
                again
            }
        };
        let mut second = machine.another(known, &self.states, target);
        let done = self.done(&mut first, next);
        let also = self.done(&mut second, next);
        if done == also {
            return None;
        }
        let (calls, others) = (self.sequence(target, None), self.sequence(state, Some(by)));
        let call = machine.sentence(next);
        let (done, also) = (done.0, also.0);
        let shown = match done == also {
            true => "leads to different states".to_owned(),
            false => format!("returns {also} and {done}"),
        };
        Some(format!(
            "the same is observed after `{calls}` and after `{others}`, but then `{call}` {shown}: the observation misses a part of the value, which must be added to it"
        ))
    }

    /// What a call does: its result, and the observation after it.
    fn done(&mut self, native: &mut Native<T, M>, event: super::Event) -> (String, Option<u32>) {
        let Self { machine, values, .. } = self;
        if !machine.allows(native, event) {
            return ("not allowed".to_owned(), None);
        }
        let done = panics::catch(|| {
            let told = machine.tell(native, event);
            (told.result, Some(values.number(&native.value)))
        });
        done.unwrap_or_else(|panic| (format!("panic: {panic}"), None))
    }
}
