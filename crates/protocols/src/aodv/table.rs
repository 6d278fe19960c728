//! The routing table of AODV.

use std::fmt;

use everypath_model::{
    NodeId, data,
    serde::{Deserialize, Serialize},
};

use super::SequenceNumber;

/// The order of a router's lists. States that differ only in it behave alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListOrder {
    /// Sorted: such states are equal.
    #[default]
    Sorted,
    /// In the order of insertion: such states differ, as in the published experiments.
    Learnt,
}

impl ListOrder {
    /// Inserts an item in this order.
    pub(crate) fn insert<T, K: Ord>(self, list: &mut Vec<T>, item: T, key: impl Fn(&T) -> K) {
        let place = match self {
            Self::Sorted => list.partition_point(|other| key(other) < key(&item)),
            Self::Learnt => list.len(),
        };
        list.insert(place, item);
    }
}

/// Whether a route can be used.
#[data]
#[derive(Copy)]
pub enum Standing {
    /// It is invalid, and kept for its number.
    Invalid,
    /// It is valid.
    Valid,
    /// It is broken, and being repaired (RFC 3561, 6.12).
    Repairing,
}

/// The length of a route with unknown length.
pub const NO_HOPS: u8 = u8::MAX;

/// A route to one destination.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Route {
    /// The destination.
    pub destination: NodeId,
    /// The newest known number of the destination.
    pub number: SequenceNumber,
    /// Whether the number is known for this route.
    pub known: bool,
    /// Its length in hops; [`NO_HOPS`] if forgotten.
    pub hops: u8,
    /// The next hop.
    pub next: NodeId,
    /// Whether it can be used.
    pub standing: Standing,
    /// The neighbours that use it through this node, sorted.
    pub precursors: Vec<NodeId>,
}

impl Route {
    fn new(destination: NodeId) -> Self {
        Self {
            destination,
            number: SequenceNumber::default(),
            known: false,
            hops: NO_HOPS,
            next: NodeId(0),
            standing: Standing::Invalid,
            precursors: Vec::new(),
        }
    }

    /// Whether it can be used.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.standing == Standing::Valid
    }

    /// The destination's number, if known.
    #[must_use]
    pub fn known_number(&self) -> Option<SequenceNumber> {
        self.known.then_some(self.number)
    }

    /// Whether an offered route is better: fresher, or as fresh and shorter (RFC 3561, 6.2).
    #[must_use]
    pub fn is_improved_by(&self, number: SequenceNumber, hops: u8) -> bool {
        !self.known
            || number.is_newer_than(self.number)
            || number == self.number && (!self.is_valid() || hops < self.hops)
    }

    pub(super) fn add_precursor(&mut self, node: NodeId) {
        if let Err(place) = self.precursors.binary_search(&node) {
            self.precursors.insert(place, node);
        }
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.destination)?;
        if self.known {
            write!(f, " seq {:?}", self.number)?;
        }
        match self.standing {
            Standing::Valid => write!(f, " hops {} via {}", self.hops, self.next)?,
            Standing::Invalid => f.write_str(" invalid")?,
            Standing::Repairing => f.write_str(" in repair")?,
        }
        match self.precursors.as_slice() {
            [] => Ok(()),
            users => {
                f.write_str(" used by")?;
                users.iter().try_for_each(|user| write!(f, " {user}"))
            }
        }
    }
}

/// The routes of a router, at most one per destination.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct RoutingTable(pub Vec<Route>);

impl RoutingTable {
    /// The entry of a destination, if there is one.
    #[must_use]
    pub fn get(&self, destination: NodeId) -> Option<&Route> {
        self.0.iter().find(|route| route.destination == destination)
    }

    /// The valid route to a destination, if there is one.
    #[must_use]
    pub fn valid(&self, destination: NodeId) -> Option<&Route> {
        self.get(destination).filter(|route| route.is_valid())
    }

    /// The valid routes.
    pub fn all_valid(&self) -> impl Iterator<Item = &Route> {
        self.0.iter().filter(|route| route.is_valid())
    }

    pub(super) fn get_mut(&mut self, destination: NodeId) -> Option<&mut Route> {
        self.0.iter_mut().find(|route| route.destination == destination)
    }

    /// The entry of a destination; a new one if there is none.
    pub(super) fn entry(&mut self, destination: NodeId, order: ListOrder) -> &mut Route {
        if self.get(destination).is_none() {
            order.insert(&mut self.0, Route::new(destination), |route| route.destination);
        }
        self.get_mut(destination).expect("it was just inserted")
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
