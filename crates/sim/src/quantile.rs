//! Quantiles of Student's and of the beta distribution, the same on every platform.

use statrs::distribution::{Beta, ContinuousCDF, StudentsT};

/// The quantile of Student's distribution that leaves 2.5 % above it.
pub(crate) fn student_t_95(freedom: u32) -> f64 {
    let student = StudentsT::new(0.0, 1.0, f64::from(freedom));
    portable(student.expect("a positive number of degrees of freedom").inverse_cdf(0.975))
}

/// The quantile of the beta distribution that leaves this fraction below it.
pub(crate) fn beta(a: f64, b: f64, fraction: f64) -> f64 {
    portable(Beta::new(a, b).expect("both are positive").inverse_cdf(fraction))
}

/// A positive number to twelve digits. Logarithms come from the platform if any crate of a build enables
/// `num-traits/std`, and from `libm` otherwise: their last bits differ, and results must not.
fn portable(number: f64) -> f64 {
    const DROPPED: u64 = 1 << 12;
    f64::from_bits((number.to_bits() + DROPPED / 2) & !(DROPPED - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bits_of_a_quantile_do_not_matter() {
        let next = |number: f64, steps: u64| f64::from_bits(number.to_bits() + steps);
        for number in [12.706_204_736_174_698, 0.033_455_5, 1.0] {
            let kept = portable(number);
            assert!((kept / number - 1.0).abs() < 1e-12, "{kept}");
            assert_eq!(portable(kept), kept);
            assert_eq!(portable(next(kept, 3)), kept);
            assert_eq!(portable(f64::from_bits(kept.to_bits() - 3)), kept);
        }
    }

    #[test]
    fn student_s_table() {
        for (freedom, expected) in [(1, 12.706), (2, 4.303), (9, 2.262), (29, 2.045), (1000, 1.962)]
        {
            let t = student_t_95(freedom);
            assert!((t - expected).abs() < 5e-4, "{freedom}: {t}");
        }
    }
}
