//! # Captures
//!
//! Simulated runs in files that other programs read. A capture is an
//! [`Observer`](everypath_sim::Observer) of the run.
//!
//! ## The event log
//!
//! [`EventLog`] writes a line of JSON for everything that happens: when, at which node, of what kind,
//! because of which line. Its first line says all that is needed to run it again, its last line how
//! the run ended, with a checksum over all. [`LogFile`] reads it back, [`Comparison`] finds where a run
//! differs from a recorded one.
//!
//! ## Packets
//!
//! [`PacketCapture`] writes what nodes send and receive as a capture in the format pcapng, [`Ns2Trace`] as
//! lines in the format of ns-2's wireless traces. Both need to know how messages look on a wire, which a
//! scenario says ([`SimulationSetup::wire`](everypath_model::SimulationSetup::wire)).
//!
//! ## What is not here
//!
//! No pictures: a capture is for programs. No simulation: a capture sees one and cannot change it.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

mod capture;
mod comparison;
mod event_log;
mod hops;
mod log_file;
mod log_line;
mod ns2_trace;
mod packet_capture;
#[cfg(test)]
mod schemas;

pub use capture::Capture;
pub use comparison::{Comparison, LogDifference};
pub use event_log::EventLog;
pub use log_file::{LOG_FORMAT, LogEnd, LogError, LogFile, LogHeader, LoggedFile, LoggedSetting};
pub use ns2_trace::Ns2Trace;
pub use packet_capture::PacketCapture;
