//! Truncation of the warm-up of a sequence of observations (MSER-5).

/// How many observations MSER-5 takes together.
const BATCH: usize = 5;

/// The truncation that MSER-5 chooses for a sequence of observations.
///
/// ```
/// use everypath_sim::mser5;
///
/// // Nothing has to be cut off a sequence that is settled from the start.
/// let truncation = mser5(&[1.0, 2.0].repeat(50));
/// assert_eq!((truncation.cut, truncation.at_limit), (0, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Truncation {
    /// How many of the first observations do not count.
    pub cut: usize,
    /// Whether it has cut as much as it may: the sequence is then too short to say where it settles.
    pub at_limit: bool,
}

/// Where a sequence of observations has settled, after White (1997): MSER-5.
///
/// The observations are taken in batches of five, and the first of these batches are dropped, as many as make
/// the standard error of the mean of the others least. Only the first
/// half may be dropped: at the end of a sequence a few batches are close together by chance. What
/// does not fill a batch at the end is not looked at and never dropped. Nothing is dropped of what
/// has fewer than two batches, or an observation that is not finite.
///
/// ```
/// use everypath_sim::mser5;
///
/// let mut delays = vec![9.0; 10];
/// delays.extend([1.0, 2.0].repeat(45));
/// assert_eq!(mser5(&delays).cut, 10);
/// ```
#[must_use]
#[allow(clippy::cast_precision_loss)]
pub fn mser5(observations: &[f64]) -> Truncation {
    let batches: Vec<f64> = observations
        .chunks_exact(BATCH)
        .map(|batch| batch.iter().sum::<f64>() / BATCH as f64)
        .collect();
    let most = batches.len() / 2;
    let mut best = (f64::INFINITY, 0);
    // From the end, so that the mean and the squares of what is left grow by one batch at a time.
    let (mut mean, mut squares) = (0.0, 0.0);
    for (cut, batch) in batches.iter().enumerate().rev() {
        let left = (batches.len() - cut) as f64;
        let distance = batch - mean;
        mean += distance / left;
        squares += distance * (batch - mean);
        let error = squares / (left * left);
        // Of equally good ones, that which keeps most.
        if cut <= most && error <= best.0 {
            best = (error, cut);
        }
    }
    let (_, cut) = best;
    Truncation { cut: cut * BATCH, at_limit: cut > 0 && cut == most }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;

    #[test]
    fn a_sequence_computed_by_hand() {
        // Batch means 10, 4, 1, 3, 2, 2. Squares around the mean of what is left, over its number
        // squared: 164/3 / 36 = 1.519, 5.2 / 25 = 0.208, 2 / 16 = 0.125, 2/3 / 9 = 0.0741.
        let means = [10.0, 4.0, 1.0, 3.0, 2.0, 2.0];
        let spread = [-2.0, 1.0, 0.0, -1.0, 2.0];
        let observations: Vec<f64> =
            means.iter().flat_map(|mean| spread.map(|distance| mean + distance)).collect();
        assert_eq!(mser5(&observations), Truncation { cut: 15, at_limit: true });
        // With four more batches around 2 the half is further away than the least.
        let mut longer = observations;
        longer.extend([3.0, 1.0, 3.0, 1.0].iter().flat_map(|mean| spread.map(|d| mean + d)));
        assert_eq!(mser5(&longer), Truncation { cut: 10, at_limit: false });
    }

    #[test]
    fn agrees_with_trying_every_cut() {
        let mut stream = Stream::new(3, 0, "mser5 test");
        for length in 0..120 {
            let observations: Vec<f64> = (0..length)
                .map(|i| f64::from(stream.choose(1000)) + 3000.0 * 0.9_f64.powi(i))
                .collect();
            let means: Vec<f64> =
                observations.chunks_exact(5).map(|batch| batch.iter().sum::<f64>() / 5.0).collect();
            let error = |cut: usize| {
                let left = &means[cut..];
                let mean = left.iter().sum::<f64>() / left.len() as f64;
                let squares: f64 = left.iter().map(|value| (value - mean).powi(2)).sum();
                squares / (left.len() as f64).powi(2)
            };
            let best = (0..=means.len() / 2)
                .filter(|&cut| cut < means.len())
                .min_by(|&a, &b| error(a).total_cmp(&error(b)));
            assert_eq!(mser5(&observations).cut, best.unwrap_or(0) * 5, "{length} observations");
        }
    }

    #[test]
    fn what_cannot_be_judged_is_left_whole() {
        let whole = Truncation { cut: 0, at_limit: false };
        assert_eq!(mser5(&[]), whole);
        assert_eq!(mser5(&[9.0, 9.0, 9.0, 9.0, 9.0, 1.0, 1.0, 1.0, 1.0]), whole);
        assert_eq!(mser5(&[4.0; 100]), whole);
        assert_eq!(mser5(&[f64::NAN; 100]), whole);
        assert_eq!(mser5(&[f64::INFINITY; 100]), whole);
    }

    /// A number from 0 to 1, exclusively.
    fn uniform(stream: &mut Stream) -> f64 {
        (stream.up_to((1 << 53) - 2) + 1) as f64 / (1_u64 << 53) as f64
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    /// The root of the mean squared distance of the means of 40 sequences from what they should be,
    /// of all observations and of those that count.
    fn errors(truth: f64, sequence: impl Fn(&mut Stream) -> Vec<f64>) -> (f64, f64) {
        let (mut whole, mut settled) = (0.0, 0.0);
        for replication in 0..40 {
            let all = sequence(&mut Stream::new(1, replication, "mser5 sequence"));
            whole += (mean(&all) - truth).powi(2) / 40.0;
            settled += (mean(&all[mser5(&all).cut..]) - truth).powi(2) / 40.0;
        }
        (whole.sqrt(), settled.sqrt())
    }

    #[test]
    fn an_autoregressive_sequence_that_starts_far_away_is_cut_near_its_transient() {
        // x' = 0.9 x + noise from -0.5 to 0.5, from 50: the mean in the long run is 0, and after 60
        // observations less than 0.1 is left of the start.
        let (whole, settled) = errors(0.0, |stream| {
            let mut value = 50.0;
            let next = |_| {
                value = 0.9 * value + uniform(stream) - 0.5;
                value
            };
            (0..1000).map(next).collect()
        });
        // The transient adds 50 * 9 / 1000 to the mean.
        assert!((whole - 0.45).abs() < 0.05, "{whole}");
        // One that has settled from the start has 1 / (1 - 0.9) / (12 * 1000).sqrt() = 0.091.
        assert!(settled < 0.12, "{settled}");
    }

    #[test]
    fn a_queue_that_starts_crowded_is_nearer_to_its_mean_once_it_has_settled() {
        // M/M/1 at a load of 0.5 and service at rate 1 with a hundred customers' work at the start:
        // the time in the system is 2 on average in the long run.
        let (whole, settled) = errors(2.0, |stream| {
            let mut waiting = 100.0;
            let next = |_| {
                let service = -uniform(stream).ln();
                let until_next = -uniform(stream).ln() / 0.5;
                let time = waiting + service;
                waiting = f64::max(0.0, time - until_next);
                time
            };
            (0..4000).map(next).collect()
        });
        assert!(whole > 1.0, "{whole}");
        assert!(settled < 0.25 * whole, "{settled} of {whole}");
    }
}
