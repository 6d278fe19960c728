//! Sequence numbers, which measure the freshness of routes.

use std::fmt;

use everypath_model::serde::{Deserialize, Serialize};

/// The freshness of a route. Numbers roll over: one number is newer than another if fewer
/// increments lead to it (RFC 3561, section 6.1).
///
/// ```
/// use everypath_protocols::aodv::SequenceNumber;
///
/// let last = SequenceNumber(u32::MAX);
/// assert!(last.plus(1).is_newer_than(last));
/// assert_eq!(last.plus(2).distance_from(last), 2);
/// ```
// The derived order is for sorting alone: it ignores rollover.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct SequenceNumber(pub u32);

impl SequenceNumber {
    /// The number after this many increments.
    #[must_use]
    pub fn plus(self, increments: u32) -> Self {
        Self(self.0.wrapping_add(increments))
    }

    /// How many increments lead from the other number to this one; negative if it is older.
    #[must_use]
    pub fn distance_from(self, other: Self) -> i32 {
        self.0.wrapping_sub(other.0).cast_signed()
    }

    /// Whether it is newer than another.
    #[must_use]
    pub fn is_newer_than(self, other: Self) -> bool {
        self.distance_from(other) > 0
    }

    /// The newer of the two.
    #[must_use]
    pub fn newest(self, other: Self) -> Self {
        if other.is_newer_than(self) { other } else { self }
    }

    /// The number itself if it is even, otherwise the next.
    #[must_use]
    pub fn rounded_to_even(self) -> Self {
        self.plus(self.0 & 1)
    }
}

impl fmt::Debug for SequenceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_roll_over() {
        for number in [0, 1, 7, i32::MAX.cast_unsigned(), u32::MAX - 1, u32::MAX] {
            let number = SequenceNumber(number);
            assert!(number.plus(1).is_newer_than(number));
            assert!(number.plus(i32::MAX.cast_unsigned()).is_newer_than(number));
            assert!(!number.plus(i32::MAX.cast_unsigned() + 2).is_newer_than(number));
            assert!(!number.is_newer_than(number));
            assert_eq!(number.newest(number.plus(3)), number.plus(3));
            assert_eq!(number.plus(3).newest(number), number.plus(3));
        }
    }

    #[test]
    fn odd_numbers_are_rounded_up() {
        assert_eq!(SequenceNumber(4).rounded_to_even(), SequenceNumber(4));
        assert_eq!(SequenceNumber(5).rounded_to_even(), SequenceNumber(6));
        assert_eq!(SequenceNumber(u32::MAX).rounded_to_even(), SequenceNumber(0));
    }
}
