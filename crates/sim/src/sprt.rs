//! Probability of an event in a run: estimated from many runs, or tested run by run (Wald).

use libm::log;
use thiserror::Error;

use crate::quantile::beta;

/// How often something happened in independent runs, and how likely it is.
///
/// ```
/// use everypath_sim::Proportion;
///
/// let lost = Proportion { runs: 50, happened: 5 };
/// let (low, high) = lost.interval();
/// assert!(low < lost.share() && lost.share() < high);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportion {
    /// How many runs there were.
    pub runs: u32,
    /// In how many of them it happened.
    pub happened: u32,
}

impl Proportion {
    /// The share of runs in which it happened; not a number if there are none.
    #[must_use]
    pub fn share(&self) -> f64 {
        f64::from(self.happened) / f64::from(self.runs)
    }

    /// The 95 % confidence interval after Clopper and Pearson, for a number of runs that did not
    /// depend on what happened in them. It covers the probability in at least 95 % of all cases,
    /// whatever it is. From 0 to 1 if there are no runs.
    ///
    /// ```
    /// use everypath_sim::Proportion;
    ///
    /// // If it never happened in n runs, the probability is at most 1 - 0.025^(1/n).
    /// let (low, high) = Proportion { runs: 10, happened: 0 }.interval();
    /// assert_eq!(low, 0.0);
    /// assert!((high - (1.0 - 0.025_f64.powf(0.1))).abs() < 1e-9);
    /// ```
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let (happened, others) = (f64::from(self.happened), f64::from(self.runs - self.happened));
        let low = if self.happened == 0 { 0.0 } else { beta(happened, others + 1.0, 0.025) };
        let high =
            if self.happened == self.runs { 1.0 } else { beta(happened + 1.0, others, 0.975) };
        (low, high)
    }
}

/// A claim about a probability.
///
/// ```
/// use everypath_sim::{Certainty, Claim, SequentialTest};
///
/// // At least 99 of 100 runs succeed.
/// let claim = Claim::AtLeast(0.99);
/// assert!(SequentialTest::new(claim, Certainty::of(claim)).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// It is no larger.
    AtMost(f64),
    /// It is no smaller.
    AtLeast(f64),
}

impl Claim {
    fn bound(self) -> f64 {
        match self {
            Self::AtMost(bound) | Self::AtLeast(bound) => bound,
        }
    }
}

/// How sure a test is to be.
///
/// ```
/// use everypath_sim::{Certainty, Claim};
///
/// // Errors of one percent instead of five.
/// let certainty = Certainty { alpha: 0.01, beta: 0.01, ..Certainty::of(Claim::AtMost(0.2)) };
/// assert_eq!(certainty.indifference, 0.05);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certainty {
    /// How likely it may be that a claim is refuted that is true by the indifference.
    pub alpha: f64,
    /// How likely it may be that a claim is accepted that is false by the indifference.
    pub beta: f64,
    /// How far on each side of the bound either answer is as good as the other.
    pub indifference: f64,
}

impl Certainty {
    /// 5 % each, and half of what the bound is away from 0 or 1, or 0.05 if that is less.
    ///
    /// ```
    /// use everypath_sim::{Certainty, Claim};
    ///
    /// assert_eq!(Certainty::of(Claim::AtMost(0.01)).indifference, 0.005);
    /// assert_eq!(Certainty::of(Claim::AtLeast(0.5)).indifference, 0.05);
    /// ```
    #[must_use]
    pub fn of(claim: Claim) -> Self {
        let bound = claim.bound();
        Self { alpha: 0.05, beta: 0.05, indifference: (bound.min(1.0 - bound) / 2.0).min(0.05) }
    }
}

/// Why a claim cannot be tested.
///
/// ```
/// use everypath_sim::{Certainty, Claim, SequentialTest, Untestable};
///
/// let claim = Claim::AtMost(0.1);
/// let sure = Certainty { alpha: 0.0, ..Certainty::of(claim) };
/// assert_eq!(SequentialTest::new(claim, sure).err(), Some(Untestable::Error(0.0)));
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Untestable {
    /// Errors that are certain, or impossible.
    #[error("the probability of an error, {0}, must be more than 0 and less than 0.5")]
    Error(f64),
    /// There is nothing between the two hypotheses and certainty.
    #[error(
        "with a bound of {bound} and an indifference of {indifference} the probabilities {} and {} are compared, \
         which must differ and lie between 0 and 1, both exclusive; choose another indifference",
        bound - indifference, bound + indifference
    )]
    Indifference {
        /// The bound of the claim.
        bound: f64,
        /// The indifference.
        indifference: f64,
    },
}

/// The decision of a test.
///
/// ```
/// use everypath_sim::{Certainty, Claim, Decision, SequentialTest};
///
/// let claim = Claim::AtMost(0.1);
/// let mut test = SequentialTest::new(claim, Certainty::of(claim)).unwrap();
/// // It happens in every run.
/// let decision = (0..100).find_map(|_| test.observe(true));
/// assert_eq!(decision, Some(Decision::Refuted));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The claim is accepted.
    Accepted,
    /// The claim is refuted.
    Refuted,
}

/// Wald's sequential probability ratio test of a claim about the probability of something: after
/// each run it learns whether it happened, and decides as soon as it is sure enough.
///
/// It compares two probabilities, the bound less and the bound plus the indifference, by how much
/// more likely what happened is under one than under the other.
///
/// ```
/// use everypath_sim::{Certainty, Claim, Decision, SequentialTest};
///
/// # fn main() -> Result<(), everypath_sim::Untestable> {
/// let claim = Claim::AtMost(0.1);
/// let mut test = SequentialTest::new(claim, Certainty { indifference: 0.05, ..Certainty::of(claim) })?;
/// let runs = (1..).find(|_| test.observe(false).is_some());
/// // ln((1 - 0.05) / 0.05) / ln((1 - 0.05) / (1 - 0.15)) = 26.5
/// assert_eq!((runs, test.decision()), (Some(27), Some(Decision::Accepted)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct SequentialTest {
    claim: Claim,
    seen: Proportion,
    /// What a run adds to the logarithm of the ratio in which it happened, and in which it did not:
    /// how much more likely that is if the probability is the larger one.
    steps: (f64, f64),
    /// At or below which the smaller probability is accepted, and at or above which the larger.
    bounds: (f64, f64),
    decision: Option<Decision>,
}

impl SequentialTest {
    /// A test of a claim.
    ///
    /// # Errors
    /// If the numbers make no sense.
    pub fn new(claim: Claim, certainty: Certainty) -> Result<Self, Untestable> {
        let Certainty { alpha, beta, indifference } = certainty;
        if let Some(&wrong) = [alpha, beta].iter().find(|it| !(**it > 0.0 && **it < 0.5)) {
            return Err(Untestable::Error(wrong));
        }
        let bound = claim.bound();
        let (small, large) = (bound - indifference, bound + indifference);
        if !(0.0 < small && small < large && large < 1.0) {
            return Err(Untestable::Indifference { bound, indifference });
        }
        // The error of taking the larger one for true though the smaller is, and the other.
        let (too_large, too_small) = match claim {
            Claim::AtMost(_) => (alpha, beta),
            Claim::AtLeast(_) => (beta, alpha),
        };
        Ok(Self {
            claim,
            seen: Proportion { runs: 0, happened: 0 },
            steps: (log(large / small), log((1.0 - large) / (1.0 - small))),
            bounds: (log(too_small / (1.0 - too_large)), log((1.0 - too_small) / too_large)),
            decision: None,
        })
    }

    /// One more run, in which it happened or did not. Once it has decided, nothing changes that.
    pub fn observe(&mut self, happened: bool) -> Option<Decision> {
        if self.decision.is_none() {
            self.seen.runs += 1;
            self.seen.happened += u32::from(happened);
            // Computed from the counts, not added up, so that it does not drift.
            let others = f64::from(self.seen.runs - self.seen.happened);
            let ratio = f64::from(self.seen.happened) * self.steps.0 + others * self.steps.1;
            let (smaller, larger) = match self.claim {
                Claim::AtMost(_) => (Decision::Accepted, Decision::Refuted),
                Claim::AtLeast(_) => (Decision::Refuted, Decision::Accepted),
            };
            if ratio <= self.bounds.0 {
                self.decision = Some(smaller);
            } else if ratio >= self.bounds.1 {
                self.decision = Some(larger);
            }
        }
        self.decision
    }

    /// Its decision, if it has decided.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// The runs so far.
    #[must_use]
    pub fn seen(&self) -> Proportion {
        self.seen
    }
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{Beta, ContinuousCDF};

    use super::*;
    use crate::{Probability, Stream};

    #[test]
    fn intervals_of_the_tables() {
        // Clopper and Pearson, two-sided 95 %.
        let table = [
            (1, 10, 0.002_529, 0.445_016),
            (5, 10, 0.187_086, 0.812_914),
            (10, 10, 0.691_503, 1.0),
            (3, 100, 0.006_230, 0.085_176),
        ];
        for (happened, runs, low, high) in table {
            let interval = Proportion { runs, happened }.interval();
            assert!((interval.0 - low).abs() < 1e-6, "{happened} of {runs}: {interval:?}");
            assert!((interval.1 - high).abs() < 1e-6, "{happened} of {runs}: {interval:?}");
        }
        assert_eq!(Proportion { runs: 0, happened: 0 }.interval(), (0.0, 1.0));
    }

    #[test]
    fn an_interval_s_ends_are_where_what_was_seen_becomes_unlikely() {
        // P(at least k of n) at the lower end, and P(at most k of n) at the upper, are 2.5 %.
        let binomial = |n: u32, k: u32, p: f64| {
            let mut ways = 1.0;
            (0..k).for_each(|i| ways *= f64::from(n - i) / f64::from(i + 1));
            ways * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)
        };
        for (happened, runs) in [(1, 20), (7, 20), (19, 20), (2, 300), (150, 300)] {
            let (low, high) = Proportion { runs, happened }.interval();
            let above: f64 = (happened..=runs).map(|k| binomial(runs, k, low)).sum();
            let below: f64 = (0..=happened).map(|k| binomial(runs, k, high)).sum();
            assert!((above - 0.025).abs() < 1e-6, "{happened} of {runs}: {above}");
            assert!((below - 0.025).abs() < 1e-6, "{happened} of {runs}: {below}");
        }
    }

    #[test]
    fn intervals_of_many_runs_are_as_good() {
        for (happened, runs) in [(1, 100_000), (50, 100_000), (99_999, 100_000), (400_000, 900_000)]
        {
            let (low, high) = Proportion { runs, happened }.interval();
            let cdf = |a: u32, b: u32, x| Beta::new(a.into(), b.into()).unwrap().cdf(x);
            let below = cdf(happened, runs - happened + 1, low);
            let above = cdf(happened + 1, runs - happened, high);
            assert!((below - 0.025).abs() < 1e-4, "{happened} of {runs}: {below} at {low}");
            assert!((above - 0.975).abs() < 1e-4, "{happened} of {runs}: {above} at {high}");
        }
    }

    const CERTAINTY: Certainty = Certainty { alpha: 0.05, beta: 0.1, indifference: 0.05 };

    /// How many of a number of tests accept the claim if the probability is this one, and how many runs
    /// they take on average.
    fn tested(claim: Claim, probability: f64, tests: u32) -> (u32, f64) {
        let (mut accepted, mut runs) = (0, 0.0);
        for number in 0..tests {
            let mut stream = Stream::new(5, number, "sequential test");
            let mut test = SequentialTest::new(claim, CERTAINTY).unwrap();
            let decision = loop {
                let happened = stream.happens(Probability::new(probability));
                if let Some(decision) = test.observe(happened) {
                    break decision;
                }
            };
            accepted += u32::from(decision == Decision::Accepted);
            runs += f64::from(test.seen().runs) / f64::from(tests);
        }
        (accepted, runs)
    }

    /// The number of runs that a test takes on average, after Wald, if the claim is accepted with
    /// this probability.
    fn wald(claim: Claim, probability: f64, accepted: f64) -> f64 {
        let test = SequentialTest::new(claim, CERTAINTY).unwrap();
        let small = match claim {
            Claim::AtMost(_) => accepted,
            Claim::AtLeast(_) => 1.0 - accepted,
        };
        let per_run = probability * test.steps.0 + (1.0 - probability) * test.steps.1;
        (small * test.bounds.0 + (1.0 - small) * test.bounds.1) / per_run
    }

    #[test]
    fn a_test_errs_no_more_often_than_it_may_and_takes_as_long_as_wald_says() {
        const TESTS: u32 = 2000;
        // Three standard deviations of the number of errors are allowed for.
        let most = |error: f64| {
            let tests = f64::from(TESTS);
            tests * error + 3.0 * (tests * error * (1.0 - error)).sqrt()
        };
        for (claim, truly, falsely) in
            [(Claim::AtMost(0.2), 0.15, 0.25), (Claim::AtLeast(0.8), 0.85, 0.75)]
        {
            let (accepted, runs) = tested(claim, truly, TESTS);
            assert!(f64::from(TESTS - accepted) <= most(0.05), "{claim:?}: {accepted} accepted");
            let expected = wald(claim, truly, 0.95);
            // Wald leaves out by how much the last run oversteps the bound, so it takes some more.
            assert!((1.0..1.15).contains(&(runs / expected)), "{claim:?}: {runs}, not {expected}");
            let (accepted, runs) = tested(claim, falsely, TESTS);
            assert!(f64::from(accepted) <= most(0.1), "{claim:?}: {accepted} accepted");
            let expected = wald(claim, falsely, 0.1);
            assert!((1.0..1.15).contains(&(runs / expected)), "{claim:?}: {runs}, not {expected}");
        }
    }

    #[test]
    fn far_from_the_bound_it_takes_fewer_runs() {
        let near = tested(Claim::AtMost(0.2), 0.15, 200).1;
        let (accepted, far) = tested(Claim::AtMost(0.2), 0.02, 200);
        assert_eq!(accepted, 200);
        assert!(far < near / 2.0, "{far} and {near}");
    }

    #[test]
    fn what_cannot_be_distinguished_is_refused() {
        let test = |claim, certainty| SequentialTest::new(claim, certainty).map(drop);
        for (claim, indifference) in [
            (Claim::AtMost(0.0), 0.01),
            (Claim::AtMost(0.01), 0.01),
            (Claim::AtLeast(0.99), 0.01),
            (Claim::AtLeast(1.0), 0.0),
            (Claim::AtLeast(0.5), 0.0),
            (Claim::AtLeast(0.5), -0.1),
            (Claim::AtLeast(f64::NAN), 0.1),
        ] {
            let refused = test(claim, Certainty { indifference, ..CERTAINTY });
            assert!(matches!(refused, Err(Untestable::Indifference { .. })), "{claim:?}");
        }
        for alpha in [0.0, 0.5, -1.0, f64::NAN] {
            let refused = test(Claim::AtMost(0.2), Certainty { alpha, ..CERTAINTY });
            assert!(matches!(refused, Err(Untestable::Error(_))), "{alpha}");
        }
    }
}
