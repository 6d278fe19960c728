//! Random movement: waypoints and walks.

use std::time::Duration;

use everypath_model::{Area, Position};

use super::segment::{Segment, span};
use crate::{
    Stream,
    clock::{Nanoseconds, nanoseconds, seconds},
};

/// Decides where a node goes next. Functions that the standard library takes from the machine are those of
/// `libm` here, so that every machine draws the same ways.
pub(super) struct Roamer {
    area: Area,
    speeds: (f64, f64),
    habit: Habit,
    stream: Stream,
}

enum Habit {
    /// Goes to points, and rests at each for the pause.
    Waypoint { pause: Nanoseconds },
    /// Keeps direction and speed until the next turn.
    Walk { turn: Nanoseconds, left: Nanoseconds, velocity: (f64, f64) },
}

impl Roamer {
    pub(super) fn waypoint(
        area: Area,
        speeds: (f64, f64),
        pause: Duration,
        stream: Stream,
    ) -> Self {
        let habit = Habit::Waypoint { pause: nanoseconds(pause) };
        Self { area, speeds, habit, stream }
    }

    pub(super) fn walk(area: Area, speeds: (f64, f64), turn: Duration, stream: Stream) -> Self {
        let habit = Habit::Walk { turn: nanoseconds(turn).max(1), left: 0, velocity: (0.0, 0.0) };
        Self { area, speeds, habit, stream }
    }

    fn point(&mut self) -> Position {
        let x = self.stream.fraction() * self.area.width;
        Position::on_ground(x, self.stream.fraction() * self.area.height)
    }

    /// The first segment.
    pub(super) fn first(&mut self) -> Segment {
        match self.habit {
            Habit::Waypoint { pause } => self.under_way(pause),
            Habit::Walk { .. } => {
                // Reflection leaves the uniform distribution as it is.
                let point = self.point();
                Segment::towards(0, point, point, 0.0)
            }
        }
    }

    /// The segment after another.
    pub(super) fn next(&mut self, last: &Segment) -> Segment {
        match self.habit {
            Habit::Waypoint { pause } => {
                if pause > 0 && last.from != last.to {
                    let end = last.end.saturating_add(pause);
                    return Segment { begin: last.end, end, from: last.to, to: last.to };
                }
                let to = self.point();
                let speed = self.stream.between(self.speeds.0, self.speeds.1);
                Segment::towards(last.end, last.to, to, speed)
            }
            Habit::Walk { .. } => self.walk_on(last),
        }
    }

    /// In which part of random waypoint's round a node is met that has gone round for ever: after
    /// Navidi and Camp (2004). A leg is met in proportion to how long it takes; then the point on
    /// it is uniform, and the speed has a density in proportion to its inverse.
    fn under_way(&mut self, pause: Nanoseconds) -> Segment {
        let (slowest, fastest) = self.speeds;
        let inverse_speed = if slowest < fastest {
            libm::log(fastest / slowest) / (fastest - slowest)
        } else {
            1.0 / slowest
        };
        let (moving, resting) = (mean_leg(self.area) * inverse_speed, seconds(pause));
        if self.stream.fraction() * (moving + resting) < resting {
            let at = self.point();
            // The rest of a pause of fixed length is uniform.
            let left = span(seconds(pause) * self.stream.fraction());
            return Segment { begin: 0, end: left, from: at, to: at };
        }
        let Area { width, height } = self.area;
        let longest = Position::on_ground(width, height).distance(Position::default());
        let (from, to) = loop {
            let (from, to) = (self.point(), self.point());
            if self.stream.fraction() * longest < from.distance(to) {
                break (from, to);
            }
        };
        let speed = slowest * libm::pow(fastest / slowest, self.stream.fraction());
        let share = self.stream.fraction();
        let along = |from: f64, to: f64| from + (to - from) * share;
        let at = Position::on_ground(along(from.x, to.x), along(from.y, to.y));
        Segment::towards(0, at, to, speed)
    }

    /// Goes on to the edge of the area, or until it is time to turn.
    fn walk_on(&mut self, last: &Segment) -> Segment {
        let Habit::Walk { turn, mut left, velocity: (mut x, mut y) } = self.habit else {
            unreachable!("asked of who walks");
        };
        if left == 0 {
            let speed = self.stream.between(self.speeds.0, self.speeds.1);
            let angle = self.stream.fraction() * std::f64::consts::TAU;
            (x, y) = (speed * libm::cos(angle), speed * libm::sin(angle));
            left = turn;
        }
        let from = last.to;
        // A node at the edge turns back.
        let reflect = |at: f64, velocity: f64, most: f64| {
            let outwards = (at <= 0.0 && velocity < 0.0) || (at >= most && velocity > 0.0);
            if outwards { -velocity } else { velocity }
        };
        x = reflect(from.x, x, self.area.width);
        y = reflect(from.y, y, self.area.height);
        let to_edge = |at: f64, velocity: f64, most: f64| {
            if velocity > 0.0 {
                (most - at) / velocity
            } else if velocity < 0.0 {
                -at / velocity
            } else {
                f64::INFINITY
            }
        };
        let (across, up) =
            (to_edge(from.x, x, self.area.width), to_edge(from.y, y, self.area.height));
        let time = span(across.min(up).min(seconds(left))).min(left);
        let Area { width, height } = self.area;
        let to = Position::on_ground(
            (from.x + x * seconds(time)).clamp(0.0, width),
            (from.y + y * seconds(time)).clamp(0.0, height),
        );
        self.habit = Habit::Walk { turn, left: left - time, velocity: (x, y) };
        Segment { begin: last.end, end: last.end.saturating_add(time), from, to }
    }
}

/// The mean distance of two points of a rectangle, drawn uniformly.
fn mean_leg(area: Area) -> f64 {
    let (a, b) = (area.width, area.height);
    let d = (a * a + b * b).sqrt();
    let across = a * a / b * libm::log((b + d) / a);
    let up = b * b / a * libm::log((a + d) / b);
    let corners = a * a * a / (b * b) + b * b * b / (a * a);
    let diagonal = d * (3.0 - a * a / (b * b) - b * b / (a * a));
    (corners + diagonal + 2.5 * (across + up)) / 15.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_leg_of_a_unit_square() {
        assert!((mean_leg(Area { width: 1.0, height: 1.0 }) - 0.521_405).abs() < 1e-6);
    }
}
