//! Whether the largest values at each depth are a trend.

/// The fewest depths that can show a trend.
pub(crate) const DEPTHS_MIN: usize = 8;
/// The fewest times that a value must have risen: what has a few values only, such as a state of three, has risen to
/// its largest value by then.
const RISES_MIN: usize = 6;
/// The longest distance of levels in "2 more every 3 levels" that is exact.
const EVERY_MAX: u32 = 6;

/// A rate: this many more in this many levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) more: u64,
    pub(crate) every: u32,
}

/// The rate at which a series grows, if it does. A point has a depth and the largest value there.
///
/// A series grows if it rose often enough, in the second third of the depths and in the last one about as fast as
/// before, and has not been waiting for its next rise longer than twice as long as usual.
pub(crate) fn rate(points: &[(u32, u64)]) -> Option<Rate> {
    let (first, last) = (points.first()?, points.last()?);
    if points.len() < DEPTHS_MIN || ((last.0 - first.0) as usize) < DEPTHS_MIN {
        return None;
    }
    let mut most = first.1;
    let highest: Vec<u64> = points
        .iter()
        .map(|&(_, value)| {
            most = most.max(value);
            most
        })
        .collect();
    let rises: Vec<usize> = (1..points.len()).filter(|&at| highest[at] > highest[at - 1]).collect();
    let waiting = points.len() - 1 - rises.last()?;
    if rises.len() < RISES_MIN || waiting > 2 * points.len() / rises.len() {
        return None;
    }
    let end = points.len() - 1;
    let total = highest[end] - highest[0];
    let thirds = [end / 3, 2 * end / 3, end];
    let is_steady = thirds.windows(2).all(|third| {
        let rise = highest[third[1]] - highest[third[0]];
        rise > 0 && rise.saturating_mul(6) >= total
    });
    let from = thirds[0];
    let levels = last.0 - points[from].0;
    is_steady.then(|| in_few_levels(highest[end] - highest[from], levels))
}

/// A rise over many levels as one over few.
fn in_few_levels(rise: u64, levels: u32) -> Rate {
    let rate = rise as f64 / f64::from(levels);
    let every = (1..=EVERY_MAX).find(|&every| {
        let more = (rate * f64::from(every)).round();
        more >= 1.0 && (more / f64::from(every) - rate).abs() <= 0.1 * rate
    });
    let every = every.unwrap_or_else(|| (1.0 / rate).round().max(1.0) as u32);
    Rate { more: ((rate * f64::from(every)).round() as u64).max(1), every }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(value: impl Fn(u32) -> u64, depths: u32) -> Option<(u64, u32)> {
        let points: Vec<(u32, u64)> = (0..depths).map(|depth| (depth, value(depth))).collect();
        rate(&points).map(|rate| (rate.more, rate.every))
    }

    #[test]
    fn steady_growth_has_its_rate() {
        assert_eq!(of(|depth| depth.into(), 12), Some((1, 1)));
        assert_eq!(of(|depth| (depth / 2).into(), 20), Some((1, 2)));
        assert_eq!(of(|depth| (2 * depth / 3).into(), 24), Some((2, 3)));
        assert_eq!(of(|depth| (10 * depth).into(), 12), Some((10, 1)));
        assert_eq!(of(|depth| (depth / 9).into(), 80), Some((1, 9)));
    }

    #[test]
    fn what_falls_back_between_its_rises_grows() {
        assert!(of(|depth| u64::from(depth) - u64::from(depth % 3), 20).is_some());
    }

    #[test]
    fn what_has_stopped_does_not_grow() {
        assert_eq!(of(|_| 1000, 30), None);
        assert_eq!(of(|depth| depth.min(9).into(), 30), None);
        assert_eq!(of(|depth| u64::from(depth % 7), 30), None);
        // It comes ever more slowly to its bound.
        assert_eq!(of(|depth| 20 - 20 / (u64::from(depth) + 1), 40), None);
    }

    #[test]
    fn too_little_is_no_trend() {
        assert_eq!(of(|depth| depth.into(), 7), None);
        assert_eq!(of(|depth| (depth / 4).into(), 20), None, "it rose four times");
        assert_eq!(rate(&[]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// A value of at most five never grows, however it moves.
        #[test]
        fn what_is_at_most_five_never_grows(
            values in prop::collection::vec(0..=5_u64, 0..60)
        ) {
            let points: Vec<(u32, u64)> = (0..).zip(values).collect();
            prop_assert_eq!(rate(&points), None);
        }

        /// A value that stays below a bound it has met in the first third never grows.
        #[test]
        fn what_had_its_largest_value_early_never_grows(
            early in prop::collection::vec(0..=1000_u64, 1..20),
            late in prop::collection::vec(0..=1000_u64, 40..60),
        ) {
            let most = *early.iter().max().unwrap();
            let late = late.into_iter().map(|value| value.min(most));
            let points: Vec<(u32, u64)> = (0..).zip(early.iter().copied().chain(late)).collect();
            prop_assert_eq!(rate(&points), None);
        }

        /// What rises by one or two at each level grows.
        #[test]
        fn what_rises_at_every_level_grows(rises in prop::collection::vec(1..=2_u64, 12..60)) {
            let mut sum = 0;
            let points: Vec<(u32, u64)> = (0..).zip(rises.iter().map(|rise| { sum += rise; sum })).collect();
            prop_assert!(rate(&points).is_some());
        }
    }
}
