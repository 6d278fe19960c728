//! The arguments of `reproduce`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use crate::error::{CliError, unused};

/// Which tables to make, and how.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReproduceArguments {
    /// `list`, or which tables: ids of tables (000/4.2), chapters (000/4) or documents (000); `incremental`, `mixed`,
    /// `delta`, `manet`; or `all`
    #[arg(required = true, value_name = "TABLE")]
    pub(crate) tables: Vec<String>,
    /// Run the rows that take long, too
    #[arg(long, conflicts_with = "quick")]
    pub(crate) long: bool,
    /// How often to run a search that is timed or draws random numbers; those that draw, each time with the next seed
    /// [default: as often as published, or 3 times]
    #[arg(long, value_name = "TIMES", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repeat: Option<u32>,
    /// A smoke test: run each search once, and less deep or with fewer nodes where everything is explored
    #[arg(long, conflicts_with = "repeat")]
    pub(crate) quick: bool,
    /// Write each table to a file of its own in this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON, and write it with --out
    #[arg(long)]
    pub(crate) json: bool,
}

/// The word that asks for the list of all tables.
const LIST: &str = "list";

/// The name of the command.
const NAME: &str = "reproduce";

impl ReproduceArguments {
    /// Whether the user asks for the list of all tables; an error if with options that the list does not have.
    pub(crate) fn lists(&self) -> Result<bool, CliError> {
        let lists = self.tables == [LIST];
        let given = [
            (self.long, "--long"),
            (self.repeat.is_some(), "--repeat"),
            (self.quick, "--quick"),
            (self.out.is_some(), "--out"),
        ];
        match given.iter().find(|(given, _)| lists && *given) {
            Some((_, option)) => Err(unused(*option, format!("reproduce {LIST}"))),
            None => Ok(lists),
        }
    }
}

/// Adds the command. Only the bundled program has it: it needs the bundled scenarios.
pub(crate) fn with_command(program: Command) -> Command {
    let about = "Make published tables again, with the published numbers beside ours";
    program.subcommand(ReproduceArguments::augment_args(Command::new(NAME)).about(about))
}

/// The arguments of the command, if it was called.
pub(crate) fn called(matches: &ArgMatches) -> Option<Result<ReproduceArguments, Error>> {
    // A user's program does not know the command, and clap panics when asked for an unknown name.
    let (_, matches) = matches.subcommand().filter(|(name, _)| *name == NAME)?;
    Some(ReproduceArguments::from_arg_matches(matches))
}
