//! Options that use results of earlier checks.

use std::path::PathBuf;

use clap::Args;

/// The options of memos.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Earlier checks")]
pub(crate) struct MemoArguments {
    /// Reuse results of unchanged handlers that are memoised in this file, and add new ones
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) memo: Option<PathBuf>,
    /// Start the file of --memo from scratch if it is damaged or belongs to something else, instead of refusing it
    #[arg(long, requires = "memo")]
    pub(crate) renew_memo: bool,
    /// Execute handlers although the files have their results, and fail if a result differs
    #[arg(long, requires = "earlier")]
    pub(crate) verify_reuse: bool,
    #[command(flatten)]
    pub(crate) changes: ChangeArguments,
}

/// Changes that the user declares, against the prints of code.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Earlier checks")]
pub(crate) struct ChangeArguments {
    /// Treat code of this name as changed, e.g. 'timer*', or events of this pattern, e.g. timer:Expire or deliver@1:Reply,
    /// and execute them again; an unknown name is answered with the known ones; can be given several times
    #[arg(long, value_name = "NAME|EVENT")]
    pub(crate) modified: Vec<String>,
    /// Treat code of this name as unchanged although its text differs, at your own risk:
    /// --verify-reuse checks it; can be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) unmodified: Vec<String>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Earlier checks")]
pub(crate) struct RegressionArguments {
    /// Replay the counterexamples in this folder first, explore their neighbourhood, and add new ones;
    /// `none` for no folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) regressions: Option<PathBuf>,
    /// How far to explore around each, in events; 0 disables [default: 3]
    #[arg(long, value_name = "EVENTS")]
    pub(crate) neighbourhood: Option<u32>,
}
