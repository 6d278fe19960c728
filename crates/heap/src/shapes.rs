//! `Shapes`: the classes and references of states, without their data; and `Template`, a shape laid out in cells.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

use crate::classes::{Classes, class_of, header, length_of};

/// All shapes that were met.
///
/// A shape is the walk of `walk.rs` without the data: for each object its class and length where it
/// is met first, and for each reference the id of its object.
#[derive(Default)]
pub(crate) struct Shapes {
    tokens: Vec<u16>,
    /// Where each shape ends in `tokens`, and how many data it has.
    ends: Vec<(u32, u16)>,
    table: HashTable<u32>,
    /// The number by which searches know a shape: in the order in which states were numbered, which
    /// does not depend on the mode of execution.
    public: Vec<u32>,
    publics: u32,
}

/// A shape without a public number yet.
const HIDDEN: u32 = u32::MAX;

fn hash(tokens: &[u16]) -> u64 {
    let mut hasher = FxHasher::default();
    for chunk in tokens.chunks(4) {
        hasher.write_u64(chunk.iter().fold(0, |word, &token| word << 16 | u64::from(token)));
    }
    hasher.finish()
}

impl Shapes {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The walk of a shape.
    pub(crate) fn tokens(&self, shape: u32) -> &[u16] {
        tokens_of(&self.tokens, &self.ends, shape)
    }

    /// How many data a shape has.
    #[inline]
    pub(crate) fn slots(&self, shape: u32) -> usize {
        self.ends[shape as usize].1.into()
    }

    /// The id of a shape.
    pub(crate) fn intern(&mut self, tokens: &[u16], slots: usize) -> u32 {
        let Self { tokens: all, ends, table, public, .. } = self;
        let hash_of = |&shape: &u32| hash(tokens_of(all, ends, shape));
        let is_same = |&shape: &u32| tokens_of(all, ends, shape) == tokens;
        if let Some(&shape) = table.find(hash(tokens), is_same) {
            return shape;
        }
        let shape = ends.len() as u32;
        table.reserve(1, hash_of);
        all.extend_from_slice(tokens);
        ends.push((all.len() as u32, slots as u16));
        public.push(HIDDEN);
        let (all, ends) = (&*all, &*ends);
        table.insert_unique(hash(tokens), shape, |&shape| hash(tokens_of(all, ends, shape)));
        shape
    }

    /// The number of a shape for searches.
    #[inline(always)]
    pub(crate) fn public(&mut self, shape: u32) -> u32 {
        let public = &mut self.public[shape as usize];
        if *public == HIDDEN {
            *public = self.publics;
            self.publics += 1;
        }
        *public
    }

    /// The number of a shape for searches, if it has one.
    pub(crate) fn known_public(&self, shape: u32) -> Option<u32> {
        self.public.get(shape as usize).copied().filter(|&public| public != HIDDEN)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tokens.capacity() * 2
            + self.ends.capacity() * 8
            + self.table.capacity() * 5
            + self.public.capacity() * 4
    }
}

fn tokens_of<'a>(tokens: &'a [u16], ends: &[(u32, u16)], shape: u32) -> &'a [u16] {
    let shape = shape as usize;
    let start = if shape == 0 { 0 } else { ends[shape - 1].0 };
    &tokens[start as usize..ends[shape].0 as usize]
}

/// A shape laid out in cells: a header for each object, then its fields. Cell 0 is null.
#[derive(Clone, Debug, Default)]
pub(crate) struct Template {
    pub(crate) shape: u32,
    /// Headers and references; data are 0.
    pub(crate) cells: Vec<i32>,
    /// The cell of each datum.
    pub(crate) data: Vec<u16>,
    /// The datum of each cell, for those that have one.
    pub(crate) slot_of: Vec<u16>,
    /// The cell of the header of each object, by id; the first one is null.
    pub(crate) objects: Vec<u16>,
}

/// The cell of the root.
pub(crate) const ROOT: i32 = 1;
/// The class token of the shape of faults, which is not a class.
pub(crate) const FAULT: u16 = u16::MAX;

impl Template {
    /// Lays out a shape. `None` if the tokens are not a shape.
    pub(crate) fn lay_out(&mut self, shape: u32, tokens: &[u16], classes: &Classes) -> Option<()> {
        self.shape = shape;
        self.cells.clear();
        self.data.clear();
        self.slot_of.clear();
        self.objects.clear();
        self.cells.push(0);
        self.slot_of.push(0);
        self.objects.push(0);
        let mut tokens = tokens.iter().copied();
        let mut open = vec![self.object(&mut tokens, classes)?];
        while let Some(object) = open.last_mut() {
            if object.at == object.end {
                open.pop();
                continue;
            }
            let cell = object.at;
            object.at += 1;
            if !classes.is_reference(self.cells[object.header], cell - object.header - 1) {
                self.slot_of[cell] = self.data.len() as u16;
                self.data.push(cell as u16);
                continue;
            }
            let id = usize::from(tokens.next()?);
            if id == self.objects.len() {
                self.cells[cell] = self.cells.len() as i32;
                open.push(self.object(&mut tokens, classes)?);
            } else {
                self.cells[cell] = i32::from(*self.objects.get(id)?);
            }
        }
        tokens.next().is_none().then_some(())
    }

    /// Appends an object.
    fn object(
        &mut self,
        tokens: &mut impl Iterator<Item = u16>,
        classes: &Classes,
    ) -> Option<OpenObject> {
        let class = usize::from(tokens.next()?);
        if class >= classes.len() {
            return None;
        }
        let length = if classes.is_array(class) { usize::from(tokens.next()?) } else { 0 };
        let content = header(class, length);
        let header = self.cells.len();
        self.objects.push(header as u16);
        self.cells.push(content);
        let end = header + 1 + classes.size(content);
        if end > usize::from(u16::MAX) {
            return None;
        }
        self.cells.resize(end, 0);
        self.slot_of.resize(end, 0);
        Some(OpenObject { header, at: header + 1, end })
    }
}

/// An object whose fields are being laid out.
struct OpenObject {
    header: usize,
    at: usize,
    end: usize,
}

/// The tokens of an object where it is met first.
pub(crate) fn push_object(tokens: &mut Vec<u16>, header: i32, classes: &Classes) {
    tokens.push(class_of(header) as u16);
    if classes.is_array(class_of(header)) {
        tokens.push(length_of(header) as u16);
    }
}

/// What is saved of shapes.
pub(crate) struct SavedShapes {
    pub(crate) tokens: Vec<u16>,
    pub(crate) ends: Vec<(u32, u16)>,
    pub(crate) public: Vec<u32>,
}

impl Shapes {
    pub(crate) fn to_save(&self) -> (&[u16], &[(u32, u16)], &[u32]) {
        (&self.tokens, &self.ends, &self.public)
    }

    /// Restores shapes that were saved. `None` if they are damaged.
    pub(crate) fn restore(saved: &SavedShapes, classes: &Classes) -> Option<Self> {
        let mut shapes = Self::default();
        let (mut start, mut template) = (0, Template::default());
        for (at, &(end, slots)) in (0..).zip(&saved.ends) {
            let tokens = saved.tokens.get(start..end as usize)?;
            start = end as usize;
            let is_fault = tokens == [FAULT] && slots == 2;
            if !is_fault {
                template.lay_out(at, tokens, classes)?;
            }
            let fits = is_fault || template.data.len() == usize::from(slots);
            if !fits || shapes.intern(tokens, slots.into()) != at {
                return None;
            }
        }
        let mut known: Vec<u32> = saved.public.iter().copied().filter(|&it| it != HIDDEN).collect();
        shapes.publics = known.len() as u32;
        known.sort_unstable();
        let are_numbered = known.into_iter().eq(0..shapes.publics);
        let fits = saved.public.len() == shapes.len() && start == saved.tokens.len();
        shapes.public.clone_from(&saved.public);
        (fits && are_numbered).then_some(shapes)
    }
}
