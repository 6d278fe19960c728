//! What `reproduce` is told.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, ValueEnum};

/// Which experiments to make.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReproduceArguments {
    /// Which
    pub(crate) experiment: Experiment,
    /// How often each search is run, each time with the next seed
    #[arg(long, value_name = "TIMES", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) repeat: u32,
    /// Only to see that it works: each search once, and not so deep where all is explored
    #[arg(long, conflicts_with = "repeat")]
    pub(crate) quick: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The experiments that there are.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Experiment {
    /// The next version of a protocol, with the graph of the one before: Tables 8.1, 8.4, 8.6, 8.8, 8.11 and 8.13 of
    /// Sobeih's thesis
    Incremental,
}

/// The name of the command.
const NAME: &str = "reproduce";

/// Adds the command. Only the bundled program has it: it needs the bundled scenarios.
pub(crate) fn with_command(program: Command) -> Command {
    let about = "Make published experiments again, with what was published beside what comes out";
    program.subcommand(ReproduceArguments::augment_args(Command::new(NAME)).about(about))
}

/// What the command is told, if it is the one that is called.
pub(crate) fn called(matches: &ArgMatches) -> Option<Result<ReproduceArguments, Error>> {
    // A program of a user's does not know the command, so it cannot be asked for by its name.
    let (_, matches) = matches.subcommand().filter(|(name, _)| *name == NAME)?;
    Some(ReproduceArguments::from_arg_matches(matches))
}
