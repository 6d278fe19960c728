//! Quantiles of Student's and of the beta distribution, the same on every platform.

use statrs::distribution::{Beta, ContinuousCDF, StudentsT};

/// The number that leaves this share of Student's distribution between it and its opposite.
pub(crate) fn student_t(freedom: f64, confidence: f64) -> f64 {
    let student = StudentsT::new(0.0, 1.0, freedom);
    let student = student.expect("a positive number of degrees of freedom");
    portable(student.inverse_cdf(f64::midpoint(1.0, confidence)))
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
        let table = [
            (0.95, [(1, 12.706), (2, 4.303), (9, 2.262), (29, 2.045), (1000, 1.962)]),
            (0.99, [(1, 63.657), (2, 9.925), (9, 3.250), (29, 2.756), (1000, 2.581)]),
            (0.8, [(1, 3.078), (2, 1.886), (9, 1.383), (29, 1.311), (1000, 1.282)]),
        ];
        for (confidence, row) in table {
            for (freedom, expected) in row {
                let t = student_t(f64::from(freedom), confidence);
                assert!((t - expected).abs() < 6e-4, "{confidence} {freedom}: {t}");
            }
        }
    }
}
