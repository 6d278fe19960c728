//! `Mixed`: calls are executed on native objects; cells are translated to them and back, eagerly or lazily.

use crate::{
    Comparison, Counters, Fault, Machine, Member, Mode, Operator, Reason,
    classes::{class_of, header, length_of},
    machine::Fuel,
    outline::Runs,
    shapes::ROOT,
    tracked::Tracked,
};

/// A native object. Its references are places in a list of objects, plus one.
struct Native {
    header: i32,
    /// The cell of its header; 0 for an object that the call allocated.
    cell: i32,
    fields: Vec<i32>,
    /// For each field, whether it is translated and whether it was written.
    flags: Vec<u8>,
}

/// The field is translated.
const TRANSLATED: u8 = 1;
/// The field was written.
const WRITTEN: u8 = 2;

/// The machine of native objects.
#[derive(Default)]
pub(crate) struct Mixed {
    objects: Vec<Native>,
    /// The native object of each cell, plus one; 0 if there is none.
    native_of: Vec<u32>,
}

/// A call on native objects.
pub(crate) struct Run<'a> {
    mixed: &'a mut Mixed,
    tracked: &'a mut Tracked,
    counters: &'a mut Counters,
    mode: Mode,
    fuel: Fuel,
}

impl Mixed {
    /// Runs a method on the loaded state: translates, executes, and translates back, whether it returns or throws.
    pub(crate) fn run(
        &mut self,
        code: &dyn for<'a> Runs<Run<'a>>,
        method: usize,
        arguments: &[i32],
        mode: Mode,
        (tracked, counters): (&mut Tracked, &mut Counters),
    ) -> Result<i32, Fault> {
        self.objects.clear();
        self.native_of.clear();
        self.native_of.resize(tracked.heap.cells.len(), 0);
        let mut run = Run { mixed: self, tracked, counters, mode, fuel: Fuel::default() };
        let root = run.shell(ROOT);
        if mode == Mode::Eager {
            run.translate_all();
        }
        let result = code.run_on(&mut run, method, root, arguments);
        run.write_back()?;
        result
    }
}

impl Run<'_> {
    /// The native object of a cell: a shell, if it is met first.
    fn shell(&mut self, cell: i32) -> i32 {
        if cell == 0 {
            return 0;
        }
        let known = self.mixed.native_of[cell as usize];
        if known != 0 {
            return known as i32;
        }
        let header = self.tracked.heap.cells[cell as usize];
        let size = self.tracked.classes.size(header);
        let (fields, flags) = (vec![0; size], vec![0; size]);
        self.mixed.objects.push(Native { header, cell, fields, flags });
        let native = self.mixed.objects.len();
        self.mixed.native_of[cell as usize] = native as u32;
        native as i32
    }

    /// Translates all that is reachable: shells that are made on the way are appended to the list.
    fn translate_all(&mut self) {
        let mut at = 0;
        while at < self.mixed.objects.len() {
            for field in 0..self.mixed.objects[at].fields.len() {
                self.translate(at, field);
            }
            at += 1;
        }
    }

    /// Translates a field of an object that has a cell.
    fn translate(&mut self, at: usize, field: usize) {
        let Native { header, cell, .. } = self.mixed.objects[at];
        let mut value = self.tracked.heap.cells[cell as usize + 1 + field];
        if self.tracked.classes.is_reference(header, field) {
            value = self.shell(value);
        }
        let object = &mut self.mixed.objects[at];
        object.fields[field] = value;
        object.flags[field] |= TRANSLATED;
        self.counters.translated += 1;
    }

    /// Writes translated fields back; with `LazyDirty`, only written ones.
    ///
    /// All objects are written back, not only those that flagged fields lead to: an object may have been reached by a
    /// reference that the call then removed, and still be reachable by one that it never read.
    fn write_back(&mut self) -> Result<(), Fault> {
        for at in 0..self.mixed.objects.len() {
            let Native { header, cell, ref fields, .. } = self.mixed.objects[at];
            if cell == 0 {
                let length =
                    if self.tracked.classes.is_array(class_of(header)) { fields.len() } else { 0 };
                let class = class_of(header);
                let classes = &self.tracked.classes;
                self.mixed.objects[at].cell = self.tracked.heap.allocate(class, length, classes);
            }
        }
        let due = if self.mode == Mode::LazyDirty { WRITTEN } else { TRANSLATED };
        for object in &self.mixed.objects {
            for (field, &flags) in object.flags.iter().enumerate() {
                if flags & due == 0 {
                    continue;
                }
                let is_reference = self.tracked.classes.is_reference(object.header, field);
                let value = match object.fields[field] {
                    native if is_reference && native != 0 => {
                        self.mixed.objects[native as usize - 1].cell
                    }
                    value => value,
                };
                self.counters.written_back += 1;
                self.tracked.heap.write(object.cell, field, is_reference, value)?;
            }
        }
        Ok(())
    }

    fn object(&self, object: i32) -> Result<usize, Fault> {
        if object == 0 { Err(Reason::Null.into()) } else { Ok(object as usize - 1) }
    }

    fn make(&mut self, class: usize, length: usize) -> Result<i32, Fault> {
        let header = header(class, length);
        let size = if self.tracked.classes.is_array(class) {
            length
        } else {
            self.tracked.classes.size(header)
        };
        self.fuel.allocate(size)?;
        let (fields, flags) = (vec![0; size], vec![TRANSLATED; size]);
        self.mixed.objects.push(Native { header, cell: 0, fields, flags });
        Ok(self.mixed.objects.len() as i32)
    }

    fn get(&mut self, at: usize, field: usize) -> i32 {
        if self.mixed.objects[at].flags[field] & TRANSLATED == 0 {
            self.translate(at, field);
        }
        self.mixed.objects[at].fields[field]
    }

    fn set(&mut self, at: usize, field: usize, value: i32) {
        let object = &mut self.mixed.objects[at];
        object.fields[field] = value;
        object.flags[field] |= TRANSLATED | WRITTEN;
    }

    fn index(&self, array: i32, index: i32) -> Result<(usize, usize), Fault> {
        let at = self.object(array)?;
        match usize::try_from(index) {
            Ok(index) if index < length_of(self.mixed.objects[at].header) => Ok((at, index)),
            _ => Err(Reason::Index.into()),
        }
    }

    fn has_class(&self, object: i32, class: usize) -> bool {
        object != 0 && class_of(self.mixed.objects[object as usize - 1].header) == class
    }
}

impl Machine for Run<'_> {
    type Value = i32;

    fn constant(&mut self, value: i32) -> i32 {
        value
    }

    fn read(&mut self, object: i32, member: Member) -> Result<i32, Fault> {
        let at = self.object(object)?;
        Ok(self.get(at, member.at))
    }

    fn write(&mut self, object: i32, member: Member, value: i32) -> Result<(), Fault> {
        let at = self.object(object)?;
        self.set(at, member.at, value);
        Ok(())
    }

    fn length(&mut self, array: i32) -> Result<i32, Fault> {
        let at = self.object(array)?;
        Ok(length_of(self.mixed.objects[at].header) as i32)
    }

    fn element(&mut self, array: i32, index: i32, _: bool) -> Result<i32, Fault> {
        let (at, index) = self.index(array, index)?;
        Ok(self.get(at, index))
    }

    fn set_element(&mut self, array: i32, index: i32, _: bool, value: i32) -> Result<(), Fault> {
        let (at, index) = self.index(array, index)?;
        self.set(at, index, value);
        Ok(())
    }

    fn allocate(&mut self, class: usize) -> Result<i32, Fault> {
        self.make(class, 0)
    }

    fn allocate_array(&mut self, class: usize, length: i32) -> Result<i32, Fault> {
        let length = usize::try_from(length).map_err(|_| Reason::Index)?;
        self.make(class, length)
    }

    fn compute(&mut self, operator: Operator, left: i32, right: i32) -> Result<i32, Fault> {
        operator.apply(left, right).ok_or_else(|| Reason::Overflow.into())
    }

    fn compare(&mut self, comparison: Comparison, left: i32, right: i32) -> i32 {
        comparison.holds(left, right).into()
    }

    fn test(
        &mut self,
        site: usize,
        comparison: Comparison,
        left: i32,
        right: i32,
    ) -> Result<bool, Fault> {
        let holds = comparison.holds(left, right);
        self.tracked.coverage.note(site, holds, 1);
        Ok(holds)
    }

    fn is(&mut self, site: usize, object: i32, class: usize) -> Result<bool, Fault> {
        let holds = self.has_class(object, class);
        self.tracked.coverage.note(site, holds, 1);
        Ok(holds)
    }

    fn cast(&mut self, object: i32, class: usize) -> Result<i32, Fault> {
        let fits = object == 0 || self.has_class(object, class);
        if fits { Ok(object) } else { Err(Reason::Cast.into()) }
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
