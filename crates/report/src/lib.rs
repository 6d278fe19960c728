//! # The report layer
//!
//! What a protocol designer reads when a run is over.
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
//! ## Charts
//!
//! A story can be drawn: [`Story::to_svg`] as a sequence chart, [`Story::to_html`] as a page that
//! steps through the run, [`Story::to_mermaid`] as a diagram for Markdown. All are made of texts
//! alone, so they work for every space; one without nodes gets a single lifeline.
//!
//! ## Tables and plots
//!
//! [`Table`] aligns columns for people, and separates them by commas for programs. [`Plot`] draws
//! quantities that were measured again and again, row by row; [`CurvePlot`] draws one that was measured at
//! several points, with error bars; [`LinePlot`] one quantity against another; [`NetworkPlot`] nodes where they are, with who hears whom and the way that packets take.
//! With the feature `png`, `to_png` makes pixels of each.
//!
//! ## Pages
//!
//! [`RunPage`] is a simulation as one page: what was run, what was measured, its plots, and a [`Film`] of
//! the nodes and their packets.
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
mod axis;
mod chart;
mod curve_plot;
mod destination;
mod file_lock;
mod film;
mod frame;
mod layout;
mod line_plot;
mod markup;
mod network_plot;
mod plot;
#[cfg(feature = "png")]
mod png;
mod run_page;
mod sealed_file;
mod story;
mod table;
mod temporary_file;
mod terminal;
mod trace_file;
pub mod value;

pub use atomic_file::{AtomicFile, ensure_writable, write_atomically};
pub use curve_plot::{Curve, CurvePlot, CurvePoint};
pub use destination::FileIdentity;
pub use file_lock::FileLock;
pub use film::{Film, FilmedFlight, FilmedMove, FilmedNode};
pub use layout::layout;
pub use line_plot::{Line, LinePlot};
pub use network_plot::{NetworkPlot, PlacedNode, PlottedHop};
pub use plot::{Panel, Plot, Point};
#[cfg(feature = "png")]
pub use png::{PngError, ensure_fonts, to_png};
pub use run_page::{PageTable, RunPage};
pub use sealed_file::{
    CHECKPOINT, CONFIGURATION, Differing, FileKind, GRAPH, MEMO, PARAMETER, SealedFileError,
    Trouble, differing, open_sealed, write_sealed,
};
pub use story::{Story, StoryStep};
pub use table::Table;
pub use terminal::{escape_controls, is_control};
pub use trace_file::{
    Origin, RecordedFile, RecordedStep, SimulatedStart, TRACE_ENDING, TraceFile, TraceFileError,
    slug, traces_in,
};
