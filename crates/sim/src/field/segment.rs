//! Segment of a path: a straight movement at constant speed.

use everypath_model::Position;

use crate::clock::{Nanoseconds, from_seconds, seconds};

/// A node moves evenly from one moment to another, and stays where it has come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) begin: Nanoseconds,
    pub(super) end: Nanoseconds,
    pub(super) from: Position,
    pub(super) to: Position,
}

impl Segment {
    /// One that sets out at this moment, at a speed in metres per second.
    pub(super) fn towards(begin: Nanoseconds, from: Position, to: Position, speed: f64) -> Self {
        let distance = from.distance(to);
        if !(speed > 0.0 && distance > 0.0) {
            let to = if distance > 0.0 { from } else { to };
            return Self { begin, end: begin, from, to };
        }
        Self { begin, end: begin.saturating_add(span(distance / speed)), from, to }
    }

    #[inline]
    pub(super) fn position(&self, time: Nanoseconds) -> Position {
        if time >= self.end {
            return self.to;
        }
        let share = seconds(time.saturating_sub(self.begin)) / seconds(self.end - self.begin);
        let along = |from: f64, to: f64| from + (to - from) * share;
        Position {
            x: along(self.from.x, self.to.x),
            y: along(self.from.y, self.to.y),
            z: along(self.from.z, self.to.z),
        }
    }

    /// In metres per second.
    pub(super) fn speed(&self) -> f64 {
        if self.end == self.begin {
            return 0.0;
        }
        self.from.distance(self.to) / seconds(self.end - self.begin)
    }
}

/// Seconds as nanoseconds, to the nearest; never 0, so that a moving node makes progress.
pub(super) fn span(seconds: f64) -> Nanoseconds {
    from_seconds(seconds).max(1)
}
