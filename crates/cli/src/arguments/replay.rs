//! The arguments of `replay`.

use std::path::PathBuf;

use clap::{
    Args,
    builder::{OsStringValueParser, TypedValueParser},
};

use super::values::{ChartFile, chart_file};

#[derive(Args, Clone, Debug)]
pub(crate) struct ReplayArguments {
    /// A counterexample saved by `check`, or a log of `simulate --event-log`
    pub(crate) file: PathBuf,
    /// Draw the run: FILE.svg, FILE.html (a page that steps through it), FILE.mmd or FILE.md
    /// (Mermaid); can be given several times
    #[arg(long = "chart", value_name = "FILE", value_parser = OsStringValueParser::new().try_map(chart_file))]
    pub(crate) charts: Vec<ChartFile>,
    /// Print whole states instead of changes
    #[arg(long)]
    pub(crate) show_states: bool,
    /// Also print the run as a Rust test
    #[arg(long)]
    pub(crate) as_test: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
