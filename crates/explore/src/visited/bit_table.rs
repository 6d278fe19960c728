//! A bit table, in which each state sets some bits.

use crate::{StoreKind, exploration::StoreReport};

/// A bit table, in which each state sets a few bits.
pub(crate) struct BitTable {
    words: Vec<u64>,
    hashes: u32,
    /// How many bits are set.
    ones: u64,
}

fn words_of(bytes: u64) -> usize {
    usize::try_from(bytes.div_ceil(8)).unwrap_or(usize::MAX).max(1)
}

impl BitTable {
    pub(crate) fn new(bytes: u64, hashes: u32) -> Self {
        Self { words: vec![0; words_of(bytes)], hashes, ones: 0 }
    }

    /// Whether there is memory for a table of this size.
    pub(crate) fn fits(bytes: u64) -> bool {
        Vec::<u64>::new().try_reserve_exact(words_of(bytes)).is_ok()
    }

    /// Sets the bits of a state. The result is whether at least one was not set before.
    pub(crate) fn insert(&mut self, fingerprint: u64) -> bool {
        let bits = self.words.len() as u64 * 64;
        // Two halves of one hash give as many positions as needed.
        let (mut hash, step) = (fingerprint, fingerprint.rotate_left(32) | 1);
        let mut new = false;
        for _ in 0..self.hashes {
            let bit = ((u128::from(hash) * u128::from(bits)) >> 64) as u64;
            let word = &mut self.words[(bit / 64) as usize];
            let fresh = *word >> (bit % 64) & 1 == 0;
            new |= fresh;
            self.ones += u64::from(fresh);
            *word |= 1 << (bit % 64);
            hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(step);
        }
        new
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    pub(crate) fn report(&self) -> StoreReport {
        let bits = self.words.len() as f64 * 64.0;
        let hashes = f64::from(self.hashes);
        // Every distinct state has set its bits, whether it was treated as new or not. So the share
        // of bits that are set gives their number.
        let offered = -bits / hashes * (-(self.ones as f64) / bits).ln_1p();
        // After this many states, a further one finds all its bits set with this probability.
        let mistaken = |states: f64| (-(-hashes * states / bits).exp_m1()).powf(hashes);
        const SAMPLES: u32 = 1000;
        let at = |sample: u32| offered * (f64::from(sample) + 0.5) / f64::from(SAMPLES);
        let missed_share =
            (0..SAMPLES).map(|sample| mistaken(at(sample))).sum::<f64>() / f64::from(SAMPLES);
        StoreReport {
            kind: StoreKind::Bitstate { bytes: self.bytes() as u64, hashes: self.hashes },
            bytes: self.bytes(),
            missed_probability: -(-missed_share * offered).exp_m1(),
            coverage: 1.0 - missed_share,
        }
    }
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;

    #[test]
    fn the_estimate_is_near_the_truth() {
        for (bytes, hashes) in [(1 << 10, 1), (1 << 12, 2), (1 << 13, 3), (1 << 16, 3)] {
            let mut bits = BitTable::new(bytes, hashes);
            let states = 20_000_u64;
            let found = (0..states).filter(|i| bits.insert(xxh3_64(&i.to_le_bytes()))).count();
            let truth = found as f64 / states as f64;
            let coverage = bits.report().coverage;
            assert!((coverage - truth).abs() < 0.03, "{bytes} {hashes}: {coverage} for {truth}");
            assert!(bits.report().bytes == bytes as usize);
        }
    }

    #[test]
    fn what_is_in_is_not_new() {
        let mut bits = BitTable::new(8, 3);
        assert!(bits.insert(0x1234_5678_9abc_def0));
        assert!(!bits.insert(0x1234_5678_9abc_def0));
    }
}
