//! The states of one level, stored as differences.

use serde::{Deserialize, Serialize};

use crate::StateId;

/// Sorted states as differences, each in as few bytes as possible: two on ARQ instead of eight,
/// because states with an equal upper half are neighbours.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct PackedLevel {
    len: usize,
    bytes: Box<[u8]>,
}

impl PackedLevel {
    /// Packs sorted, distinct states.
    pub(crate) fn of(states: &[StateId]) -> Self {
        let mut bytes = Vec::with_capacity(states.len() * 2);
        let mut before = 0;
        for &StateId(state) in states {
            let mut difference = state - before;
            before = state;
            while difference >= 0x80 {
                bytes.push(difference as u8 | 0x80);
                difference >>= 7;
            }
            bytes.push(difference as u8);
        }
        Self { len: states.len(), bytes: bytes.into_boxed_slice() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.len() + size_of::<Self>()
    }

    /// The states, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = StateId> + '_ {
        let mut bytes = self.bytes.iter();
        let mut before = 0_u64;
        std::iter::from_fn(move || {
            let (mut difference, mut shift) = (0_u64, 0_u32);
            loop {
                let &byte = bytes.next()?;
                difference |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            before = before.wrapping_add(difference);
            Some(StateId(before))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_comes_out_again(states in prop::collection::btree_set(any::<u64>(), 0..200)) {
            let states: Vec<StateId> = states.into_iter().map(StateId).collect();
            let level = PackedLevel::of(&states);
            prop_assert_eq!(level.len(), states.len());
            prop_assert_eq!(level.iter().collect::<Vec<_>>(), states);
        }
    }
}
