//! Which scenario is meant, and how it is set.

use clap::Args;

use super::values::assignment;

/// Which scenario to run, and how it is set.
#[derive(Args, Clone, Debug)]
pub(crate) struct Which {
    /// The scenario, as `list` names it; for `simulate` and `check` also a scenario file, FILE.toml
    pub(crate) scenario: String,
    /// Set a parameter of the scenario; `show` lists them
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
}
