//! Moments of a played run, with the events that decide them.

use crate::clock::Nanoseconds;

/// A moment that comes some time after an event, or after the last of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// When it is, if every event takes place as early as it can.
    pub(super) at: Nanoseconds,
    /// The events, by their number in the run (0 is its start), with the spans after them: the moment is the
    /// latest of the sums. Empty if that is not tracked.
    pub(super) after: Vec<(usize, Nanoseconds)>,
}

impl Moment {
    /// A span later.
    pub(super) fn later(mut self, span: Nanoseconds) -> Self {
        self.at = self.at.saturating_add(span);
        self.after.iter_mut().for_each(|(_, own)| *own = own.saturating_add(span));
        self
    }

    /// The later one of two.
    pub(super) fn or_later(mut self, other: &Self) -> Self {
        self.at = self.at.max(other.at);
        for &sum in &other.after {
            // Events are in order: a later one with at least the span decides.
            let decides = |one: (usize, Nanoseconds), two: (usize, Nanoseconds)| {
                one.0 >= two.0 && one.1 >= two.1
            };
            if !self.after.iter().any(|&own| decides(own, sum)) {
                self.after.retain(|&own| !decides(sum, own));
                self.after.push(sum);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(at: Nanoseconds, after: &[(usize, Nanoseconds)]) -> Moment {
        Moment { at, after: after.to_vec() }
    }

    #[test]
    fn the_later_of_two_keeps_what_may_decide() {
        let early = moment(10, &[(1, 4)]);
        assert_eq!(early.clone().or_later(&moment(12, &[(2, 4)])), moment(12, &[(2, 4)]));
        assert_eq!(early.clone().or_later(&moment(9, &[(0, 4)])), early);
        let open = early.or_later(&moment(12, &[(2, 3)]));
        assert_eq!(open, moment(12, &[(1, 4), (2, 3)]));
        assert_eq!(open.later(5), moment(17, &[(1, 9), (2, 8)]));
    }
}
