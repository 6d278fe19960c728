//! The routing table of RIP.

use std::fmt;

use everypath_model::{
    NodeId,
    serde::{Deserialize, Serialize},
};

use super::Entry;

/// The metric of unreachable destinations (RFC 2453, 3.6).
pub const INFINITY: u8 = 16;

/// The metric of a network that a node is attached to.
pub const NEAREST: u8 = 1;

/// A route to one destination.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Route {
    /// The destination.
    pub destination: NodeId,
    /// Its metric.
    pub metric: u8,
    /// The next hop; the node itself, if the destination is its own network.
    pub next: NodeId,
    /// Whether a change is still to be announced.
    pub changed: bool,
}

impl Route {
    /// Whether its destination is reachable.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.metric < INFINITY
    }

    /// Whether a neighbour's offer, with the hop to the neighbour, replaces it (RFC 2453, 3.9.2):
    /// if it is shorter, or different and from the next hop itself.
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

/// The routes of a router: at most one per destination, in their order.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct RoutingTable(pub Vec<Route>);

impl RoutingTable {
    /// The route to a destination, if there is one.
    #[must_use]
    pub fn get(&self, destination: NodeId) -> Option<&Route> {
        self.0.iter().find(|route| route.destination == destination)
    }

    /// Whether a neighbour's offer, with the hop to the neighbour, changes the table; of an unknown
    /// destination, only a reachable one does.
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

    /// Replaces the route to a destination.
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
