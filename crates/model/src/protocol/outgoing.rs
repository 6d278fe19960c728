//! Requests of a node to the network.

use std::time::Duration;

use crate::{NodeId, data};

/// A request of a node to the network.
///
/// ```
/// use everypath_model::{NodeId, Outgoing};
///
/// fn receiver(outgoing: &Outgoing<String>) -> Option<NodeId> {
///     match outgoing {
///         Outgoing::To(to, _) | Outgoing::ToWithin(to, ..) => Some(*to),
///         Outgoing::ToAll(_) | Outgoing::ToAllWithin(..) => None,
///     }
/// }
/// assert_eq!(receiver(&Outgoing::To(NodeId(1), "hello".to_owned())), Some(NodeId(1)));
/// ```
#[data]
pub enum Outgoing<M> {
    /// Send the message to one neighbour.
    To(NodeId, M),
    /// Send a copy of the message to every neighbour.
    ToAll(M),
    /// As `To`, with jitter up to this duration; see [`send_within`](super::Node::send_within).
    ToWithin(NodeId, M, Duration),
    /// As `ToAll`, with jitter up to this duration; see
    /// [`broadcast_within`](super::Node::broadcast_within).
    ToAllWithin(M, Duration),
}
