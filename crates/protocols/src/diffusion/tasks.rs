//! Tasks of sinks: a kind of event, in an area.

use std::fmt;

use everypath_model::{
    NodeId,
    serde::{Deserialize, Serialize},
};

/// A kind of event, as a sensor distinguishes them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Kind(pub u8);

impl fmt::Debug for Kind {
    /// A letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'A' + self.0 % 26))?;
        if self.0 < 26 { Ok(()) } else { write!(f, "{}", self.0 / 26) }
    }
}

/// A place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Place {
    /// To the right.
    pub x: u32,
    /// Downwards.
    pub y: u32,
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

/// A rectangle, its corners included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Area {
    /// Its upper left corner.
    pub from: Place,
    /// Its lower right corner.
    pub to: Place,
}

impl Area {
    /// Whether a place is in it.
    #[must_use]
    pub fn contains(&self, place: Place) -> bool {
        (self.from.x..=self.to.x).contains(&place.x) && (self.from.y..=self.to.y).contains(&place.y)
    }
}

impl fmt::Debug for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.from)?;
        if self.from == self.to { Ok(()) } else { write!(f, "–{:?}", self.to) }
    }
}

/// The interest of a sink. Two sinks with the same task want the same data.
///
/// ```
/// use everypath_protocols::diffusion::{Area, Kind, Place, Task};
///
/// let area = Area { from: Place { x: 2, y: 0 }, to: Place { x: 3, y: 1 } };
/// let task = Task { kind: Kind(0), area };
/// assert!(task.matches(Kind(0), Place { x: 3, y: 0 }));
/// assert!(!task.matches(Kind(1), Place { x: 3, y: 0 }));
/// assert!(!task.matches(Kind(0), Place { x: 3, y: 2 }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Task {
    /// The kind of event.
    pub kind: Kind,
    /// The area.
    pub area: Area,
}

impl Task {
    /// Whether an event of this kind at this place is of interest.
    #[must_use]
    pub fn matches(&self, kind: Kind, place: Place) -> bool {
        self.kind == kind && self.area.contains(place)
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {:?}", self.kind, self.area)
    }
}

/// A sink and its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// The sink.
    pub sink: NodeId,
    /// Its task.
    pub task: Task,
}
