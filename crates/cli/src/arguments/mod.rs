//! The arguments of the command line, and their help.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod earlier;
mod examples;
pub(crate) mod instances;
pub(crate) mod published;
pub(crate) mod replay;
pub(crate) mod reproduce;
pub(crate) mod search;
pub(crate) mod seeds;
pub(crate) mod simulate;
pub(crate) mod time;
pub(crate) mod trial;
pub(crate) mod values;
pub(crate) mod which;

use clap::{
    CommandFactory, FromArgMatches, Parser, Subcommand, builder::ArgPredicate, parser::ValueSource,
};

use check::{CheckArguments, WatchArguments};
use compare::CompareArguments;
use published::ProfileArguments;
use replay::ReplayArguments;
use simulate::SimulateArguments;
use which::Which;

/// The arguments of a program, with examples on one of its scenarios.
pub(crate) fn command(program: &str, scenario: &str) -> clap::Command {
    Arguments::command()
        .display_name(program.to_owned())
        .bin_name(program.to_owned())
        .after_help(examples::examples(program, scenario))
        .mut_subcommand("check", |it| {
            // Part files know their scenario.
            let unless_merged = |arg: clap::Arg| {
                let absent = arg.required(false).required_unless_present("merge");
                absent.default_value_if("merge", ArgPredicate::IsPresent, "")
            };
            it.mut_arg("scenario", unless_merged)
                .after_help(examples::check_examples(program, scenario))
        })
        .mut_subcommand("watch", |it| it.after_help(examples::watch_examples(program, scenario)))
        .mut_subcommand("compare", |it| {
            it.after_help(examples::compare_examples(program, scenario))
        })
        .mut_subcommand("simulate", |it| {
            // A counterexample knows its scenario.
            let unless_replayed = |arg: clap::Arg| {
                let absent = arg.required(false).required_unless_present("replay");
                absent.default_value_if("replay", ArgPredicate::IsPresent, "")
            };
            it.mut_arg("scenario", unless_replayed)
                .after_help(examples::simulate_examples(program, scenario))
        })
}

/// Write a protocol once. Simulate one path, or check every path.
#[derive(Debug, Parser)]
#[command(
    version,
    about = "Write a protocol once: simulate one path, or check every path",
    max_term_width = 100
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the scenarios
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the parts of a scenario and its parameters
    Show {
        #[command(flatten)]
        which: Which,
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        published: ProfileArguments,
    },
    /// Explore every path, and print the shortest that breaks an assertion
    Check(Box<CheckArguments>),
    /// Check this program after every build, and report what has changed
    Watch(Box<WatchArguments>),
    /// Run several searches over several seeds, and print the cost of each
    Compare(Box<CompareArguments>),
    /// Simulate, and print measures with confidence intervals
    Simulate(Box<SimulateArguments>),
    /// Run a saved counterexample or a logged simulation again, through the protocol's own code
    Replay(ReplayArguments),
}

/// Parses a `check` command that this program builds itself.
pub(crate) fn check_of_words<'a>(words: impl Iterator<Item = &'a str>) -> CheckArguments {
    let matches = command("everypath", "SCENARIO").get_matches_from(words);
    match Arguments::from_arg_matches(&matches).map(|it| it.command) {
        Ok(Command::Check(arguments)) => *arguments,
        _ => unreachable!("the words are a check"),
    }
}

/// The headings of options that say what a check explores. The others say when it ends, and what it reads and writes.
const EXPLORED: [&str; 6] =
    ["Start", "What to look for", "Search", "Time", "Trust", published::PUBLISHED];
/// The options below them that read or write files of earlier checks.
const OF_FILES: [&str; 2] = ["graph", "graph_use"];

/// The options of a command line that say what its `check` explores, a word each; none if it is another command.
pub(crate) fn explored_by(words: impl Iterator<Item = String>) -> Vec<String> {
    let command = command("everypath", "SCENARIO");
    let given = command.clone().try_get_matches_from(words).ok();
    let given = given.and_then(|mut given| given.remove_subcommand());
    let (Some(check), Some((_, given))) =
        (command.find_subcommand("check"), given.filter(|(name, _)| name == "check"))
    else {
        return Vec::new();
    };
    let is_explored = |arg: &&clap::Arg| {
        let name = arg.get_id().as_str();
        arg.get_help_heading().is_some_and(|heading| EXPLORED.contains(&heading))
            && !OF_FILES.contains(&name)
            && given.value_source(name) == Some(ValueSource::CommandLine)
    };
    let written = |arg: &clap::Arg| -> Vec<String> {
        let option = format!("--{}", arg.get_long().unwrap_or_default());
        if !arg.get_action().takes_values() {
            return vec![option];
        }
        let each = given.get_raw_occurrences(arg.get_id().as_str()).into_iter().flatten();
        let each = each.map(|values| {
            values.map(|it| it.to_string_lossy().into_owned()).collect::<Vec<_>>().join(",")
        });
        match arg.is_require_equals_set() {
            true => each.map(|value| format!("{option}={value}")).collect(),
            false => each.flat_map(|value| [option.clone(), value]).collect(),
        }
    };
    check.get_arguments().filter(is_explored).flat_map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_check_explores_can_be_given_again() {
        let line = "everypath check arq --max-depth none --disable lose@1 --disable=reboot --set loss=1 --json \
                    --timed --time-unit 5ms --profile standard --graph g --verify-relation --ranking a,b";
        let words = explored_by(line.split_whitespace().map(str::to_owned));
        let again = "--disable lose@1 --disable reboot --ranking a,b --timed --time-unit 5ms \
                     --verify-relation=1 --profile standard";
        assert_eq!(words, again.split_whitespace().collect::<Vec<_>>());
        let other = "everypath simulate arq --profile standard";
        assert!(explored_by(other.split_whitespace().map(str::to_owned)).is_empty());
    }

    #[test]
    fn the_arguments_are_well_formed() {
        command("everypath", "arq").debug_assert();
    }
}
