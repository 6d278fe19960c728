//! Paths made of waypoints: places with times.

use std::time::Duration;

use everypath_model::{Leg, Path, Position};

/// The path of a node through waypoints. In between it moves in a straight line, at a steady speed.
pub(crate) struct Waypoints {
    path: Path,
    /// The latest place.
    place: Position,
    /// The time of the latest place.
    pub(crate) time: Duration,
}

impl Waypoints {
    /// Starts at the first waypoint, where the node is from the beginning.
    pub(crate) fn new(time: Duration, place: Position) -> Self {
        Self { path: Path::at(place), place, time }
    }

    /// Adds a waypoint at a later time.
    pub(crate) fn reach(&mut self, time: Duration, place: Position) {
        let span = time.saturating_sub(self.time).as_secs_f64();
        let distance = self.place.distance(place);
        if distance > 0.0 {
            self.path.legs.push(Leg { begin: self.time, to: place, speed: distance / span });
        }
        (self.place, self.time) = (place, time);
    }

    pub(crate) fn legs(&self) -> usize {
        self.path.legs.len()
    }

    pub(crate) fn place(&self) -> Position {
        self.place
    }

    pub(crate) fn into_path(self) -> Path {
        self.path
    }
}
