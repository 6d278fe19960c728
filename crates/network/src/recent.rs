//! Memories of what was computed lately, which forget.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

/// Lists by number, of which the latest are remembered, in bounded memory. A list that was
/// forgotten must be computed again, so nothing but time may depend on what is remembered.
///
/// The lists are written one after the other around a ring, the newest over the oldest. Places in
/// the ring are counted on from lap to lap, so a place tells whether it was written over since.
pub(crate) struct Recent<T> {
    ring: Vec<T>,
    /// Where the next list begins, in all laps together.
    end: u64,
    /// By the last bits of a number: the list that was remembered last.
    index: Vec<Entry>,
    /// How many lists were remembered since the last growth.
    remembered: usize,
}

#[derive(Clone, Copy)]
struct Entry {
    start: u64,
    number: u32,
    len: u32,
}

impl Entry {
    const NONE: Self = Self { start: u64::MAX, number: 0, len: 0 };
}

/// How many lists are remembered at first and at most; powers of two.
const LISTS_MIN: usize = 1 << 6;
const LISTS_MAX: usize = 1 << 14;
/// How many items a list has, about.
const ITEMS_PER_LIST: usize = 2;
/// How many lists come and go before more are remembered.
const PATIENCE: usize = 8;

impl<T: Copy + Default> Recent<T> {
    pub(crate) fn new() -> Self {
        Self::with_lists(LISTS_MIN)
    }

    fn with_lists(lists: usize) -> Self {
        Self {
            ring: vec![T::default(); lists * ITEMS_PER_LIST],
            end: 0,
            index: vec![Entry::NONE; lists],
            remembered: 0,
        }
    }

    /// The list of a number, if it is remembered.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&[T]> {
        let entry = self.index[self.place(number)];
        let kept =
            entry.start != Entry::NONE.start && entry.start + self.ring.len() as u64 >= self.end;
        (kept && entry.number == number)
            .then(|| &self.ring[self.offset(entry.start)..][..entry.len as usize])
    }

    /// Remembers the list of a number.
    pub(crate) fn put(&mut self, number: u32, list: &[T]) {
        if self.remembered >= self.index.len() * PATIENCE && self.index.len() < LISTS_MAX {
            *self = Self::with_lists(self.index.len() * 2);
        }
        if list.len() > self.ring.len() {
            return;
        }
        let offset = self.offset(self.end);
        if offset + list.len() > self.ring.len() {
            // It does not fit in this lap.
            self.end += (self.ring.len() - offset) as u64;
        }
        let offset = self.offset(self.end);
        self.ring[offset..offset + list.len()].copy_from_slice(list);
        let place = self.place(number);
        self.index[place] = Entry { start: self.end, number, len: list.len() as u32 };
        self.end += list.len() as u64;
        self.remembered += 1;
    }

    fn place(&self, number: u32) -> usize {
        number as usize & (self.index.len() - 1)
    }

    fn offset(&self, place: u64) -> usize {
        place as usize & (self.ring.len() - 1)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.ring.capacity() * size_of::<T>() + self.index.capacity() * size_of::<Entry>()
    }
}

/// Numbers by pairs of numbers, of which some that came lately are remembered, in bounded memory.
#[derive(Default)]
pub(crate) struct RecentPairs {
    /// By the hash of a pair; a power of two of places, or none yet.
    places: Vec<((u32, u32), u32)>,
    /// How many pairs were remembered since the last growth.
    remembered: usize,
}

/// No pair that is ever asked for.
const NO_PAIR: (u32, u32) = (u32::MAX, u32::MAX);
/// How many pairs are remembered at most; a power of two.
const PAIRS_MAX: usize = 1 << 14;

impl RecentPairs {
    /// The number of a pair, if it is remembered.
    pub(crate) fn get(&self, pair: (u32, u32)) -> Option<u32> {
        let &(known, number) = self.places.get(self.place(pair))?;
        (known == pair).then_some(number)
    }

    /// Remembers the number of a pair.
    pub(crate) fn put(&mut self, pair: (u32, u32), number: u32) {
        if self.remembered >= self.places.len() && self.places.len() < PAIRS_MAX {
            let places = (self.places.len() * 2).max(LISTS_MIN);
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
        // The upper bits of the hash are the good ones.
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
        fn what_is_remembered_is_true(numbers in prop::collection::vec((0..300u32, 0..40usize), 0..3000)) {
            let mut recent = Recent::new();
            let mut known = std::collections::HashMap::new();
            for (number, len) in numbers {
                if let Some(found) = recent.get(number) {
                    prop_assert_eq!(Some(found), known.get(&number).map(Vec::as_slice));
                }
                let list = vec![number; len];
                recent.put(number, &list);
                prop_assert_eq!(recent.get(number), Some(list.as_slice()));
                known.insert(number, list);
            }
        }
    }
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
