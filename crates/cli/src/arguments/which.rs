//! The scenario of a command, and its parameters.

use clap::Args;

use super::values::assignment;

/// Which scenario to run, with which parameters.
#[derive(Args, Clone, Debug)]
pub(crate) struct Which {
    /// A scenario named by `list`; for `simulate` and `check` also a scenario file, FILE.toml
    pub(crate) scenario: String,
    /// Set a parameter of the scenario; `show` lists them
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
}
