//! What independent runs tell about one quantity.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::Distribution;

/// What the runs tell about one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// What it is called.
    pub name: String,
    /// What it is measured in; empty if it is a plain number or nobody said.
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
    /// fewer than two runs.
    pub half_width: f64,
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
            half_width: half_width(runs, deviation),
        }
    }

    /// The half width as a share of the mean: the relative precision. 0 if there is no spread, not a
    /// number if the half width is none.
    #[must_use]
    pub fn precision(&self) -> f64 {
        if self.half_width == 0.0 { 0.0 } else { self.half_width / self.mean.abs() }
    }

    /// Whether a value is in the confidence interval.
    #[must_use]
    pub fn covers(&self, value: f64) -> bool {
        (self.mean - value).abs() <= self.half_width
    }
}

fn half_width(runs: u32, deviation: f64) -> f64 {
    if runs < 2 {
        return f64::NAN;
    }
    student_t_95(runs - 1) * deviation / f64::from(runs).sqrt()
}

/// The quantile of Student's distribution that leaves 2.5 % above it.
fn student_t_95(freedom: u32) -> f64 {
    StudentsT::new(0.0, 1.0, f64::from(freedom))
        .expect("a positive number of degrees of freedom")
        .inverse_cdf(0.975)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_s_table() {
        for (freedom, expected) in [(1, 12.706), (2, 4.303), (9, 2.262), (29, 2.045), (1000, 1.962)]
        {
            let t = student_t_95(freedom);
            assert!((t - expected).abs() < 5e-4, "{freedom}: {t}");
        }
    }

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
    fn the_precision_is_relative_to_the_mean() {
        let estimate = Estimate::of("change", "", &[-9.0, -10.0, -11.0]);
        assert!((estimate.precision() - 0.248_4).abs() < 1e-4);
        assert_eq!(Estimate::of("dropped", "", &[0.0, 0.0]).precision(), 0.0);
        assert!(Estimate::of("dropped", "", &[0.0]).precision().is_nan());
    }
}
