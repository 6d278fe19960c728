//! The arguments of `reproduce`.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, ValueEnum};

/// Which experiments to run, and how often.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReproduceArguments {
    /// Which experiment
    pub(crate) experiment: Experiment,
    /// How often to run each search; those that draw, each time with the next seed
    #[arg(long, value_name = "TIMES", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) repeat: u32,
    /// A smoke test: run each search once, and less deep or with fewer nodes where everything is explored
    #[arg(long, conflicts_with = "repeat")]
    pub(crate) quick: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The experiments by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Experiment {
    /// The next version of a protocol, with the graph of the previous one: Tables 8.1, 8.4, 8.6, 8.8, 8.11 and 8.13 of
    /// Sobeih's thesis
    Incremental,
    /// Route discovery among mobile nodes, whole and by patterns of routes: Tables 2, 4 to 13 and 15 of Kojima,
    /// Nagashima and Tsuchiya
    Manet,
}

/// The name of the command.
const NAME: &str = "reproduce";

/// Adds the command. Only the bundled program has it: it needs the bundled scenarios.
pub(crate) fn with_command(program: Command) -> Command {
    let about = "Re-run published experiments and print both sets of numbers";
    program.subcommand(ReproduceArguments::augment_args(Command::new(NAME)).about(about))
}

/// The arguments of the command, if it was called.
pub(crate) fn called(matches: &ArgMatches) -> Option<Result<ReproduceArguments, Error>> {
    // A user's program does not know the command, and clap panics when asked for an unknown name.
    let (_, matches) = matches.subcommand().filter(|(name, _)| *name == NAME)?;
    Some(ReproduceArguments::from_arg_matches(matches))
}
