//! Splitting a list of states in one pass.

use crate::Comparison;

/// A comparison with a constant, as an interval: values inside satisfy it, or those outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    low: i32,
    span: u32,
    is_outside: bool,
}

impl Interval {
    /// The values that compare in this way with a limit on the right.
    pub(super) fn of(comparison: Comparison, limit: i32) -> Self {
        use Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        let (low, high) = match comparison {
            Equal | Unequal => (limit, limit),
            AtLeast | Less => (limit, i32::MAX),
            AtMost | Greater => (i32::MIN, limit),
        };
        let is_outside = matches!(comparison, Unequal | Less | Greater);
        Self { low, span: high.wrapping_sub(low) as u32, is_outside }
    }

    /// The same with the limit on the left.
    pub(super) fn reversed(limit: i32, comparison: Comparison) -> Self {
        use Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        let comparison = match comparison {
            Equal => Equal,
            Unequal => Unequal,
            Less => Greater,
            Greater => Less,
            AtMost => AtLeast,
            AtLeast => AtMost,
        };
        Self::of(comparison, limit)
    }

    #[inline(always)]
    pub(super) fn holds(self, value: i32) -> bool {
        (value.wrapping_sub(self.low) as u32 <= self.span) != self.is_outside
    }
}

/// Keeps the states of a list for which something holds, by their places in it, and moves the others to a second list.
#[inline(always)]
pub(super) fn split(
    kept: &mut Vec<u32>,
    others: &mut Vec<u32>,
    holds: impl Fn(usize, u32) -> bool,
) {
    others.resize(kept.len(), 0);
    let (mut to_kept, mut to_others) = (0, 0);
    for at in 0..kept.len() {
        let state = kept[at];
        let holds = holds(at, state);
        // Both lists are written, and one of them grows: a branch would be mispredicted.
        kept[to_kept] = state;
        others[to_others] = state;
        to_kept += usize::from(holds);
        to_others += usize::from(!holds);
    }
    kept.truncate(to_kept);
    others.truncate(to_others);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_compare_as_numbers_do() {
        use Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        let numbers = [i32::MIN, i32::MIN + 1, -1, 0, 1, 7, i32::MAX - 1, i32::MAX];
        for comparison in [Equal, Unequal, Less, AtMost, Greater, AtLeast] {
            for left in numbers {
                for right in numbers {
                    let holds = comparison.holds(left, right);
                    let text = format!("{left} {comparison:?} {right}");
                    assert_eq!(Interval::of(comparison, right).holds(left), holds, "{text}");
                    assert_eq!(Interval::reversed(left, comparison).holds(right), holds, "{text}");
                }
            }
        }
    }

    #[test]
    fn both_parts_of_a_split_are_the_whole() {
        let all: Vec<u32> = (0..100).map(|number| number * 37 % 100).collect();
        for limit in [0, 1, 50, 100] {
            let (mut kept, mut others) = (all.clone(), vec![7; 3]);
            split(&mut kept, &mut others, |at, state| {
                assert_eq!(all[at], state);
                state < limit
            });
            let (held, failed): (Vec<u32>, Vec<u32>) =
                all.iter().partition(|state| **state < limit);
            assert_eq!((kept, others), (held, failed));
        }
    }
}
