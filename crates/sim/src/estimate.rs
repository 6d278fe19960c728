//! Estimate of one quantity from independent runs.

use crate::{Distribution, Proportion, quantile::student_t};

/// The level of intervals for which no other is asked.
const USUAL: f64 = 0.95;

/// The estimate of one quantity from independent runs.
///
/// ```
/// use everypath_sim::Estimate;
///
/// let delay = Estimate::of("delay", "ms", &[9.0, 10.0, 11.0, 10.0]);
/// assert!(delay.covers(10.5) && !delay.covers(12.0));
/// assert!(delay.precision() < 0.15);
/// assert!(!delay.is_skewed());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Its name.
    pub name: String,
    /// Its unit; empty if there is none or it is not known.
    pub unit: String,
    /// How many runs there were.
    pub runs: u32,
    /// In how many of them it was not a finite number. If in any, then what follows is not a
    /// number: the other runs alone would be a biased sample.
    pub undefined: u32,
    /// The mean over the runs.
    pub mean: f64,
    /// The standard deviation between runs; not a number for fewer than two.
    pub deviation: f64,
    /// With the mean, plus and minus: the 95 % confidence interval after Student, not a number for
    /// fewer than two runs. It is 0 if all runs agree, which does not mean that others would.
    pub half_width: f64,
    /// The skewness of the runs; 0 for fewer than three, or if they agree.
    pub skewness: f64,
    /// In how many runs it was 1, if it was 0 or 1 in all and both in some: it then seems to say whether
    /// something has happened.
    pub proportion: Option<Proportion>,
}

/// A 95 % confidence interval, and by which rule.
///
/// ```
/// use everypath_sim::Estimate;
///
/// let interval = Estimate::of("delay", "ms", &[9.0, 10.0, 11.0]).interval();
/// let (low, high) = interval.ends().unwrap();
/// assert!(low < 10.0 && 10.0 < high);
/// assert_eq!(interval.rule(), "student");
/// // One run says nothing of the others.
/// assert_eq!(Estimate::of("delay", "ms", &[9.0]).interval().ends(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interval {
    /// After Student, for the mean of runs.
    Student {
        /// From here.
        low: f64,
        /// To here.
        high: f64,
    },
    /// After Clopper and Pearson, for the probability of something that either happens in a run or not.
    Proportion {
        /// From here.
        low: f64,
        /// To here.
        high: f64,
    },
    /// None: all runs agree, so nothing is known of how they spread.
    Constant {
        /// The largest share of runs with another value that is compatible with that.
        others: f64,
    },
    /// None: there are fewer than two runs, or it is undefined in some.
    Unknown,
}

impl Interval {
    /// Its ends, if there is an interval.
    #[must_use]
    pub fn ends(self) -> Option<(f64, f64)> {
        match self {
            Self::Student { low, high } | Self::Proportion { low, high } => Some((low, high)),
            Self::Constant { .. } | Self::Unknown => None,
        }
    }

    /// The name of the rule, in files.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::Student { .. } => "student",
            Self::Proportion { .. } => "clopper-pearson",
            Self::Constant { .. } => "constant",
            Self::Unknown => "unknown",
        }
    }
}

impl Estimate {
    /// From the value of each run.
    ///
    /// ```
    /// use everypath_sim::Estimate;
    ///
    /// let estimate = Estimate::of("delay", "ms", &[9.0, 10.0, 11.0]);
    /// assert_eq!((estimate.mean, estimate.deviation), (10.0, 1.0));
    /// assert!((estimate.half_width - 4.302_653 / 3_f64.sqrt()).abs() < 1e-5);
    /// ```
    #[must_use]
    pub fn of(name: &str, unit: &str, values: &[f64]) -> Self {
        let runs = u32::try_from(values.len()).expect("runs are numbered in 32 bits");
        let undefined = values.iter().filter(|value| !value.is_finite()).count();
        let mut all = Distribution::default();
        values.iter().for_each(|&value| all.observe(value));
        let deviation = all.deviation();
        Self {
            name: name.to_owned(),
            unit: unit.to_owned(),
            runs,
            undefined: u32::try_from(undefined).expect("there are no more than runs"),
            mean: all.mean(),
            deviation,
            half_width: half_width(runs, deviation, USUAL),
            skewness: skewness(values, all.mean(), deviation),
            proportion: proportion(values),
        }
    }

    /// The 95 % confidence interval, by the rule that fits.
    ///
    /// ```
    /// use everypath_sim::{Estimate, Interval};
    ///
    /// // What was 0 in ten runs can still happen in three of ten.
    /// let interval = Estimate::of("broken", "", &[0.0; 10]).interval();
    /// assert!(matches!(interval, Interval::Constant { others } if others > 0.3));
    /// let mut runs = [0.0; 10];
    /// runs[3] = 1.0;
    /// let (low, high) = Estimate::of("broken", "", &runs).interval().ends().unwrap();
    /// assert!(low > 0.0 && low < 0.003 && high > 0.44);
    /// ```
    #[must_use]
    pub fn interval(&self) -> Interval {
        if self.undefined > 0 || self.half_width.is_nan() {
            return Interval::Unknown;
        }
        if self.deviation == 0.0 {
            let (_, others) = Proportion { runs: self.runs, happened: 0 }.interval();
            return Interval::Constant { others };
        }
        if let Some(proportion) = self.proportion {
            let (low, high) = proportion.interval();
            return Interval::Proportion { low, high };
        }
        Interval::Student { low: self.mean - self.half_width, high: self.mean + self.half_width }
    }

    /// Whether Student's interval is known to be too narrow: the runs are more skewed than those of a
    /// normal distribution are by chance, and too few for that not to matter (25 times the squared skewness).
    #[must_use]
    pub fn is_skewed(&self) -> bool {
        let runs = f64::from(self.runs);
        let squared = self.skewness * self.skewness;
        let by_chance = 6.0 * runs * (runs - 1.0) / ((runs - 2.0) * (runs + 1.0) * (runs + 3.0));
        matches!(self.interval(), Interval::Student { .. })
            && squared > 4.0 * by_chance
            && 25.0 * squared > runs
    }

    /// The half width as a share of the mean: the relative precision. 0 if there is no spread, not a
    /// number if the half width is not.
    #[must_use]
    pub fn precision(&self) -> f64 {
        if self.half_width == 0.0 { 0.0 } else { self.half_width / self.mean.abs() }
    }

    /// With the mean, plus and minus: the confidence interval after Student at another level than 95 %.
    ///
    /// ```
    /// use everypath_sim::Estimate;
    ///
    /// let delay = Estimate::of("delay", "ms", &[9.0, 10.0, 11.0]);
    /// assert!((delay.half_width_at(0.99) - 9.924_843 / 3_f64.sqrt()).abs() < 1e-5);
    /// assert_eq!(delay.half_width_at(0.95), delay.half_width);
    /// ```
    #[must_use]
    pub fn half_width_at(&self, confidence: f64) -> f64 {
        half_width(self.runs, self.deviation, confidence)
    }

    /// With the difference of the means, plus and minus: its confidence interval after Welch, for runs that
    /// have nothing to do with the other ones. Not a number for fewer than two runs of either.
    ///
    /// ```
    /// use everypath_sim::Estimate;
    ///
    /// let slow = Estimate::of("delay", "ms", &[27.0, 29.0, 31.0]);
    /// let fast = Estimate::of("delay", "ms", &[9.0, 10.0, 11.0]);
    /// let half_width = slow.half_width_of_difference(&fast, 0.95);
    /// assert!(half_width > slow.half_width_at(0.95) / 2.0 && half_width < slow.mean - fast.mean);
    /// ```
    #[must_use]
    pub fn half_width_of_difference(&self, other: &Self, confidence: f64) -> f64 {
        if self.runs < 2 || other.runs < 2 {
            return f64::NAN;
        }
        let error = |it: &Self| it.deviation * it.deviation / f64::from(it.runs);
        let both = error(self) + error(other);
        if both == 0.0 {
            return 0.0;
        }
        let part = |it: &Self| error(it) * error(it) / f64::from(it.runs - 1);
        let freedom = both * both / (part(self) + part(other));
        student_t(freedom, confidence) * both.sqrt()
    }

    /// Whether a value is in the confidence interval.
    #[must_use]
    pub fn covers(&self, value: f64) -> bool {
        (self.mean - value).abs() <= self.half_width
    }
}

fn half_width(runs: u32, deviation: f64, confidence: f64) -> f64 {
    if runs < 2 {
        return f64::NAN;
    }
    student_t(f64::from(runs - 1), confidence) * deviation / f64::from(runs).sqrt()
}

/// The skewness of a population, estimated from a sample.
fn skewness(values: &[f64], mean: f64, deviation: f64) -> f64 {
    let runs = values.len() as f64;
    if values.len() < 3 || deviation == 0.0 {
        return 0.0;
    }
    let cubes: f64 = values.iter().map(|value| ((value - mean) / deviation).powi(3)).sum();
    cubes * runs / ((runs - 1.0) * (runs - 2.0))
}

fn proportion(values: &[f64]) -> Option<Proportion> {
    let happened = values.iter().filter(|value| **value == 1.0).count();
    let not = values.iter().filter(|value| **value == 0.0).count();
    let is_one = happened > 0 && not > 0 && happened + not == values.len();
    let number = |count| u32::try_from(count).expect("runs are numbered in 32 bits");
    is_one.then(|| Proportion { runs: number(values.len()), happened: number(happened) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undefined_run_is_not_averaged_away() {
        let estimate = Estimate::of("delay", "s", &[1.0, f64::NAN, 3.0]);
        assert_eq!((estimate.runs, estimate.undefined), (3, 1));
        assert!(estimate.mean.is_nan() && estimate.half_width.is_nan());
        let one = Estimate::of("delay", "s", &[1.0]);
        assert_eq!((one.mean, one.undefined), (1.0, 0));
        assert!(one.half_width.is_nan());
    }

    #[test]
    fn runs_that_are_skewed_are_reported() {
        let even: Vec<f64> = (0..10).map(f64::from).collect();
        assert!(!Estimate::of("even", "", &even).is_skewed());
        let mut one_far = vec![0.0, 0.1, 0.2, 0.1, 0.0, 0.3, 0.1, 0.2, 0.0];
        one_far.push(9.0);
        assert!(Estimate::of("far", "", &one_far).is_skewed());
        // With many runs it does not matter.
        let many: Vec<f64> = (0..10_000).map(|i| -(f64::from(i) / 10_000.0).ln_1p()).collect();
        assert!(!Estimate::of("many", "", &many).is_skewed());
        assert!(!Estimate::of("none", "", &[1.0, 1.0]).is_skewed());
    }

    /// Means 6 and 4, variances 4 and 1, 4 and 5 runs: 4.19 degrees of freedom by the formula of
    /// Welch and Satterthwaite, so the number is between those for four and for five.
    #[test]
    fn the_interval_of_independent_means_is_welch_s() {
        let third = 3_f64.sqrt();
        let one = Estimate::of("a", "", &[6.0 - third, 6.0 + third, 6.0 - third, 6.0 + third]);
        let half = 0.5 * 2_f64.sqrt();
        let other = [4.0 - 2.0 * half, 4.0, 4.0, 4.0, 4.0 + 2.0 * half];
        let other = Estimate::of("a", "", &other);
        assert!((one.deviation - 2.0).abs() < 1e-12 && (other.deviation - 1.0).abs() < 1e-12);
        let error = (4.0_f64 / 4.0 + 1.0 / 5.0).sqrt();
        let t = one.half_width_of_difference(&other, 0.95) / error;
        assert!((2.570_6..2.776_4).contains(&t), "{t}");
        let freedom = 1.2 * 1.2 / (1.0 / 3.0 + 0.04 / 4.0);
        assert!((t - student_t(freedom, 0.95)).abs() < 1e-9);
        let single = Estimate::of("a", "", &[1.0]);
        assert!(one.half_width_of_difference(&single, 0.95).is_nan());
    }

    #[test]
    fn the_precision_is_relative_to_the_mean() {
        let estimate = Estimate::of("change", "", &[-9.0, -10.0, -11.0]);
        assert!((estimate.precision() - 0.248_4).abs() < 1e-4);
        assert_eq!(Estimate::of("dropped", "", &[0.0, 0.0]).precision(), 0.0);
        assert!(Estimate::of("dropped", "", &[0.0]).precision().is_nan());
    }
}
