//! # The report layer
//!
//! Results of runs, in words and in files.
//!
//! ## Values
//!
//! A state, message or timer is known here only as the text that its `Debug` prints. The module
//! [`value`] reads that text back into a tree and says what changed between two of them: a step of
//! a trace is then a few lines such as `sender.bit: 0 → 1`, not two screens to compare by eye.
//!
//! ## Traces
//!
//! [`Story`] is a run in words: each step with its event and what it changed. [`TraceFile`] is a
//! run in a file: versioned, checksummed, written whole or not at all.
//!
//! ## Tables
//!
//! [`Table`] aligns columns for people, and separates them by commas for programs.
//!
//! ## Growth
//!
//! [`Growth`] says what grows with the depth of a search that does not end, and what can be done about it.
//!
//! ## Checkpoints
//!
//! [`write_sealed`] puts a search that was interrupted into a file, [`open_sealed`] takes it
//! out again, if nothing has changed.
//!
//! ## What is not here
//!
//! No protocol and no search: nothing in this crate runs anything. It never needs the Rust type
//! behind a value, so it works on a stored trace as well as on a fresh one.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

mod atomic_file;
mod columns;
mod contributions;
mod destination;
mod file_lock;
mod growth;
mod history;
mod numbers;
mod replay_test;
mod sealed_file;
mod story;
mod table;
mod temporary_file;
mod terminal;
mod trace_file;
pub mod value;

pub use atomic_file::{AtomicFile, ensure_writable, write_atomically};
pub use columns::{shortened, text_width};
pub use contributions::{Contribution, Contributions};
pub use destination::FileIdentity;
pub use file_lock::FileLock;
pub use growth::{FaultBudget, Growth, Quantity, Remedy, Surroundings, Tool, Trend, remedies_text};
pub use history::history_lines;
pub use numbers::{counted, grouped, span};
pub use replay_test::{ReplayTest, function_name};
pub use sealed_file::{
    CHECKPOINT, CONFIGURATION, Differing, FileKind, GRAPH, MEMO, PARAMETER, PART, SealedFileError,
    Trouble, differing, open_any_sealed, open_sealed, write_sealed,
};
pub use story::{Story, StoryStep, state_lines};
pub use table::Table;
pub use terminal::{escape_controls, is_control};
pub use trace_file::{
    Origin, RecordedFile, RecordedStep, SimulatedStart, TRACE_ENDING, TraceFile, TraceFileError,
    slug, traces_in,
};
