//! What is used of earlier checks.

use std::path::PathBuf;

use clap::Args;

/// What is used of earlier checks.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Earlier checks")]
pub(crate) struct MemoArguments {
    /// Take what handlers do from this file as far as their code has not changed since, and add what is new
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) memo: Option<PathBuf>,
    /// Start the file of --memo anew if it is damaged or of something else, instead of refusing it
    #[arg(long, requires = "memo")]
    pub(crate) renew_memo: bool,
    /// Execute all the same what is in the files, and end with an error if a handler does something else
    #[arg(long, requires = "earlier")]
    pub(crate) verify_reuse: bool,
    #[command(flatten)]
    pub(crate) changes: ChangeArguments,
}

/// What the user knows better than prints of code.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Earlier checks")]
pub(crate) struct ChangeArguments {
    /// Take code of this name for changed, e.g. 'timer*', and execute it again; a name that there is not is answered by
    /// those that there are; can be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) modified: Vec<String>,
    /// Take code of this name for unchanged although it is not the same text, at your own risk:
    /// --verify-reuse proves it; can be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) unmodified: Vec<String>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Earlier checks")]
pub(crate) struct RegressionArguments {
    /// Run the counterexamples in this folder again before anything else, look around them, and add
    /// what is found; `none` for none
    #[arg(long, value_name = "FOLDER")]
    pub(crate) regressions: Option<PathBuf>,
    /// How many events to look around them, 0 for not at all [default: 3]
    #[arg(long, value_name = "EVENTS")]
    pub(crate) neighbourhood: Option<u32>,
}
