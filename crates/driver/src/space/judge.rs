//! Invariants, agreements, and why they are violated.

use everypath_explore::{Judged, StateId, Verdict};
use everypath_model::panics;

use super::{DriverSpace, narrow, native::Native};

impl<T: 'static, M: 'static> DriverSpace<'_, T, M> {
    /// The invariants and agreements that a value violates.
    pub(super) fn judged(&self, native: &Native<T, M>) -> u64 {
        let driver = self.machine.driver;
        let mut violated = 0;
        for (place, invariant) in driver.invariants.iter().enumerate() {
            let holds = panics::catch(|| (invariant.holds)(&native.value));
            violated |= u64::from(!holds.unwrap_or(false)) << place;
        }
        let first = self.places.deadlock - driver.agreements.len();
        for (place, agreement) in (first..).zip(&driver.agreements) {
            let holds = panics::catch(|| (agreement.holds)(&native.value, &native.model));
            violated |= u64::from(!holds.unwrap_or(false)) << place;
        }
        violated
    }

    /// Why a value violates an invariant or an agreement, if its name does not say it all.
    fn reason(&self, native: &Native<T, M>, assertion: usize) -> Option<String> {
        let driver = self.machine.driver;
        if let Some(invariant) = driver.invariants.get(assertion) {
            let holds = panics::catch(|| (invariant.holds)(&native.value));
            return holds.err().map(|panic| format!("the invariant panicked: {panic}"));
        }
        let first = self.places.deadlock - driver.agreements.len();
        let agreement = driver.agreements.get(assertion.checked_sub(first)?)?;
        let told = panics::catch(|| (agreement.tell)(&native.value, &native.model));
        Some(match told {
            Ok((value, reference)) => format!("{value}, but the reference has {reference}"),
            Err(panic) => format!("the comparison panicked: {panic}"),
        })
    }

    /// Why the call that leads to a failed state failed.
    fn failure(&self, state: u32) -> Option<String> {
        if let Some(known) = self.explanations.get(&state) {
            return Some(known.clone());
        }
        let (parent, event) = (self.states.origin(state).parent, self.states.call_to(state));
        let call = self.machine.sentence(event);
        let told = panics::catch(|| {
            let mut native = self.machine.again(&self.states, parent);
            self.machine.tell(&mut native, event)
        });
        Some(match told {
            Ok(told) => {
                let expected = told.reference.unwrap_or_default();
                format!("`{call}` returned {}, and the reference {expected}", told.result)
            }
            Err(panic) => format!("`{call}` panicked: {panic}"),
        })
    }
}

impl<T: 'static, M: 'static> Judged for DriverSpace<'_, T, M> {
    fn assertions(&self) -> Vec<String> {
        self.assertions.clone()
    }

    fn own_assertions(&self) -> usize {
        self.places.panics
    }

    fn verdict(&mut self, state: StateId) -> Verdict {
        if self.verdicts.is_empty() {
            return Verdict::SAFE;
        }
        Verdict(self.verdicts.get(&narrow(state)).copied().unwrap_or_default())
    }

    fn verdict_at_end(&mut self, state: StateId) -> Verdict {
        match self.options.deadlock && !self.states.is_failed(narrow(state)) {
            true => Verdict(1 << self.places.deadlock),
            false => Verdict::SAFE,
        }
    }

    fn explain(&self, state: StateId, assertion: usize) -> Option<String> {
        let state = narrow(state);
        if self.states.is_failed(state) {
            return self.failure(state);
        }
        let native = panics::catch(|| self.machine.again(&self.states, state)).ok()?;
        self.reason(&native, assertion)
    }
}
