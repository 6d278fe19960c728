//! A cache of recent results, of bounded size.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

/// A cache from pairs of numbers to numbers, in bounded memory. New entries replace old ones.
#[derive(Default)]
pub(crate) struct RecentPairs {
    /// By the hash of a pair; the length is a power of two, or 0 at first.
    places: Vec<((u32, u32), u32)>,
    /// How many pairs were stored since the last growth.
    remembered: usize,
}

/// A pair that is never looked up.
const NO_PAIR: (u32, u32) = (u32::MAX, u32::MAX);
/// How many pairs are stored at first and at most; powers of two.
const PAIRS_MIN: usize = 1 << 6;
const PAIRS_MAX: usize = 1 << 16;

impl RecentPairs {
    /// The number of a pair, if it is stored.
    pub(crate) fn get(&self, pair: (u32, u32)) -> Option<u32> {
        let &(known, number) = self.places.get(self.place(pair))?;
        (known == pair).then_some(number)
    }

    /// Stores the number of a pair.
    pub(crate) fn put(&mut self, pair: (u32, u32), number: u32) {
        if self.remembered >= self.places.len() && self.places.len() < PAIRS_MAX {
            let places = (self.places.len() * 2).max(PAIRS_MIN);
            for (pair, number) in std::mem::replace(&mut self.places, vec![(NO_PAIR, 0); places]) {
                let place = self.place(pair);
                self.places[place] = (pair, number);
            }
        }
        let place = self.place(pair);
        self.places[place] = (pair, number);
        self.remembered += 1;
    }

    fn place(&self, pair: (u32, u32)) -> usize {
        // The upper bits of the hash are better mixed.
        (FxBuildHasher.hash_one(pair) >> 32) as usize & self.places.len().saturating_sub(1)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<((u32, u32), u32)>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_remembered_of_pairs_is_true(pairs in prop::collection::vec((0..100u32, 0..100u32), 0..3000)) {
            let mut recent = RecentPairs::default();
            for (one, other) in pairs {
                let known = recent.get((one, other));
                prop_assert!(known.is_none_or(|known| known == one * 1000 + other));
                recent.put((one, other), one * 1000 + other);
                prop_assert_eq!(recent.get((one, other)), Some(one * 1000 + other));
            }
        }
    }
}
