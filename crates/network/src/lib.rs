//! # A network of protocol nodes as a space
//!
//! [`NetworkSpace`] makes of a [`Scenario`](everypath_model::Scenario) the graph that the explorer
//! walks.
//!
//! ## Packed states
//!
//! Every distinct node state, packet and network content is kept once and named by a number; so
//! is the tuple of all nodes. A whole state is the pair (tuple, network): eight bytes, exact,
//! however large the nodes are.
//!
//! ## The memo of handler executions
//!
//! A handler is executed once for each distinct node state and input. Its outcome (the next node
//! state and the packets sent) is remembered, and every later state with that node and input
//! reuses it.
//!
//! ## Groups
//!
//! States of a batch that share their tuple share also what each event does to the tuple; only
//! the network differs. What a packet's removal and a handler's output do to a network is itself
//! remembered, so a step costs two look-ups.
//!
//! ## Reading worlds
//!
//! Assertions, assumptions and rankings see a [`World`](everypath_model::World) that notes whether
//! the network was read. If not, the answer holds for every state with the same tuple and is
//! computed once.
//!
//! ## What is not here
//!
//! No search and no clock: which states are visited, and when, is the explorer's business.

mod execute;
mod expand;
mod networks;
mod nodes;
mod numbers;
mod packed_world;
mod portable;
mod recent;
mod space;
mod text;
mod trie;

pub use portable::DecodeError;
pub use space::{NetworkSpace, SpaceError, SpaceOptions};
