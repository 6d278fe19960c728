//! `Tracked`: calls are executed on the cells of one state, and undone.

use crate::{
    Comparison, Fault, Machine, Member, Operator, Reason,
    cells::Cells,
    classes::{Classes, header, length_of},
    coverage::Coverage,
    layout::Layout,
    machine::Fuel,
    outline::Runs,
    shapes::{ROOT, Template},
};

/// The machine of one state.
pub(crate) struct Tracked {
    pub(crate) heap: Cells<i32>,
    pub(crate) classes: Classes,
    pub(crate) coverage: Coverage,
    /// What the last `fail` or `throw` said.
    pub(crate) said: &'static str,
    fuel: Fuel,
}

impl Tracked {
    pub(crate) fn new(classes: &Classes, sites: usize) -> Self {
        let (classes, coverage) = (classes.clone(), Coverage::new(sites));
        Self { heap: Cells::default(), classes, coverage, said: "", fuel: Fuel::default() }
    }

    /// Loads a state.
    #[inline]
    pub(crate) fn load(&mut self, template: &Template, layout: Layout, row: &[u64]) {
        self.heap.load(template);
        for (slot, &cell) in template.data.iter().enumerate() {
            self.heap.cells[usize::from(cell)] = layout.get(row, slot);
        }
    }

    /// Runs a method on the root.
    #[inline]
    pub(crate) fn run(
        &mut self,
        code: &dyn Runs<Self>,
        method: usize,
        arguments: &[i32],
    ) -> Result<i32, Fault> {
        self.fuel = Fuel::default();
        code.run_on(self, method, ROOT, arguments)
    }
}

impl Machine for Tracked {
    type Value = i32;

    #[inline(always)]
    fn constant(&mut self, value: i32) -> i32 {
        value
    }

    #[inline(always)]
    fn read(&mut self, object: i32, member: Member) -> Result<i32, Fault> {
        self.heap.read(object, member.at)
    }

    #[inline(always)]
    fn write(&mut self, object: i32, member: Member, value: i32) -> Result<(), Fault> {
        self.heap.write(object, member.at, member.is_reference, value)
    }

    #[inline(always)]
    fn length(&mut self, array: i32) -> Result<i32, Fault> {
        Ok(length_of(self.heap.header(array)?) as i32)
    }

    #[inline(always)]
    fn element(&mut self, array: i32, index: i32, _: bool) -> Result<i32, Fault> {
        let index = self.heap.element(array, index)?;
        self.heap.read(array, index)
    }

    #[inline(always)]
    fn set_element(
        &mut self,
        array: i32,
        index: i32,
        is_reference: bool,
        value: i32,
    ) -> Result<(), Fault> {
        let index = self.heap.element(array, index)?;
        self.heap.write(array, index, is_reference, value)
    }

    #[inline]
    fn allocate(&mut self, class: usize) -> Result<i32, Fault> {
        self.fuel.allocate(self.classes.size(header(class, 0)))?;
        Ok(self.heap.allocate(class, 0, &self.classes))
    }

    #[inline]
    fn allocate_array(&mut self, class: usize, length: i32) -> Result<i32, Fault> {
        let length = usize::try_from(length).map_err(|_| Reason::Index)?;
        self.fuel.allocate(length)?;
        Ok(self.heap.allocate(class, length, &self.classes))
    }

    #[inline(always)]
    fn compute(&mut self, operator: Operator, left: i32, right: i32) -> Result<i32, Fault> {
        operator.apply(left, right).ok_or_else(|| Reason::Overflow.into())
    }

    #[inline(always)]
    fn compare(&mut self, comparison: Comparison, left: i32, right: i32) -> i32 {
        comparison.holds(left, right).into()
    }

    #[inline(always)]
    fn test(
        &mut self,
        site: usize,
        comparison: Comparison,
        left: i32,
        right: i32,
    ) -> Result<bool, Fault> {
        let holds = comparison.holds(left, right);
        self.coverage.note(site, holds, 1);
        Ok(holds)
    }

    #[inline]
    fn is(&mut self, site: usize, object: i32, class: usize) -> Result<bool, Fault> {
        let holds = self.heap.is(object, class);
        self.coverage.note(site, holds, 1);
        Ok(holds)
    }

    #[inline]
    fn cast(&mut self, object: i32, class: usize) -> Result<i32, Fault> {
        if object == 0 || self.heap.is(object, class) {
            return Ok(object);
        }
        Err(Reason::Cast.into())
    }

    #[inline(always)]
    fn step(&mut self) -> Result<(), Fault> {
        self.fuel.step()
    }

    #[inline(always)]
    fn enter(&mut self) -> Result<(), Fault> {
        self.fuel.enter()
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.fuel.leave();
    }

    #[cold]
    fn say(&mut self, text: &'static str) {
        self.said = text;
    }
}
