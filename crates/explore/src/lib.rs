//! # The explorer
//!
//! Visits every state that a model can reach, within a bound, and finds the shortest run to one
//! that breaks an assertion.
//!
//! ## The waist
//!
//! Searches and models meet in one trait, [`Space`]: a graph of packed states, each named by a
//! [`StateId`] of eight bytes. Every search is written once against it, and every kind of model
//! implements it once. Ids live in one process only; what leaves the process is text, digests,
//! and, from a [`Portable`] space, bytes.
//!
//! ## Models
//!
//! [`ModelSpace`] makes a space of any [`Model`]: a state that can be cloned, compared and
//! hashed, and a successor function. Networks of protocol nodes are the crate
//! `everypath-network`.
//!
//! ## Searches
//!
//! [`breadth_first`] is exact and finds shortest counterexamples. It keeps the visited states in
//! the order of discovery, so a level is a slice and a [`Trace`] needs no parent pointers.
//!
//! ## What is not here
//!
//! No protocol, no network, no clock but the one that limits a run, and no random source.

mod breadth_first;
mod compact_set;
#[doc(hidden)]
pub mod frugal;
mod limits;
mod model;
mod replay;
mod space;
mod store;
mod trace;

pub use breadth_first::{Exploration, Finding, Options, Semantics, breadth_first};
pub use limits::{Ended, Limit, Limits, Progress, Watch};
pub use model::{Model, ModelAssertion, ModelSpace};
pub use replay::{Divergence, enabled, replay};
pub use space::{EventId, EventText, PartText, Portable, Space, StateId, StateText, Step, Verdict};
pub use trace::{Trace, TraceStep};
