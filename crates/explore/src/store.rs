//! The visited states, exact.

use crate::StateId;

/// The visited states.
///
/// They are kept by the upper half of a state, which a space uses for what neighbouring states
/// share: successors of a group of states then fall into few small tables, which stay in the
/// cache. Against one large hash table this is 1.15 times as fast on ARQ to depth 45. A state costs
/// 5 to 11 bytes.
#[derive(Default)]
pub(crate) struct Store {
    buckets: Vec<Bucket>,
    /// Bytes in the tables of buckets.
    table_bytes: usize,
}

impl Store {
    /// Adds a state; whether it is new.
    pub(crate) fn insert(&mut self, state: StateId) -> bool {
        let (upper, lower) = ((state.0 >> 32) as usize, state.0 as u32);
        if upper >= self.buckets.len() {
            self.buckets.resize_with(upper + 1, Bucket::default);
        }
        let bucket = &mut self.buckets[upper];
        let before = bucket.bytes();
        let new = bucket.insert(lower);
        if new {
            self.table_bytes += bucket.bytes() - before;
        }
        new
    }

    pub(crate) fn bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>() + self.table_bytes
    }
}

/// How many numbers fit into a bucket without a table.
const FEW: usize = 5;

/// A set of numbers: a few in place, more in a table.
enum Bucket {
    Few { len: u8, numbers: [u32; FEW] },
    Many(Box<Table>),
}

impl Default for Bucket {
    fn default() -> Self {
        Self::Few { len: 0, numbers: [0; FEW] }
    }
}

impl Bucket {
    fn insert(&mut self, number: u32) -> bool {
        match self {
            Self::Many(table) => table.insert(number),
            Self::Few { len, numbers } => {
                let known = &numbers[..usize::from(*len)];
                if known.contains(&number) {
                    return false;
                }
                if usize::from(*len) < FEW {
                    numbers[usize::from(*len)] = number;
                    *len += 1;
                } else {
                    let mut table = Box::<Table>::default();
                    for &known in known {
                        table.insert(known);
                    }
                    table.insert(number);
                    *self = Self::Many(table);
                }
                true
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Few { .. } => 0,
            Self::Many(table) => size_of::<Table>() + table.slots.capacity() * size_of::<u32>(),
        }
    }
}

/// A set of numbers by open addressing, at most three quarters full.
#[derive(Default)]
struct Table {
    /// The numbers, and [`EMPTY`] between them; a power of two of slots.
    slots: Vec<u32>,
    len: usize,
    /// Whether the one number that looks like an empty slot is in the set.
    has_empty: bool,
}

const EMPTY: u32 = u32::MAX;
const SLOTS_MIN: usize = 16;

impl Table {
    fn insert(&mut self, number: u32) -> bool {
        if number == EMPTY {
            return !std::mem::replace(&mut self.has_empty, true);
        }
        if self.len >= self.slots.len() / 4 * 3 {
            self.grow();
        }
        let slot = self.find(number);
        let new = self.slots[slot] == EMPTY;
        if new {
            self.slots[slot] = number;
            self.len += 1;
        }
        new
    }

    /// The slot of a number, or the empty one where it belongs.
    fn find(&self, number: u32) -> usize {
        let mask = self.slots.len() - 1;
        // The golden ratio spreads numbers that follow each other evenly over the upper bits.
        let hash = number.wrapping_mul(0x9e37_79b9);
        let mut slot = ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize;
        while self.slots[slot] != number && self.slots[slot] != EMPTY {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(SLOTS_MIN);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; slots]);
        for number in old.into_iter().filter(|&number| number != EMPTY) {
            let slot = self.find(number);
            self.slots[slot] = number;
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
