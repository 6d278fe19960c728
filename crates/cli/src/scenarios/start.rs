//! Exploring from a world that a simulated run has come to.

use std::time::Duration;

use clap::Args;
use everypath_model::{KeptWorld, Protocol, parse_duration};
use everypath_report::SimulatedStart;
use everypath_sim::{SimError, Simulation};
use serde_json::{Value, json};

use crate::{error::CliError, output::numbers::counted, scenarios::entry::Built, simulate::failed};

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Start")]
pub(crate) struct StartArguments {
    /// Start from what a simulated run has come to at this moment, e.g. 2.5s: its nodes, timers and
    /// packets; what happens at the very moment is still to come
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) from_simulation: Option<Duration>,
    /// The seed of that run, as `simulate --seed` has it [default: 1]
    #[arg(long, value_name = "SEED", requires = "from_simulation")]
    pub(crate) simulation_seed: Option<u64>,
    /// The number of that run, as `simulate --first` has it [default: 0]
    #[arg(long, value_name = "NUMBER", requires = "from_simulation")]
    pub(crate) replication: Option<u32>,
}

impl StartArguments {
    /// The moment of which run, if an exploration is to start there.
    pub(crate) fn moment(&self) -> Option<Moment> {
        self.from_simulation.map(|time| Moment {
            time,
            seed: self.simulation_seed.unwrap_or(1),
            replication: self.replication.unwrap_or(0),
        })
    }
}

fn moment(text: &str) -> Result<Duration, String> {
    parse_duration(text).ok_or_else(|| {
        "write it with a unit (ns, us, ms, s, m or h), at most 10^9 s, e.g. 2.5s".to_owned()
    })
}

/// A moment of a simulated run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) time: Duration,
    pub(crate) seed: u64,
    pub(crate) replication: u32,
}

impl Moment {
    pub(crate) fn of(start: &SimulatedStart) -> Self {
        let &SimulatedStart { nanoseconds, seed, replication, .. } = start;
        Self { time: Duration::from_nanos(nanoseconds), seed, replication }
    }

    /// Which moment it is, as an identity has it.
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

/// The world in which an exploration starts, and of which moment it is.
pub(crate) struct Start<P: Protocol> {
    pub(crate) moment: Moment,
    pub(crate) world: KeptWorld<P>,
}

/// The same without types.
#[derive(Clone, Copy)]
pub(crate) struct StartFacts {
    pub(crate) moment: Moment,
    timers: usize,
    packets: usize,
    links: usize,
    /// How many of the links are down.
    down: usize,
}

impl<P: Protocol> Start<P> {
    pub(crate) fn facts(&self) -> StartFacts {
        StartFacts {
            moment: self.moment,
            timers: self.world.nodes.iter().map(|node| node.timers.len()).sum(),
            packets: self.world.packets.len(),
            links: self.world.topology.links().count(),
            down: self.world.down.len(),
        }
    }
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

    pub(crate) fn to_json(self, digest: Option<u64>) -> Value {
        let Self { moment: Moment { time, seed, replication }, timers, packets, links, down } =
            self;
        json!({
            "simulated_seconds": time.as_secs_f64(),
            "seed": seed,
            "replication": replication,
            "timers": timers,
            "packets": packets,
            "links": links,
            "links_down": down,
            "digest": digest.map(|digest| format!("{digest:016x}")),
        })
    }
}

impl<P: Protocol> Built<P> {
    /// The scenario, to be explored from a moment of a simulated run on.
    pub(crate) fn starting_at(mut self, moment: Moment) -> Result<Self, CliError> {
        let world = keep(&self, moment).map_err(|error| failed(&self.name, error, ""))?;
        self.scenario.put_into(&world);
        self.start = Some(Start { moment, world });
        Ok(self)
    }
}

fn keep<P: Protocol>(built: &Built<P>, moment: Moment) -> Result<KeptWorld<P>, SimError> {
    let mut run = Simulation::new(&built.scenario, moment.seed, moment.replication)?;
    run.run_before(moment.time)?;
    run.keep()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_run_is_a_moment() {
        assert_eq!(moment("0s"), Ok(Duration::ZERO));
        assert_eq!(moment("2.5s"), Ok(Duration::from_millis(2500)));
        for wrong in ["", "5", "-1s", "soon"] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }
}
