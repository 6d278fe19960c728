//! Spaces with time: what they are not for, and how they find their unit.

use std::collections::HashSet;

use everypath_explore::Space;
use everypath_model::{NetworkKind, Profile, Protocol, Scenario, Timers, WorldSnapshot, panics};

use crate::{
    clock::{Clock, greatest_common_divisor},
    space::{PlainError, PlainOptions, PlainSpace, Time},
};

/// How many states are expanded to find the unit.
const SAMPLE: usize = 2000;

impl<'a, P: Protocol> PlainSpace<'a, P> {
    /// The space with a clock.
    pub(crate) fn timed(
        scenario: &'a Scenario<P>,
        start: Option<&'a WorldSnapshot<P>>,
        options: PlainOptions,
    ) -> Result<Self, PlainError> {
        if let Some(why) = unsuited(scenario, start, &options) {
            return Err(PlainError::Time(why.to_owned()));
        }
        if let Time::CountedIn(unit) = options.time {
            let unit = u64::try_from(unit.as_nanos()).unwrap_or(u64::MAX);
            if unit == 0 {
                return Err(PlainError::Time("a unit of 0 s is none".to_owned()));
            }
            return Self::with_unit(scenario, options, unit);
        }
        let mut unit = Clock::unit_of_packets(scenario);
        loop {
            // Until a time is known, any unit will do.
            let mut sample = Self::with_unit(scenario, options.clone(), unit.max(1))?;
            let clock = sample.clock.as_ref().expect("it has one");
            clock.divisor.set(unit);
            // A panic of the scenario is reported when the space is explored.
            let _ = panics::catch(|| sample.look_around());
            let clock = sample.clock.as_ref().expect("it has one");
            let finer = greatest_common_divisor(unit, clock.divisor.get());
            if finer == unit {
                return match clock.misfit.get().filter(|_| unit > 0) {
                    Some(misfit) => Err(PlainError::Time(misfit.clone())),
                    None => Self::with_unit(scenario, options, unit.max(1)),
                };
            }
            unit = finer;
        }
    }

    fn with_unit(
        scenario: &'a Scenario<P>,
        options: PlainOptions,
        unit: u64,
    ) -> Result<Self, PlainError> {
        let is_given = matches!(options.time, Time::CountedIn(_));
        let common = is_given.then(|| Clock::unit_of_packets(scenario));
        let mut space = Self::untimed(scenario, None, options)?;
        space.clock = Some(Clock::new(unit, scenario.time_bounds, common));
        Ok(space)
    }

    /// Expands the first states, so that the clock meets the times that handlers name.
    fn look_around(&mut self) {
        let mut states = Vec::new();
        self.initial(&mut states);
        let mut known: HashSet<_> = states.iter().copied().collect();
        let mut next = 0;
        while let Some(&state) = states.get(next)
            && next < SAMPLE
            && self.flaw().is_none()
        {
            let mut steps = Vec::new();
            self.expand(&[state], &mut steps);
            let targets = steps.into_iter().map(|step| step.target);
            states.extend(targets.filter(|target| known.insert(*target)));
            next += 1;
        }
    }
}

/// Why time cannot be counted, if it cannot.
fn unsuited<P: Protocol>(
    scenario: &Scenario<P>,
    start: Option<&WorldSnapshot<P>>,
    options: &PlainOptions,
) -> Option<&'static str> {
    let is_fast = |(a, b)| {
        let link = |from, to| scenario.simulation.link_between(from, to);
        [link(a, b), link(b, a)].iter().any(|link| link.bandwidth_bps.is_some())
    };
    let ends = options.deadlock || !scenario.end_assertions.is_empty();
    let excludes = !scenario.assumptions.is_empty() || !options.disabled.is_empty();
    let network = scenario.network;
    let reasons = [
        (
            scenario.time_bounds.packet.is_none() && scenario.simulation.field.is_some(),
            "nodes send by radio (`field`), so that a packet takes as long as its bytes and those of others on the air need; say how long packets take (`packet_time`)",
        ),
        (
            scenario.time_bounds.packet.is_none() && scenario.topology.links().any(is_fast),
            "links have a bandwidth, so that a packet takes as long as its bytes and those before it need; say how long packets take (`packet_time`), or let links have none (`bandwidth_bps(None)`)",
        ),
        (
            !matches!(network, NetworkKind::Unordered | NetworkKind::FifoPerLink),
            "in a list or a mailbox, packets of several links wait for each other, which no bound on a packet allows for; use the network unordered or fifo",
        ),
        (
            scenario.receivers.is_some(),
            "it is decided on arrival which node receives a packet, so that its way has no length",
        ),
        (
            !scenario.audience.is_all(),
            "audiences are chosen by the search; let all neighbours hear broadcasts",
        ),
        (
            scenario.faults.break_links(),
            "it is not said when a packet comes back from a link that is down; leave `link_failure` off",
        ),
        (
            start.is_some(),
            "the start in a simulated run does not lie on a whole unit; start at the scenario's own start",
        ),
        (
            scenario.capacity.most().is_some(),
            "a full link loses packets by the order in which they were sent, which times do not tell; leave `capacity` out",
        ),
        (
            !scenario.timeouts.is_empty(),
            "a timer whose budget is spent stays set, and time stops when it is due; leave `timeouts` out",
        ),
        (options.profile == Profile::Thesis, "the published experiments knew no time"),
        (
            options.timers == Timers::Ordered,
            "the times of timers say more than their order; let them fire in any order",
        ),
        (
            ends && excludes,
            "what an assumption or --disable excludes may be due, and time stops there, which is no end; remove them, or what is asserted of ends",
        ),
    ];
    reasons.into_iter().find_map(|(given, why)| given.then_some(why))
}
