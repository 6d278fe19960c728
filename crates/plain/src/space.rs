//! The space: whole worlds in a hash set.

use std::{sync::Arc, time::Duration};

use everypath_explore::{
    EventId, EventPattern, Explorable, Measured, Saved, Space, StateId, Step, compile_searches,
};
use everypath_model::{
    EventKind, Keeper, NativeMode, NodeId, Profile, Protocol, Scenario, ScenarioError, Timers,
    WorldSnapshot,
};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use thiserror::Error;

use crate::{
    clock::{Clock, Window},
    event::EventOf,
    execute::{Branch, Cause},
    flight::Flight,
    timers::SetTimers,
    world::{Flying, Whole, WorldOf},
};

/// The options of a plain space: those of the usual one that decide which states there are.
///
/// ```
/// use everypath_plain::PlainOptions;
///
/// let options = PlainOptions { deadlock: true, ..PlainOptions::default() };
/// assert!(options.required.is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct PlainOptions {
    /// The semantics.
    pub profile: Profile,
    /// Events that never happen.
    pub disabled: Vec<EventPattern>,
    /// Only violations on runs with such an event count.
    pub required: Option<EventPattern>,
    /// Whether states without an enabled event are violations.
    pub deadlock: bool,
    /// The kinds of events that are counted and reported, in their order: those that can happen.
    /// All, if there are none.
    pub kinds: Vec<EventKind>,
    /// Which of the timers of a node that are set can fire next.
    pub timers: Timers,
    /// Whether packets and timers take their time.
    pub time: Time,
}

/// Whether packets and timers take their time in an exploration, in whole units.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use std::time::Duration;
/// use everypath_explore::{Options, explore};
/// use everypath_model::{Scenario, Topology};
/// use everypath_plain::{PlainOptions, PlainSpace, Time};
///
/// let [least, most] = [2, 6].map(Duration::from_millis);
/// let scenario = Scenario::new(Greeting, Topology::chain(2)).packet_time(least, most);
/// let options = PlainOptions { time: Time::Counted, ..PlainOptions::default() };
/// let mut space = PlainSpace::new(&scenario, None, options).unwrap();
/// assert_eq!(space.unit(), Some(least));
/// assert!(explore(&mut space, &Options::default(), &mut ()).unwrap().saw_everything());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Time {
    /// They take any time.
    #[default]
    Any,
    /// They take their time, in the largest unit that divides all times.
    Counted,
    /// They take their time, in this unit.
    CountedIn(Duration),
}

/// Why there is no plain space.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, Topology};
/// use everypath_plain::{PlainError, PlainOptions, PlainSpace};
///
/// let goals = (0..65).fold(Scenario::new(Greeting, Topology::chain(2)), |scenario, goal| {
///     scenario.assert_reachable(&format!("goal {goal}"), |_| true)
/// });
/// let refused = PlainSpace::new(&goals, None, PlainOptions::default()).err();
/// assert!(matches!(refused, Some(PlainError::TooMany { what: "goals" })));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlainError {
    /// The scenario cannot be run at all.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// It has too many of something.
    #[error("there are too many {what} for the plain engine, which has 64 bits for them")]
    TooMany {
        /// Of what.
        what: &'static str,
    },
    /// Time cannot be counted in it.
    #[error("time cannot be counted here: {0}")]
    Time(String),
}

/// A scenario as a space of whole worlds.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_explore::{Options, explore};
/// use everypath_model::{Scenario, Topology};
/// use everypath_plain::{PlainOptions, PlainSpace};
///
/// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
///     .assert_always("no node is greeted twice", |world| {
///         world.nodes().all(|(_, &greeted)| greeted < 2)
///     });
/// let mut space = PlainSpace::new(&scenario, None, PlainOptions::default()).unwrap();
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// assert_eq!(found.finding().unwrap().trace.steps.len(), 2);
/// ```
pub struct PlainSpace<'a, P: Protocol> {
    pub(crate) scenario: &'a Scenario<P>,
    start: Option<&'a WorldSnapshot<P>>,
    pub(crate) disabled: Vec<EventPattern>,
    pub(crate) required: Option<EventPattern>,
    /// The timers that may fire a limited number of times, and how often.
    pub(crate) timeouts: Vec<(EventPattern, u32)>,
    pub(crate) deadlock: bool,
    kinds: Vec<EventKind>,
    pub(crate) by_radio: bool,
    /// Whether packets can return to their senders.
    pub(crate) packets_return: bool,
    /// The links that can fail, in order.
    pub(crate) links: Vec<(NodeId, NodeId)>,
    /// By sender: the possible audiences of its broadcasts. Empty if all neighbours hear them.
    pub(crate) audiences: Vec<Vec<Vec<NodeId>>>,
    pub(crate) flight: Flight<P::Message>,
    /// Which timers of a node can fire.
    pub(crate) timers: Timers,
    /// The clock, if time counts.
    pub(crate) clock: Option<Clock>,
    /// Makes native nodes again, each time.
    pub(crate) keeper: Arc<Keeper>,
    worlds: IndexSet<WorldOf<P>, FxBuildHasher>,
    events: IndexSet<EventOf<P>, FxBuildHasher>,
    bytes: usize,
    pub(crate) executions: u64,
    pub(crate) handler_time: Duration,
}

impl<'a, P: Protocol> PlainSpace<'a, P> {
    /// The space of a scenario, which starts in the world of a simulated run if one is given.
    ///
    /// # Errors
    /// If the scenario cannot be run, or is too large.
    pub fn new(
        scenario: &'a Scenario<P>,
        start: Option<&'a WorldSnapshot<P>>,
        options: PlainOptions,
    ) -> Result<Self, PlainError> {
        match options.time {
            Time::Any => Self::untimed(scenario, start, options),
            Time::Counted | Time::CountedIn(_) => Self::timed(scenario, start, options),
        }
    }

    /// The unit of time, if time counts.
    #[must_use]
    pub fn unit(&self) -> Option<Duration> {
        self.clock.as_ref().map(|clock| Duration::from_nanos(clock.unit))
    }

    /// The space without a clock.
    pub(crate) fn untimed(
        scenario: &'a Scenario<P>,
        start: Option<&'a WorldSnapshot<P>>,
        options: PlainOptions,
    ) -> Result<Self, PlainError> {
        scenario.validate()?;
        let PlainOptions { profile, disabled, required, deadlock, kinds, timers, time: _ } =
            options;
        let kinds = if kinds.is_empty() { EventKind::ALL.to_vec() } else { kinds };
        // Two bits are for the assertions about every protocol, one for deadlocks.
        if scenario.assertions.len() + scenario.end_assertions.len() > 60 {
            return Err(PlainError::TooMany { what: "assertions" });
        }
        if scenario.goals.len() > 64 {
            return Err(PlainError::TooMany { what: "goals" });
        }
        let topology = &scenario.topology;
        let links_change =
            scenario.faults.break_links() || start.is_some_and(|start| !start.down.is_empty());
        let by_radio = start.is_some_and(|start| start.by_radio);
        let links: Vec<_> = if links_change { topology.links().collect() } else { Vec::new() };
        if links.len() > 128 {
            return Err(PlainError::TooMany { what: "links" });
        }
        let mut audiences = Vec::new();
        if !scenario.audience.is_all() {
            for sender in topology.nodes() {
                let sets = scenario.audience.of(sender, topology.neighbours(sender));
                let sets = sets.map_err(ScenarioError::from)?;
                audiences.push((0..sets.len()).map(|number| sets.get(number)).collect());
            }
        }
        let pattern = |timers: &str| timers.parse().expect("the budgets of timeouts are validated");
        let timeouts = scenario.timeouts.iter();
        let timeouts = timeouts.filter_map(|it| Some((pattern(&it.timers), it.times()?)));
        let late = scenario.receivers.is_some() || by_radio || !links.is_empty();
        Ok(Self {
            scenario,
            start,
            disabled,
            // In the published semantics, the search looks for it on the run.
            required: required.filter(|_| profile == Profile::Standard),
            timeouts: timeouts.collect(),
            deadlock,
            kinds,
            by_radio,
            packets_return: links_change || by_radio,
            links,
            audiences,
            flight: Flight::new(scenario.network, scenario.capacity, profile, late),
            timers,
            clock: None,
            keeper: Arc::new(Keeper::new(NativeMode::Eager, 0)),
            worlds: IndexSet::default(),
            events: IndexSet::default(),
            bytes: 0,
            executions: 0,
            handler_time: Duration::ZERO,
        })
    }

    /// The world behind an id.
    pub(crate) fn world(&self, state: StateId) -> &WorldOf<P> {
        &self.worlds[usize::try_from(state.0).expect("ids are places in a list")]
    }

    /// The event behind an id.
    pub(crate) fn happened(&self, event: EventId) -> &EventOf<P> {
        &self.events[usize::try_from(event.0).expect("ids are places in a list")]
    }

    pub(crate) fn neighbours(&self, node: NodeId) -> &'a [NodeId] {
        self.scenario.topology.neighbours(node)
    }

    /// A node with its role.
    pub(crate) fn name_of(&self, node: NodeId) -> String {
        match self.scenario.role(node).as_str() {
            "" => node.to_string(),
            role => format!("{node} ({role})"),
        }
    }

    fn store(&mut self, world: WorldOf<P>) -> StateId {
        let bytes = world.bytes();
        let (place, is_new) = self.worlds.insert_full(world);
        self.bytes += if is_new { bytes } else { 0 };
        StateId(place as u64)
    }

    /// A world without nodes and packets, in which nothing has happened.
    fn empty(&self) -> WorldOf<P> {
        let budgets = self.timeouts.iter().map(|&(_, most)| most);
        Whole::empty(self.scenario.faults, budgets.collect())
    }

    /// The world of a simulated run.
    fn started(&self, start: &WorldSnapshot<P>) -> WorldOf<P> {
        let mut world = self.empty();
        let packets = start.packets.iter().map(|packet| Flying {
            from: packet.from,
            to: packet.to,
            message: packet.message.clone(),
            window: Window::default(),
        });
        let packets: Vec<_> = packets.collect();
        self.flight.note(&packets);
        packets.into_iter().for_each(|packet| self.flight.put(&mut world.flight, packet));
        for (node, kept) in self.scenario.topology.nodes().zip(&start.nodes) {
            let (state, timers) = (kept.state.clone(), SetTimers::of(kept.timers.clone()));
            world.nodes.push(self.settled(node, state, timers));
        }
        let down = |ends: &(NodeId, NodeId)| start.down.contains(ends);
        let links = self.links.iter().enumerate().filter(|(_, ends)| down(ends));
        world.links.down = links.map(|(link, _)| link).collect();
        world.memories = match start.memories.as_slice() {
            [] => self.first_memories(),
            kept => kept.iter().map(|memory| memory.copy().into()).collect(),
        };
        world
    }

    /// All combinations of the ways in which nodes can start.
    fn starts(&mut self) -> Vec<WorldOf<P>> {
        let mut worlds = vec![self.empty()];
        for node in self.scenario.topology.nodes() {
            let mut ways = IndexSet::<_, FxBuildHasher>::default();
            for Branch { node, sent, .. } in
                self.branches(node, None, &SetTimers::default(), &Cause::Start)
            {
                ways.insert((node, sent));
            }
            let mut next = Vec::new();
            for world in worlds {
                for (node, sent) in &ways {
                    let mut world: WorldOf<P> = world.clone();
                    world.nodes.push(node.clone());
                    sent.iter().for_each(|it| self.flight.put(&mut world.flight, it.clone()));
                    next.push(world);
                }
            }
            worlds = next;
        }
        for world in &mut worlds {
            world.memories = self.first_memories();
        }
        worlds
    }
}

impl<P: Protocol> Space for PlainSpace<'_, P> {
    fn initial(&mut self, states: &mut Vec<StateId>) {
        let worlds = match self.start {
            Some(start) => vec![self.started(start)],
            None => self.starts(),
        };
        let mut distinct = IndexSet::<StateId>::new();
        for world in worlds {
            distinct.insert(self.store(world));
        }
        states.extend(distinct);
    }

    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        for (source, &state) in (0..).zip(states) {
            let world = self.world(state).clone();
            for (event, next) in self.steps(&world) {
                let target = self.store(next);
                let event = EventId(self.events.insert_full(event).0 as u64);
                steps.push(Step { source, event, target });
            }
        }
    }

    fn contains(&self, state: StateId) -> bool {
        state.0 < self.worlds.len() as u64
    }

    fn flaw(&self) -> Option<&str> {
        self.clock.as_ref()?.misfit.get().map(String::as_str)
    }

    fn event_kinds(&self) -> Vec<String> {
        self.kinds.iter().map(|kind| kind.name().to_owned()).collect()
    }

    fn event_kind(&self, event: EventId) -> usize {
        let kind = self.happened(event).kind;
        let place = self.kinds.iter().position(|&known| known == kind);
        place.expect("a kind that cannot happen does not happen")
    }
}

impl<P: Protocol> Measured for PlainSpace<'_, P> {
    fn handler_executions(&self) -> u64 {
        self.executions
    }

    fn handler_time(&self) -> Duration {
        self.handler_time
    }

    fn bytes(&self) -> usize {
        self.bytes + self.events.capacity() * (size_of::<EventOf<P>>() + 16)
    }
}

impl<P: Protocol> Saved for PlainSpace<'_, P> {}

/// A plain space without the type of its protocol, so that searches of it are compiled once.
pub trait WholeSpace: Explorable {
    /// The unit of time, if time counts.
    fn unit(&self) -> Option<Duration>;
}

impl<P: Protocol> WholeSpace for PlainSpace<'_, P> {
    fn unit(&self) -> Option<Duration> {
        self.unit()
    }
}

compile_searches!(Box<dyn WholeSpace + '_>);
