//! What is there for the published experiments: last in `--help`, under a heading of its own.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use everypath_model::Profile;

/// The heading.
const PUBLISHED: &str = "Published experiments";

/// Which semantics a command follows.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = PUBLISHED)]
pub(crate) struct ProfileArguments {
    /// Which semantics to follow
    #[arg(long, value_enum, default_value_t = ProfileName::Standard)]
    pub(crate) profile: ProfileName,
}

/// The profiles by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ProfileName {
    /// Everypath's own: exact, with canonical networks
    Standard,
    /// That of the experiments of Sobeih's thesis, quirks included: for reproducing their numbers
    Thesis,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Standard => Self::Standard,
            ProfileName::Thesis => Self::Thesis,
        }
    }
}

/// What is used of the graph of an earlier version.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = PUBLISHED)]
pub(crate) struct GraphArguments {
    /// Take the steps between states from this file as far as the code of their handlers has not
    /// changed since, and write those of this check
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) graph: Option<PathBuf>,
    /// What to do with it
    #[arg(long, value_enum, value_name = "USE", default_value_t = GraphUse::Both, requires = "graph")]
    pub(crate) graph_use: GraphUse,
}

/// What to do with a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphUse {
    /// Read it if it is there, and write it
    Both,
    /// Read it, and leave it as it is
    Read,
    /// Write it, whatever is there
    Write,
}
