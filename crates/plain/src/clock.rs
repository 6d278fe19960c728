//! Time in whole units: when packets and timers that wait are due, and how long the world can wait.

use std::{cell::OnceCell, time::Duration};

use everypath_model::{Protocol, Scenario, TimeBounds};

/// The longest time that something may take, in units.
pub(crate) const UNITS_MAX: u64 = 64;

/// In how many units something happens, at least and at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Window {
    pub(crate) least: u16,
    pub(crate) most: u16,
}

impl Window {
    /// The window some units later.
    pub(crate) fn later(self, units: u16) -> Self {
        Self {
            least: self.least.saturating_sub(units),
            most: self.most.checked_sub(units).expect("nothing waits longer than it can"),
        }
    }

    /// The window of the later one of two.
    pub(crate) fn or_later(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    /// Whether it can happen now.
    pub(crate) fn is_open(self) -> bool {
        self.least == 0
    }
}

/// The clock of an exploration with time.
pub(crate) struct Clock {
    /// In nanoseconds.
    pub(crate) unit: u64,
    bounds: TimeBounds,
    /// A time that is no multiple of the unit, or too many, in words.
    pub(crate) misfit: OnceCell<String>,
    /// The largest unit that divides all times so far.
    pub(crate) divisor: std::cell::Cell<u64>,
    /// The largest that divides all times so far, without the unit; nothing if the unit is not a given one.
    common: Option<std::cell::Cell<u64>>,
}

fn nanoseconds(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

pub(crate) fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

impl Clock {
    /// A clock with this unit. If it is a given one, also what divides how long packets take.
    pub(crate) fn new(unit: u64, bounds: TimeBounds, common: Option<u64>) -> Self {
        let (misfit, divisor) = (OnceCell::new(), std::cell::Cell::new(unit));
        Self { unit, bounds, misfit, divisor, common: common.map(std::cell::Cell::new) }
    }

    /// The largest unit that divides how long packets take; 0 if they take no time.
    pub(crate) fn unit_of_packets<P: Protocol>(scenario: &Scenario<P>) -> u64 {
        let times = match scenario.time_bounds.packet {
            Some((least, most)) => vec![least, most],
            None => {
                let links = scenario.topology.links().flat_map(|(a, b)| [(a, b), (b, a)]);
                links.map(|(a, b)| scenario.simulation.link_between(a, b).delay).collect()
            }
        };
        times.into_iter().map(nanoseconds).fold(0, greatest_common_divisor)
    }

    /// When a packet arrives that is handed to a link with this delay.
    pub(crate) fn packet(&self, delay: Duration, jitter: Duration) -> Window {
        let (least, most) = self.bounds.packet.unwrap_or((delay, delay));
        self.window("a packet", least, most.saturating_add(jitter))
    }

    /// Notes that a packet has a jitter on a link that keeps packets in order: one behind it may have to wait for
    /// longer than its own bound.
    pub(crate) fn refuse_jitter(&self) {
        self.misfit.get_or_init(|| {
            "a packet has a jitter (`send_within`, `broadcast_within`), and on a fifo link those behind it wait for it, which no bound on a packet allows for: use the network unordered, or send without jitter".to_owned()
        });
    }

    /// When a timer fires that is set for this long.
    pub(crate) fn timer(&self, after: Duration) -> Window {
        let (least, most) = self.bounds.timer(after);
        self.window("a timer", least, most)
    }

    fn window(&self, what: &str, least: Duration, most: Duration) -> Window {
        let times = [least, most].map(nanoseconds);
        let with = |one: u64| times.iter().fold(one, |one, &it| greatest_common_divisor(one, it));
        let divisor = with(self.divisor.get());
        self.divisor.set(divisor);
        let common = self.common.as_ref().map_or(self.unit, |common| {
            common.set(with(common.get()));
            common.get()
        });
        let unit = Duration::from_nanos(self.unit);
        if divisor != self.unit {
            self.misfit.get_or_init(|| {
                let finer = Duration::from_nanos(divisor);
                format!("{what} takes {least:?} to {most:?}, which are no multiples of the unit of time, {unit:?}: give --time-unit {finer:?}")
            });
        } else if times[1] / self.unit > UNITS_MAX {
            self.misfit.get_or_init(|| {
                let remedy = if common > self.unit && times[1] / common <= UNITS_MAX {
                    format!("give --time-unit {:?}", Duration::from_nanos(common))
                } else {
                    "choose times with a larger common divisor, such as whole multiples of the shortest".to_owned()
                };
                format!("{what} takes up to {most:?}, which is more than {UNITS_MAX} units of {unit:?}: {remedy}")
            });
        }
        let [least, most] = times.map(|time| (time / self.unit).min(UNITS_MAX) as u16);
        Window { least, most }
    }
}
