//! The routing table.

use std::fmt;

use everypath_model::{
    NodeId, data,
    serde::{Deserialize, Serialize},
};

use super::SequenceNumber;

/// In which order a router keeps what it has learnt. States that differ in nothing else behave
/// alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListOrder {
    /// Sorted: such states are one.
    #[default]
    Sorted,
    /// In the order in which it was learnt: they are several, as in the published experiments.
    Learnt,
}

impl ListOrder {
    /// Puts an item where it belongs.
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
    /// It is kept for its number.
    Invalid,
    /// It can.
    Valid,
    /// It is broken, and a new one is being sought (RFC 3561, 6.12).
    Repairing,
}

/// The length of a route of which no length is known.
pub const NO_HOPS: u8 = u8::MAX;

/// What a router knows of one destination.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct Route {
    /// Where it leads.
    pub destination: NodeId,
    /// The newest number of the destination that was heard of.
    pub number: SequenceNumber,
    /// Whether any number was heard of, for this route.
    pub known: bool,
    /// How many hops it has; [`NO_HOPS`] if that was forgotten.
    pub hops: u8,
    /// The first of them.
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

    /// The destination's number, if it is known.
    #[must_use]
    pub fn known_number(&self) -> Option<SequenceNumber> {
        self.known.then_some(self.number)
    }

    /// Whether a route that is offered is better: it is fresher, or as fresh and shorter (RFC 3561,
    /// 6.2).
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

/// All that a router knows of destinations, at most one route to each.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct RoutingTable(pub Vec<Route>);

impl RoutingTable {
    /// What is known of a destination.
    #[must_use]
    pub fn get(&self, destination: NodeId) -> Option<&Route> {
        self.0.iter().find(|route| route.destination == destination)
    }

    /// The route to a destination, if there is one that can be used.
    #[must_use]
    pub fn valid(&self, destination: NodeId) -> Option<&Route> {
        self.get(destination).filter(|route| route.is_valid())
    }

    /// The routes that can be used.
    pub fn all_valid(&self) -> impl Iterator<Item = &Route> {
        self.0.iter().filter(|route| route.is_valid())
    }

    pub(super) fn get_mut(&mut self, destination: NodeId) -> Option<&mut Route> {
        self.0.iter_mut().find(|route| route.destination == destination)
    }

    /// What is known of a destination: from now on, at least that it exists.
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
