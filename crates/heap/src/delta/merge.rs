//! `Merged`: states of different shapes as one delta-state, with objects shared where their walks agree.

use crate::{
    Counters,
    classes::{Classes, class_of, length_of},
    layout::{Layout, shape_of},
    shapes::{Shapes, Template},
};

/// The content of a field of a merged object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The same in all states that have the object.
    Known(i32),
    /// What each state had before the call.
    Before,
    /// What was written for each state.
    Column(u32),
}

/// An object of many states.
pub(crate) struct Object {
    pub(crate) header: i32,
    /// The shapes that have the object, by their places, and the cell of its header in each. Empty for an object that
    /// the call allocated.
    members: Vec<(u32, u16)>,
    pub(crate) fields: Vec<Field>,
}

impl Object {
    pub(crate) fn new(header: i32, classes: &Classes) -> Self {
        Self { header, members: Vec::new(), fields: vec![Field::Known(0); classes.size(header)] }
    }

    /// The cell of its header in a shape.
    fn cell_in(&self, shape: u32) -> Option<usize> {
        let found = self.members.binary_search_by_key(&shape, |&(shape, _)| shape);
        found.ok().map(|at| self.members[at].1.into())
    }
}

/// Where the data of a field are, or what it refers to, in the states of one shape.
#[derive(Clone, Copy)]
pub(crate) enum Origin {
    Datum {
        word: usize,
        shift: u32,
    },
    Reference(i32),
    /// The object does not exist there.
    Nowhere,
}

/// States as one delta-state. References are places of objects plus one; the root is 1.
#[derive(Default)]
pub(crate) struct Merged {
    pub(crate) objects: Vec<Object>,
    pub(crate) layout: Option<Layout>,
    /// The rows of the states.
    pub(crate) rows: Vec<u64>,
    /// The place of the shape of each state.
    pub(crate) shape_at: Vec<u32>,
    templates: Vec<Template>,
    /// The first state of each shape, and the end.
    starts: Vec<u32>,
    /// By shape and cell: the object plus one.
    object_of: Vec<Vec<u32>>,
}

impl Merged {
    /// Merges states that come sorted by shape.
    pub(crate) fn merge<'a>(
        &mut self,
        layout: Layout,
        rows: impl Iterator<Item = &'a [u64]>,
        classes: &Classes,
        shapes: &Shapes,
        counters: &mut Counters,
    ) {
        *self = Self { layout: Some(layout), ..Self::default() };
        let mut last = None;
        for row in rows {
            let shape = shape_of(row);
            if last != Some(shape) {
                last = Some(shape);
                let mut template = Template::default();
                template.lay_out(shape, shapes.tokens(shape), classes).expect("shapes are sound");
                self.object_of.push(vec![0; template.cells.len()]);
                self.templates.push(template);
                self.starts.push(self.shape_at.len() as u32);
            }
            self.shape_at.push(self.templates.len() as u32 - 1);
            self.rows.extend_from_slice(row);
        }
        self.starts.push(self.shape_at.len() as u32);
        let all = (0..self.templates.len() as u32).map(|shape| (shape, 1)).collect();
        self.create(all, classes);
        self.find_constants(classes, counters);
    }

    /// Creates one object for all shapes that have it, with all that it refers to.
    fn create(&mut self, members: Vec<(u32, u16)>, classes: &Classes) -> i32 {
        let (shape, cell) = members[0];
        let header = self.templates[shape as usize].cells[usize::from(cell)];
        let size = classes.size(header);
        for &(shape, cell) in &members {
            self.object_of[shape as usize][usize::from(cell)] = self.objects.len() as u32 + 1;
        }
        let made = self.objects.len();
        let fields = vec![Field::Before; size];
        self.objects.push(Object { header, members: members.clone(), fields });
        for field in (0..size).filter(|&field| classes.is_reference(header, field)) {
            // Shapes in which this reference leads to an object that was not met: one new object for all of them with
            // the same class and length.
            let mut new: Vec<(i32, Vec<(u32, u16)>)> = Vec::new();
            for &(shape, cell) in &members {
                let cells = &self.templates[shape as usize].cells;
                let target = cells[usize::from(cell) + 1 + field];
                if target == 0 || self.object_of[shape as usize][target as usize] != 0 {
                    continue;
                }
                let header = cells[target as usize];
                match new.iter_mut().find(|(known, _)| *known == header) {
                    Some((_, group)) => group.push((shape, target as u16)),
                    None => new.push((header, vec![(shape, target as u16)])),
                }
            }
            for (_, group) in new {
                self.create(group, classes);
            }
        }
        made as i32 + 1
    }

    /// Marks the fields that are the same in all states that have the object.
    fn find_constants(&mut self, classes: &Classes, counters: &mut Counters) {
        for at in 0..self.objects.len() {
            let size = classes.size(self.objects[at].header);
            for field in 0..size {
                let value = self.common(at, field);
                counters.merged_fields += 1;
                if let Some(value) = value {
                    counters.merged_constants += 1;
                    self.objects[at].fields[field] = Field::Known(value);
                }
            }
        }
    }

    /// The value of a field, if all states that have the object agree.
    fn common(&self, object: usize, field: usize) -> Option<i32> {
        let mut common = None;
        for &(shape, _) in &self.objects[object].members {
            let states = self.starts[shape as usize]..self.starts[shape as usize + 1];
            let origin = self.origin(object, field, shape);
            let states = if matches!(origin, Origin::Datum { .. }) {
                states
            } else {
                states.start..states.start + 1
            };
            for state in states {
                let value = self.value(origin, state);
                if *common.get_or_insert(value) != value {
                    return None;
                }
            }
        }
        common
    }

    /// Where a field comes from in the states of a shape.
    pub(crate) fn origin(&self, object: usize, field: usize, shape: u32) -> Origin {
        let Some(cell) = self.objects[object].cell_in(shape) else { return Origin::Nowhere };
        let template = &self.templates[shape as usize];
        let cell = cell + 1 + field;
        let target = template.cells[cell];
        let slot = usize::from(template.slot_of[cell]);
        if template.data.get(slot).is_some_and(|&datum| usize::from(datum) == cell) {
            let (word, shift) = self.layout.expect("states are merged").place(slot);
            return Origin::Datum { word, shift };
        }
        Origin::Reference(match target {
            0 => 0,
            target => self.object_of[shape as usize][target as usize] as i32,
        })
    }

    /// The value of a field in a state.
    #[inline(always)]
    pub(crate) fn value(&self, origin: Origin, state: u32) -> i32 {
        match origin {
            Origin::Datum { word, shift } => {
                let layout = self.layout.expect("states are merged");
                (self.rows[state as usize * layout.words + word] >> shift & layout.mask()) as u32
                    as i32
            }
            Origin::Reference(object) => object,
            Origin::Nowhere => 0,
        }
    }

    /// The class of an object.
    pub(crate) fn class(&self, reference: i32) -> usize {
        class_of(self.objects[reference as usize - 1].header)
    }

    /// The length of an array.
    pub(crate) fn length(&self, reference: i32) -> usize {
        length_of(self.objects[reference as usize - 1].header)
    }
}
