//! # A network of protocol nodes as a space
//!
//! [`NetworkSpace`] turns a [`Scenario`](everypath_model::Scenario) into the graph that the
//! explorer walks.
//!
//! ## Parts
//!
//! The space combines parts, each with its own data. The interner has the parts of states, the
//! executor the outcomes of handlers, groups the effects of events on many states at once,
//! judgements and relations the scenario's answers about states. These parts work on ids. Only the
//! machine knows the types of the protocol.
//!
//! ## Packed states
//!
//! Every distinct node state, packet and network content is interned: kept once and named by a
//! number. So is the tuple of all nodes. A state is the pair (tuple, network): eight bytes, exact,
//! however large the nodes are.
//!
//! ## Handler executions
//!
//! A handler is executed once for each distinct node state and input. Its outcome (the next node
//! state and the packets sent) is memoised, and every later state with that node state and input
//! reuses it.
//!
//! ## Groups
//!
//! States with the same tuple share the effects of each event on the tuple; only the network
//! differs. These effects are kept for a while for recent tuples. The networks that remain when a
//! packet is removed are kept, too.
//!
//! ## Reading worlds
//!
//! Assertions, goals, assumptions and rankings read a [`World`](everypath_model::World), which
//! notes whether the network was read. If not, the answer is valid for every state with the same
//! tuple and is computed once.
//!
//! ## Relations and fingerprints
//!
//! On an unordered network, a state covers another (simulation preorder) if it has equal nodes, the
//! same links down, at least the same packets in flight, and at least the same remaining fault
//! budget. Where that would be unsound, the space refuses it and gives the reason. A
//! [fingerprint](everypath_explore::Described::fingerprint) represents a state in stores that keep
//! nothing else. It is mixed from hashes of content, so it is the same in every process.
//!
//! ## Checkpoints
//!
//! A space can be saved with all that gives its ids their meaning, and another process can continue
//! with the same ids. It then repeats every memoised handler execution and compares the outcomes.
//! So outcomes of an older version of a protocol are never mistaken for those of the current one.
//!
//! ## What is not here
//!
//! No search: the explorer decides which states are visited, and when. No clock except the one that
//! measures handlers.

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
mod reduction;
mod relations;
mod searches;
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
pub use machine::{BadStart, DecodeError, OwnedEvent, StartError, Unmet};
pub use memo::{Memo, MemoCounts};
pub use options::{SpaceError, SpaceOptions};
pub use program::program_print;
pub use reduction::{ReductionCounts, Reductions};
pub use searches::explore_part;
pub use space::NetworkSpace;
pub use verify::Verification;
