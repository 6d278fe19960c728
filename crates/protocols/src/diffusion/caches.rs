//! The caches of a node for interests and data.

use std::fmt;

use everypath_model::{
    NodeId,
    serde::{Deserialize, Serialize},
};

use super::{Data, EventId, Kind, Rate, Task};
use crate::aodv::ListOrder;

/// A gradient: a neighbour that wants data.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Gradient {
    /// The neighbour.
    pub neighbour: NodeId,
    /// The sources for whose data it is reinforced, sorted.
    pub reinforced: Vec<NodeId>,
}

impl Gradient {
    pub(super) fn new(neighbour: NodeId) -> Self {
        Self { neighbour, reinforced: Vec::new() }
    }

    /// Whether it is reinforced for the data of a source.
    #[must_use]
    pub fn is_reinforced(&self, origin: NodeId) -> bool {
        self.reinforced.binary_search(&origin).is_ok()
    }

    /// The rate at which it wants data of a source.
    #[must_use]
    pub fn rate(&self, origin: NodeId) -> Rate {
        if self.is_reinforced(origin) { Rate::Reinforced } else { Rate::Exploratory }
    }

    pub(super) fn reinforce(&mut self, origin: NodeId) {
        if let Err(place) = self.reinforced.binary_search(&origin) {
            self.reinforced.insert(place, origin);
        }
    }

    /// Removes the reinforcement for a source; returns whether there was one.
    pub(super) fn degrade(&mut self, origin: NodeId) -> bool {
        let place = self.reinforced.binary_search(&origin);
        place.map(|place| self.reinforced.remove(place)).is_ok()
    }
}

impl fmt::Debug for Gradient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "to {}", self.neighbour)?;
        match self.reinforced.as_slice() {
            [] => f.write_str(" exploratory"),
            origins => {
                f.write_str(" reinforced for")?;
                origins.iter().try_for_each(|origin| write!(f, " {origin}"))
            }
        }
    }
}

/// An interest that a node knows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct InterestEntry {
    /// Its task.
    pub task: Task,
    /// The gradients, at most one per neighbour, at least one.
    pub gradients: Vec<Gradient>,
}

impl InterestEntry {
    pub(super) fn gradient_mut(&mut self, neighbour: NodeId) -> Option<&mut Gradient> {
        self.gradients.iter_mut().find(|gradient| gradient.neighbour == neighbour)
    }

    /// Whether any gradient is reinforced for a source.
    #[must_use]
    pub fn flows(&self, origin: NodeId) -> bool {
        self.gradients.iter().any(|gradient| gradient.is_reinforced(origin))
    }

    /// Adds a gradient to a neighbour, if there is none.
    pub(super) fn add(&mut self, neighbour: NodeId, order: ListOrder) {
        if self.gradient_mut(neighbour).is_some() {
            return;
        }
        let gradient = Gradient::new(neighbour);
        order.insert(&mut self.gradients, gradient, |gradient| gradient.neighbour);
    }
}

impl fmt::Debug for InterestEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Interest");
        shown.field("task", &self.task).field("gradients", &self.gradients).finish()
    }
}

/// Data that a node has seen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Seen {
    /// The data, with their hops.
    pub data: Data,
    /// The neighbour that sent them, or the node itself if it sensed the event.
    pub from: NodeId,
    /// The tasks for which these data caused a reinforcement, sorted.
    pub answered: Vec<Task>,
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} from {}", self.data.event, self.data.rate, self.from)?;
        if self.answered.is_empty() { Ok(()) } else { f.write_str(" answered") }
    }
}

/// A neighbour that a node has reinforced.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Upstream {
    /// Its task.
    pub task: Task,
    /// The source of the data.
    pub origin: NodeId,
    /// The neighbour.
    pub neighbour: NodeId,
    /// How many events in a row came first from others.
    pub stale: u8,
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {} from {}", self.task.kind, self.origin, self.neighbour)?;
        if self.stale > 0 { write!(f, " late {}", self.stale) } else { Ok(()) }
    }
}

/// The event of a source for which a node last took part in reinforcement.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Label {
    /// The event; older ones are ignored.
    pub event: EventId,
    /// Its hops.
    pub hops: u8,
}

impl Label {
    pub(super) fn stream(&self) -> (Kind, NodeId) {
        (self.event.kind, self.event.origin)
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} hops {}", self.event, self.hops)
    }
}
