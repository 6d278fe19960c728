//! Random numbers: named substreams of one seed.

use rand_pcg::{Pcg64Mcg, rand_core::Rng};
use xxhash_rust::xxh3::xxh3_128;

/// A stream of random numbers that belongs to one purpose of one run.
///
/// What it yields depends on the seed, the replication and the purpose alone. So a purpose that is
/// added, or that draws more often, leaves all others as they were; that is what makes runs of
/// two variants of a scenario comparable.
///
/// ```
/// use everypath_sim::Stream;
///
/// let mut losses = Stream::new(7, 0, "link 0->1 loss");
/// let mut again = Stream::new(7, 0, "link 0->1 loss");
/// assert_eq!(losses.choose(1000), again.choose(1000));
/// ```
#[derive(Clone, Debug)]
pub struct Stream(Pcg64Mcg);

impl Stream {
    /// The stream of a purpose in one replication under a seed.
    #[must_use]
    pub fn new(seed: u64, replication: u32, purpose: &str) -> Self {
        let mut name = Vec::with_capacity(12 + purpose.len());
        name.extend_from_slice(&seed.to_le_bytes());
        name.extend_from_slice(&replication.to_le_bytes());
        name.extend_from_slice(purpose.as_bytes());
        Self(Pcg64Mcg::new(xxh3_128(&name)))
    }

    /// One of `0..options`, each equally likely but for a bias below 2^-32.
    ///
    /// # Panics
    /// If there are no options.
    pub fn choose(&mut self, options: u32) -> u32 {
        assert!(options > 0, "a choice among no options");
        u32::try_from(self.below(u64::from(options))).expect("it is below the number of options")
    }

    /// A number from 0 to `most`, each equally likely but for a bias below `most` / 2^64.
    pub fn up_to(&mut self, most: u64) -> u64 {
        self.below(most.saturating_add(1))
    }

    fn below(&mut self, bound: u64) -> u64 {
        let scaled = u128::from(self.0.next_u64()) * u128::from(bound);
        u64::try_from(scaled >> 64).expect("the upper half is below the bound")
    }

    /// A number from 0 up to, but not including, 1.
    #[allow(clippy::cast_precision_loss)]
    pub fn fraction(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number from one to another.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.fraction()
    }

    /// A number from the exponential distribution with this mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        // Of 1 less the fraction: its logarithm is finite.
        -mean * libm::log(1.0 - self.fraction())
    }

    /// Whether something of this probability happens.
    pub fn happens(&mut self, probability: Probability) -> bool {
        self.0.next_u64() >> 11 < probability.0
    }
}

/// A probability in units of 2^-53, so that a draw is one comparison of integers.
///
/// ```
/// use everypath_sim::{Probability, Stream};
///
/// let (mut stream, half) = (Stream::new(1, 0, "coins"), Probability::new(0.5));
/// let heads = (0..1000).filter(|_| stream.happens(half)).count();
/// assert!((400..600).contains(&heads));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability(u64);

impl Probability {
    /// What never happens.
    pub const ZERO: Self = Self(0);

    /// From a number; what is below 0 counts as 0 and what is above 1 as 1.
    ///
    /// ```
    /// use everypath_sim::{Probability, Stream};
    ///
    /// let mut stream = Stream::new(0, 0, "an example");
    /// assert!(stream.happens(Probability::new(1.0)));
    /// assert!(!stream.happens(Probability::ZERO));
    /// ```
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn new(probability: f64) -> Self {
        const ONE: f64 = (1_u64 << 53) as f64;
        Self((probability.clamp(0.0, 1.0) * ONE) as u64)
    }
}
