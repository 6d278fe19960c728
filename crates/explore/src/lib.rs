//! # The explorer
//!
//! Visits every state that a model can reach within a bound, and finds a run to a state that
//! violates an assertion.
//!
//! ## The interface between models and searches
//!
//! Searches and models meet in one trait, [`Space`]: a graph of packed states, each named by a
//! [`StateId`] of eight bytes. Every search is written once against it, and every kind of model
//! implements it once. A space may offer more: assertions, rankings, relations, texts, memory and
//! checkpoints. These are traits with defaults, and [`Explorable`] combines them. Ids are valid in
//! one process only. Only text, digests and, from a [`Portable`] space, bytes leave the process.
//!
//! ## Models
//!
//! [`ModelSpace`] makes a space of any [`Model`]: a state that can be cloned, compared and hashed,
//! and a successor function. The crate `everypath-network` makes spaces of networks of protocol
//! nodes.
//!
//! ## Searches
//!
//! [`explore()`] is the entry point of all searches. [`Options`] choose the order in which states
//! are expanded, what the store keeps of them, and when to stop. Unsound combinations are refused.
//! By default, a search goes level by level, visits everything, and finds shortest counterexamples:
//! a level is a sorted list, and a [`Trace`] needs no parent pointers. All other searches keep a
//! record of how each state was reached.
//!
//! A search can be watched ([`Watch`]), limited ([`Limits`]), saved and resumed ([`resume`]). A
//! counterexample can be replayed ([`replay()`]) and shrunk ([`shrink()`]). After a change of the
//! model, earlier runs can be followed again ([`retrace`]) and their neighbourhood can be explored
//! first ([`explore_neighbourhood`]).
//!
//! A breadth-first search can be cut into a trunk and instances that run apart ([`explore_part`]).
//!
//! ## What is not here
//!
//! No protocol, no network, no clock except the one that limits a run, and no randomness that a
//! seed does not determine.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

/// Writes a setter for each field of a struct that will grow.
macro_rules! setters {
    ($of:ty { $($field:ident: $value:ty),+ $(,)? }) => {
        // `Options::add` sets when states are added.
        #[allow(clippy::should_implement_trait)]
        impl $of {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, $field: $value) -> Self {
                    self.$field = $field.into();
                    self
                }
            )+
        }
    };
}

mod change;
mod checksum;
mod exploration;
mod explore;
mod frame;
mod frontier;
#[doc(hidden)]
pub mod gentle_growth;
mod learnt;
mod levels;
mod limits;
mod memory;
mod mismatch;
mod model;
mod neighbourhood;
mod noted;
mod options;
mod packed_level;
mod part;
mod pattern;
mod queue;
mod ranker;
mod records;
mod replay;
mod resume;
mod rng;
mod sample;
mod saved;
mod searched;
mod shrink;
mod space;
mod start;
mod stopwatch;
mod tally;
mod timings;
mod trace;
mod try_relation;
mod visited;
mod walk;

pub use change::{PartChange, bag_difference};
pub use checksum::Checksummed;
pub use exploration::{
    Counts, Covered, DepthCounts, Exploration, Finding, KindCounts, StoreReport, Witness,
};
pub use explore::explore;
pub use learnt::Learnt;
pub use limits::{Ended, Limit, Limits, Progress, Watch, WriteSearch};
pub use memory::{MemoryMeter, NoMemory, memory_taken};
#[doc(hidden)]
pub use memory::{growth, map_bytes, map_growth};
pub use mismatch::{Identity, Misfit, Mismatch};
pub use model::{Model, ModelAssertion, ModelSpace};
pub use neighbourhood::{Neighbourhood, explore_neighbourhood};
pub use noted::{Noted, NotedEvent};
pub use options::{
    Add, Conflict, Options, RankBy, RankingPart, Refusal, Semantics, Stop, StoreKind, Strategy,
    Ties,
};
pub use part::{ExploredPart, IsCut, Visited, explore_part};
pub use pattern::{EventPattern, PatternError};
pub use replay::{Divergence, Retraced, enabled, replay, replay_from, retrace, retrace_sentences};
pub use resume::{ResumeError, resume};
pub use sample::DepthSample;
pub use searched::Searched;
pub use shrink::shrink;
pub use space::{
    Described, EventId, EventText, Explorable, Fate, Guided, HistoryText, Judged, Measured,
    OperationText, PartText, Portable, Related, Saved, Space, StateId, StateText, Step, Verdict,
};
pub use start::{Start, Starts};
pub use timings::Timings;
pub use trace::{Trace, TraceStep};
pub use try_relation::{RelationFailure, RelationTrial, try_relation};
