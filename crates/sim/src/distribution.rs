//! Distribution of one quantity, summarised as observations come.

/// The observations of one quantity: count, mean, variance, extremes exactly, quantiles to within
/// 0.4 % of their value, and neither too low nor too high on average.
///
/// ```
/// use everypath_sim::Distribution;
///
/// let mut delays = Distribution::default();
/// for delay in 1..=100 {
///     delays.observe(f64::from(delay));
/// }
/// assert_eq!((delays.count(), delays.mean(), delays.max()), (100, 50.5, 100.0));
/// assert!((delays.quantile(0.95) - 95.0).abs() <= 95.0 * 0.004);
/// ```
#[derive(Clone, Debug)]
pub struct Distribution {
    count: u64,
    mean: f64,
    /// The sum of the squared distances from the mean, kept after Welford so that it does not
    /// cancel out.
    squares: f64,
    min: f64,
    max: f64,
    not_finite: u64,
    zeros: u64,
    positive: Buckets,
    negative: Buckets,
}

impl Default for Distribution {
    fn default() -> Self {
        Self {
            count: 0,
            mean: 0.0,
            squares: 0.0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            not_finite: 0,
            zeros: 0,
            positive: Buckets::default(),
            negative: Buckets::default(),
        }
    }
}

impl Distribution {
    /// Adds an observation. One that is not finite makes mean, variance and quantiles not a
    /// number: it is an error of the observer, and must not pass unnoticed.
    #[allow(clippy::cast_precision_loss)]
    pub fn observe(&mut self, value: f64) {
        self.count += 1;
        let distance = value - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (value - self.mean);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        if !value.is_finite() {
            self.not_finite += 1;
        } else if value == 0.0 {
            self.zeros += 1;
        } else if value > 0.0 {
            self.positive.add(value);
        } else {
            self.negative.add(-value);
        }
    }

    /// How many observations there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; not a number if there are none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.count == 0 || self.not_finite > 0 { f64::NAN } else { self.mean }
    }

    /// Their variance, as an estimate from a sample; not a number if there are fewer than two.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn variance(&self) -> f64 {
        if self.count < 2 || self.not_finite > 0 {
            f64::NAN
        } else {
            self.squares / (self.count - 1) as f64
        }
    }

    /// The standard deviation: the root of the [variance](Self::variance).
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.variance().sqrt()
    }

    /// The smallest; not a number if there are none.
    #[must_use]
    pub fn min(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.min }
    }

    /// The largest; not a number if there are none.
    #[must_use]
    pub fn max(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.max }
    }

    /// The value that a fraction of the observations does not exceed, to within 0.4 %: the least
    /// observation of which that holds, or the mean of those that share its bucket. Not a number if
    /// there are no observations.
    ///
    /// # Panics
    /// If the fraction is not from 0 to 1.
    #[must_use]
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn quantile(&self, fraction: f64) -> f64 {
        assert!(
            (0.0..=1.0).contains(&fraction),
            "a quantile is of a fraction from 0 to 1, not of {fraction}"
        );
        if self.count == 0 || self.not_finite > 0 {
            return f64::NAN;
        }
        let rank = ((fraction * self.count as f64).ceil() as u64).clamp(1, self.count);
        let mut below = 0;
        let reached = self.buckets().find(|&(_, count)| {
            below += count;
            below >= rank
        });
        match reached {
            Some((value, _)) if rank < self.count => value,
            _ => self.max,
        }
    }

    /// The distribution function: values in increasing order, each with the share of observations
    /// that do not exceed it. The shares are exact, the values to within 0.4 %. Nothing if there
    /// are no observations, or one that is not finite.
    ///
    /// ```
    /// use everypath_sim::Distribution;
    ///
    /// let mut delays = Distribution::default();
    /// [2.0, 1.0, 2.0, 4.0].map(|delay| delays.observe(delay));
    /// let shares: Vec<f64> = delays.cdf().map(|(_, share)| share).collect();
    /// assert_eq!(shares, [0.25, 0.75, 1.0]);
    /// ```
    #[allow(clippy::cast_precision_loss)]
    pub fn cdf(&self) -> impl Iterator<Item = (f64, f64)> {
        let mut below = 0;
        self.buckets().filter(|_| self.not_finite == 0).map(move |(value, count)| {
            below += count;
            let value = if below == self.count { self.max } else { value };
            (value, below as f64 / self.count as f64)
        })
    }

    /// Takes in the observations of another, as if they had come after its own.
    ///
    /// ```
    /// use everypath_sim::Distribution;
    ///
    /// let [mut all, mut later] = [Distribution::default(), Distribution::default()];
    /// [1.0, 2.0].map(|delay| all.observe(delay));
    /// [3.0, 6.0].map(|delay| later.observe(delay));
    /// all.merge(&later);
    /// assert_eq!((all.count(), all.mean(), all.variance()), (4, 3.0, 14.0 / 3.0));
    /// ```
    #[allow(clippy::cast_precision_loss)]
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (own, new) = (self.count as f64, other.count as f64);
        let distance = other.mean - self.mean;
        self.count += other.count;
        self.mean += distance * (new / (own + new));
        self.squares += other.squares + distance * distance * (own * new / (own + new));
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.not_finite += other.not_finite;
        self.zeros += other.zeros;
        self.positive.merge(&other.positive);
        self.negative.merge(&other.negative);
    }

    /// A value for every bucket that is not empty, with its count, in increasing order.
    fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        let negative = self.negative.iter().rev().map(|(value, count)| (-value, count));
        let all = negative.chain([(0.0, self.zeros)]).chain(self.positive.iter());
        let within = |(value, count): (f64, u64)| (value.clamp(self.min, self.max), count);
        all.filter(|&(_, count)| count > 0).map(within)
    }
}

/// The bits of a mantissa that select a bucket: 256 buckets between a value and its double. All that
/// share one are at most 1/256 away from each other, and equal if they are whole numbers up to 512.
const BITS: u32 = 8;
const SHIFT: u32 = f64::MANTISSA_DIGITS - 1 - BITS;
/// How many of the bits that follow the sum ignores: so it has room for 2^32 values.
const DROPPED: u32 = SHIFT - 32;

/// What is in a bucket: how many, and the sum of how far they are into it. That is a whole number, so a
/// mean does not depend on the order in which its values came.
#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    count: u64,
    offsets: u64,
}

impl Bucket {
    fn add(&mut self, Self { count, offsets }: Self) {
        self.count += count;
        self.offsets = self.offsets.saturating_add(offsets);
    }
}

/// Positive values by their leading bits. Only the span between the smallest and the largest takes
/// memory: 4 kB per doubling.
#[derive(Clone, Debug, Default)]
struct Buckets {
    first: u64,
    buckets: Vec<Bucket>,
}

impl Buckets {
    fn add(&mut self, value: f64) {
        let bits = value.to_bits();
        let offsets = (bits & ((1 << SHIFT) - 1)) >> DROPPED;
        self.bucket(bits >> SHIFT).add(Bucket { count: 1, offsets });
    }

    fn merge(&mut self, other: &Self) {
        for (number, &bucket) in (other.first..).zip(&other.buckets).filter(|(_, it)| it.count > 0)
        {
            self.bucket(number).add(bucket);
        }
    }

    #[allow(clippy::cast_possible_truncation)]
    #[inline]
    fn bucket(&mut self, number: u64) -> &mut Bucket {
        // What lies before the first is beyond the last as well.
        if number.wrapping_sub(self.first) >= self.buckets.len() as u64 {
            self.grow(number);
        }
        &mut self.buckets[(number - self.first) as usize]
    }

    /// Makes room for a bucket.
    #[allow(clippy::cast_possible_truncation)]
    #[cold]
    fn grow(&mut self, number: u64) {
        if self.buckets.is_empty() {
            self.first = number;
        }
        if number < self.first {
            let missing = (self.first - number) as usize;
            self.buckets.splice(0..0, std::iter::repeat_n(Bucket::default(), missing));
            self.first = number;
        }
        let place = (number - self.first) as usize;
        if place >= self.buckets.len() {
            self.buckets.resize(place + 1, Bucket::default());
        }
    }

    /// The mean of every bucket, or its least value if it is empty, and its count, in increasing order.
    fn iter(&self) -> impl DoubleEndedIterator<Item = (f64, u64)> {
        let first = self.first;
        self.buckets.iter().enumerate().map(move |(place, &Bucket { count, offsets })| {
            let number = first + place as u64;
            let offset = offsets.checked_div(count).unwrap_or(0);
            (f64::from_bits(number << SHIFT | offset << DROPPED), count)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Distribution {
        let mut distribution = Distribution::default();
        values.iter().for_each(|&value| distribution.observe(value));
        distribution
    }

    #[test]
    fn moments_are_exact() {
        let few = of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!((few.mean(), few.min(), few.max()), (5.0, 2.0, 9.0));
        assert!((few.variance() - 32.0 / 7.0).abs() < 1e-12);
        let far = of(&[1e9, 1e9 + 1.0, 1e9 + 2.0]);
        assert_eq!(far.variance(), 1.0);
    }

    #[test]
    fn quantiles_are_within_their_precision_for_all_magnitudes_and_signs() {
        let mut values: Vec<f64> =
            (-600..600).map(|i| f64::from(i) * 1.7_f64.powi(i / 20)).collect();
        let distribution = of(&values);
        values.sort_unstable_by(f64::total_cmp);
        for percent in 0..=100 {
            let fraction = f64::from(percent) / 100.0;
            let rank = (fraction * 1200.0).ceil().max(1.0) as usize;
            let exact = values[rank - 1];
            let error = (distribution.quantile(fraction) - exact).abs();
            assert!(error <= exact.abs() * 0.004, "{percent} %: {error}");
        }
    }

    /// Delays of a simulation are a few values, again and again; and of many values that are close
    /// together, a quantile is as often too high as too low.
    #[test]
    fn quantiles_are_not_biased() {
        let few = of(&[0.786_7, 0.786_7, 1.181, 1.181, 1.181, 3.3]);
        assert!((few.quantile(0.2) - 0.786_7).abs() < 1e-11);
        assert!((few.quantile(0.5) - 1.181).abs() < 1e-11);
        let values: Vec<f64> = (1..=200_000).map(|i| f64::from(i).sqrt()).collect();
        let many = of(&values);
        let errors = (1..1000).map(|permille| {
            let exact = values[permille * 200 - 1];
            many.quantile(permille as f64 / 1000.0) / exact - 1.0
        });
        let mean = errors.sum::<f64>() / 999.0;
        assert!(mean.abs() < 1e-4, "{mean}");
    }

    #[test]
    fn quantiles_of_small_whole_numbers_are_exact() {
        let values: Vec<f64> = (-512..=512).map(f64::from).collect();
        let distribution = of(&values);
        assert!(distribution.cdf().map(|(value, _)| value).eq(values));
    }

    #[test]
    fn the_distribution_function_agrees_with_counting() {
        let values: Vec<f64> = (-50..150).map(|i| f64::from(i * i % 37 - 9) * 0.3).collect();
        let distribution = of(&values);
        let mut last = (f64::NEG_INFINITY, 0.0);
        for (value, share) in distribution.cdf() {
            // All that shares its bucket, and nothing of the next.
            let bound = value + value.abs() * 0.004;
            let below = values.iter().filter(|&&other| other <= bound).count();
            assert_eq!(share, below as f64 / 200.0, "at {value}");
            assert!(value > last.0 && share > last.1);
            last = (value, share);
        }
        assert_eq!(last, (distribution.max(), 1.0));
        assert_eq!(of(&[1.0, f64::INFINITY]).cdf().count(), 0);
    }

    #[test]
    fn parts_merge_into_what_the_whole_would_be() {
        let values: Vec<f64> = (-40..100).map(|i| f64::from(i) * 1.3_f64.powi(i / 10)).collect();
        let whole = of(&values);
        for cut in [0, 1, 39, 40, 41, 100, 140] {
            let mut merged = of(&values[..cut]);
            merged.merge(&of(&values[cut..]));
            assert!((merged.mean() - whole.mean()).abs() < 1e-12 * whole.mean().abs());
            assert!((merged.variance() / whole.variance() - 1.0).abs() < 1e-12);
            assert!(merged.cdf().eq(whole.cdf()), "cut at {cut}");
            assert_eq!((merged.min(), merged.max()), (whole.min(), whole.max()));
        }
        let mut spoilt = of(&[1.0]);
        spoilt.merge(&of(&[f64::NAN]));
        assert!(spoilt.mean().is_nan() && spoilt.quantile(0.5).is_nan());
    }

    #[test]
    fn nothing_observed_is_not_a_number() {
        let none = Distribution::default();
        assert!(none.mean().is_nan() && none.quantile(0.5).is_nan() && none.max().is_nan());
        assert!(of(&[1.0]).variance().is_nan());
        let spoilt = of(&[1.0, f64::NAN, 2.0]);
        assert!(spoilt.mean().is_nan() && spoilt.quantile(0.5).is_nan());
        assert_eq!(spoilt.count(), 3);
    }
}
