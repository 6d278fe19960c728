//! The visited states, exact.

use crate::{StateId, compact_set::CompactSet, frugal};

/// The visited states.
///
/// They are kept by the lower half of a state, which has mostly been seen with one upper half alone
/// or with few: so most look-ups are one access to a list, near to where the space has just looked
/// when it named the state. By the upper half, in hash tables, a search takes 1.2 times as long on
/// ARQ to depth 45.
#[derive(Default)]
pub(crate) struct Store {
    /// By lower half: the one upper half it was seen with, or where there are more.
    uppers: Vec<u32>,
    several: Vec<Bucket>,
    /// Bytes in the sets of buckets.
    set_bytes: usize,
}

/// A lower half that was not seen.
const UNSEEN: u32 = u32::MAX;
/// Marks the place of a bucket instead of an upper half.
const SEVERAL: u32 = 1 << 31;

impl Store {
    /// Adds a state; whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, state: StateId) -> bool {
        let (upper, lower) = ((state.0 >> 32) as u32, state.0 as u32 as usize);
        while lower >= self.uppers.len() {
            frugal::push(&mut self.uppers, UNSEEN);
        }
        let seen = self.uppers[lower];
        if seen == upper && upper < SEVERAL {
            return false;
        }
        if seen == UNSEEN && upper < SEVERAL {
            self.uppers[lower] = upper;
            return true;
        }
        if seen != UNSEEN && seen >= SEVERAL {
            return self.several[(seen - SEVERAL) as usize].insert(upper, &mut self.set_bytes);
        }
        self.open_bucket(lower, upper)
    }

    /// Adds the second upper half of a lower one, or one that cannot stand alone.
    fn open_bucket(&mut self, lower: usize, upper: u32) -> bool {
        let seen = self.uppers[lower];
        let place = u32::try_from(self.several.len()).expect("there are fewer than lower halves");
        let mut bucket = Bucket::default();
        if seen != UNSEEN {
            bucket.insert(seen, &mut self.set_bytes);
        }
        bucket.insert(upper, &mut self.set_bytes);
        frugal::push(&mut self.several, bucket);
        self.uppers[lower] = SEVERAL + place;
        true
    }

    pub(crate) fn bytes(&self) -> usize {
        self.uppers.capacity() * size_of::<u32>()
            + self.several.capacity() * size_of::<Bucket>()
            + self.set_bytes
    }
}

/// How many numbers fit into a bucket without a set: as many as the pointer to one leaves room for.
const FEW: usize = 3;

/// A set of numbers: a few in place, more in a set of their own.
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
    #[inline]
    fn insert(&mut self, number: u32, bytes: &mut usize) -> bool {
        match self {
            Self::Many(set) => set.insert(number, bytes),
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
                    *bytes += size_of::<CompactSet>() + set.bytes();
                    for &number in known.iter().chain([&number]) {
                        set.insert(number, bytes);
                    }
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
        fn a_state_is_new_once(states in prop::collection::vec((0..40u64, 0..100u64), 0..2000)) {
            let mut store = Store::default();
            let mut known = HashSet::new();
            // Both ends of the numbers, so that those that mark something else are among them.
            for (upper, lower) in states {
                for upper in [upper, u64::from(u32::MAX) - upper, (1 << 31) - 2 + upper] {
                    let state = StateId(upper << 32 | lower);
                    prop_assert_eq!(store.insert(state), known.insert(state));
                }
            }
        }
    }
}
