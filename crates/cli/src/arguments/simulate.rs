//! What `simulate` is told.

use std::{path::PathBuf, time::Duration};

use clap::{
    Args,
    builder::{OsStringValueParser, TypedValueParser},
};
use everypath_model::WarmUp;
use everypath_sim::Question;

use super::{
    published::ProfileArguments,
    values::{RUNS_MAX, assignment, page_file, probability, share, time, warm_up},
    which::Which,
};

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
    #[command(flatten)]
    pub(crate) published: ProfileArguments,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Measuring")]
pub(crate) struct MeasuringArguments {
    /// Do not count what is measured before this moment of a run; `mser5` finds out where each
    /// distribution settles, `none` counts everything [default: the scenario's own]
    #[arg(long, value_name = "TIME|mser5|none", value_parser = warm_up)]
    pub(crate) warm_up: Option<WarmUp>,
    /// Add runs until the 95 % interval of every measure is at most this share of its mean wide, to
    /// each side: at least 5, at most as --replications says, or 10000
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with_all = ["versus", "probability"])]
    pub(crate) precision: Option<f64>,
    /// Ask for the precision of this measure only
    #[arg(long, value_name = "MEASURE", requires = "precision")]
    pub(crate) of: Option<String>,
    /// Compare with a second variant, which has this parameter besides those of --set, under the
    /// same random numbers; can be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment, conflicts_with = "log")]
    pub(crate) versus: Vec<(String, String)>,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Checking")]
pub(crate) struct ClaimArguments {
    /// Ask the scenario's assertions after every event; a violation ends the simulation and is shown
    #[arg(long, conflicts_with_all = ["versus", "probability"])]
    pub(crate) assert: bool,
    /// Estimate how likely it is in a run that an assertion is violated (`violated`), or that a measure
    /// is beyond a bound (e.g. `delay > 0.1`), from 1000 runs if --replications does not say
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["versus", "log"])]
    pub(crate) probability: Option<Question>,
    /// Test whether that probability is at most this; runs are added until it is decided, at most as
    /// --replications says, or 100000
    #[arg(long, value_name = "P", value_parser = probability, requires = "probability", group = "claim")]
    pub(crate) at_most: Option<f64>,
    /// Test whether that probability is at least this
    #[arg(long, value_name = "P", value_parser = probability, requires = "probability", group = "claim")]
    pub(crate) at_least: Option<f64>,
    /// How likely the test may refute what is true [default: 0.05]
    #[arg(long, value_name = "P", value_parser = probability, requires = "claim")]
    pub(crate) alpha: Option<f64>,
    /// How likely the test may accept what is false [default: 0.05]
    #[arg(long, value_name = "P", value_parser = probability, requires = "claim")]
    pub(crate) beta: Option<f64>,
    /// How far from the bound either answer is as good [default: half of what the bound is away from 0
    /// or 1, at most 0.05]
    #[arg(long, value_name = "P", value_parser = probability, requires = "claim")]
    pub(crate) indifference: Option<f64>,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Files of the first run")]
pub(crate) struct CaptureArguments {
    /// Write all that happens, a line of JSON each, with what caused it; `replay` runs it again
    #[arg(long, value_name = "FILE")]
    pub(crate) event_log: Option<PathBuf>,
    /// Write what nodes send and receive as a packet capture (pcapng), an interface for each node
    #[arg(long, value_name = "FILE")]
    pub(crate) pcap: Option<PathBuf>,
    /// Write what nodes send, receive and lose as ns-2 writes traces of wireless networks
    #[arg(long, value_name = "FILE")]
    pub(crate) ns2_trace: Option<PathBuf>,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArguments {
    /// Draw distributions, time series and the network into a folder, as SVG, and as PNG if
    /// this program is built with the feature `png`
    #[arg(long, value_name = "FOLDER")]
    pub(crate) plot: Option<PathBuf>,
    /// Write one page with all pictures, all results and an animation of the first run: FILE.html
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(page_file))]
    pub(crate) report: Option<PathBuf>,
    /// At which time of the first run the network is drawn [default: halfway]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) plot_at: Option<Duration>,
}
