//! Options that try what a check relies on: its engine, relations and ignored values.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Trust")]
pub(crate) struct TrialArguments {
    /// The engine: the usual one, or one that clones whole worlds, executes every handler every time
    /// and compares states whole, which is slow
    #[arg(long, value_enum, default_value_t = EngineName::Usual)]
    pub(crate) engine: EngineName,
    /// Run both engines and compare every count
    #[arg(long)]
    pub(crate) cross_check: bool,
    /// Try whether --relation is a simulation, on every pair of a skipped state and one that covers it,
    /// or on one in N of them
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(crate) verify_relation: Option<u64>,
    /// Try whether handlers do the same whatever the values in `Ignored` are, whenever a state is
    /// reached again; by default a share is tried
    #[arg(long, conflicts_with = "trust_handlers")]
    pub(crate) verify_ignored: bool,
}

/// The engines by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum EngineName {
    /// Parts of states are numbered, and each handler is executed once for each input
    Usual,
    /// Whole worlds are cloned and compared, and handlers are executed every time
    Plain,
}
