//! `Store`: all states as rows of words, each once, numbered in the order of their discovery.

use everypath_explore::gentle_growth;

use crate::layout::Layout;

/// Rows without repetition.
///
/// The table has four bytes per slot: the number of a row takes as many bits as the size of the
/// table, and the rest is a tag from the hash, so that few look-ups touch a wrong row.
pub(crate) struct Store {
    layout: Layout,
    rows: Vec<u64>,
    len: usize,
    /// Numbers plus one, and tags; 0 is free. The length is a power of two.
    table: Vec<u32>,
    /// The logarithm of the length of the table.
    log: u32,
}

/// The logarithm of the smallest table.
const LOG_MIN: u32 = 8;
/// How many look-ups are under way at a time.
const AHEAD: usize = 32;

/// Both halves of the product, combined: two rounds spread packed values well.
#[inline(always)]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    (product >> 64) as u64 ^ product as u64
}

#[inline(always)]
fn hash(row: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15;
    for &word in row {
        hash = fold(hash ^ word, 0xd6e8_feb8_6659_fd93);
    }
    fold(hash, 0xa076_1d64_78bd_642f)
}

impl Store {
    pub(crate) fn new(layout: Layout) -> Self {
        Self { layout, rows: Vec::new(), len: 0, table: vec![0; 1 << LOG_MIN], log: LOG_MIN }
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// A row by its number.
    #[inline(always)]
    pub(crate) fn row(&self, number: u32) -> &[u64] {
        let words = self.layout.words;
        &self.rows[number as usize * words..][..words]
    }

    /// The number of a row, and whether it is new.
    pub(crate) fn intern(&mut self, row: &[u64]) -> (u32, bool) {
        self.intern_hashed(row, hash(row), |one, other| one == other)
    }

    #[inline(always)]
    fn intern_hashed(
        &mut self,
        row: &[u64],
        hash: u64,
        is_same: impl Fn(&[u64], &[u64]) -> bool,
    ) -> (u32, bool) {
        let mask = self.table.len() - 1;
        let tag = self.tag(hash);
        let mut at = self.start(hash);
        loop {
            let entry = self.table[at];
            if entry == 0 {
                return (self.insert(row, at, tag), true);
            }
            if entry & !(mask as u32) == tag {
                let number = (entry & mask as u32) - 1;
                if is_same(self.row(number), row) {
                    return (number, false);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Looks up keys at some places, in their order, and calls `found` with each place, number, and whether it is new.
    pub(crate) fn intern_all(
        &mut self,
        places: &[(u32, u32)],
        keys: &[u64],
        found: impl FnMut((u32, u32), u32, bool),
    ) {
        // A comparison of slices calls `memcmp`: 17 % of the time of ubstack 9.
        match self.layout.words {
            1 => self.intern_words::<1>(places, keys, found),
            2 => self.intern_words::<2>(places, keys, found),
            3 => self.intern_words::<3>(places, keys, found),
            _ => {
                let (mut found, words) = (found, self.layout.words);
                for &place in places {
                    let (number, is_new) = self.intern(&keys[place.0 as usize * words..][..words]);
                    found(place, number, is_new);
                }
            }
        }
    }

    /// All slots of a chunk, then all rows that they name, are read before the first row is compared, so that the
    /// processor waits for them at once.
    fn intern_words<const W: usize>(
        &mut self,
        places: &[(u32, u32)],
        keys: &[u64],
        mut found: impl FnMut((u32, u32), u32, bool),
    ) {
        let (keys, _) = keys.as_chunks::<W>();
        let is_same = |one: &[u64], other: &[u64]| (0..W).all(|word| one[word] == other[word]);
        let mut hashes = [0; AHEAD];
        for chunk in places.chunks(AHEAD) {
            let mask = self.table.len() as u32 - 1;
            let mut entries = [0; AHEAD];
            for (at, &(place, _)) in chunk.iter().enumerate() {
                hashes[at] = hash(&keys[place as usize]);
                entries[at] = self.table[self.start(hashes[at])];
            }
            let mut seen = 0;
            for &entry in &entries[..chunk.len()] {
                let number = (entry & mask).saturating_sub(1);
                seen |= self.rows.get(number as usize * W).copied().unwrap_or(0);
            }
            std::hint::black_box(seen);
            for (at, &place) in chunk.iter().enumerate() {
                let key = &keys[place.0 as usize];
                let (number, is_new) = self.intern_hashed(key, hashes[at], is_same);
                found(place, number, is_new);
            }
        }
    }

    #[inline(always)]
    fn start(&self, hash: u64) -> usize {
        (hash >> (64 - self.log)) as usize
    }

    #[inline(always)]
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32) << self.log
    }

    fn insert(&mut self, row: &[u64], at: usize, tag: u32) -> u32 {
        row.iter().for_each(|&word| gentle_growth::push(&mut self.rows, word));
        self.len += 1;
        self.table[at] = tag | self.len as u32;
        if self.len * 4 >= self.table.len() * 3 {
            self.log += 1;
            self.index();
        }
        self.len as u32 - 1
    }

    /// Makes the table of all rows.
    fn index(&mut self) {
        self.table = Vec::new();
        self.table = vec![0; 1 << self.log];
        let mask = self.table.len() - 1;
        for (number, row) in (1..).zip(self.rows.chunks_exact(self.layout.words)) {
            let hash = hash(row);
            let mut at = self.start(hash);
            while self.table[at] != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = self.tag(hash) | number;
        }
    }

    /// Packs all rows into another layout. `slots` is the number of data of a shape.
    pub(crate) fn repack(&mut self, layout: Layout, slots: impl Fn(u32) -> usize) {
        let old = std::mem::replace(&mut self.layout, layout);
        let mut rows = Vec::with_capacity(self.len * layout.words);
        for row in self.rows.chunks_exact(old.words) {
            let start = rows.len();
            rows.resize(start + layout.words, 0);
            let new = &mut rows[start..];
            new[0] = row[0] & u64::from(u32::MAX);
            let slots = slots(row[0] as u32);
            (0..slots).for_each(|slot| layout.set(new, slot, old.get(row, slot)));
        }
        self.rows = rows;
        self.index();
    }

    /// All words of all rows, to be saved.
    pub(crate) fn words(&self) -> &[u64] {
        &self.rows
    }

    /// Restores rows that were saved. Says whether no row occurs twice.
    pub(crate) fn restore(&mut self, layout: Layout, rows: Vec<u64>) -> bool {
        let mut restored = Self::new(layout);
        let all_new = rows.chunks_exact(layout.words).all(|row| restored.intern(row).1);
        *self = restored;
        all_new
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() * 8 + self.table.capacity() * 4
    }

    /// How many bytes more the next growth takes.
    pub(crate) fn bytes_soon(&self) -> usize {
        let grows = self.len * 4 + 4096 * 4 >= self.table.len() * 3;
        if grows { self.table.len() * 8 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_in_order() {
        let mut store = Store::new(Layout { bits: 4, words: 2 });
        let row = |number: u32| [u64::from(number), u64::from(number) << 9];
        for number in 0..5000 {
            assert_eq!(store.intern(&row(number)), (number, true));
            assert_eq!(store.intern(&row(number / 2)), (number / 2, false));
        }
        let keys: Vec<u64> = (4990..5010).flat_map(row).collect();
        let mut found = Vec::new();
        let places: Vec<(u32, u32)> = (0..20).map(|at| (at, at)).collect();
        store
            .intern_all(&places, &keys, |(at, _), number, is_new| found.push((at, number, is_new)));
        let expected = (0..20).map(|at| (at, 4990 + at, at >= 10));
        assert!(found.into_iter().eq(expected));
    }

    #[test]
    fn packing_again_keeps_numbers_and_values() {
        let mut store = Store::new(Layout::START);
        let row = |value: i32| {
            let mut row = [3];
            (0..8).for_each(|slot| Layout::START.set(&mut row, slot, value + slot as i32));
            row
        };
        (0..8).for_each(|value| assert_eq!(store.intern(&row(value)).0, value as u32));
        let wide = Layout::START.widened(crate::layout::Misfit::Value(999));
        store.repack(wide, |_| 8);
        for value in 0..8 {
            let row = store.row(value as u32);
            assert!((0..8).all(|slot| wide.get(row, slot) == value + slot as i32));
        }
    }
}
