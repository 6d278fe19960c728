//! `ShapeMachine`: executes calls on states with the same shape, whose references are thus the same.

use super::{
    Path, Returned,
    split::{Interval, split},
};
use crate::{
    Comparison, Coverage, Fault, Machine, Member, Operator, Reason,
    cells::{Cells, Scalar},
    classes::{Classes, header, length_of},
    layout::{Layout, Misfit},
    machine::Fuel,
    outline::Runs,
    shapes::{ROOT, Template},
    space::Tables,
};

/// A value of all active states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// The same in all states.
    Known(i32),
    /// What each state had in a datum before the call.
    Slot(u16),
    /// What was computed for each state.
    Column(u32),
}

impl Scalar for Value {
    #[inline(always)]
    fn constant(value: i32) -> Self {
        Self::Known(value)
    }

    #[inline(always)]
    fn known(self) -> i32 {
        match self {
            Self::Known(value) => value,
            _ => unreachable!("references are the same in all states of a shape"),
        }
    }
}

/// States that wait: they left a path at its last decision.
struct Pending {
    active: Vec<u32>,
    decisions: Vec<i32>,
}

/// The machine of states with the same shape.
pub(crate) struct ShapeMachine {
    pub(crate) heap: Cells<Value>,
    classes: Classes,
    layout: Layout,
    /// The rows of the states.
    rows: Vec<u64>,
    shape: u32,
    /// The cells of the data of the shape.
    data: Vec<u16>,
    columns: Vec<Vec<i32>>,
    used: usize,
    /// The states that take the path, as places among the rows.
    pub(crate) active: Vec<u32>,
    /// What was decided on the path; the first ones are repeated without evaluating anything.
    decisions: Vec<i32>,
    decided: usize,
    pending: Vec<Pending>,
    /// Lists to be used again.
    spare: Vec<Vec<u32>>,
    spare_decisions: Vec<Vec<i32>>,
    /// Branches on the path.
    branches: Vec<(usize, bool)>,
    left: Vec<i32>,
    right: Vec<i32>,
    moves: Vec<Move>,
    computed: Vec<(u32, usize, u32)>,
    fuel: Fuel,
}

/// Data that move together from a row to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    from: usize,
    to: usize,
    right: u32,
    left: u32,
    mask: u64,
}

/// Where the targets of a path are written: the first place, the number of calls, and the call.
pub(crate) struct Destination<'a> {
    pub(crate) keys: &'a mut [u64],
    pub(crate) first: usize,
    pub(crate) calls: usize,
    pub(crate) call: usize,
}

impl Destination<'_> {
    #[inline(always)]
    pub(crate) fn place(&self, state: u32) -> usize {
        (self.first + state as usize) * self.calls + self.call
    }
}

impl ShapeMachine {
    pub(crate) fn new(classes: &Classes) -> Self {
        Self {
            heap: Cells::default(),
            classes: classes.clone(),
            layout: Layout::START,
            rows: Vec::new(),
            shape: 0,
            data: Vec::new(),
            columns: Vec::new(),
            used: 0,
            active: Vec::new(),
            decisions: Vec::new(),
            decided: 0,
            pending: Vec::new(),
            spare: Vec::new(),
            spare_decisions: Vec::new(),
            branches: Vec::new(),
            left: Vec::new(),
            right: Vec::new(),
            moves: Vec::new(),
            computed: Vec::new(),
            fuel: Fuel::default(),
        }
    }

    /// Loads states with the same shape. Data that are the same in all become constants.
    pub(crate) fn load<'a>(
        &mut self,
        template: &Template,
        layout: Layout,
        rows: impl Iterator<Item = &'a [u64]>,
    ) {
        self.heap.load(template);
        self.layout = layout;
        self.shape = template.shape;
        self.data.clone_from(&template.data);
        self.rows.clear();
        rows.for_each(|row| self.rows.extend_from_slice(row));
        let first: Vec<u64> = self.rows[..layout.words].to_vec();
        let mut differs = vec![0; layout.words];
        for row in self.rows.chunks_exact(layout.words) {
            for (word, differs) in differs.iter_mut().enumerate() {
                *differs |= row[word] ^ first[word];
            }
        }
        for (slot, &cell) in template.data.iter().enumerate() {
            let is_same = layout.get(&differs, slot) == 0;
            self.heap.cells[usize::from(cell)] = if is_same {
                Value::Known(layout.get(&first, slot))
            } else {
                Value::Slot(slot as u16)
            };
        }
    }

    /// Prepares the execution of a method on all states.
    pub(crate) fn start_all(&mut self) {
        let states = self.rows.len() / self.layout.words;
        let mut active = self.spare.pop().unwrap_or_default();
        active.clear();
        active.extend(0..states as u32);
        self.start(active);
    }

    /// Prepares the execution of a method on some states.
    pub(crate) fn start(&mut self, active: Vec<u32>) {
        if !active.is_empty() {
            let mut decisions = self.spare_decisions.pop().unwrap_or_default();
            decisions.clear();
            self.pending.push(Pending { active, decisions });
        }
    }

    /// Executes the next path, if there is one. [`finish`](Self::finish) must follow.
    pub(crate) fn next_path(
        &mut self,
        code: &dyn Runs<Self>,
        method: usize,
        arguments: &[i32],
    ) -> Option<Path> {
        let Pending { active, decisions } = self.pending.pop()?;
        let old = std::mem::replace(&mut self.active, active);
        self.spare.push(old);
        let old = std::mem::replace(&mut self.decisions, decisions);
        self.spare_decisions.push(old);
        self.decided = 0;
        self.used = 0;
        self.branches.clear();
        self.fuel = Fuel::default();
        let mut values = [Value::Known(0); 8];
        let result = if arguments.len() <= values.len() {
            values.iter_mut().zip(arguments).for_each(|(to, &from)| *to = Value::Known(from));
            code.run_on(self, method, Value::Known(ROOT), &values[..arguments.len()])
        } else {
            let values: Vec<Value> = arguments.iter().map(|&it| Value::Known(it)).collect();
            code.run_on(self, method, Value::Known(ROOT), &values)
        };
        Some(result.map(|value| self.returned(value)))
    }

    fn returned(&mut self, value: Value) -> Returned {
        match value {
            Value::Known(value) => Returned::Known(value),
            value => {
                let mut values = Vec::new();
                self.gather(value, &mut values);
                Returned::Each(values)
            }
        }
    }

    /// Undoes a path, and counts its branches.
    pub(crate) fn finish(&mut self, coverage: Option<&mut Coverage>) {
        if let Some(coverage) = coverage {
            let times = self.active.len() as u64;
            self.branches.iter().for_each(|&(site, holds)| coverage.note(site, holds, times));
        }
        self.heap.undo();
    }

    /// Whether the path wrote nothing.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.heap.undo.is_empty()
    }

    /// Gives up all that waits.
    pub(crate) fn abandon(&mut self) {
        self.pending.clear();
        self.heap.undo();
    }

    /// Packs the targets of the path: constants once, other data by moving bits of the rows, in runs.
    pub(crate) fn pack(
        &mut self,
        tables: &mut Tables,
        to: &mut Destination<'_>,
    ) -> Result<(), Misfit> {
        let Tables { classes, shapes, transforms, .. } = tables;
        let (shape, data) = if self.heap.is_reshaped {
            let made = transforms.of(&self.heap, self.shape, classes, shapes);
            (made.shape, &made.data)
        } else {
            (self.shape, &self.data)
        };
        let layout = self.layout;
        if data.len() > layout.slots() {
            return Err(Misfit::Slots(data.len()));
        }
        let mut constant = [0; WORDS_INLINE];
        let mut constant_long;
        let constant: &mut [u64] = if layout.words <= WORDS_INLINE {
            &mut constant[..layout.words]
        } else {
            constant_long = vec![0; layout.words];
            &mut constant_long
        };
        constant[0] = shape.into();
        self.moves.clear();
        self.computed.clear();
        for (slot, &cell) in data.iter().enumerate() {
            match self.heap.cells[usize::from(cell)] {
                Value::Known(value) if layout.fits(value) => layout.set(constant, slot, value),
                Value::Known(value) => return Err(Misfit::Value(value)),
                Value::Slot(from) => add_move(&mut self.moves, layout, from.into(), slot),
                Value::Column(column) => {
                    let (word, shift) = layout.place(slot);
                    self.computed.push((column, word, shift));
                }
            }
        }
        self.check_columns()?;
        match layout.words {
            1 => self.write_keys::<1>(constant, to),
            2 => self.write_keys::<2>(constant, to),
            3 => self.write_keys::<3>(constant, to),
            words => self.write_long_keys(words, constant, to),
        }
        Ok(())
    }

    fn check_columns(&self) -> Result<(), Misfit> {
        for &(column, ..) in &self.computed {
            let column = &self.columns[column as usize];
            let united = self.active.iter().fold(0, |united, &at| united | column[at as usize]);
            if !self.layout.fits(united) {
                return Err(Misfit::Value(united));
            }
        }
        Ok(())
    }

    fn write_keys<const W: usize>(&self, constant: &[u64], to: &mut Destination<'_>) {
        let mut start = [0; W];
        start.copy_from_slice(constant);
        let (rows, _) = self.rows.as_chunks::<W>();
        for &state in &self.active {
            let (row, mut key) = (&rows[state as usize], start);
            for it in &self.moves {
                key[it.to % W] |= (row[it.from % W] >> it.right & it.mask) << it.left;
            }
            for &(column, word, shift) in &self.computed {
                let value = self.columns[column as usize][state as usize];
                key[word % W] |= u64::from(value as u32) << shift;
            }
            let place = to.place(state);
            to.keys[place * W..][..W].copy_from_slice(&key);
        }
    }

    fn write_long_keys(&self, words: usize, constant: &[u64], to: &mut Destination<'_>) {
        for &state in &self.active {
            let row = &self.rows[state as usize * words..][..words];
            let place = to.place(state);
            let key = &mut to.keys[place * words..][..words];
            key.copy_from_slice(constant);
            for it in &self.moves {
                key[it.to] |= (row[it.from] >> it.right & it.mask) << it.left;
            }
            for &(column, word, shift) in &self.computed {
                let value = self.columns[column as usize][state as usize];
                key[word] |= u64::from(value as u32) << shift;
            }
        }
    }

    /// The values of the active states, in their order.
    fn gather(&self, value: Value, values: &mut Vec<i32>) {
        values.clear();
        match value {
            Value::Known(value) => values.resize(self.active.len(), value),
            Value::Slot(slot) => {
                let (word, shift) = self.layout.place(slot.into());
                let (words, mask) = (self.layout.words, self.layout.mask());
                values.extend(self.active.iter().map(|&state| {
                    (self.rows[state as usize * words + word] >> shift & mask) as u32 as i32
                }));
            }
            Value::Column(column) => {
                let column = &self.columns[column as usize];
                values.extend(self.active.iter().map(|&state| column[state as usize]));
            }
        }
    }

    /// Gathers two values.
    fn gather_both(&mut self, left: Value, right: Value) {
        let mut values = std::mem::take(&mut self.left);
        self.gather(left, &mut values);
        self.left = values;
        let mut values = std::mem::take(&mut self.right);
        self.gather(right, &mut values);
        self.right = values;
    }

    /// A column with the given values for the active states.
    fn column(&mut self, values: impl Iterator<Item = i32>) -> Value {
        if self.used == self.columns.len() {
            self.columns.push(Vec::new());
        }
        let column = &mut self.columns[self.used];
        let states = self.rows.len() / self.layout.words;
        if column.len() < states {
            column.resize(states, 0);
        }
        for (&state, value) in self.active.iter().zip(values) {
            column[state as usize] = value;
        }
        self.used += 1;
        Value::Column(self.used as u32 - 1)
    }

    /// The decision that is repeated here, if the path is still where it was left.
    #[inline]
    fn repeated(&mut self) -> Option<i32> {
        let decision = self.decisions.get(self.decided).copied()?;
        self.decided += 1;
        Some(decision)
    }

    /// Keeps the states that decide as some value says, and lets the others wait.
    fn decide(&mut self, decision: i32) {
        self.decisions.push(decision);
        self.decided = self.decisions.len();
    }

    /// Branches by a comparison of values that differ.
    fn branch(&mut self, comparison: Comparison, left: Value, right: Value) -> bool {
        if let Some(decision) = self.repeated() {
            return decision != 0;
        }
        let mut others = self.spare.pop().unwrap_or_default();
        match (left, right) {
            (Value::Slot(slot), Value::Known(limit)) => {
                self.split_by(slot, Interval::of(comparison, limit), &mut others);
            }
            (Value::Known(limit), Value::Slot(slot)) => {
                self.split_by(slot, Interval::reversed(limit, comparison), &mut others);
            }
            _ => {
                self.gather_both(left, right);
                let (left, right) = (&self.left, &self.right);
                split(&mut self.active, &mut others, |at, _| comparison.holds(left[at], right[at]));
            }
        }
        let is_uniform = others.is_empty() || self.active.is_empty();
        if self.active.is_empty() {
            std::mem::swap(&mut self.active, &mut others);
            self.decide(0);
            self.spare.push(others);
            return false;
        }
        match is_uniform {
            true => self.spare.push(others),
            false => self.wait(others, Some(0)),
        }
        self.decide(1);
        true
    }

    /// Splits the active states by a datum that they had before the call.
    fn split_by(&mut self, slot: u16, interval: Interval, others: &mut Vec<u32>) {
        let (word, shift) = self.layout.place(slot.into());
        let (words, mask, rows) = (self.layout.words, self.layout.mask(), &self.rows);
        split(&mut self.active, others, |_, state| {
            let value = rows[state as usize * words + word] >> shift & mask;
            interval.holds(value as u32 as i32)
        });
    }

    /// Lets states wait that leave the path here, by a decision or before one.
    fn wait(&mut self, active: Vec<u32>, decision: Option<i32>) {
        let mut decisions = self.spare_decisions.pop().unwrap_or_default();
        decisions.clear();
        decisions.extend_from_slice(&self.decisions);
        decisions.extend(decision);
        self.pending.push(Pending { active, decisions });
    }

    /// Branches by a value: the path continues with that of the first state.
    fn choose(&mut self, value: Value) -> i32 {
        if let Value::Known(value) = value {
            return value;
        }
        if let Some(decision) = self.repeated() {
            return decision;
        }
        let mut values = std::mem::take(&mut self.left);
        self.gather(value, &mut values);
        let first = values[0];
        let mut groups: Vec<(i32, Vec<u32>)> = Vec::new();
        for (&state, &value) in self.active.iter().zip(&values) {
            match groups.iter_mut().find(|(known, _)| *known == value) {
                Some((_, group)) => group.push(state),
                None => groups.push((value, vec![state])),
            }
        }
        self.left = values;
        for (value, active) in groups.drain(1..) {
            self.wait(active, Some(value));
        }
        self.active = groups.pop().expect("some state is active").1;
        self.decide(first);
        first
    }
}

/// Rows up to this many words are handled without an allocation.
const WORDS_INLINE: usize = 8;

/// Adds the move of a datum, to the last move if it goes the same way.
fn add_move(moves: &mut Vec<Move>, layout: Layout, from: usize, to: usize) {
    let ((from, right), (to, left)) = (layout.place(from), layout.place(to));
    if let Some(last) = moves.last_mut() {
        let width = last.mask.count_ones();
        let follows = last.from == from && last.to == to;
        if follows && last.right + width == right && last.left + width == left {
            last.mask = last.mask << layout.bits | layout.mask();
            return;
        }
    }
    moves.push(Move { from, to, right, left, mask: layout.mask() });
}

impl Machine for ShapeMachine {
    type Value = Value;

    #[inline]
    fn constant(&mut self, value: i32) -> Value {
        Value::Known(value)
    }

    #[inline]
    fn read(&mut self, object: Value, member: Member) -> Result<Value, Fault> {
        self.heap.read(object.known(), member.at)
    }

    #[inline]
    fn write(&mut self, object: Value, member: Member, value: Value) -> Result<(), Fault> {
        self.heap.write(object.known(), member.at, member.is_reference, value)
    }

    fn length(&mut self, array: Value) -> Result<Value, Fault> {
        Ok(Value::Known(length_of(self.heap.header(array.known())?) as i32))
    }

    fn element(&mut self, array: Value, index: Value, _: bool) -> Result<Value, Fault> {
        self.heap.header(array.known())?;
        let index = self.choose(index);
        let index = self.heap.element(array.known(), index)?;
        self.heap.read(array.known(), index)
    }

    fn set_element(
        &mut self,
        array: Value,
        index: Value,
        is_reference: bool,
        value: Value,
    ) -> Result<(), Fault> {
        self.heap.header(array.known())?;
        let index = self.choose(index);
        let index = self.heap.element(array.known(), index)?;
        self.heap.write(array.known(), index, is_reference, value)
    }

    fn allocate(&mut self, class: usize) -> Result<Value, Fault> {
        self.fuel.allocate(self.classes.size(header(class, 0)))?;
        Ok(Value::Known(self.heap.allocate(class, 0, &self.classes)))
    }

    fn allocate_array(&mut self, class: usize, length: Value) -> Result<Value, Fault> {
        let length = usize::try_from(self.choose(length)).map_err(|_| Reason::Index)?;
        self.fuel.allocate(length)?;
        Ok(Value::Known(self.heap.allocate(class, length, &self.classes)))
    }

    fn compute(&mut self, operator: Operator, left: Value, right: Value) -> Result<Value, Fault> {
        if let (Value::Known(left), Value::Known(right)) = (left, right) {
            let value = operator.apply(left, right).ok_or(Reason::Overflow)?;
            return Ok(Value::Known(value));
        }
        self.gather_both(left, right);
        let mut results = std::mem::take(&mut self.left);
        let mut faults = Vec::new();
        for (at, (left, right)) in results.iter_mut().zip(&self.right).enumerate() {
            match operator.apply(*left, *right) {
                Some(result) => *left = result,
                None => faults.push(at),
            }
        }
        if faults.len() == self.active.len() {
            self.left = results;
            return Err(Reason::Overflow.into());
        }
        if !faults.is_empty() {
            // They wait without a decision: executed by themselves, all of them get here and fail.
            let others: Vec<u32> = faults.iter().map(|&at| self.active[at]).collect();
            self.wait(others, None);
            for &at in faults.iter().rev() {
                self.active.remove(at);
                results.remove(at);
            }
        }
        let column = self.column(results.iter().copied());
        self.left = results;
        Ok(column)
    }

    fn compare(&mut self, comparison: Comparison, left: Value, right: Value) -> Value {
        if let (Value::Known(left), Value::Known(right)) = (left, right) {
            return Value::Known(comparison.holds(left, right).into());
        }
        self.gather_both(left, right);
        let mut results = std::mem::take(&mut self.left);
        for (left, right) in results.iter_mut().zip(&self.right) {
            *left = comparison.holds(*left, *right).into();
        }
        let column = self.column(results.iter().copied());
        self.left = results;
        column
    }

    #[inline]
    fn test(
        &mut self,
        site: usize,
        comparison: Comparison,
        left: Value,
        right: Value,
    ) -> Result<bool, Fault> {
        let holds = match (left, right) {
            (Value::Known(left), Value::Known(right)) => comparison.holds(left, right),
            _ => self.branch(comparison, left, right),
        };
        self.branches.push((site, holds));
        Ok(holds)
    }

    fn is(&mut self, site: usize, object: Value, class: usize) -> Result<bool, Fault> {
        let holds = self.heap.is(object.known(), class);
        self.branches.push((site, holds));
        Ok(holds)
    }

    fn cast(&mut self, object: Value, class: usize) -> Result<Value, Fault> {
        let fits = object == Value::Known(0) || self.heap.is(object.known(), class);
        if fits { Ok(object) } else { Err(Reason::Cast.into()) }
    }

    #[inline]
    fn step(&mut self) -> Result<(), Fault> {
        self.fuel.step()
    }

    #[inline]
    fn enter(&mut self) -> Result<(), Fault> {
        self.fuel.enter()
    }

    #[inline]
    fn leave(&mut self) {
        self.fuel.leave();
    }
}
