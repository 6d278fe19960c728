//! The routing table.

use std::fmt;

use everypath_model::{
    NodeId,
    serde::{Deserialize, Serialize},
};

use super::Entry;

/// The metric of what cannot be reached (RFC 2453, 3.6).
pub const INFINITY: u8 = 16;

/// The metric of a network that a node is attached to.
pub const NEAREST: u8 = 1;

/// What a router knows of one destination.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Route {
    /// Where it leads.
    pub destination: NodeId,
    /// How far it is.
    pub metric: u8,
    /// Through whom it leads; the node itself, if the destination is its own network.
    pub next: NodeId,
    /// Whether neighbours are still to be told of a change.
    pub changed: bool,
}

impl Route {
    /// Whether its destination can be reached.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.metric < INFINITY
    }

    /// Whether it is to be replaced by what a neighbour offers, the way to the neighbour included
    /// (RFC 2453, 3.9.2): by anything that is shorter, and by anything else from the next hop itself.
    #[must_use]
    pub fn yields_to(&self, from: NodeId, metric: u8) -> bool {
        metric < self.metric || from == self.next && metric != self.metric
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { destination, metric, next, .. } = self;
        write!(f, "{:?} via {next}", Entry { destination: *destination, metric: *metric })?;
        if self.changed { f.write_str(" pending") } else { Ok(()) }
    }
}

/// All that a router knows of destinations: at most one route to each, in their order.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct RoutingTable(pub Vec<Route>);

impl RoutingTable {
    /// What is known of a destination.
    #[must_use]
    pub fn get(&self, destination: NodeId) -> Option<&Route> {
        self.0.iter().find(|route| route.destination == destination)
    }

    /// Whether what a neighbour announces, the way to it included, changes what is known: of a
    /// destination that was not known, that it can be reached.
    #[must_use]
    pub fn is_changed_by(&self, from: NodeId, offer: Entry) -> bool {
        match self.get(offer.destination) {
            Some(route) => route.yields_to(from, offer.metric),
            None => offer.metric < INFINITY,
        }
    }

    /// The routes that can be used.
    pub fn usable(&self) -> impl Iterator<Item = &Route> {
        self.0.iter().filter(|route| route.is_usable())
    }

    pub(super) fn get_mut(&mut self, destination: NodeId) -> Option<&mut Route> {
        self.0.iter_mut().find(|route| route.destination == destination)
    }

    /// Puts a route in the place of what was known of its destination.
    pub(super) fn put(&mut self, route: Route) {
        match self.0.binary_search_by_key(&route.destination, |known| known.destination) {
            Ok(place) => self.0[place] = route,
            Err(place) => self.0.insert(place, route),
        }
    }

    pub(super) fn remove(&mut self, destination: NodeId) {
        self.0.retain(|route| route.destination != destination);
    }
}

impl fmt::Debug for RoutingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
