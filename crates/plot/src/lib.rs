//! # Pictures
//!
//! Everything that Everypath draws: SVG and HTML that need no other file, no fonts and no network. No text of a
//! protocol can become markup.
//!
//! ## Charts
//!
//! [`SequenceChart`] draws a [story](everypath_report::Story): as a sequence chart, as a page that steps through
//! the run, or as a Mermaid diagram for Markdown. It is made of texts alone, so it works for every space; one
//! without nodes gets a single lifeline.
//!
//! ## Plots
//!
//! [`Plot`] draws repeated measurements, row by row; [`CurvePlot`] a quantity at several points, with error bars;
//! [`LinePlot`] one quantity against another; [`NetworkPlot`] nodes at their positions, with links and routes;
//! [`SpacePlot`] a small state space.
//! [`layout()`] finds positions for nodes that have none. With the feature `png`, `to_png` makes pixels of each.
//!
//! ## Pages
//!
//! [`RunPage`] is a simulation as one page: what was run, what was measured, its plots, and a [`Film`] of
//! the nodes and their packets.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

mod axis;
mod chart;
mod curve_plot;
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
mod space_plot;

pub use chart::SequenceChart;
pub use curve_plot::{Curve, CurvePlot, CurvePoint};
pub use film::{Film, FilmedFlight, FilmedMove, FilmedNode};
pub use layout::layout;
pub use line_plot::{Line, LinePlot};
pub use network_plot::{NetworkPlot, PlacedNode, PlottedHop};
pub use plot::{Panel, Plot, Point, Scale};
#[cfg(feature = "png")]
pub use png::{PngError, ensure_fonts, to_png};
pub use run_page::{PageTable, RunPage};
pub use space_plot::{EventLine, PlottedEvent, PlottedState, SpacePlot};
