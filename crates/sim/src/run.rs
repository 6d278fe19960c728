//! Result of one run.

use std::{sync::atomic::AtomicBool, time::Duration};

use everypath_model::Readings;

use crate::{Battery, Distribution, FrameFate, Matching, Series, Truncation, field::OutgoingFrame};

/// When to stop before the scenario's duration is over.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Ending, Limits, Simulation};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4));
/// let run = Simulation::new(&scenario, 1, 0)?.run(&Limits::default().events(3))?;
/// assert_eq!((run.ending, run.events), (Ending::EventLimit, 3));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits<'a> {
    /// After this many events of a run.
    pub events: u64,
    /// Once this is true; looked at every few thousand events.
    pub stop: Option<&'a AtomicBool>,
    /// At the first world, from the initial one on, that violates an assertion of the scenario. They
    /// are asked after every event.
    pub violation: bool,
}

impl Default for Limits<'_> {
    /// Not before.
    fn default() -> Self {
        Self { events: u64::MAX, stop: None, violation: false }
    }
}

impl<'a> Limits<'a> {
    /// Sets [`events`](field@Self::events).
    #[must_use]
    pub fn events(mut self, events: u64) -> Self {
        self.events = events;
        self
    }

    /// Sets [`stop`](field@Self::stop).
    #[must_use]
    pub fn stop(mut self, stop: impl Into<Option<&'a AtomicBool>>) -> Self {
        self.stop = stop.into();
        self
    }

    /// Sets [`violation`](field@Self::violation).
    #[must_use]
    pub fn violation(mut self, violation: bool) -> Self {
        self.violation = violation;
        self
    }
}

/// Why a run is over.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Ending, Limits, Simulation};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4));
/// let run = Simulation::new(&scenario, 1, 0)?.run(&Limits::default())?;
/// assert_eq!(run.ending, Ending::Finished);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The scenario's duration has passed.
    Finished,
    /// There were as many events as the [limit](Limits::events) allows.
    EventLimit,
    /// It was asked to [stop](Limits::stop).
    Stopped,
    /// An [assertion was violated](Limits::violation).
    Violated,
}

/// An assertion that a run has violated. A [`LastEvent`](crate::LastEvent) that observes the run
/// names the event that led there.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Ending, Limits, Simulation};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4))
///     .assert_always("nothing is in flight", |world| world.packets().len() == 0);
/// let run = Simulation::new(&scenario, 1, 0)?.run(&Limits::default().violation(true))?;
/// assert_eq!(run.ending, Ending::Violated);
/// assert_eq!(run.violation.unwrap().assertion, "nothing is in flight");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// Its name.
    pub assertion: String,
    /// The message of its panic, if it panicked.
    pub panic: Option<String>,
}

/// Counts of packets by their fate.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{LinkModel, Scenario, Topology};
/// use everypath_sim::{Limits, Simulation};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let lossy = LinkModel::default().loss(1.0);
/// let scenario = Scenario::new(Coin, Topology::ring(4)).simulation(|run| run.link(lossy));
/// let packets = Simulation::new(&scenario, 1, 0)?.run(&Limits::default())?.packets;
/// assert_eq!((packets.sent, packets.delivered, packets.lost), (8, 0, 8));
/// assert_eq!(packets.in_flight(), 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Packets {
    /// Handed to a link, or waiting for a receiver, or a copy of one that arrives; a broadcast is one for every neighbour. By radio: one
    /// for every node that hears it, or one if its receiver does not; on a shared medium, once that is known.
    /// One that comes back to its sender although it was heard is two.
    pub sent: u64,
    /// Arrived.
    pub delivered: u64,
    /// Lost on a link or since a node was down, or come back to its sender.
    pub lost: u64,
    /// Not taken by a link or transmitter because its queue was full.
    pub dropped: u64,
    /// Frames given to a radio: one for all nodes that hear it.
    pub frames: u64,
    /// How often those were transmitted: again, if they were not acknowledged. Acknowledgements are not counted. On a shared
    /// medium, of those of which it is known what became of them.
    pub transmissions: u64,
    /// How often a node on a shared medium did not receive a transmission that was for it, though it was near enough.
    pub missed: u64,
}

impl Packets {
    /// A frame is handed to a transmitter.
    pub(crate) fn count(&mut self, fate: FrameFate<'_>) {
        self.frames += 1;
        match fate {
            FrameFate::Heard { by, .. } => {
                self.sent += by.len() as u64;
                self.transmissions += 1;
            }
            FrameFate::Unheard { .. } => {
                self.sent += 1;
                self.transmissions += 1;
            }
            FrameFate::Dropped => {
                self.sent += 1;
                self.dropped += 1;
            }
        }
    }

    /// The fate of a frame on a medium is known. The nodes that hear it, or its sender, are counted when they
    /// handle it.
    pub(crate) fn settle<M>(&mut self, frame: &OutgoingFrame<M>) {
        self.frames += 1;
        self.transmissions += u64::from(frame.tries);
    }

    /// Those that are still on their way.
    #[must_use]
    pub fn in_flight(&self) -> u64 {
        self.sent - self.delivered - self.lost - self.dropped
    }
}

/// The value of a measure in one run.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Limits, Simulation};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4))
///     .simulation(|run| run.measure("load", "1/s", |run| run.packets_sent() as f64 / run.elapsed_s()));
/// let run = Simulation::new(&scenario, 1, 0)?.run(&Limits::default())?;
/// let load = &run.measures[0];
/// assert_eq!((&load.name[..], &load.unit[..], load.value), ("load", "1/s", 0.8));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Its unit; empty if there is none.
    pub unit: String,
    /// Its value; not a number if it is undefined for this run.
    pub value: f64,
}

/// The result of one run. All lists are in the order of their names, but for the measures, which
/// are in that of the scenario.
///
/// A series goes by its name alone: levels that several nodes give under one name are one series.
/// As [`Readings`], a distribution is preferred to a series of the same name.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Readings, Scenario, Topology};
/// use everypath_sim::{Limits, Simulation};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4));
/// let run = Simulation::new(&scenario, 1, 0)?.run(&Limits::default())?;
/// assert_eq!((run.packets.delivered, run.count("heard")), (8, 8));
/// assert_eq!(run.distribution("side").unwrap().count(), 4);
/// assert_eq!(run.measure("no such measure"), None);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Run {
    /// The seed it was run with.
    pub seed: u64,
    /// Which of the independent runs under that seed.
    pub replication: u32,
    /// Why it is over.
    pub ending: Ending,
    /// The simulated time that passed.
    pub elapsed: Duration,
    /// When measuring began: later than at once if the scenario has a warm-up.
    pub measured_from: Duration,
    /// How many events there were, those of a warm-up included.
    pub events: u64,
    /// The packets, those of a warm-up included.
    pub packets: Packets,
    /// The packets before measuring began.
    pub packets_before: Packets,
    /// The counters.
    pub counters: Vec<(&'static str, u64)>,
    /// The distributions of samples, and of durations in seconds.
    pub distributions: Vec<(&'static str, Distribution)>,
    /// The truncation of each distribution, if the scenario
    /// [finds the warm-up](everypath_model::WarmUp::Mser5).
    pub truncations: Vec<(&'static str, Truncation)>,
    /// The time series.
    pub series: Vec<(&'static str, Series)>,
    /// How beginnings and ends matched, for each name that durations were measured under.
    pub matchings: Vec<(&'static str, Matching)>,
    /// The battery of each node, if nodes need energy. It is among the distributions as well: `energy`, by what it was
    /// spent on, and `lifetime`, of those whose battery was empty.
    pub batteries: Vec<Battery>,
    /// The results that the scenario asks for.
    pub measures: Vec<Measured>,
    /// The assertion that was violated, if the run [ended](Ending::Violated) by that, or if its last world
    /// violates one. Of a run that is not [watched](Limits::violation), the last world alone is asked.
    pub violation: Option<Violation>,
}

fn find<'a, T>(list: &'a [(&'static str, T)], name: &str) -> Option<&'a T> {
    let place = list.binary_search_by(|(other, _)| (*other).cmp(name)).ok()?;
    Some(&list[place].1)
}

impl Run {
    /// The distribution of a name.
    #[must_use]
    pub fn distribution(&self, name: &str) -> Option<&Distribution> {
        find(&self.distributions, name)
    }

    /// The time series of a name.
    #[must_use]
    pub fn series(&self, name: &str) -> Option<&Series> {
        find(&self.series, name)
    }

    /// How the beginnings and ends under a name matched.
    #[must_use]
    pub fn matching(&self, name: &str) -> Option<Matching> {
        find(&self.matchings, name).copied()
    }

    /// When the first battery was empty, if one was, in seconds.
    #[must_use]
    pub fn first_death_s(&self) -> Option<f64> {
        self.batteries.iter().filter_map(|battery| battery.died_s).min_by(f64::total_cmp)
    }

    /// What is observed under a name is measured in: as the measure of that name is, or seconds if it is a
    /// duration; otherwise it is unknown.
    #[must_use]
    pub fn unit(&self, name: &str) -> &str {
        let measure = self.measures.iter().find(|measure| measure.name == name);
        match measure {
            Some(measure) => &measure.unit,
            None if self.matching(name).is_some() => "s",
            None => "",
        }
    }

    /// The value of a measure.
    #[must_use]
    pub fn measure(&self, name: &str) -> Option<f64> {
        let found = self.measures.iter().find(|measure| measure.name == name);
        found.map(|measure| measure.value)
    }
}

impl Readings for Run {
    fn elapsed_s(&self) -> f64 {
        self.elapsed.saturating_sub(self.measured_from).as_secs_f64()
    }

    fn packets_sent(&self) -> u64 {
        self.packets.sent - self.packets_before.sent
    }

    fn packets_delivered(&self) -> u64 {
        self.packets.delivered - self.packets_before.delivered
    }

    fn count(&self, name: &str) -> u64 {
        find(&self.counters, name).copied().unwrap_or(0)
    }

    fn mean(&self, name: &str) -> f64 {
        let distribution = self.distribution(name).map(Distribution::mean);
        distribution.or_else(|| self.series(name).map(Series::mean)).unwrap_or(f64::NAN)
    }

    fn quantile(&self, name: &str, fraction: f64) -> f64 {
        self.distribution(name).map_or(f64::NAN, |it| it.quantile(fraction))
    }
}
