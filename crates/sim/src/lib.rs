//! # The simulator
//!
//! Runs the protocol of a [`Scenario`](everypath_model::Scenario) against a clock, one event after the other, and measures.
//!
//! A pair of nodes on one link that send a number back and forth, and a look at the world halfway:
//!
//! ```
//! use std::time::Duration;
//! use everypath_model::{Never, Node, NodeId, Protocol, Scenario, Start, Topology};
//! use everypath_sim::Simulation;
//!
//! struct PingPong;
//!
//! impl Protocol for PingPong {
//!     type State = u32;
//!     type Message = u32;
//!     type Timer = Never;
//!     type Command = Never;
//!
//!     fn start(&self, node: &mut Start<'_, Self>) -> u32 {
//!         if node.id == NodeId(0) { node.send(NodeId(1), 1); }
//!         0
//!     }
//!
//!     fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, n: &u32) {
//!         *node.state = *n;
//!         node.send(from, n + 1);
//!     }
//! }
//!
//! # fn main() -> Result<(), everypath_sim::SimError> {
//! let pair = Scenario::new(PingPong, Topology::chain(2));
//! let mut simulation = Simulation::new(&pair, 1, 0)?;
//! simulation.step()?;
//! assert_eq!(simulation.now(), Duration::from_nanos(1_051_200)); // 64 B at 10 Mbit/s, and 1 ms
//! simulation.run_until(Duration::from_millis(5))?;
//! assert_eq!((*simulation.state(NodeId(0)), *simulation.state(NodeId(1))), (4, 3));
//! assert_eq!(simulation.world().packets().count(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! ## Events
//!
//! A [`Simulation`] keeps pending events in an [`EventQueue`]. Time is a whole number of
//! nanoseconds. At one moment nodes and links go down and come up first, then postponed messages leave, then deliveries come
//! before timers and timers before commands, and remaining
//! ties are resolved by insertion; so a run is a function of scenario, seed and
//! replication, on every machine. Commands come from the scenario's jobs and flows, once, at fixed intervals, or at random. A run can be
//! [stepped](Simulation::step), [limited](Limits), watched by an [`Observer`], printed by a [`Log`].
//!
//! ## Links
//!
//! Every direction of every link sends one packet at a time, at its bandwidth, and keeps a limited
//! number waiting; a packet that comes when the queue is full is dropped. A packet that is lost takes
//! its time on the link like any other. A link that becomes free at the moment of a sending is free.
//! Packets are lost independently or in bursts ([`Loss`](everypath_model::Loss)).
//! There is no reordering on a link, whatever network the scenario names for exploration. How often
//! faults can happen in an exploration does not matter here: loss comes from the link's model. Packets between nodes that are not
//! neighbours, which exist only with [late
//! addressing](everypath_model::Scenario::receivers), take links with the default model.
//!
//! Random topologies to put links on come from [`generators`].
//!
//! ## Outages
//!
//! Nodes and links can be down, at given times or at random. A node that is down receives nothing, gets no command, and has
//! lost its timers and what it still had to send; when it comes up,
//! [`restart`](everypath_model::Protocol::restart) is called with its state before. A packet that is sent over a
//! link that is down, or is on it when it goes down, comes back to its sender at that moment
//! ([`on_undeliverable`](everypath_model::Protocol::on_undeliverable)), unless the sender has been down since. On a field, a
//! node that is down hears nothing and is not heard.
//!
//! ## The field
//!
//! Nodes on a [field](everypath_model::Field) talk by radio instead, and may move. With the idealised radio, the fate of
//! a frame is settled when it is handed over, since all positions are known in advance. On a shared medium it is known
//! at the end of the frame only. The page on the field in the documentation has all of it.
//!
//! Targets can move about on a field and emit stimuli; every node within range gets a command for each
//! ([`Sensing`](everypath_model::Sensing)).
//!
//! ## Random numbers
//!
//! Every purpose, such as the losses of one link, or the choices or the jitter of one node, has a [`Stream`] of its
//! own under the seed. Nothing else is random.
//!
//! ## Measurements
//!
//! What handlers record becomes counters, [`Distribution`]s and [`Series`] of a [`Run`], from which the
//! scenario's measures are computed. [`replicate`] makes independent runs and gives each quantity
//! an [`Estimate`] with its confidence interval; a [`Plan`] makes them on several threads, until a
//! [`Precision`] is reached, or pairs of runs of two variants ([`Paired`]).
//!
//! ## Checks
//!
//! Runs can be [watched](Limits::violation) for worlds that violate an assertion. How likely that is, or
//! that a measure is beyond a bound, is a [`Question`] to many runs: a [`Proportion`] estimates it, a
//! [`SequentialTest`] compares it with a bound in no more runs than it needs.
//!
//! ## What is not here
//!
//! No exploration: the crate knows of worlds only so that assertions can read them. No files. No duplication.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

mod addressing;
mod audiences;
mod battery;
mod carrier;
mod clock;
mod distribution;
mod effects;
mod engine;
mod error;
mod estimate;
mod fate;
mod field;
pub mod generators;
mod held;
mod in_order;
mod link;
mod links;
mod losses;
mod measurements;
mod memories;
mod observer;
mod outages;
mod paired;
mod plan;
mod playback;
mod quantile;
mod queue;
mod random;
mod readings;
mod replications;
mod run;
mod run_predicate;
mod sensing;
mod series;
mod simulation;
mod slab;
mod snapshot;
mod sprt;
mod timers;
mod traffic;
mod transmitter;
mod warm_up;
mod world;

pub use battery::Battery;
pub use distribution::Distribution;
pub use error::SimError;
pub use estimate::{Estimate, Interval};
pub use fate::{Fate, FrameFate, LossReason, Sending};
pub use field::{Movement, movements, radio_range};
pub use in_order::{Workers, try_in_order};
pub use measurements::Matching;
pub use observer::{LastEvent, Log, Observer};
pub use paired::{Paired, PairedEstimate, VariantError};
pub use plan::{Plan, Precision};
pub use playback::{
    Lateness, Overdue, Playback, PlaybackError, Played, StartFrom, TimedEvent, lateness, play,
};
pub use queue::{Entry, EventQueue, Priority};
pub use random::{Probability, Stream};
pub use readings::{Reading, Sort, Unrecorded, readings, recorded, unrecorded};
pub use replications::{Replications, replicate};
pub use run::{Ending, Limits, Measured, Packets, Run, Violation};
pub use run_predicate::{Answer, Question, QuestionError, Relation};
pub use series::{SERIES_POINTS_MAX, Series};
pub use simulation::Simulation;
pub use sprt::{Certainty, Claim, Decision, Proportion, SequentialTest, Untestable};
pub use warm_up::{Truncation, mser5};
