//! Delta execution of calls and invariants on the states of a batch.

use std::{borrow::Cow, time::Instant};

use everypath_explore::StateId;

use super::{
    Call, FAULT_SHAPE, Machines, SubjectSpace, Tables,
    expand::{Outcome, Results},
};
use crate::{
    Counters, Fault, Reason, Settings,
    compiled::Compiled,
    delta::{
        Path,
        level::LevelMachine,
        shape::{Destination, ShapeMachine},
    },
    layout::{Misfit, shape_of},
};

/// Groups with fewer states are executed one by one.
const GROUP_MIN: usize = 4;

/// A machine that executes paths, whatever it merges.
trait Paths {
    /// Prepares the execution of a method on all states.
    fn begin_all(&mut self);
    /// Prepares the execution of a method on some states.
    fn begin(&mut self, states: Vec<u32>);
    /// Executes the next path.
    fn path(&mut self, code: &dyn Compiled, method: usize, arguments: &[i32]) -> Option<Path>;
    /// The states that took it.
    fn states(&self) -> Cow<'_, [u32]>;
    /// Whether it wrote nothing.
    fn wrote_nothing(&self) -> bool;
    /// Packs the targets.
    fn targets(&mut self, tables: &mut Tables, to: &mut Destination<'_>) -> Result<(), Misfit>;
}

impl Paths for ShapeMachine {
    fn begin_all(&mut self) {
        self.start_all();
    }

    fn begin(&mut self, states: Vec<u32>) {
        self.start(states);
    }

    fn path(&mut self, code: &dyn Compiled, method: usize, arguments: &[i32]) -> Option<Path> {
        self.next_path(code, method, arguments)
    }

    fn states(&self) -> Cow<'_, [u32]> {
        Cow::Borrowed(&self.active)
    }

    fn wrote_nothing(&self) -> bool {
        self.is_unchanged()
    }

    fn targets(&mut self, tables: &mut Tables, to: &mut Destination<'_>) -> Result<(), Misfit> {
        self.pack(tables, to)
    }
}

impl Paths for LevelMachine {
    fn begin_all(&mut self) {
        self.start((0..self.states() as u32).collect());
    }

    fn begin(&mut self, states: Vec<u32>) {
        self.start(states);
    }

    fn path(&mut self, code: &dyn Compiled, method: usize, arguments: &[i32]) -> Option<Path> {
        self.next_path(code, method, arguments)
    }

    fn states(&self) -> Cow<'_, [u32]> {
        Cow::Owned(self.taken())
    }

    fn wrote_nothing(&self) -> bool {
        self.is_unchanged()
    }

    fn targets(&mut self, tables: &mut Tables, to: &mut Destination<'_>) -> Result<(), Misfit> {
        self.pack(tables, to)
    }
}

/// What the execution of a call needs, besides the machine.
struct Job<'a> {
    code: &'a dyn Compiled,
    call: &'a Call,
    settings: &'a Settings,
    tables: &'a mut Tables,
    results: &'a mut Results,
    counters: &'a mut Counters,
    /// The place of the first state, and of the call.
    first: usize,
    at: usize,
}

impl Job<'_> {
    fn place(&self, state: u32) -> usize {
        (self.first + state as usize) * self.results.calls + self.at
    }

    /// Evaluates the guard of the call: the sets of states on which to execute it.
    fn guarded<P: Paths>(
        &mut self,
        machine: &mut P,
        guard: usize,
        finish: &mut impl FnMut(&mut P, &mut Counters),
    ) -> Result<Vec<Vec<u32>>, Misfit> {
        let mut sets: Vec<Vec<u32>> = Vec::new();
        while let Some(path) = machine.path(self.code, guard, &self.call.arguments) {
            self.counters.guard_paths += 1;
            let states = machine.states();
            match path {
                Ok(value) => {
                    let holds = states.iter().enumerate().filter(|(at, _)| value.at(*at) != 0);
                    sets.push(holds.map(|(_, &state)| state).collect());
                }
                Err(fault) => self.fault(&states, fault)?,
            }
            finish(machine, self.counters);
        }
        if self.settings.united_guards {
            let mut united = sets.concat();
            united.sort_unstable();
            sets = vec![united];
        }
        sets.retain(|set| !set.is_empty());
        Ok(sets)
    }

    fn fault(&mut self, states: &[u32], fault: Fault) -> Result<(), Misfit> {
        states.iter().try_for_each(|&state| {
            let place = self.place(state);
            self.results.fault(place, fault, self.tables)
        })
    }

    /// Executes all paths of the call on all states.
    fn execute<P: Paths>(
        &mut self,
        machine: &mut P,
        finish: &mut impl FnMut(&mut P, &mut Counters),
    ) -> Result<(), Misfit> {
        machine.begin_all();
        let sets = match self.call.guard {
            Some(guard) => self.guarded(machine, guard, finish)?,
            None => vec![Vec::new()],
        };
        for set in sets {
            machine.begin(set);
            while let Some(path) = machine.path(self.code, self.call.method, &self.call.arguments) {
                self.counters.paths += 1;
                self.take(machine, path)?;
                finish(machine, self.counters);
            }
        }
        Ok(())
    }

    /// Writes down what a path did.
    fn take<P: Paths>(&mut self, machine: &mut P, path: Path) -> Result<(), Misfit> {
        match path {
            Ok(_) | Err(Fault { reason: Reason::Thrown, .. }) => {
                let states = machine.states();
                let is_same = machine.wrote_nothing();
                let outcome = if is_same { Outcome::Same } else { Outcome::Changed };
                for &state in states.iter() {
                    let place = self.place(state);
                    self.results.outcomes[place] = outcome;
                }
                if is_same {
                    self.counters.unchanged += states.len() as u64;
                    return Ok(());
                }
                drop(states);
                let (first, calls, call) = (self.first, self.results.calls, self.at);
                let keys = &mut self.results.keys;
                machine.targets(self.tables, &mut Destination { keys, first, calls, call })
            }
            Err(fault) => self.fault(&machine.states(), fault),
        }
    }
}

impl SubjectSpace {
    /// Executes all calls on states group by group: those with the same shape together.
    pub(super) fn execute_by_shape(&mut self, states: &[StateId]) -> Result<(), Misfit> {
        let mut first = 0;
        while first < states.len() {
            let shape = |state: StateId| shape_of(self.tables.store.row(state.0 as u32));
            let of_first = shape(states[first]);
            let alike = states[first..].iter().take_while(|&&state| shape(state) == of_first);
            let group = &states[first..first + alike.count()];
            if group.len() < GROUP_MIN || of_first == FAULT_SHAPE {
                self.execute_tracked(group, first)?;
            } else {
                self.execute_group(of_first, group, first)?;
            }
            first += group.len();
        }
        Ok(())
    }

    fn execute_group(&mut self, shape: u32, group: &[StateId], first: usize) -> Result<(), Misfit> {
        let Self { code, machines, tables, results, counters, calls, settings, .. } = self;
        let Machines { tracked, template, by_shape, .. } = machines;
        if template.shape != shape {
            template
                .lay_out(shape, tables.shapes.tokens(shape), &tables.classes)
                .expect("shapes are sound");
        }
        let store = &tables.store;
        by_shape.load(
            template,
            store.layout(),
            group.iter().map(|state| store.row(state.0 as u32)),
        );
        counters.executions += (group.len() * calls.len()) as u64;
        let mut finish = |machine: &mut ShapeMachine, _: &mut Counters| {
            machine.finish(Some(&mut tracked.coverage))
        };
        for (at, call) in calls.iter().enumerate() {
            let mut job =
                Job { code: &**code, call, settings, tables, results, counters, first, at };
            job.execute(by_shape, &mut finish).inspect_err(|_| by_shape.abandon())?;
        }
        Ok(())
    }

    /// Executes all calls on all states as one delta-state.
    pub(super) fn execute_by_level(&mut self, states: &[StateId]) -> Result<(), Misfit> {
        let Self { code, machines, tables, results, counters, calls, settings, .. } = self;
        let Machines { tracked, by_level, .. } = machines;
        let started = Instant::now();
        let store = &tables.store;
        // States that stand for faults are sorted before all others: their shape is the first.
        let row = |state: &StateId| store.row(state.0 as u32);
        let first = states.iter().take_while(|&state| shape_of(row(state)) == FAULT_SHAPE).count();
        let states = &states[first..];
        if states.is_empty() {
            return Ok(());
        }
        let machine = by_level;
        let rows = states.iter().map(row);
        machine.merged.merge(store.layout(), rows, &tables.classes, &tables.shapes, counters);
        machine.merged();
        counters.merging += started.elapsed();
        counters.executions += (states.len() * calls.len()) as u64;
        let mut finish = |machine: &mut LevelMachine, counters: &mut Counters| {
            machine.finish(Some(&mut tracked.coverage), counters);
        };
        for (at, call) in calls.iter().enumerate() {
            let mut job =
                Job { code: &**code, call, settings, tables, results, counters, first, at };
            job.execute(machine, &mut finish).inspect_err(|_| machine.abandon())?;
        }
        Ok(())
    }

    /// Judges new states of the same shape together.
    pub(super) fn judge_group(&mut self, shape: u32, group: &[u32]) {
        let Self { code, machines, tables, violating, invariants, .. } = self;
        let Machines { template, by_shape: machine, .. } = machines;
        if template.shape != shape {
            template
                .lay_out(shape, tables.shapes.tokens(shape), &tables.classes)
                .expect("shapes are sound");
        }
        let store = &tables.store;
        machine.load(template, store.layout(), group.iter().map(|&number| store.row(number)));
        for (bit, &invariant) in invariants.iter().enumerate() {
            machine.start_all();
            while let Some(path) = machine.next_path(&**code, invariant, &[]) {
                for (at, &state) in machine.active.iter().enumerate() {
                    if !path.as_ref().is_ok_and(|value| value.at(at) != 0) {
                        *violating.entry(group[state as usize]).or_default() |= 1 << bit;
                    }
                }
                machine.finish(None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use everypath_explore::Space;

    use super::*;

    mod stack {
        include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs"));
    }

    /// Runs all paths of a method, and looks at each: together, their states are all states, each once.
    fn paths_of<P: Paths>(
        machine: &mut P,
        states: u32,
        method: usize,
        arguments: &[i32],
        mut finish: impl FnMut(&mut P),
    ) -> usize {
        machine.begin_all();
        let (mut taken, mut paths) = (Vec::new(), 0);
        while machine.path(&stack::stack::Code, method, arguments).is_some() {
            taken.extend_from_slice(&machine.states());
            paths += 1;
            finish(machine);
        }
        taken.sort_unstable();
        assert_eq!(taken, (0..states).collect::<Vec<u32>>());
        paths
    }

    #[test]
    fn every_state_takes_one_path_and_all_is_undone() {
        let settings = Settings::new(4);
        let mut space = SubjectSpace::new(stack::stack::Code, &settings).unwrap();
        let (mut level, mut steps) = (Vec::new(), Vec::new());
        space.initial(&mut level);
        let mut all = level.clone();
        for _ in 0..3 {
            steps.clear();
            space.expand(&level, &mut steps);
            level = steps.iter().map(|step| step.target).filter(|it| !all.contains(it)).collect();
            level.sort_unstable();
            level.dedup();
            all.extend_from_slice(&level);
        }
        all.sort_unstable();
        assert_eq!(all.len(), 1 + 4 + 16 + 64);
        let SubjectSpace { machines, tables, counters, calls, .. } = &mut space;
        let Machines { template, by_shape, by_level, .. } = machines;
        let store = &tables.store;
        let rows = |states: &[StateId]| -> Vec<Vec<u64>> {
            states.iter().map(|state| store.row(state.0 as u32).to_vec()).collect()
        };

        let merged = rows(&all);
        let refs = merged.iter().map(Vec::as_slice);
        by_level.merged.merge(store.layout(), refs, &tables.classes, &tables.shapes, counters);
        by_level.merged();
        let content = |machine: &LevelMachine| -> Vec<_> {
            let objects = machine.merged.objects.iter();
            objects.map(|object| (object.header, object.fields.clone())).collect()
        };
        let before = content(by_level);
        for (place, call) in calls.iter().enumerate() {
            let finish = |machine: &mut LevelMachine| {
                machine.finish(None, &mut Counters::default());
                assert_eq!(content(machine), before);
            };
            let paths = paths_of(by_level, all.len() as u32, call.method, &call.arguments, finish);
            // Only `pop` looks, and finds an empty stack or not.
            assert_eq!(paths, if place == 4 { 2 } else { 1 });
        }

        let of_three = rows(&level);
        let shape = shape_of(&of_three[0]);
        template.lay_out(shape, tables.shapes.tokens(shape), &tables.classes).unwrap();
        by_shape.load(template, store.layout(), of_three.iter().map(Vec::as_slice));
        let before = by_shape.heap.cells.clone();
        for call in calls.iter() {
            let finish = |machine: &mut ShapeMachine| {
                machine.finish(None);
                assert_eq!(machine.heap.cells, before);
            };
            let paths = paths_of(by_shape, 64, call.method, &call.arguments, finish);
            assert_eq!(paths, 1, "all of them have three nodes");
        }
    }
}
