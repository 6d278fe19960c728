//! Checks of the addresses that handlers send to.

use std::fmt::Debug;

use everypath_model::{NodeId, not_a_neighbour};

/// The place of a receiver among the sender's neighbours.
///
/// # Panics
/// If it is not one of them.
#[track_caller]
#[inline]
pub(crate) fn place_of_neighbour(
    from: NodeId,
    to: NodeId,
    message: &impl Debug,
    neighbours: &[NodeId],
) -> usize {
    match neighbours.binary_search(&to) {
        Ok(place) => place,
        Err(_) => not_a_neighbour(from, to, message, neighbours),
    }
}

/// # Panics
/// If there are too few nodes for the receiver to exist.
#[track_caller]
pub(crate) fn assert_exists(from: NodeId, to: NodeId, message: &impl Debug, nodes: usize) {
    assert!(to.index() < nodes, "{from} sends {message:?} to {to}, which does not exist");
}

/// # Panics
/// If a handler chooses among no options.
#[track_caller]
#[inline]
pub(crate) fn assert_options(node: NodeId, options: u32) {
    assert!(options > 0, "{node} chooses among no options");
}
