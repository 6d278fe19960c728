//! # A network of protocol nodes as a space
//!
//! [`NetworkSpace`] makes of a [`Scenario`](everypath_model::Scenario) the graph that the explorer
//! walks.
//!
//! ## Parts
//!
//! The space puts parts together, each of which owns what it knows: the interner has the parts of states, the executor
//! what handlers lead to, groups what events do to many states at once, judgements and relations what the scenario
//! says of states. They work on ids. Only the machine knows the types of the protocol.
//!
//! ## Packed states
//!
//! Every distinct node state, packet and network content is kept once and named by a number; so
//! is the tuple of all nodes. A whole state is the pair (tuple, network): eight bytes, exact,
//! however large the nodes are.
//!
//! ## Handler executions
//!
//! A handler is executed once for each distinct node state and input. Its outcome (the next node
//! state and the packets sent) is remembered, and every later state with that node and input
//! reuses it.
//!
//! ## Groups
//!
//! States that share their tuple share also what each event does to the tuple; only the network
//! differs. It is kept for a while for tuples that were met lately. So is what remains of a network
//! when a packet is taken out of it.
//!
//! ## Reading worlds
//!
//! Assertions, goals, assumptions and rankings see a [`World`](everypath_model::World) that notes whether
//! the network was read. If not, the answer holds for every state with the same tuple and is
//! computed once.
//!
//! ## Covering others
//!
//! On an unordered network, a state is simulated by one with equal nodes, the same links down, at least
//! the same packets in flight and at least the same faults to come. The space knows where that would be unsound, and
//! says why. A [fingerprint](everypath_explore::Described::fingerprint) stands for a state in stores
//! that keep nothing else: it is mixed of hashes of content, so it is the same in every process.
//!
//! ## Saving
//!
//! A space can be saved with all that gives its ids their meaning, and another process can go on
//! with them. Every remembered handler execution is then repeated and compared: what an older
//! version of a protocol has done is never taken for what this one does.
//!
//! ## What is not here
//!
//! No search: which states are visited, and when, is the explorer's business. No clock but the one
//! that tells how long handlers took.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

mod allowance;
mod answers;
mod bytes;
mod declared_changes;
mod executor;
mod graph;
mod groups;
mod heap;
mod interner;
mod judgements;
mod link_set;
mod machine;
mod memo;
mod mix;
mod nodes;
mod numbers;
mod options;
mod packed;
mod program;
mod readers;
mod recent_pairs;
mod relations;
mod setup;
mod space;
mod tables;
mod transit;
mod trie;
mod variants;
mod verify;
mod view;

pub use declared_changes::DeclaredChanges;
pub use graph::{Changes, Graph, GraphCounts, GraphError, Reckoning};
pub use machine::{DecodeError, OwnedEvent, Unmet};
pub use memo::{Memo, MemoCounts};
pub use options::{SpaceError, SpaceOptions};
pub use program::program_print;
pub use space::NetworkSpace;
pub use verify::Verification;
