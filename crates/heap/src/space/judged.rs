//! Invariants, and flaws of calls: evaluated once for each state, when it is new.

use everypath_explore::{Judged, StateId, Verdict};
use everypath_model::NEVER_STUCK;

use super::{FAULT_SHAPE, SubjectSpace};
use crate::{Fault, Mode, layout::shape_of};

/// How many states are judged together at most: their rows and columns stay in the cache.
const GROUP_MAX: usize = 1024;
/// The name of the assertion that calls return.
const SOUND: &str = "no call goes wrong";

impl SubjectSpace {
    /// Judges the states that were numbered last.
    pub(super) fn judge_new(&mut self) {
        let mut new = std::mem::take(&mut self.new);
        if let Mode::Delta(_) = self.settings.mode {
            self.judge_together(&mut new);
        } else {
            new.iter().for_each(|&number| self.judge(number));
        }
        new.clear();
        self.new = new;
    }

    /// Judges states of the same shape together, where there are several.
    fn judge_together(&mut self, new: &mut [u32]) {
        new.sort_unstable_by_key(|&number| (shape_of(self.tables.store.row(number)), number));
        let shape = |space: &Self, number: u32| shape_of(space.tables.store.row(number));
        let mut rest = &*new;
        while let Some(&number) = rest.first() {
            let of_first = shape(self, number);
            let alike = rest.iter().take_while(|&&number| shape(self, number) == of_first).count();
            let (group, others) = rest.split_at(alike.min(GROUP_MAX));
            rest = others;
            if self.invariants.is_empty() && of_first != FAULT_SHAPE {
                continue;
            }
            if group.len() == 1 || of_first == FAULT_SHAPE {
                group.iter().for_each(|&number| self.judge(number));
            } else {
                self.judge_group(of_first, group);
            }
        }
    }

    fn judge(&mut self, number: u32) {
        let row = self.tables.store.row(number);
        let shape = shape_of(row);
        if shape == FAULT_SHAPE {
            self.violating.insert(number, 1 << self.invariants.len());
            return;
        }
        if self.invariants.is_empty() {
            return;
        }
        let template = &mut self.machines.template;
        if template.shape != shape {
            let tokens = self.tables.shapes.tokens(shape);
            template.lay_out(shape, tokens, &self.tables.classes).expect("shapes are sound");
        }
        let judge = &mut self.machines.judge;
        judge.load(template, self.tables.store.layout(), row);
        let mut violated = 0;
        for (bit, &invariant) in self.invariants.iter().enumerate() {
            let holds = judge.run(&*self.code, invariant, &[]);
            judge.heap.undo();
            violated |= u64::from(!matches!(holds, Ok(value) if value != 0)) << bit;
        }
        if violated != 0 {
            self.violating.insert(number, violated);
        }
    }

    /// The fault by which an invariant does not even return, if so.
    fn invariant_fault(&self, state: StateId, invariant: usize) -> Option<Fault> {
        let template = self.template(state)?;
        let mut judge =
            crate::tracked::Tracked::new(&self.tables.classes, self.outline.sites.len());
        judge.load(&template, self.tables.store.layout(), self.row(state));
        judge.run(&*self.code, invariant, &[]).err()
    }
}

impl Judged for SubjectSpace {
    fn assertions(&self) -> Vec<String> {
        let name = |&invariant: &usize| {
            let method = &self.outline.methods[invariant];
            let about = method.about.trim_end_matches('.');
            if about.is_empty() { method.name.clone() } else { about.to_owned() }
        };
        let deadlock = self.deadlock.then(|| NEVER_STUCK.to_owned());
        self.invariants.iter().map(name).chain([SOUND.to_owned()]).chain(deadlock).collect()
    }

    fn own_assertions(&self) -> usize {
        self.invariants.len()
    }

    #[inline]
    fn verdict(&mut self, state: StateId) -> Verdict {
        if self.violating.is_empty() {
            return Verdict::SAFE;
        }
        Verdict(self.violating.get(&(state.0 as u32)).copied().unwrap_or(0))
    }

    fn verdict_at_end(&mut self, state: StateId) -> Verdict {
        match self.deadlock && self.fault(state).is_none() {
            true => Verdict(1 << (self.invariants.len() + 1)),
            false => Verdict::SAFE,
        }
    }

    fn explain(&self, state: StateId, assertion: usize) -> Option<String> {
        if let Some((reason, method)) = self.fault(state) {
            let fault = Fault::new(reason);
            let fault = method.map_or(fault, |method| fault.within(method as u16));
            return Some(super::fault_text(&self.outline, fault));
        }
        let fault = self.invariant_fault(state, *self.invariants.get(assertion)?)?;
        Some(super::fault_text(&self.outline, fault))
    }
}
