//! Classes as machines need them: sizes, and which cells hold references.

use crate::{Class, Kind, Outline};

/// The largest number of fields of a class: one bit each says whether it holds a reference.
pub(crate) const FIELDS_MAX: usize = 64;
/// The largest number of classes: a header has eight bits for the class.
pub(crate) const CLASSES_MAX: usize = 256;

/// A class, reduced to what machines need.
#[derive(Clone, Copy, Debug)]
struct Plan {
    fields: u32,
    /// A bit for each field; all bits for an array of references.
    references: u64,
    is_array: bool,
}

/// All classes of a subject.
#[derive(Clone, Debug)]
pub(crate) struct Classes(Vec<Plan>);

/// The header of an object: its class, and the length of an array.
pub(crate) fn header(class: usize, length: usize) -> i32 {
    (class | length << 8) as i32
}

/// The class in a header.
#[inline(always)]
pub(crate) fn class_of(header: i32) -> usize {
    (header & 0xff) as usize
}

/// The length in the header of an array.
#[inline(always)]
pub(crate) fn length_of(header: i32) -> usize {
    (header >> 8) as usize
}

impl Classes {
    pub(crate) fn new(outline: &Outline) -> Self {
        let plan = |class: &Class| {
            let bit =
                |(at, (_, kind)): (usize, &(String, Kind))| u64::from(kind.is_reference()) << at;
            let references = match class.element {
                Some(Kind::Reference) => u64::MAX,
                Some(_) => 0,
                None => class.fields.iter().enumerate().map(bit).sum(),
            };
            let fields = class.fields.len() as u32;
            Plan { fields, references, is_array: class.element.is_some() }
        };
        Self(outline.classes.iter().map(plan).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many fields or elements an object has.
    #[inline(always)]
    pub(crate) fn size(&self, header: i32) -> usize {
        let plan = &self.0[class_of(header)];
        if plan.is_array { length_of(header) } else { plan.fields as usize }
    }

    /// Whether a class is one of arrays.
    #[inline(always)]
    pub(crate) fn is_array(&self, class: usize) -> bool {
        self.0[class].is_array
    }

    /// Which of its fields are references, as bits; of an array, all or none.
    #[inline(always)]
    pub(crate) fn references(&self, class: usize) -> u64 {
        self.0[class].references
    }

    /// Whether a field or element of an object holds a reference.
    #[inline(always)]
    pub(crate) fn is_reference(&self, header: i32, at: usize) -> bool {
        self.0[class_of(header)].references >> (at & 63) & 1 == 1
    }
}
