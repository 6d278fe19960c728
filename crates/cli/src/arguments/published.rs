//! Options for the published experiments: last in `--help`, under their own heading.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use everypath_model::Profile;
use serde::{Deserialize, Serialize};

/// The heading.
pub(super) const PUBLISHED: &str = "Published experiments";

/// The semantics of a command.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = PUBLISHED)]
pub(crate) struct ProfileArguments {
    /// The semantics of runs
    #[arg(long, value_enum, default_value_t = ProfileName::Standard)]
    pub(crate) profile: ProfileName,
}

/// The profiles by name.
#[derive(Clone, Copy, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum ProfileName {
    /// Everypath's own: exact, with canonical networks
    Standard,
    /// Those of the experiments in Sobeih's thesis, quirks included: to reproduce their numbers
    Thesis,
}

impl From<Profile> for ProfileName {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Standard => Self::Standard,
            Profile::Thesis => Self::Thesis,
        }
    }
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Standard => Self::Standard,
            ProfileName::Thesis => Self::Thesis,
        }
    }
}

/// The use of a graph of an earlier version.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = PUBLISHED)]
pub(crate) struct GraphArguments {
    /// Reuse the steps between states from this file where the code of their handlers has not
    /// changed, and write the steps of this check to it
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) graph: Option<PathBuf>,
    /// Whether to read the graph, write it, or both
    #[arg(long, value_enum, value_name = "USE", default_value_t = GraphUse::Both, requires = "graph")]
    pub(crate) graph_use: GraphUse,
}

/// What to do with a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphUse {
    /// Read it if it exists, and write it
    Both,
    /// Read it, and do not change it
    Read,
    /// Write it, and replace an existing one
    Write,
}
