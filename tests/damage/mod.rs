//! Bytes that were damaged, for readers that must not mind: the same ones in every run.

#![allow(dead_code, reason = "each test damages in its own way")]

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Numbers that are mistaken for a length: more than there is memory for, and the largest of their kinds.
const HUGE: [u64; 4] = [1 << 60, u64::MAX, 1 << 40, u32::MAX as u64];

/// Every beginning that is not the whole.
pub fn truncations(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    (0..bytes.len()).map(|len| bytes[..len].to_vec())
}

/// Each bit flipped by itself.
pub fn flips(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    (0..bytes.len() * 8).map(|bit| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    })
}

/// A huge number in the place of each byte, seven bits to a byte, as lengths are written: whatever is a
/// length is huge in one of them.
pub fn huge_numbers(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let places = (0..bytes.len()).flat_map(|at| HUGE.map(|number| (at, number)));
    places.map(|(at, number)| [&bytes[..at], &as_length(number), &bytes[at + 1..]].concat())
}

fn as_length(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Pieces that were moved, doubled, left out, or replaced by noise, a few at a time; each with the number that makes
/// the same again.
pub fn splices(bytes: &[u8], count: u64) -> impl Iterator<Item = (u64, Vec<u8>)> + '_ {
    let first = std::env::var("EVERYPATH_DAMAGE_SEED");
    let first = first.map_or(0, |seed| seed.parse().expect("EVERYPATH_DAMAGE_SEED is a number"));
    (first..first + count).map(|seed| (seed, spliced(bytes, seed)))
}

/// One of them.
pub fn spliced(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut noise = Noise(seed);
    let mut bytes = bytes.to_vec();
    for _ in 0..=noise.below(3) {
        let (start, end) = noise.range(bytes.len());
        let piece = match noise.below(7) {
            0 => Vec::new(),
            1 => bytes[start..end].repeat(2),
            2 => {
                let (from, to) = noise.range(bytes.len());
                bytes[from..to].to_vec()
            }
            3 => bytes[start..end].iter().map(|byte| byte ^ 1 << noise.below(8)).collect(),
            4 if noise.below(8) == 0 => {
                bytes.truncate(start);
                continue;
            }
            4 | 5 => (start..end).map(|_| noise.next() as u8).collect(),
            _ => as_length(noise.next() >> noise.below(64)),
        };
        bytes.splice(start..end, piece);
    }
    bytes
}

/// Numbers without a pattern (SplitMix64).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A short piece of so many bytes, mostly.
    fn range(&mut self, len: usize) -> (usize, usize) {
        let start = self.below(len + 1);
        let most = if self.below(4) == 0 { len } else { 9 };
        (start, (start + self.below(most + 1)).min(len))
    }
}

/// All of it; each with words by which it is found again.
pub fn all(bytes: &[u8], splice_count: u64) -> impl Iterator<Item = (String, Vec<u8>)> + '_ {
    let named = |kind: &'static str| {
        move |(number, damaged): (usize, Vec<u8>)| (format!("{kind} {number}"), damaged)
    };
    let cut = truncations(bytes).enumerate().map(named("truncation"));
    let flipped = flips(bytes).enumerate().map(named("flip"));
    let huge = huge_numbers(bytes).enumerate().map(named("huge number"));
    let spliced = splices(bytes, splice_count)
        .map(|(seed, damaged)| (format!("splice with seed {seed}"), damaged));
    cut.chain(flipped).chain(huge).chain(spliced)
}

/// How many damaged versions of some bytes a reader takes. One that makes it panic is told.
pub fn taken(bytes: &[u8], splice_count: u64, read: impl Fn(&[u8]) -> bool) -> u32 {
    let mut taken = 0;
    for (how, damaged) in all(bytes, splice_count) {
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&damaged)));
        taken += u32::from(outcome.unwrap_or_else(|_| panic!("{how}: {damaged:?}")));
    }
    taken
}
