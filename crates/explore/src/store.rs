//! The visited states, exact.

use crate::{StateId, compact_set::CompactSet};

/// The visited states.
///
/// They are kept by the upper half of a state, which a space uses for what neighbouring states
/// share: successors of a group of states then fall into few small sets, which stay in the cache.
/// Against one large hash table this is 1.15 times as fast on ARQ to depth 45. A state costs about
/// 3.4 bytes.
#[derive(Default)]
pub(crate) struct Store {
    buckets: Vec<Bucket>,
    /// Bytes in the sets of buckets.
    set_bytes: usize,
}

impl Store {
    /// Adds a state; whether it is new.
    pub(crate) fn insert(&mut self, state: StateId) -> bool {
        let (upper, lower) = ((state.0 >> 32) as usize, state.0 as u32);
        if upper >= self.buckets.len() {
            self.buckets.resize_with(upper + 1, Bucket::default);
        }
        self.buckets[upper].insert(lower, &mut self.set_bytes)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>() + self.set_bytes
    }
}

/// How many numbers fit into a bucket without a table.
const FEW: usize = 5;

/// A set of numbers: a few in place, more in a table.
enum Bucket {
    Few { len: u8, numbers: [u32; FEW] },
    Many(Box<CompactSet>),
}

impl Default for Bucket {
    fn default() -> Self {
        Self::Few { len: 0, numbers: [0; FEW] }
    }
}

impl Bucket {
    /// Adds a number; whether it is new. Keeps count of the bytes that all buckets have allocated.
    fn insert(&mut self, number: u32, bytes: &mut usize) -> bool {
        match self {
            Self::Many(set) => {
                let before = set.bytes();
                let new = set.insert(number);
                *bytes = *bytes + set.bytes() - before;
                new
            }
            Self::Few { len, numbers } => {
                let known = &numbers[..usize::from(*len)];
                if known.contains(&number) {
                    return false;
                }
                if usize::from(*len) < FEW {
                    numbers[usize::from(*len)] = number;
                    *len += 1;
                } else {
                    let mut set = Box::<CompactSet>::default();
                    for &number in known.iter().chain([&number]) {
                        set.insert(number);
                    }
                    *bytes += size_of::<CompactSet>() + set.bytes();
                    *self = Self::Many(set);
                }
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_state_is_new_once(states in prop::collection::vec((0..3u64, 0..400u64), 0..2000)) {
            let mut store = Store::default();
            let mut known = HashSet::new();
            // Both ends of the numbers, so that the one that marks an empty slot is among them.
            for (upper, lower) in states {
                for lower in [lower, u64::from(u32::MAX) - lower] {
                    let state = StateId(upper << 32 | lower);
                    prop_assert_eq!(store.insert(state), known.insert(state));
                }
            }
        }
    }
}
