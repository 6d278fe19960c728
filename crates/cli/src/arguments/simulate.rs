//! The arguments of `simulate`.

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
    /// The seed of all random numbers: the same seed gives the same results [default: 1]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// How many independent runs to make, at most 1000000 [default: the scenario's number]
    #[arg(long, value_name = "RUNS", value_parser = clap::value_parser!(u32).range(1..=i64::from(RUNS_MAX)))]
    pub(crate) replications: Option<u32>,
    /// How much time to simulate in each run, e.g. 20ms, 60s or 5m [default: the scenario's]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) duration: Option<Duration>,
    /// The number of the first run; each run has a number, with which it can be repeated
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) first: u32,
    /// How many threads to use; the results do not depend on it
    #[arg(long, value_name = "THREADS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) workers: u32,
    /// Keep every run in this folder, with tables of all; runs that are there are not made again. With
    /// a scenario file FILE.toml in place of the scenario, all points of its sweep
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Run a counterexample saved by `check`, with plausible times, instead of a scenario
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "scenario", "set", "profile", "seed", "replications", "duration", "first", "workers", "out",
            "MeasuringArguments", "ClaimArguments", "CaptureArguments", "plot", "plot_at",
        ]
    )]
    pub(crate) replay: Option<PathBuf>,
    /// Print the first run, event by event, before the results
    #[arg(long, conflicts_with = "json")]
    pub(crate) log: bool,
    /// Omit times: then the same command prints the same bytes again
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
    /// Do not count measurements before this time of a run (warm-up); `mser5` detects where each
    /// distribution settles, `none` counts everything [default: the scenario's]
    #[arg(long, value_name = "TIME|mser5|none", value_parser = warm_up)]
    pub(crate) warm_up: Option<WarmUp>,
    /// Add runs until the 95 % confidence interval of every measure extends at most this share of the
    /// mean to each side: at least 5 runs, at most --replications or, without it, 10000
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with_all = ["versus", "probability"])]
    pub(crate) precision: Option<f64>,
    /// Require the precision of this measure only
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
    /// Evaluate the scenario's assertions after every event; a violation ends the simulation and is shown
    #[arg(long, conflicts_with_all = ["versus", "probability"])]
    pub(crate) assert: bool,
    /// Estimate the probability that a run violates an assertion (`violated`), or that a measure
    /// is beyond a bound (e.g. `delay > 0.1`), from --replications runs or, without it, 1000
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["versus", "log"])]
    pub(crate) probability: Option<Question>,
    /// Test whether that probability is at most this; runs are added until the test decides, at most
    /// --replications or, without it, 100000
    #[arg(long, value_name = "P", value_parser = probability, requires = "probability", group = "claim")]
    pub(crate) at_most: Option<f64>,
    /// Test whether that probability is at least this
    #[arg(long, value_name = "P", value_parser = probability, requires = "probability", group = "claim")]
    pub(crate) at_least: Option<f64>,
    /// The probability with which the test may refute a true claim [default: 0.05]
    #[arg(long, value_name = "P", value_parser = probability, requires = "claim")]
    pub(crate) alpha: Option<f64>,
    /// The probability with which the test may accept a false claim [default: 0.05]
    #[arg(long, value_name = "P", value_parser = probability, requires = "claim")]
    pub(crate) beta: Option<f64>,
    /// Within this distance of the bound either decision is acceptable [default: half the distance of
    /// the bound from 0 or 1, at most 0.05]
    #[arg(long, value_name = "P", value_parser = probability, requires = "claim")]
    pub(crate) indifference: Option<f64>,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Files of the first run")]
pub(crate) struct CaptureArguments {
    /// Write every event with its cause, one line of JSON each; `replay` runs the log again
    #[arg(long, value_name = "FILE")]
    pub(crate) event_log: Option<PathBuf>,
    /// Write the packets that nodes send and receive as a packet capture (pcapng), one interface for
    /// each node
    #[arg(long, value_name = "FILE")]
    pub(crate) pcap: Option<PathBuf>,
    /// Write the packets that nodes send, receive and lose in the ns-2 format for traces of wireless
    /// networks
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
    /// The time of the first run at which the network is drawn [default: halfway]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) plot_at: Option<Duration>,
}
