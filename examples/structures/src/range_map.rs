//! `rangemap` 1.8.0: values of intervals.

use std::ops::Range;

use everypath::{Driver, Parameters};
use rangemap::RangeMap;

const POINTS: u8 = 5;

/// The value of each point.
type Points = Vec<Option<u8>>;

/// Every interval with at least one point.
fn intervals() -> Vec<Range<u8>> {
    (0..POINTS).flat_map(|begin| (begin + 1..=POINTS).map(move |end| begin..end)).collect()
}

fn fill(points: &mut Points, range: Range<u8>, value: Option<u8>) {
    range.for_each(|point| points[usize::from(point)] = value);
}

/// The longest intervals with one value.
fn runs(points: &Points) -> Vec<(Range<u8>, u8)> {
    let mut runs: Vec<(Range<u8>, u8)> = Vec::new();
    for (point, value) in (0..).zip(points) {
        match (runs.last_mut(), value) {
            (Some((run, same)), Some(value)) if run.end == point && same == value => run.end += 1,
            (_, Some(value)) => runs.push((point..point + 1, *value)),
            (_, None) => {}
        }
    }
    runs
}

/// A map of the intervals of five points to two values.
pub fn range_map(_: &mut Parameters) -> Driver<RangeMap<u8, u8>, Points> {
    let ranges =
        |map: &RangeMap<u8, u8>| map.iter().map(|(r, v)| (r.clone(), *v)).collect::<Vec<_>>();
    Driver::observed(RangeMap::new, ranges)
        .about("rangemap 1.8.0: values of intervals")
        .against(|| vec![None; POINTS.into()])
        .both("insert", (intervals(), 1..=2), |map, (range, value)| map.insert(range, value), {
            |points, (range, value)| fill(points, range, Some(value))
        })
        .both("remove", intervals(), |map, it| map.remove(it), |points, it| fill(points, it, None))
        .both("get", 0..POINTS, |map, it| map.get(&it).copied(), |it, at| it[usize::from(at)])
        .both("gaps", intervals(), |map, it| map.gaps(&it).map(|gap| gap.len()).sum::<usize>(), {
            |points, it| it.filter(|point| points[usize::from(*point)].is_none()).count()
        })
        .agree("ranges", ranges, runs)
}
