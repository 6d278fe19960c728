//! Random numbers: named substreams of one seed.

use rand_pcg::{Pcg64Mcg, rand_core::Rng as _};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// A stream of random numbers for one purpose.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rng(Pcg64Mcg);

impl Rng {
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        let mut name = seed.to_le_bytes().to_vec();
        name.extend_from_slice(purpose.as_bytes());
        Self(Pcg64Mcg::new(xxh3_128(&name)))
    }

    /// One of `0..options`, each equally likely except for a bias below 2^-32.
    pub(crate) fn below(&mut self, options: usize) -> usize {
        let scaled = u128::from(self.0.next_u64()) * options as u128;
        (scaled >> 64) as usize
    }

    /// How often a coin shows tails before it shows heads.
    pub(crate) fn tails(&mut self) -> usize {
        self.0.next_u64().trailing_zeros() as usize
    }

    /// Shuffles a list; all orders are equally likely.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}
