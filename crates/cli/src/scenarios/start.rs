//! Exploring from a world of a simulated run.

use std::time::Duration;

use everypath_report::SimulatedStart;
use serde::{Deserialize, Serialize};

use crate::{arguments::check::StartArguments, output::numbers::counted};

/// A moment of a simulated run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) time: Duration,
    pub(crate) seed: u64,
    pub(crate) replication: u32,
}

impl Moment {
    /// The requested moment, if an exploration starts there.
    pub(crate) fn asked_for(arguments: &StartArguments) -> Option<Self> {
        arguments.from_simulation.map(|time| Self {
            time,
            seed: arguments.simulation_seed.unwrap_or(1),
            replication: arguments.replication.unwrap_or(0),
        })
    }

    pub(crate) fn of(start: &SimulatedStart) -> Self {
        let &SimulatedStart { nanoseconds, seed, replication, .. } = start;
        Self { time: Duration::from_nanos(nanoseconds), seed, replication }
    }

    /// The moment as parts of an identity.
    pub(crate) fn identity(self) -> [(&'static str, String); 3] {
        let Self { time, seed, replication } = self;
        [
            ("from-simulation", format!("{time:?}")),
            ("simulation-seed", seed.to_string()),
            ("replication", replication.to_string()),
        ]
    }

    pub(crate) fn record(self, digest: u64) -> SimulatedStart {
        let Self { time, seed, replication } = self;
        let nanoseconds = u64::try_from(time.as_nanos()).expect("at most 10^9 s can be named");
        SimulatedStart { nanoseconds, seed, replication, digest: format!("{digest:016x}") }
    }
}

/// The world in which an exploration starts, for reports.
#[derive(Clone, Copy)]
pub(crate) struct StartFacts {
    pub(crate) moment: Moment,
    pub(crate) timers: usize,
    pub(crate) packets: usize,
    pub(crate) links: usize,
    /// How many of the links are down.
    pub(crate) down: usize,
}

impl StartFacts {
    /// Where it starts, in words.
    pub(crate) fn to_text(self) -> String {
        let Self { moment: Moment { time, seed, replication }, timers, packets, links, down } =
            self;
        let down = match down {
            0 => String::new(),
            down => format!(" ({down} down)"),
        };
        format!(
            "{time:?} into the simulated run {replication} of seed {seed}: {}, {}, {}{down}",
            counted(timers as u64, "timer"),
            counted(packets as u64, "packet"),
            counted(links as u64, "link"),
        )
    }

    /// Where it starts, for a report; `None` if its space has no digest, since it starts elsewhere.
    pub(crate) fn report(self, digest: Option<u64>) -> Option<StartReport> {
        let Self { moment: Moment { time, seed, replication }, timers, packets, links, down } =
            self;
        Some(StartReport {
            simulated_seconds: time.as_secs_f64(),
            seed,
            replication,
            timers,
            packets,
            links,
            links_down: down,
            digest: format!("{:016x}", digest?),
        })
    }
}

/// A moment of a simulated run from which a scenario was explored.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Start"))]
pub(crate) struct StartReport {
    /// The time of the moment, since the start of the run.
    #[cfg_attr(test, schemars(range(min = 0)))]
    simulated_seconds: f64,
    /// The seed of the run.
    seed: u64,
    /// The number of the run.
    replication: u32,
    /// How many timers were set.
    timers: usize,
    /// How many packets were in flight or about to leave.
    packets: usize,
    /// How many links there were; on a field, pairs of nodes within range.
    links: usize,
    /// How many of the links were down.
    links_down: usize,
    /// The digest of the world at that moment.
    digest: String,
}
