//! Expansion: calls are executed on a batch of states, then their targets are numbered in order.

use std::time::Instant;

use everypath_explore::{EventId, StateId, Step};

use super::{FAULT_SHAPE, Machines, NO_STATE, SubjectSpace, Tables};
use crate::{
    Counters, Coverage, Fault, Matching, Merge, Mode, Reason,
    layout::{Misfit, shape_of},
};

/// What a call did to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Outcome {
    /// There is no successor: it is not enabled, or it failed.
    None,
    /// The state is as before.
    Same,
    /// The key says what it became.
    Changed,
}

/// What the calls did to the states of a batch: for each state, for each call.
#[derive(Default)]
pub(crate) struct Results {
    pub(crate) calls: usize,
    pub(crate) outcomes: Vec<Outcome>,
    /// The rows of the targets.
    pub(crate) keys: Vec<u64>,
    /// The places of targets to be looked up, each with the place of its step.
    changed: Vec<(u32, u32)>,
}

impl Results {
    /// Makes room for a batch.
    fn clear(&mut self, states: usize, calls: usize, words: usize) {
        self.calls = calls;
        self.outcomes.clear();
        self.outcomes.resize(states * calls, Outcome::None);
        self.keys.resize(states * calls * words, 0);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.outcomes.capacity() + self.keys.capacity() * 8
    }

    /// Writes down a fault: it ends the run, or it is a state of its own.
    pub(crate) fn fault(&mut self, at: usize, fault: Fault, tables: &Tables) -> Result<(), Misfit> {
        self.outcomes[at] = Outcome::None;
        if !fault.reason.is_flaw() {
            return Ok(());
        }
        let layout = tables.store.layout();
        let method = fault.method().map_or(0, |method| method as i32 + 1);
        if !layout.fits(method) {
            return Err(Misfit::Value(method));
        }
        let key = &mut self.keys[at * layout.words..][..layout.words];
        key.fill(0);
        key[0] = FAULT_SHAPE.into();
        layout.set(key, 0, fault.reason as i32);
        layout.set(key, 1, method);
        self.outcomes[at] = Outcome::Changed;
        Ok(())
    }
}

impl SubjectSpace {
    pub(super) fn expand_all(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        let started = Instant::now();
        loop {
            let (counters, coverage) = (self.counters, self.machines.tracked.coverage.clone());
            let words = self.tables.store.layout().words;
            self.results.clear(states.len(), self.calls.len(), words);
            match self.execute(states) {
                Ok(()) => break,
                Err(misfit) => self.retry(misfit, counters, coverage),
            }
        }
        let executed = Instant::now();
        self.counters.executing += executed - started;
        self.number(states, steps);
        let numbered = Instant::now();
        self.counters.comparing += numbered - executed;
        self.judge_new();
        self.counters.judging += numbered.elapsed();
    }

    /// Makes room for something that did not fit; nothing was numbered yet.
    #[cold]
    fn retry(&mut self, misfit: Misfit, counters: Counters, coverage: Coverage) {
        self.widen(misfit);
        self.counters = counters;
        self.machines.tracked.coverage = coverage;
    }

    fn execute(&mut self, states: &[StateId]) -> Result<(), Misfit> {
        match self.settings.mode {
            Mode::Delta(Merge::Shape) => self.execute_by_shape(states),
            Mode::Delta(Merge::Level) => self.execute_by_level(states),
            Mode::Tracked | Mode::Eager | Mode::Lazy | Mode::LazyDirty => {
                self.execute_tracked(states, 0)
            }
        }
    }

    /// Executes all calls on one state after the other. The first is at a place in the results.
    pub(super) fn execute_tracked(
        &mut self,
        states: &[StateId],
        first: usize,
    ) -> Result<(), Misfit> {
        let calls = self.calls.len();
        let mut unchanged = 0;
        for (at, &state) in states.iter().enumerate() {
            if !self.load(state) {
                continue;
            }
            self.counters.executions += calls as u64;
            for call in 0..calls {
                let place = (first + at) * calls + call;
                self.execute_call(state, call, place)?;
                unchanged += u64::from(self.results.outcomes[place] == Outcome::Same);
            }
        }
        self.counters.unchanged += unchanged;
        Ok(())
    }

    /// Loads a state, unless it stands for a fault.
    #[inline]
    fn load(&mut self, state: StateId) -> bool {
        let Machines { tracked, template, .. } = &mut self.machines;
        let Tables { store, shapes, classes, .. } = &self.tables;
        let row = store.row(state.0 as u32);
        let shape = shape_of(row);
        if shape == FAULT_SHAPE {
            return false;
        }
        if template.shape != shape {
            template.lay_out(shape, shapes.tokens(shape), classes).expect("shapes are sound");
        }
        tracked.load(template, store.layout(), row);
        true
    }

    /// Executes a call on the loaded state, writes down what it did, and undoes it.
    #[inline]
    fn execute_call(&mut self, state: StateId, call: usize, place: usize) -> Result<(), Misfit> {
        let Self { code, machines, tables, results, counters, calls, settings, .. } = self;
        let Machines { tracked, mixed, .. } = machines;
        let call = &calls[call];
        if let Some(guard) = call.guard {
            counters.guard_paths += 1;
            let may = tracked.run(&**code, guard, &call.arguments);
            tracked.heap.undo();
            match may {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(fault) => return results.fault(place, fault, tables),
            }
        }
        counters.paths += 1;
        let (method, arguments) = (call.method, &call.arguments[..]);
        let result = match settings.mode {
            Mode::Tracked | Mode::Delta(_) => tracked.run(&**code, method, arguments),
            mode => mixed.run(&**code, method, arguments, mode, (&mut *tracked, &mut *counters)),
        };
        let done = match result {
            Ok(_) | Err(Fault { reason: Reason::Thrown, .. }) => {
                let words = tables.store.layout().words;
                let key = &mut results.keys[place * words..][..words];
                machines.target(state, tables, key).map(|outcome| results.outcomes[place] = outcome)
            }
            Err(fault) => results.fault(place, fault, tables),
        };
        machines.tracked.heap.undo();
        done
    }

    /// Numbers the targets in order: state by state, call by call.
    fn number(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        if let Matching::Shape { .. } = self.settings.matching {
            return self.number_by_shape(states, steps);
        }
        let Self { results, tables, new, .. } = self;
        let Results { calls, outcomes, keys, changed } = results;
        changed.clear();
        for (source, outcomes) in outcomes.chunks_exact(*calls).enumerate() {
            for (call, &outcome) in outcomes.iter().enumerate() {
                if outcome == Outcome::None {
                    continue;
                }
                if outcome == Outcome::Changed {
                    changed.push(((source * *calls + call) as u32, steps.len() as u32));
                }
                let (source, target) = (source as u32, states[source]);
                steps.push(Step { source, event: EventId(call as u64), target });
            }
        }
        let words = tables.store.layout().words;
        let Tables { store, shapes, .. } = tables;
        store.intern_all(changed, keys, |(place, step), number, is_new| {
            if is_new {
                new.push(number);
            }
            let shape = keys[place as usize * words] as u32;
            let upper = u64::from(shapes.public(shape)) << 32;
            steps[step as usize].target = StateId(upper | u64::from(number));
        });
    }

    /// Numbers the targets, and takes the first state of each shape for all of them.
    fn number_by_shape(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        let words = self.tables.store.layout().words;
        let calls = self.results.calls;
        for at in 0..self.results.outcomes.len() {
            let source = states[at / calls];
            let target = match self.results.outcomes[at] {
                Outcome::None => continue,
                Outcome::Same => source,
                Outcome::Changed => {
                    let row = &self.results.keys[at * words..][..words];
                    let shape = shape_of(row);
                    let known = self.first_of.get(shape as usize).copied().unwrap_or(NO_STATE);
                    // Faults differ by their data alone.
                    if known != NO_STATE && shape != FAULT_SHAPE {
                        self.named(shape, known)
                    } else {
                        let (number, is_new) = self.tables.store.intern(row);
                        if is_new {
                            self.note_new(shape, number);
                        }
                        self.named(shape, number)
                    }
                }
            };
            let event = EventId((at % calls) as u64);
            steps.push(Step { source: (at / calls) as u32, event, target });
        }
    }
}

impl Machines {
    /// Packs what the loaded state has become.
    #[inline]
    pub(crate) fn target(
        &mut self,
        state: StateId,
        tables: &mut Tables,
        key: &mut [u64],
    ) -> Result<Outcome, Misfit> {
        let heap = &self.tracked.heap;
        if heap.undo.is_empty() {
            return Ok(Outcome::Same);
        }
        let Tables { classes, shapes, store, transforms } = tables;
        let layout = store.layout();
        let mut united = 0;
        if !heap.is_reshaped {
            // The structure is as before: only data that were written differ.
            key.copy_from_slice(store.row(state.0 as u32));
            for change in &heap.undo {
                let value = heap.cells[change.cell as usize];
                united |= value;
                let slot = self.template.slot_of[change.cell as usize];
                if !layout.fits(value) {
                    return Err(Misfit::Value(value));
                }
                layout.set(key, slot.into(), value);
            }
        } else {
            let made = transforms.of(heap, self.template.shape, classes, shapes);
            if made.data.len() > layout.slots() {
                return Err(Misfit::Slots(made.data.len()));
            }
            key.fill(0);
            key[0] = made.shape.into();
            for (slot, &cell) in made.data.iter().enumerate() {
                let value = heap.cells[usize::from(cell)];
                united |= value;
                let (word, shift) = layout.place(slot);
                key[word] |= u64::from(value as u32) << shift;
            }
        }
        if layout.fits(united) { Ok(Outcome::Changed) } else { Err(Misfit::Value(united)) }
    }
}
