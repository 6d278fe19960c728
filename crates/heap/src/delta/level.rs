//! `LevelMachine`: executes calls on all states of a level at once, as published: their references differ as well.

use rustc_hash::FxHashMap;

use super::{
    Path, Returned,
    merge::{Field, Merged, Object},
    shape::Destination,
};
use crate::{
    Comparison, Counters, Coverage, Fault, Machine, Member, Operator, Reason,
    classes::{Classes, header},
    layout::Misfit,
    machine::Fuel,
    outline::Runs,
    shapes::{Shapes, push_object},
    space::Tables,
};

/// A value of all active states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// The same in all active states.
    Known(i32),
    /// One for each state with which the path began.
    Column(u32),
}

/// The machine of a level.
pub(crate) struct LevelMachine {
    pub(crate) merged: Merged,
    classes: Classes,
    /// The states with which the path began.
    base: Vec<u32>,
    /// Those that still take it, as places in `base`.
    active: Vec<u32>,
    columns: Vec<Vec<i32>>,
    used: usize,
    pending: Vec<Vec<u32>>,
    /// Objects that existed before the call.
    old_objects: usize,
    undo: Vec<(u32, u32, Field)>,
    branches: Vec<(usize, bool)>,
    fuel: Fuel,
    /// Accesses of the path, and those that were constant.
    reads: (u64, u64),
}

impl LevelMachine {
    pub(crate) fn new(classes: &Classes) -> Self {
        Self {
            merged: Merged::default(),
            classes: classes.clone(),
            base: Vec::new(),
            active: Vec::new(),
            columns: Vec::new(),
            used: 0,
            pending: Vec::new(),
            old_objects: 0,
            undo: Vec::new(),
            branches: Vec::new(),
            fuel: Fuel::default(),
            reads: (0, 0),
        }
    }

    /// Must be called after states were merged.
    pub(crate) fn merged(&mut self) {
        self.old_objects = self.merged.objects.len();
    }

    pub(crate) fn states(&self) -> usize {
        self.merged.shape_at.len()
    }

    /// Prepares the execution of a method on some states.
    pub(crate) fn start(&mut self, states: Vec<u32>) {
        if !states.is_empty() {
            self.pending.push(states);
        }
    }

    /// The states that took the path.
    pub(crate) fn taken(&self) -> Vec<u32> {
        self.active.iter().map(|&at| self.base[at as usize]).collect()
    }

    /// Executes the next path, if there is one. [`finish`](Self::finish) must follow.
    ///
    /// No decisions are kept: up to the split, all branches are uniform for the states that waited.
    pub(crate) fn next_path(
        &mut self,
        code: &dyn Runs<Self>,
        method: usize,
        arguments: &[i32],
    ) -> Option<Path> {
        self.base = self.pending.pop()?;
        self.active.clear();
        self.active.extend(0..self.base.len() as u32);
        self.used = 0;
        self.branches.clear();
        self.fuel = Fuel::default();
        self.reads = (0, 0);
        let values: Vec<Value> = arguments.iter().map(|&it| Value::Known(it)).collect();
        let result = code.run_on(self, method, Value::Known(1), &values);
        Some(result.map(|value| match value {
            Value::Known(value) => Returned::Known(value),
            value => Returned::Each(self.gather(value)),
        }))
    }

    pub(crate) fn is_unchanged(&self) -> bool {
        self.undo.is_empty()
    }

    /// Undoes a path, and counts its branches and accesses.
    pub(crate) fn finish(&mut self, coverage: Option<&mut Coverage>, counters: &mut Counters) {
        let times = self.active.len() as u64;
        if let Some(coverage) = coverage {
            self.branches.iter().for_each(|&(site, holds)| coverage.note(site, holds, times));
        }
        let (reads, constant) = self.reads;
        counters.accesses += reads;
        counters.constant_accesses += constant;
        // What a path repeats after a split is not counted as saved.
        counters.saved_accesses += constant * times.saturating_sub(1);
        counters.standard_accesses += reads * times;
        self.undo_all();
    }

    fn undo_all(&mut self) {
        while let Some((object, field, old)) = self.undo.pop() {
            self.merged.objects[object as usize].fields[field as usize] = old;
        }
        self.merged.objects.truncate(self.old_objects);
    }

    /// Gives up all that waits.
    pub(crate) fn abandon(&mut self) {
        self.pending.clear();
        self.undo_all();
    }

    /// The values of the active states, in their order.
    fn gather(&self, value: Value) -> Vec<i32> {
        match value {
            Value::Known(value) => vec![value; self.active.len()],
            Value::Column(column) => {
                let column = &self.columns[column as usize];
                self.active.iter().map(|&at| column[at as usize]).collect()
            }
        }
    }

    /// A value for the active states: known, if they agree.
    fn value(&mut self, values: &[i32]) -> Value {
        if values.iter().all(|&value| value == values[0]) {
            return Value::Known(values[0]);
        }
        if self.used == self.columns.len() {
            self.columns.push(Vec::new());
        }
        let column = &mut self.columns[self.used];
        column.clear();
        column.resize(self.base.len(), 0);
        for (&at, &value) in self.active.iter().zip(values) {
            column[at as usize] = value;
        }
        self.used += 1;
        Value::Column(self.used as u32 - 1)
    }

    /// Keeps the active states for which `keeps` says so, and lets the others wait. `Err` if none is kept.
    fn split(&mut self, keeps: &[bool]) -> Result<(), ()> {
        let kept = keeps.iter().filter(|&&keeps| keeps).count();
        if kept == 0 {
            return Err(());
        }
        if kept < keeps.len() {
            let active = std::mem::take(&mut self.active);
            let (mut stay, mut wait) = (Vec::with_capacity(kept), Vec::new());
            for (&at, &keeps) in active.iter().zip(keeps) {
                if keeps { stay.push(at) } else { wait.push(self.base[at as usize]) }
            }
            self.active = stay;
            self.pending.push(wait);
        }
        Ok(())
    }

    /// Splits by a property of values; a fault if no state has it.
    fn require(
        &mut self,
        value: Value,
        has: impl Fn(&Self, i32) -> bool,
        reason: Reason,
    ) -> Result<(), Fault> {
        match value {
            Value::Known(value) => {
                if has(self, value) {
                    Ok(())
                } else {
                    Err(reason.into())
                }
            }
            value => {
                let keeps: Vec<bool> = self.gather(value).iter().map(|&it| has(self, it)).collect();
                self.split(&keeps).map_err(|()| reason.into())
            }
        }
    }

    /// Branches by the outcome for each active state.
    fn branch(&mut self, site: usize, outcomes: &[bool]) -> bool {
        let holds = self.split(outcomes).is_ok();
        self.branches.push((site, holds));
        holds
    }

    /// Fields of an object in the active states, given as places in `base`.
    fn field_values(&self, object: i32, field: usize, places: &[u32]) -> Vec<i32> {
        let object = object as usize - 1;
        match self.merged.objects[object].fields[field] {
            Field::Known(value) => vec![value; places.len()],
            Field::Column(column) => {
                let column = &self.columns[column as usize];
                places.iter().map(|&at| column[at as usize]).collect()
            }
            Field::Before => {
                // States come sorted by shape.
                let mut last = u32::MAX;
                let mut origin = super::merge::Origin::Nowhere;
                let value = |&at: &u32| {
                    let state = self.base[at as usize];
                    let shape = self.merged.shape_at[state as usize];
                    if shape != last {
                        last = shape;
                        origin = self.merged.origin(object, field, shape);
                    }
                    self.merged.value(origin, state)
                };
                places.iter().map(value).collect()
            }
        }
    }

    /// The active states by a value: each value with its places in `base`.
    fn groups(&self, values: &[i32]) -> Vec<(i32, Vec<u32>)> {
        group(&self.active, values)
    }

    fn count_read(&mut self, value: Value) -> Value {
        self.reads.0 += 1;
        if let Value::Known(_) = value {
            self.reads.1 += 1;
        }
        value
    }

    /// Reads a field of objects that are not null. The fields may differ, too: elements of arrays.
    fn get(&mut self, object: Value, field: Value) -> Value {
        if let (Value::Known(object), Value::Known(field)) = (object, field) {
            if let Field::Known(value) =
                self.merged.objects[object as usize - 1].fields[field as usize]
            {
                return self.count_read(Value::Known(value));
            }
            let values = self.field_values(object, field as usize, &self.active);
            let value = self.value(&values);
            return self.count_read(value);
        }
        let mut values = FxHashMap::default();
        for (object, field, places) in self.targets(object, field) {
            let read = self.field_values(object, field, &places);
            values.extend(places.into_iter().zip(read));
        }
        let values: Vec<i32> = self.active.iter().map(|at| values[at]).collect();
        let value = self.value(&values);
        self.count_read(value)
    }

    /// The distinct fields that are accessed, each with the places of its states.
    fn targets(&self, object: Value, field: Value) -> Vec<(i32, usize, Vec<u32>)> {
        let fields: FxHashMap<u32, i32> =
            self.active.iter().copied().zip(self.gather(field)).collect();
        let mut targets = Vec::new();
        for (object, places) in self.groups(&self.gather(object)) {
            let at: Vec<i32> = places.iter().map(|place| fields[place]).collect();
            targets.extend(
                group(&places, &at)
                    .into_iter()
                    .map(|(field, places)| (object, field as usize, places)),
            );
        }
        targets
    }

    /// Replaces the content of a field.
    fn put(&mut self, object: i32, field: usize, new: Field) {
        let object = object as usize - 1;
        let old = std::mem::replace(&mut self.merged.objects[object].fields[field], new);
        if object < self.old_objects && old != new {
            self.undo.push((object as u32, field as u32, old));
        }
    }

    /// Writes a field of objects that are not null.
    fn set(&mut self, object: Value, field: Value, value: Value) {
        if let (Value::Known(object), Value::Known(field)) = (object, field) {
            // What other states have there does not matter on this path.
            let new = match value {
                Value::Known(value) => Field::Known(value),
                Value::Column(column) => Field::Column(column),
            };
            return self.put(object, field as usize, new);
        }
        let values: FxHashMap<u32, i32> =
            self.active.iter().copied().zip(self.gather(value)).collect();
        for (object, field, places) in self.targets(object, field) {
            let mut all = self.field_values(object, field, &self.active);
            let mut written = places.iter().peekable();
            for (value, at) in all.iter_mut().zip(&self.active) {
                if written.next_if_eq(&at).is_some() {
                    *value = values[at];
                }
            }
            let new = match self.value(&all) {
                Value::Known(value) => Field::Known(value),
                Value::Column(column) => Field::Column(column),
            };
            self.put(object, field, new);
        }
    }

    /// Splits so that arrays exist and indices are within them.
    fn bound(&mut self, array: Value, index: Value) -> Result<(), Fault> {
        self.require(array, |_, array| array != 0, Reason::Null)?;
        let (arrays, indices) = (self.gather(array), self.gather(index));
        let is_within = |(&array, &index): (&i32, &i32)| {
            usize::try_from(index).is_ok_and(|index| index < self.merged.length(array))
        };
        let keeps: Vec<bool> = arrays.iter().zip(&indices).map(is_within).collect();
        self.split(&keeps).map_err(|()| Reason::Index.into())
    }

    fn make(&mut self, class: usize, length: usize) -> Result<Value, Fault> {
        let header = header(class, length);
        let size = if self.classes.is_array(class) { length } else { self.classes.size(header) };
        self.fuel.allocate(size)?;
        let object = Object::new(header, &self.classes);
        self.merged.objects.push(object);
        Ok(Value::Known(self.merged.objects.len() as i32))
    }
}

/// Places by a value, in ascending order.
fn group(places: &[u32], values: &[i32]) -> Vec<(i32, Vec<u32>)> {
    let mut groups: std::collections::BTreeMap<i32, Vec<u32>> = std::collections::BTreeMap::new();
    for (&place, &value) in places.iter().zip(values) {
        groups.entry(value).or_default().push(place);
    }
    groups.into_iter().collect()
}

/// A walk over the heaps of many states, shared as long as their references agree.
#[derive(Clone)]
struct SharedWalk {
    /// Places in `base`.
    places: Vec<u32>,
    open: Vec<(i32, usize)>,
    ids: FxHashMap<i32, u16>,
    tokens: Vec<u16>,
    data: Vec<(i32, usize)>,
}

impl LevelMachine {
    /// Walks over the heaps after a path, and packs the targets.
    pub(crate) fn pack(&self, tables: &mut Tables, to: &mut Destination<'_>) -> Result<(), Misfit> {
        let mut walk = SharedWalk {
            places: self.active.clone(),
            open: Vec::new(),
            ids: FxHashMap::default(),
            tokens: Vec::new(),
            data: Vec::new(),
        };
        self.meet(&mut walk, 1);
        let mut walks = vec![walk];
        while let Some(walk) = walks.pop() {
            if let Some(done) = self.walk(walk, &mut walks) {
                self.pack_group(&done, &mut tables.shapes, to)?;
            }
        }
        Ok(())
    }

    fn meet(&self, walk: &mut SharedWalk, object: i32) {
        walk.ids.insert(object, walk.ids.len() as u16 + 1);
        push_object(
            &mut walk.tokens,
            self.merged.objects[object as usize - 1].header,
            &self.classes,
        );
        walk.open.push((object, 0));
    }

    /// Walks until references differ: then each group walks on by itself.
    fn walk(&self, mut walk: SharedWalk, walks: &mut Vec<SharedWalk>) -> Option<SharedWalk> {
        while let Some((object, field)) = walk.open.pop() {
            let it = &self.merged.objects[object as usize - 1];
            if field == it.fields.len() {
                continue;
            }
            walk.open.push((object, field + 1));
            if !self.classes.is_reference(it.header, field) {
                walk.data.push((object, field));
                continue;
            }
            if let Field::Known(target) = it.fields[field] {
                self.follow(&mut walk, target);
                continue;
            }
            let values = self.field_values(object, field, &walk.places);
            let mut groups = group(&walk.places, &values);
            let (first, places) = groups.pop().expect("some state is walked");
            for (target, places) in groups {
                let mut other = SharedWalk { places, ..walk.clone() };
                self.follow(&mut other, target);
                walks.push(other);
            }
            walk.places = places;
            self.follow(&mut walk, first);
        }
        Some(walk)
    }

    fn follow(&self, walk: &mut SharedWalk, target: i32) {
        if target == 0 {
            walk.tokens.push(0);
        } else if let Some(&id) = walk.ids.get(&target) {
            walk.tokens.push(id);
        } else {
            walk.tokens.push(walk.ids.len() as u16 + 1);
            self.meet(walk, target);
        }
    }

    /// Packs states that became the same shape.
    fn pack_group(
        &self,
        walk: &SharedWalk,
        shapes: &mut Shapes,
        to: &mut Destination<'_>,
    ) -> Result<(), Misfit> {
        let layout = self.merged.layout.expect("states are merged");
        let shape = shapes.intern(&walk.tokens, walk.data.len());
        if walk.data.len() > layout.slots() {
            return Err(Misfit::Slots(walk.data.len()));
        }
        let starts: Vec<usize> =
            walk.places.iter().map(|&at| to.place(self.base[at as usize]) * layout.words).collect();
        for &start in &starts {
            to.keys[start..start + layout.words].fill(0);
            to.keys[start] = shape.into();
        }
        for (slot, &(object, field)) in walk.data.iter().enumerate() {
            let (word, shift) = layout.place(slot);
            let mut united = 0;
            for (&start, value) in starts.iter().zip(self.field_values(object, field, &walk.places))
            {
                united |= value;
                to.keys[start + word] |= u64::from(value as u32) << shift;
            }
            if !layout.fits(united) {
                return Err(Misfit::Value(united));
            }
        }
        Ok(())
    }
}

impl Machine for LevelMachine {
    type Value = Value;

    fn constant(&mut self, value: i32) -> Value {
        Value::Known(value)
    }

    fn read(&mut self, object: Value, member: Member) -> Result<Value, Fault> {
        self.require(object, |_, object| object != 0, Reason::Null)?;
        Ok(self.get(object, Value::Known(member.at as i32)))
    }

    fn write(&mut self, object: Value, member: Member, value: Value) -> Result<(), Fault> {
        self.require(object, |_, object| object != 0, Reason::Null)?;
        self.set(object, Value::Known(member.at as i32), value);
        Ok(())
    }

    fn length(&mut self, array: Value) -> Result<Value, Fault> {
        self.require(array, |_, array| array != 0, Reason::Null)?;
        let lengths: Vec<i32> =
            self.gather(array).into_iter().map(|it| self.merged.length(it) as i32).collect();
        Ok(self.value(&lengths))
    }

    fn element(&mut self, array: Value, index: Value, _: bool) -> Result<Value, Fault> {
        self.bound(array, index)?;
        Ok(self.get(array, index))
    }

    fn set_element(
        &mut self,
        array: Value,
        index: Value,
        _: bool,
        value: Value,
    ) -> Result<(), Fault> {
        self.bound(array, index)?;
        self.set(array, index, value);
        Ok(())
    }

    fn allocate(&mut self, class: usize) -> Result<Value, Fault> {
        self.make(class, 0)
    }

    /// Arrays of different lengths are different objects, so states are split by the length.
    fn allocate_array(&mut self, class: usize, length: Value) -> Result<Value, Fault> {
        self.require(length, |_, length| length >= 0, Reason::Index)?;
        let lengths = self.gather(length);
        let keeps: Vec<bool> = lengths.iter().map(|&it| it == lengths[0]).collect();
        self.split(&keeps).expect("the first state is kept");
        self.make(class, lengths[0] as usize)
    }

    fn compute(&mut self, operator: Operator, left: Value, right: Value) -> Result<Value, Fault> {
        if let (Value::Known(left), Value::Known(right)) = (left, right) {
            let value = operator.apply(left, right).ok_or(Reason::Overflow)?;
            return Ok(Value::Known(value));
        }
        let (left, right) = (self.gather(left), self.gather(right));
        let results: Vec<Option<i32>> =
            left.iter().zip(&right).map(|(&left, &right)| operator.apply(left, right)).collect();
        let keeps: Vec<bool> = results.iter().map(Option::is_some).collect();
        self.split(&keeps).map_err(|()| Reason::Overflow)?;
        let results: Vec<i32> = results.into_iter().flatten().collect();
        Ok(self.value(&results))
    }

    fn compare(&mut self, comparison: Comparison, left: Value, right: Value) -> Value {
        if let (Value::Known(left), Value::Known(right)) = (left, right) {
            return Value::Known(comparison.holds(left, right).into());
        }
        let (left, right) = (self.gather(left), self.gather(right));
        let results =
            left.iter().zip(&right).map(|(&left, &right)| comparison.holds(left, right).into());
        let results: Vec<i32> = results.collect();
        self.value(&results)
    }

    fn test(
        &mut self,
        site: usize,
        comparison: Comparison,
        left: Value,
        right: Value,
    ) -> Result<bool, Fault> {
        if let (Value::Known(left), Value::Known(right)) = (left, right) {
            let holds = comparison.holds(left, right);
            self.branches.push((site, holds));
            return Ok(holds);
        }
        let (left, right) = (self.gather(left), self.gather(right));
        let outcomes: Vec<bool> =
            left.iter().zip(&right).map(|(&left, &right)| comparison.holds(left, right)).collect();
        Ok(self.branch(site, &outcomes))
    }

    fn is(&mut self, site: usize, object: Value, class: usize) -> Result<bool, Fault> {
        let objects = self.gather(object);
        let outcomes: Vec<bool> =
            objects.iter().map(|&it| it != 0 && self.merged.class(it) == class).collect();
        Ok(self.branch(site, &outcomes))
    }

    fn cast(&mut self, object: Value, class: usize) -> Result<Value, Fault> {
        let fits = |it: &Self, object: i32| object == 0 || it.merged.class(object) == class;
        self.require(object, fits, Reason::Cast)?;
        Ok(object)
    }

    fn step(&mut self) -> Result<(), Fault> {
        self.fuel.step()
    }

    fn enter(&mut self) -> Result<(), Fault> {
        self.fuel.enter()
    }

    fn leave(&mut self) {
        self.fuel.leave();
    }
}
