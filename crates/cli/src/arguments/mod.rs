//! What can be said on the command line.

pub(crate) mod seeds;

use std::{ffi::OsString, path::PathBuf, time::Duration};

use clap::{
    ArgGroup, Args, CommandFactory, Parser, Subcommand, ValueEnum,
    builder::{ArgPredicate, OsStringValueParser, TypedValueParser},
};
use everypath_model::{Parameters, Profile, parse_duration};

use crate::{
    arguments::seeds::Seeds,
    check::regressions::RegressionArguments,
    compare::comparison::Quantity,
    kept::{graph::GraphArguments, memo::MemoArguments},
    scenarios::start::StartArguments,
    searching::plan::{
        AddName, ConditionArguments, LimitArguments, LongRunArguments, SearchArguments,
    },
    simulate::{
        measuring::{ClaimArguments, MeasuringArguments},
        pictures::PictureArguments,
    },
    traces::chart::{ChartFile, chart_file},
    typed::captures::CaptureArguments,
    watch::WatchArguments,
};

/// The examples under `--help`, for a program and one of its scenarios.
fn examples(program: &str, scenario: &str) -> String {
    format!(
        "\
Examples:
  {program} list
  {program} show {scenario}
  {program} check {scenario}
  {program} watch {scenario}
  {program} compare {scenario}
  {program} simulate {scenario}
  {program} replay {scenario}.trace.json

Exit codes:
  0  nothing was found, and the bound was fully explored
  1  a violation was found, or a goal cannot be reached
  2  wrong usage or bad input
  3  nothing was found, but not everything was explored: stopped by a limit or by the user,
     a search that leaves states out (beam, walk, bitstate), or a goal that was not reached
     and may lie beyond --max-depth or behind a pruned state
  4  with --strict: nothing was found, but the check says less than it seems to"
    )
}

fn check_examples(program: &str, scenario: &str) -> String {
    format!(
        "\
Examples:
  {program} check {scenario}
  {program} check {scenario} --set KEY=VALUE --max-depth 20 --show-states
  {program} check {scenario} --max-depth none --max-states 1000000 --workers 4
  {program} check {scenario} --trace run.trace.json --chart run.svg --chart run.html
  {program} check {scenario} --each-assertion --verify-determinism --strict
  {program} check {scenario} --keep-going --stats --json --trust-handlers
  {program} check {scenario} --require deliver@1 --disable deliver@0:TEXT --deadlock
  {program} check {scenario} --strategy best --ranking NAME,novelty --add current
  {program} check {scenario} --strategy biased --shuffle 7 --seed 3
  {program} check {scenario} --strategy dfs --max-depth 20 --no-shrink --as-test
  {program} check {scenario} --strategy beam --width 500
  {program} check {scenario} --strategy walk --walks 1000 --max-depth 50
  {program} check {scenario} --store bitstate --bitstate-memory 256M --bitstate-hashes 4
  {program} check {scenario} --relation NAME
  {program} check {scenario} --profile thesis --keep-going
  {program} check {scenario} --from-simulation 2.5s --simulation-seed 7 --replication 3
  {program} check {scenario} --memo run.memo --verify-reuse
  {program} check {scenario} --memo run.memo --renew-memo
  {program} check {scenario} --memo run.memo --modified '*'
  {program} check {scenario} --memo run.memo --unmodified '*' --verify-reuse
  {program} check {scenario} --regressions regressions --neighbourhood 2
  {program} check {scenario} --graph run.graph --graph-use both
  {program} check {scenario} --max-time 8h --max-memory 4G --checkpoint run.checkpoint
  {program} check {scenario} --resume run.checkpoint --checkpoint run.checkpoint --checkpoint-every 5m"
    )
}

fn watch_examples(program: &str, scenario: &str) -> String {
    format!(
        "\
Checks now, and again whenever this program was built anew (`cargo build`, in another window), with
all options of `check`. What handlers did is kept in a memo, SCENARIO.memo if none is named, and
counterexamples in a folder, SCENARIO.regressions if none is named. Ends with Ctrl-C (or SIGTERM, SIGHUP), and
with the exit code of the last check.

Examples:
  {program} watch {scenario}
  {program} watch {scenario} --max-depth 20 --memo run.memo
  {program} watch {scenario} --versions 1 --json"
    )
}

fn compare_examples(program: &str, scenario: &str) -> String {
    format!(
        "\
A SEARCH is a strategy of `check` and what it is told: STRATEGY[:RANKING[+RANKING…]][/OPTION=VALUE…].
  best:NAME+novelty        best first by the ranking NAME, and by novelty where that is equal
  best:each                best first by each ranking of the scenario, and by novelty
  beam:NAME/width=500      with an option of `check`; /shuffle shuffles by each of the --seeds

Limits hold for each run by itself; that on memory holds for the whole program, whose runs share it.

Examples:
  {program} compare {scenario}
  {program} compare {scenario} --strategies bfs,dfs,best:each --shuffle --seeds 1-20 --max-depth 10
  {program} compare {scenario} --strategies dfs-r/add=next,best:NAME --add next,current --profile thesis
  {program} compare {scenario} --strategies bfs/relation=equal,walk/walks=100,dfs/shuffle --seeds 3,5,7
  {program} compare {scenario} --relation equal --repeat 5 --jobs 2 --max-time 10m --max-memory 4G
  {program} compare {scenario} --max-depth none --max-states 1000000 --set KEY=VALUE --keep-going
  {program} compare {scenario} --require deliver@1 --disable deliver@0:TEXT --deadlock
  {program} compare {scenario} --each-assertion --verify-determinism
  {program} compare {scenario} --plot compared.svg --plot-of events,states
  {program} compare {scenario} --no-time --json
  {program} compare {scenario} --no-time --csv --trust-handlers

Exit codes:
  0  every run came to its end, whatever it found
  2  wrong usage or bad input
  3  some runs were stopped, by a limit or by the user"
    )
}

fn simulate_examples(program: &str, scenario: &str) -> String {
    format!(
        "\
Examples:
  {program} simulate {scenario}
  {program} simulate {scenario} --set KEY=VALUE --seed 7 --replications 30
  {program} simulate {scenario} --duration 20ms --replications 1 --log
  {program} simulate {scenario} --event-log run.jsonl
  {program} simulate {scenario} --plot pictures --plot-at 1s --report run.html
  {program} simulate {scenario} --warm-up 1s --workers 2 --precision 0.02
  {program} simulate {scenario} --warm-up mser5 --precision 0.05 --of MEASURE
  {program} simulate {scenario} --set KEY=VALUE --versus KEY=OTHER
  {program} simulate {scenario} --assert --replications 1000
  {program} simulate {scenario} --first 17 --replications 1 --assert --log
  {program} simulate {scenario} --probability violated
  {program} simulate {scenario} --probability violated --at-most 0.01
  {program} simulate {scenario} --probability 'MEASURE > 0.5' --at-least 0.9 --indifference 0.02
  {program} simulate {scenario} --probability violated --at-most 0.1 --alpha 0.01 --beta 0.01
  {program} simulate {scenario} --out results --workers 2
  {program} simulate {scenario} --no-time --json
  {program} simulate --replay {scenario}.trace.json --log --report run.html

Exit codes:
  0  all runs came to their end; the claim of --at-most or --at-least was accepted
  1  a handler panicked; with --assert or --replay, an assertion was violated; the claim was refuted
  2  wrong usage or bad input
  3  stopped by the user; --precision was not reached; the claim is undecided"
    )
}

/// The arguments of a program, with examples on one of its scenarios.
pub(crate) fn command(program: &str, scenario: &str) -> clap::Command {
    Arguments::command()
        .display_name(program.to_owned())
        .bin_name(program.to_owned())
        .after_help(examples(program, scenario))
        .mut_subcommand("check", |it| it.after_help(check_examples(program, scenario)))
        .mut_subcommand("watch", |it| it.after_help(watch_examples(program, scenario)))
        .mut_subcommand("compare", |it| it.after_help(compare_examples(program, scenario)))
        .mut_subcommand("simulate", |it| {
            // A counterexample knows its scenario.
            let unless_replayed = |arg: clap::Arg| {
                let absent = arg.required(false).required_unless_present("replay");
                absent.default_value_if("replay", ArgPredicate::IsPresent, "")
            };
            it.mut_arg("scenario", unless_replayed).after_help(simulate_examples(program, scenario))
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
    /// Show what a scenario consists of and which parameters it takes
    Show {
        #[command(flatten)]
        which: Which,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Explore every path, and print the shortest that breaks an assertion
    Check(Box<CheckArguments>),
    /// Check every version of this program that is built, and tell what has changed
    Watch(Box<WatchArguments>),
    /// Run several searches over several seeds, and print what each of them takes
    Compare(Box<CompareArguments>),
    /// Simulate, and print what was measured with its confidence intervals
    Simulate(Box<SimulateArguments>),
    /// Run a saved counterexample, or a logged simulation, again through the protocol's own code
    Replay(ReplayArguments),
}

/// Which scenario to run, and how it is set.
#[derive(Args, Clone, Debug)]
pub(crate) struct Which {
    /// The scenario, as `list` names it; for `simulate` and `check` also a scenario file, FILE.toml
    pub(crate) scenario: String,
    /// Set a parameter of the scenario; `show` lists them
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// Which semantics to follow
    #[arg(long, value_enum, default_value_t = ProfileName::Standard)]
    pub(crate) profile: ProfileName,
}

impl Which {
    pub(crate) fn parameters(&self) -> Parameters {
        Parameters::with(self.set.clone()).under(self.profile.into())
    }

    /// With other values for some parameters.
    pub(crate) fn with(&self, others: &[(String, String)]) -> Self {
        let is_other = |name: &str| others.iter().any(|(other, _)| other == name);
        let kept = self.set.iter().filter(|(name, _)| !is_other(name));
        Self { set: kept.chain(others).cloned().collect(), ..self.clone() }
    }
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

impl From<Profile> for ProfileName {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Standard => Self::Standard,
            Profile::Thesis => Self::Thesis,
        }
    }
}

#[derive(Args, Clone, Debug)]
#[command(group(ArgGroup::new("earlier").args(["memo", "graph"]).multiple(true)))]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) which: Which,
    #[command(flatten)]
    pub(crate) start: StartArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) long_run: LongRunArguments,
    #[command(flatten)]
    pub(crate) memo: MemoArguments,
    #[command(flatten)]
    pub(crate) regressions: RegressionArguments,
    #[command(flatten)]
    pub(crate) graph: GraphArguments,
    #[command(flatten)]
    pub(crate) conditions: ConditionArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    #[command(flatten)]
    pub(crate) output: CheckOutput,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct CheckOutput {
    /// Print what was counted by kind of event and by depth, and what the time went into
    #[arg(long)]
    pub(crate) stats: bool,
    /// Fail (exit code 4) if nothing was found and there are warnings: something never happened, was never in question, or
    /// made no difference
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print the counterexample as it was found, without making it shorter
    #[arg(long)]
    pub(crate) no_shrink: bool,
    /// Print whole states in the counterexample instead of what changed
    #[arg(long)]
    pub(crate) show_states: bool,
    /// Where to save the counterexample [default: SCENARIO.trace.json]
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Draw the counterexample: FILE.svg, FILE.html (a page that steps through it), FILE.mmd or
    /// FILE.md (Mermaid); can be given several times
    #[arg(long = "chart", value_name = "FILE", value_parser = OsStringValueParser::new().try_map(chart_file))]
    pub(crate) charts: Vec<ChartFile>,
    /// Print the counterexample as a test in Rust, too
    #[arg(long)]
    pub(crate) as_test: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    pub(crate) which: Which,
    #[command(flatten)]
    pub(crate) compared: ComparedArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) conditions: ConditionArguments,
    #[command(flatten)]
    pub(crate) output: CompareOutput,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Searches")]
pub(crate) struct ComparedArguments {
    /// What is compared, separated by commas; how a SEARCH is written is told below
    #[arg(
        long,
        value_name = "SEARCH,…",
        value_delimiter = ',',
        default_value = "bfs,dfs,best:each"
    )]
    pub(crate) strategies: Vec<String>,
    /// When a state is looked up and stored; each search that does not say so itself is run with
    /// each value [default: next]
    #[arg(long, value_enum, value_name = "ADD,…", value_delimiter = ',')]
    pub(crate) add: Vec<AddName>,
    /// By what a state stands for another; each search that does not say so itself is run with
    /// each value [default: equal]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) relation: Vec<String>,
    /// Shuffle the events of each state, by each of the seeds
    #[arg(long)]
    pub(crate) shuffle: bool,
    /// What shuffled searches, biased and walk draw from: a run for each, e.g. 1-20 or 3,5,7
    /// [default: 1-10]
    #[arg(long)]
    pub(crate) seeds: Option<Seeds>,
    /// How often a search that draws nothing is run, which only tells more about its time
    /// [default: 1]
    #[arg(long, value_name = "RUNS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) repeat: Option<u32>,
    /// How many runs are made at once; nothing but time depends on it
    #[arg(long, value_name = "THREADS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) jobs: u32,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct CompareOutput {
    /// Leave times out: then the same command prints the same again
    #[arg(long)]
    pub(crate) no_time: bool,
    /// Print one JSON object, with every run
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values, a line for each search
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Draw what was measured: FILE.svg
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(plot_file))]
    pub(crate) plot: Option<PathBuf>,
    /// What is drawn, side by side
    #[arg(
        long,
        value_enum,
        value_name = "QUANTITY,…",
        value_delimiter = ',',
        default_value = "events",
        requires = "plot"
    )]
    pub(crate) plot_of: Vec<Quantity>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct SimulateArguments {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Where all random numbers come from: the same seed gives the same results [default: 1]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// How many independent runs, at most 1000000 [default: the scenario's own number]
    #[arg(long, value_name = "RUNS", value_parser = clap::value_parser!(u32).range(1..=i64::from(RUNS_MAX)))]
    pub(crate) replications: Option<u32>,
    /// How much time to simulate in each run, e.g. 20ms, 60s or 5m [default: the scenario's own]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) duration: Option<Duration>,
    /// The number of the first run: each has a number, by which it can be run again
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) first: u32,
    /// Make runs on so many threads; the results are the same
    #[arg(long, value_name = "THREADS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) workers: u32,
    /// Keep every run in this folder, with tables of all; what is there is not run again. With a
    /// scenario file FILE.toml in place of the scenario, all points of its sweep
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Run a counterexample that `check` has saved, with plausible times, instead of a scenario
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "scenario", "set", "profile", "seed", "replications", "duration", "first", "workers", "out",
            "MeasuringArguments", "ClaimArguments", "CaptureArguments", "plot", "plot_at",
        ]
    )]
    pub(crate) replay: Option<PathBuf>,
    /// Print what happens in the first run, event by event, before the results
    #[arg(long, conflicts_with = "json")]
    pub(crate) log: bool,
    /// Leave out how long it took: then the same command prints the same bytes again
    #[arg(long)]
    pub(crate) no_time: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,
    #[command(flatten)]
    pub(crate) claims: ClaimArguments,
    #[command(flatten)]
    pub(crate) captures: CaptureArguments,
    #[command(flatten)]
    pub(crate) pictures: PictureArguments,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct ReplayArguments {
    /// A counterexample that `check` has saved, or a log of `simulate --event-log`
    pub(crate) file: PathBuf,
    /// Draw the run: FILE.svg, FILE.html (a page that steps through it), FILE.mmd or FILE.md
    /// (Mermaid); can be given several times
    #[arg(long = "chart", value_name = "FILE", value_parser = OsStringValueParser::new().try_map(chart_file))]
    pub(crate) charts: Vec<ChartFile>,
    /// Print whole states instead of what changed
    #[arg(long)]
    pub(crate) show_states: bool,
    /// Print the run as a test in Rust, too
    #[arg(long)]
    pub(crate) as_test: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// How many runs can be asked for. All are kept until the last has ended, at some kilobytes each.
pub(crate) const RUNS_MAX: u32 = 1_000_000;

pub(crate) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as KEY=VALUE, e.g. nodes=4".to_owned()),
    }
}

fn plot_file(path: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(path),
        _ => Err("a plot is drawn as SVG: name a file that ends in .svg".to_owned()),
    }
}

pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let factor: u64 = match unit {
        "" => 1,
        "k" | "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return Err("write it as a number with K, M or G, e.g. 500M".to_owned()),
    };
    let number: u64 = number.parse().map_err(|_| "the number is missing, e.g. 500M".to_owned())?;
    number.checked_mul(factor).filter(|&bytes| bytes > 0).ok_or("out of range".to_owned())
}

pub(crate) fn time(text: &str) -> Result<Duration, String> {
    parse_duration(text).filter(|time| !time.is_zero()).ok_or_else(|| {
        "write it with a unit (ns, us, ms, s, m or h), more than 0 and at most 10^9 s, e.g. 90s"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        command("everypath", "arq").debug_assert();
    }

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!(bytes("3K"), Ok(3072));
        assert_eq!(bytes("17"), Ok(17));
        assert_eq!(time("1.5ms"), Ok(Duration::from_micros(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "M", "1.5G", "0", "99999999999G", "-1"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "5", "0s", "-1s", "1d", "nans"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
