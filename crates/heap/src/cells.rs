//! `Cells`: the heap of one state while calls are executed on it, with an undo log; and the walk that makes a shape of it.

use crate::{
    Fault, Reason,
    classes::{Classes, class_of, header},
    shapes::{ROOT, Shapes, Template, push_object},
};

/// What a cell holds: one value, or one of many states.
pub(crate) trait Scalar: Copy + PartialEq {
    /// The same value in all states.
    fn constant(value: i32) -> Self;

    /// The value of a header or a reference.
    fn known(self) -> i32;
}

impl Scalar for i32 {
    #[inline(always)]
    fn constant(value: i32) -> Self {
        value
    }

    #[inline(always)]
    fn known(self) -> i32 {
        self
    }
}

/// A change of a cell.
pub(crate) struct Change<V> {
    pub(crate) cell: u32,
    is_reference: bool,
    old: V,
}

/// The heap of a state: a header for each object, then its fields. Cell 0 is null.
pub(crate) struct Cells<V> {
    pub(crate) cells: Vec<V>,
    /// Where the objects begin that were allocated by the call.
    pub(crate) base: usize,
    /// Changed cells of older objects, with what they held.
    pub(crate) undo: Vec<Change<V>>,
    /// Whether a reference of an older object was changed.
    pub(crate) is_reshaped: bool,
}

impl<V: Scalar> Default for Cells<V> {
    fn default() -> Self {
        Self { cells: Vec::new(), base: 0, undo: Vec::new(), is_reshaped: false }
    }
}

impl<V: Scalar> Cells<V> {
    /// Loads a shape; the data are set by the caller.
    pub(crate) fn load(&mut self, template: &Template) {
        self.cells.clear();
        self.cells.extend(template.cells.iter().map(|&cell| V::constant(cell)));
        self.base = self.cells.len();
        self.undo.clear();
        self.is_reshaped = false;
    }

    /// Undoes all changes since the heap was loaded.
    #[inline]
    pub(crate) fn undo(&mut self) {
        self.cells.truncate(self.base);
        while let Some(change) = self.undo.pop() {
            self.cells[change.cell as usize] = change.old;
        }
        self.is_reshaped = false;
    }

    #[inline(always)]
    pub(crate) fn read(&self, object: i32, field: usize) -> Result<V, Fault> {
        if object == 0 {
            return Err(Reason::Null.into());
        }
        Ok(self.cells[object as usize + 1 + field])
    }

    #[inline(always)]
    pub(crate) fn write(
        &mut self,
        object: i32,
        field: usize,
        is_reference: bool,
        value: V,
    ) -> Result<(), Fault> {
        if object == 0 {
            return Err(Reason::Null.into());
        }
        let cell = object as usize + 1 + field;
        let old = std::mem::replace(&mut self.cells[cell], value);
        if cell < self.base && old != value {
            self.undo.push(Change { cell: cell as u32, is_reference, old });
            self.is_reshaped |= is_reference;
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn header(&self, object: i32) -> Result<i32, Fault> {
        if object == 0 {
            return Err(Reason::Null.into());
        }
        Ok(self.cells[object as usize].known())
    }

    /// Appends an object. Whether there are too many is counted by [`Fuel`](crate::machine::Fuel).
    #[inline]
    pub(crate) fn allocate(&mut self, class: usize, length: usize, classes: &Classes) -> i32 {
        let object = self.cells.len();
        let header = header(class, length);
        self.cells.push(V::constant(header));
        let end = object + 1 + classes.size(header);
        self.cells.resize(end, V::constant(0));
        object as i32
    }

    /// The cell of an element.
    #[inline(always)]
    pub(crate) fn element(&self, array: i32, index: i32) -> Result<usize, Fault> {
        let length = crate::classes::length_of(self.header(array)?);
        match usize::try_from(index) {
            Ok(index) if index < length => Ok(index),
            _ => Err(Reason::Index.into()),
        }
    }

    /// Whether an object is of a class; null is of none.
    #[inline(always)]
    pub(crate) fn is(&self, object: i32, class: usize) -> bool {
        object != 0 && class_of(self.cells[object as usize].known()) == class
    }
}

/// A walk over a heap: depth-first from the root, fields in order.
#[derive(Default)]
pub(crate) struct Walk {
    /// The shape.
    pub(crate) tokens: Vec<u16>,
    /// The cells of the data, in the order of the walk.
    pub(crate) data: Vec<u16>,
    ids: Vec<u16>,
    open: Vec<Open>,
}

/// An object whose fields are being walked.
struct Open {
    at: usize,
    end: usize,
    /// Which of the fields from `at` are references.
    references: u64,
    is_array: bool,
}

impl Walk {
    /// Walks over a heap.
    pub(crate) fn walk<V: Scalar>(&mut self, heap: &Cells<V>, classes: &Classes) {
        self.tokens.clear();
        self.data.clear();
        self.open.clear();
        self.ids.clear();
        self.ids.resize(heap.cells.len(), 0);
        let mut next = 1;
        self.meet(heap, ROOT, &mut next, classes);
        while let Some(open) = self.open.last_mut() {
            if open.at == open.end {
                self.open.pop();
                continue;
            }
            let cell = open.at;
            open.at += 1;
            let is_reference = open.references & 1 == 1;
            if !open.is_array {
                open.references >>= 1;
            }
            if !is_reference {
                self.data.push(cell as u16);
                continue;
            }
            let target = heap.cells[cell].known();
            if target == 0 {
                self.tokens.push(0);
            } else if self.ids[target as usize] != 0 {
                self.tokens.push(self.ids[target as usize]);
            } else {
                self.tokens.push(next);
                self.meet(heap, target, &mut next, classes);
            }
        }
    }

    /// Meets an object for the first time.
    fn meet<V: Scalar>(&mut self, heap: &Cells<V>, object: i32, next: &mut u16, classes: &Classes) {
        let header = heap.cells[object as usize].known();
        self.ids[object as usize] = *next;
        *next += 1;
        push_object(&mut self.tokens, header, classes);
        let (at, class) = (object as usize + 1, class_of(header));
        let (end, references) = (at + classes.size(header), classes.references(class));
        self.open.push(Open { at, end, references, is_array: classes.is_array(class) });
    }
}

/// What a call did to the structure of a state: the shape it became, and where its data are.
#[derive(Default)]
pub(crate) struct Transform {
    /// The shape before, the changed references, the new objects.
    key: Vec<u32>,
    pub(crate) shape: u32,
    /// The cells of the data of the new shape.
    pub(crate) data: Vec<u16>,
}

/// Recent transforms, so that a structure is not walked again for each state that has it.
pub(crate) struct Transforms {
    recent: Vec<Transform>,
    key: Vec<u32>,
    walk: Walk,
    /// How many walks there were.
    pub(crate) walks: u64,
}

/// How many transforms are kept, by the hash of what changed. States come sorted by shape, so few are enough.
const RECENT: usize = 1 << 10;
/// Separates changed references from new objects.
const NEW: u32 = u32::MAX;

impl Default for Transforms {
    fn default() -> Self {
        let recent = (0..RECENT).map(|_| Transform::default()).collect();
        Self { recent, key: Vec::new(), walk: Walk::default(), walks: 0 }
    }
}

impl Transforms {
    /// The shape and the data of a heap after a call.
    #[inline]
    pub(crate) fn of<V: Scalar>(
        &mut self,
        heap: &Cells<V>,
        before: u32,
        classes: &Classes,
        shapes: &mut Shapes,
    ) -> &Transform {
        let at = self.describe(heap, before, classes);
        if self.recent[at].key != self.key {
            self.walks += 1;
            self.walk.walk(heap, classes);
            let recent = &mut self.recent[at];
            recent.key.clone_from(&self.key);
            recent.shape = shapes.intern(&self.walk.tokens, self.walk.data.len());
            recent.data.clone_from(&self.walk.data);
        }
        &self.recent[at]
    }

    /// Writes down which references differ from the shape before; returns its place among the recent ones.
    #[inline(always)]
    fn describe<V: Scalar>(&mut self, heap: &Cells<V>, before: u32, classes: &Classes) -> usize {
        self.key.clear();
        self.key.push(before);
        let mut hash = u64::from(before);
        let mut note = |key: &mut Vec<u32>, word: u32| {
            key.push(word);
            hash = (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        };
        for change in heap.undo.iter().filter(|change| change.is_reference) {
            note(&mut self.key, change.cell);
            note(&mut self.key, heap.cells[change.cell as usize].known() as u32);
        }
        note(&mut self.key, NEW);
        let mut at = heap.base;
        while at < heap.cells.len() {
            let header = heap.cells[at].known();
            note(&mut self.key, header as u32);
            let size = classes.size(header);
            for field in 0..size {
                if classes.is_reference(header, field) {
                    note(&mut self.key, heap.cells[at + 1 + field].known() as u32);
                }
            }
            at += 1 + size;
        }
        (hash >> 48) as usize % RECENT
    }
}
