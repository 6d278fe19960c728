//! States and calls as bytes that mean the same in every process.

use everypath_explore::{EventId, Portable, StateId};
use thiserror::Error;

use super::{FAULT_SHAPE, SubjectSpace};
use crate::{
    Reason,
    classes::{Classes, header},
    shapes::push_object,
};

/// Bytes that are not a state of a space.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_explore::{Portable, Space};
/// use everypath_heap::{BytesError, Settings, SubjectSpace};
///
/// let mut space = SubjectSpace::new(stack::stack::Code, &Settings::new(3)).unwrap();
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// let bytes = space.encode(initial[0]);
/// assert_eq!(space.decode(&bytes), Ok(initial[0]));
/// assert_eq!(space.decode(&bytes[1..]), Err(BytesError));
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("these bytes are not a state of this subject")]
pub struct BytesError;

/// Reads the walk over a heap.
struct Reader<'a> {
    walk: std::slice::Iter<'a, i32>,
    classes: &'a Classes,
    tokens: Vec<u16>,
    values: Vec<i32>,
    met: i32,
}

impl Reader<'_> {
    fn object(&mut self, depth: u32) -> Option<()> {
        self.met += 1;
        let class =
            usize::try_from(*self.walk.next()?).ok().filter(|&it| it < self.classes.len())?;
        let length =
            if self.classes.is_array(class) { u16::try_from(*self.walk.next()?).ok()? } else { 0 };
        let header = header(class, length.into());
        push_object(&mut self.tokens, header, self.classes);
        for field in 0..self.classes.size(header) {
            let value = *self.walk.next()?;
            if !self.classes.is_reference(header, field) {
                self.values.push(value);
                continue;
            }
            self.tokens.push(u16::try_from(value).ok()?);
            if value == self.met + 1 {
                // A heap that was walked is not deeper than it has cells, but these are bytes.
                self.object(depth.checked_sub(1)?)?;
            } else if value > self.met {
                return None;
            }
        }
        Some(())
    }
}

/// How deep a heap in bytes may be nested.
const DEPTH_MAX: u32 = 10_000;

impl SubjectSpace {
    fn read(&mut self, walk: &[i32]) -> Option<StateId> {
        if let [-1, reason, method] = *walk {
            let known = usize::try_from(reason).ok()? < Reason::ALL.len()
                && usize::try_from(method).ok()? <= self.outline.methods.len();
            return known.then(|| self.intern_values(FAULT_SHAPE, &[reason, method]));
        }
        let (tokens, values) = (Vec::new(), Vec::new());
        let mut reader =
            Reader { walk: walk.iter(), classes: &self.tables.classes, tokens, values, met: 0 };
        if walk.first() != Some(&0) {
            return None;
        }
        reader.object(DEPTH_MAX)?;
        let Reader { mut walk, tokens, values, .. } = reader;
        if walk.next().is_some() || values.len() > usize::from(u16::MAX) {
            return None;
        }
        let shape = self.tables.shapes.intern(&tokens, values.len());
        Some(self.intern_values(shape, &values))
    }
}

impl Portable for SubjectSpace {
    type DecodeError = BytesError;

    fn encode(&self, state: StateId) -> Vec<u8> {
        self.linearised(state).into_iter().flat_map(i32::to_le_bytes).collect()
    }

    fn decode(&mut self, bytes: &[u8]) -> Result<StateId, BytesError> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        let walk: Vec<i32> = numbers.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect();
        if rest.is_empty() { self.read(&walk).ok_or(BytesError) } else { Err(BytesError) }
    }

    fn encode_event(&self, _: StateId, event: EventId) -> Vec<u8> {
        self.call_text(&self.calls[event.0 as usize]).into_bytes()
    }
}
