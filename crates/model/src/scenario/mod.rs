//! Scenarios: what a user checks or simulates by name.

mod cut;
mod error;
mod properties;
mod validate;
mod versions;

use std::time::Duration;

pub use cut::{CUT_AT_DEPTH, CoveringStarts, Cut};
pub use error::ScenarioError;

use crate::{
    Assumption, Audience, Budget, Capacity, Condition, Datagram, EventKind, Faults, NetworkKind,
    NodeId, Numbered, Numbers, Observer, Packet, Protocol, Ranking, Relation, SimulationSetup,
    TimeBounds, TimeoutBudget, Topology, WorldSnapshot, history::History,
};

/// The order in which the explorer tries the timers of a node: a number for each.
pub type TimerOrder<P> =
    Box<dyn Fn(&<P as Protocol>::State, &<P as Protocol>::Timer) -> u64 + Send + Sync>;

/// Whether the explorer tries a timer right after the commands.
pub type EarlyTimers<P> = Box<dyn Fn(&<P as Protocol>::Timer) -> bool + Send + Sync>;

/// A canonical form of a node's state, equal for equivalent states.
pub type Canonical<P> =
    Box<dyn Fn(&<P as Protocol>::State) -> <P as Protocol>::State + Send + Sync>;

/// Whether a packet makes no difference to its addressee in a state, now and later.
pub type Obsolete<P> = Box<dyn Fn(&<P as Protocol>::State, Packet<'_, P>) -> bool + Send + Sync>;

/// The nodes that can receive a packet now, given the present state of its sender.
pub type Receivers<P> =
    Box<dyn Fn(&<P as Protocol>::State, Packet<'_, P>) -> Vec<NodeId> + Send + Sync>;

/// The role of a node, shown beside its number.
pub type RoleNames<P> = Box<dyn Fn(&P, NodeId) -> String + Send + Sync>;

/// Everything in a protocol that its handlers read, as text.
pub type Configuration<P> = Box<dyn Fn(&P) -> String + Send + Sync>;

/// The hops of a node in a state: the name of each destination, and the next node.
pub type ShownHops<P> =
    Box<dyn Fn(NodeId, &<P as Protocol>::State) -> Vec<(String, NodeId)> + Send + Sync>;

/// A protocol, its topology, network, faults and properties: what a user runs by name.
///
/// Assertions and assumptions are verbs (`assert_always`, `assume`), parts of the scenario are
/// nouns (`loss`, `ranking`). [`simulation`](Self::simulation) sets what only a simulation reads.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Budget, NetworkKind, Parameters, Scenario, Topology};
///
/// fn greeting(parameters: &mut Parameters) -> Scenario<Greeting> {
///     let nodes = parameters.number("nodes", 2, 2..=8, "how many nodes greet each other");
///     Scenario::new(Greeting, Topology::full_mesh(nodes))
///         .about("everyone greets everyone")
///         .network(NetworkKind::Unordered)
///         .loss(Budget::AtMost(1))
///         .assert_always("every node is greeted at most once by each other", move |world| {
///             world.nodes().all(|(_, &greeted)| (greeted as usize) < nodes)
///         })
/// }
/// assert!(greeting(&mut Parameters::new()).validate().is_ok());
/// ```
pub struct Scenario<P: Protocol> {
    /// Its description, in one sentence.
    pub about: String,
    /// The protocol of the nodes.
    pub protocol: P,
    /// The neighbours of each node.
    pub topology: Topology,
    /// The order of delivery.
    pub network: NetworkKind,
    /// How many packets can be in flight from one node to another.
    pub capacity: Capacity,
    /// The nodes that hear a broadcast.
    pub audience: Audience,
    /// The nodes that can receive a packet, if not just the addressed one.
    pub receivers: Option<Receivers<P>>,
    /// The fault budgets.
    pub faults: Faults,
    /// The nodes that may reboot, if not all may.
    pub rebooting: Option<Vec<NodeId>>,
    /// How often timers may fire, where that is limited.
    pub timeouts: Vec<TimeoutBudget>,
    /// Restrictions of the events that can happen.
    pub assumptions: Vec<Assumption<P>>,
    /// Memories that see every step.
    pub observers: Vec<Observer<P>>,
    /// Which client asked for what and got which answer.
    pub histories: Vec<History<P>>,
    /// Assertions about a history where none was declared before.
    pub without_history: Vec<String>,
    /// Conditions that must hold in every world.
    pub assertions: Vec<Condition<P>>,
    /// Conditions that must hold at every end.
    pub end_assertions: Vec<Condition<P>>,
    /// Conditions that must hold in some world.
    pub goals: Vec<Condition<P>>,
    /// Worlds that are not expanded.
    pub prunings: Vec<Condition<P>>,
    /// Where an exploration can be cut into a trunk and instances.
    pub cuts: Vec<Cut<P>>,
    /// Worlds from which an exploration can start.
    pub starts: Vec<CoveringStarts<P>>,
    /// Orders for guided searches.
    pub rankings: Vec<Ranking<P>>,
    /// The ranking by the nearest bound, if there are bounds.
    pub margin: Option<Ranking<P>>,
    /// Simulation preorders, besides the built-in ones.
    pub relations: Vec<Relation<P>>,
    /// How long packets and timers take in an exploration with time.
    pub time_bounds: TimeBounds,
    /// The default bound of an exploration.
    pub max_depth: Option<u32>,
    /// The order in which the explorer tries the kinds of events at a node.
    pub event_order: Vec<EventKind>,
    /// The order in which it tries the timers of a node, if not their own.
    pub timer_order: Option<TimerOrder<P>>,
    /// The timers that it tries right after the commands, if any.
    pub early_timers: Option<EarlyTimers<P>>,
    /// The canonical form of a node's state, if different states are equivalent.
    pub canonical: Option<Canonical<P>>,
    /// The packets that make no difference any more, if the protocol says which.
    pub obsolete: Option<Obsolete<P>>,
    /// Where the numbers are that the protocol only compares, if it only compares them.
    pub numbers: Option<Numbers<P>>,
    /// The event that a run must contain for its violations to count, if any: a pattern of `check
    /// --require`.
    pub required: Option<String>,
    /// Names shown beside the numbers of nodes, instead of their [roles](crate::roles).
    pub role_names: Option<RoleNames<P>>,
    /// Everything in the protocol that handlers read, as text, if given.
    pub configuration: Option<Configuration<P>>,
    /// The hops of a node, if the protocol has hops: the name of each destination, and the next
    /// node.
    pub hops: Option<ShownHops<P>>,
    /// The scenario of which this is a version, if it is one.
    pub version_of: Option<String>,
    /// The parameters that distinguish versions.
    pub version_parameters: Vec<String>,
    /// How many rounds of arithmetic every handler does besides its own work, while exploring.
    pub handler_work: u32,
    /// The part that only a simulation reads.
    pub simulation: SimulationSetup<P>,
}

impl<P: Protocol> Scenario<P> {
    /// A protocol on a topology, with an unordered network, no faults and no assertions.
    #[must_use]
    pub fn new(protocol: P, topology: Topology) -> Self {
        Self {
            about: String::new(),
            protocol,
            topology,
            network: NetworkKind::Unordered,
            capacity: Capacity::Unlimited,
            audience: Audience::All,
            receivers: None,
            faults: Faults::default(),
            rebooting: None,
            timeouts: Vec::new(),
            assumptions: Vec::new(),
            observers: Vec::new(),
            histories: Vec::new(),
            without_history: Vec::new(),
            assertions: Vec::new(),
            end_assertions: Vec::new(),
            goals: Vec::new(),
            prunings: Vec::new(),
            cuts: Vec::new(),
            starts: Vec::new(),
            rankings: Vec::new(),
            margin: None,
            relations: Vec::new(),
            time_bounds: TimeBounds::default(),
            max_depth: None,
            event_order: EventKind::ALL.to_vec(),
            timer_order: None,
            early_timers: None,
            canonical: None,
            obsolete: None,
            numbers: None,
            required: None,
            role_names: None,
            configuration: None,
            hops: None,
            version_of: None,
            version_parameters: Vec::new(),
            handler_work: 0,
            simulation: SimulationSetup::default(),
        }
    }

    /// Describes the scenario in one sentence.
    #[must_use]
    pub fn about(mut self, about: &str) -> Self {
        about.clone_into(&mut self.about);
        self
    }

    /// Sets the order of delivery.
    #[must_use]
    pub fn network(mut self, kind: NetworkKind) -> Self {
        self.network = kind;
        self
    }

    /// Sets how many packets can be in flight from one node to another: by default, any number. A
    /// number alone means that a packet sent while the link is full is lost. So a protocol that sends
    /// again and again has finitely many states.
    ///
    /// It holds for simulations as well. Mailboxes have a capacity of their own, and an unordered
    /// network does not know which packet is the oldest.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Capacity, NetworkKind, Scenario, Topology};
    ///
    /// let scenario = |capacity: Capacity| {
    ///     Scenario::new(Greeting, Topology::full_mesh(3)).capacity(capacity)
    /// };
    /// assert!(scenario(2.into()).validate().is_ok());
    /// assert!(scenario(0.into()).validate().is_err());
    /// assert!(scenario(Capacity::OldestLost(2)).validate().is_err());
    /// let ordered = scenario(Capacity::OldestLost(2)).network(NetworkKind::FifoPerLink);
    /// assert!(ordered.validate().is_ok());
    /// ```
    #[must_use]
    pub fn capacity(mut self, capacity: impl Into<Capacity>) -> Self {
        self.capacity = capacity.into();
        self
    }

    /// Sets which nodes hear a broadcast: by default, all neighbours. It is decided when the
    /// broadcast is sent. An exploration tries every possible audience, the largest first. A
    /// simulation draws one.
    ///
    /// Messages to one node are not affected: use [`loss`](Self::loss) for those.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Audience, Scenario, Topology};
    ///
    /// let scenario = |most| {
    ///     Scenario::new(Greeting, Topology::full_mesh(3)).audience(Audience::AtMost(most))
    /// };
    /// assert!(scenario(2).validate().is_ok());
    /// assert!(scenario(3).validate().is_err());
    /// ```
    #[must_use]
    pub fn audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// Chooses the nodes that can receive a packet *now*, given the present state of its sender. By
    /// default, the addressed node receives it.
    ///
    /// This is late addressing: a packet names its final destination, and the next hop is looked up
    /// on arrival, in its sender's table of that moment. So a handler can send to any node. Any of
    /// the receivers may get the packet, with its sender. A packet is lost or duplicated at the
    /// addressed node, whatever its receivers.
    ///
    /// The answer must depend on state and packet alone, since it is memoised.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{NodeId, Scenario, Topology};
    ///
    /// // As long as the sender was not greeted, its packets go to the left neighbour of the addressee.
    /// let scenario = Scenario::new(Greeting, Topology::chain(3)).receivers(|&greeted, packet| {
    ///     if greeted > 0 { Some(packet.to) } else { packet.to.0.checked_sub(1).map(NodeId) }
    /// });
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn receivers<N: IntoIterator<Item = NodeId>>(
        mut self,
        receivers: impl Fn(&P::State, Packet<'_, P>) -> N + Send + Sync + 'static,
    ) -> Self {
        self.receivers =
            Some(Box::new(move |sender, packet| receivers(sender, packet).into_iter().collect()));
        self
    }

    /// Sets how often packets may be lost.
    #[must_use]
    pub fn loss(mut self, budget: Budget) -> Self {
        self.faults.loss = budget;
        self
    }

    /// Sets how often packets may be duplicated.
    #[must_use]
    pub fn duplication(mut self, budget: Budget) -> Self {
        self.faults.duplication = budget;
        self
    }

    /// Sets how often nodes may reboot.
    #[must_use]
    pub fn reboot(mut self, budget: Budget) -> Self {
        self.faults.reboot = budget;
        self
    }

    /// Sets which nodes may reboot, as often as [`reboot`](Self::reboot) says: by default, all.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Budget, NodeId, Scenario, Topology};
    ///
    /// let scenario = |nodes: &[u32]| {
    ///     let nodes = nodes.iter().copied().map(NodeId);
    ///     Scenario::new(Greeting, Topology::chain(3)).reboot(Budget::AtMost(1)).reboot_of(nodes)
    /// };
    /// assert!(scenario(&[0, 2]).validate().is_ok());
    /// assert!(scenario(&[3]).validate().is_err());
    /// assert!(scenario(&[]).validate().is_err());
    /// assert!(scenario(&[0]).reboot(Budget::Off).validate().is_err());
    /// ```
    #[must_use]
    pub fn reboot_of(mut self, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        let mut nodes: Vec<NodeId> = nodes.into_iter().collect();
        nodes.sort_unstable();
        nodes.dedup();
        self.rebooting = Some(nodes);
        self
    }

    /// Whether a node may reboot, if the budget allows it.
    #[must_use]
    pub fn can_reboot(&self, node: NodeId) -> bool {
        self.faults.reboot != Budget::Off
            && self.rebooting.as_ref().is_none_or(|nodes| nodes.contains(&node))
    }

    /// Sets how often links may fail.
    #[must_use]
    pub fn link_failure(mut self, budget: Budget) -> Self {
        self.faults.link_failure = budget;
        self
    }

    /// Sets how often failed links may come back.
    #[must_use]
    pub fn link_return(mut self, budget: Budget) -> Self {
        self.faults.link_return = budget;
        self
    }

    /// Sets how long a packet is in flight, at least and at most, in an exploration with time. Without it, a packet
    /// takes the delay of its link. A simulation has links of its own.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use std::time::Duration;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let [least, most] = [1, 3].map(Duration::from_millis);
    /// let scenario = Scenario::new(Greeting, Topology::chain(2)).packet_time(least, most);
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn packet_time(mut self, least: Duration, most: Duration) -> Self {
        self.time_bounds.packet = Some((least, most));
        self
    }

    /// Sets by which share of its duration, in parts per million, a timer may fire early or late in an exploration with
    /// time, because the clock of its node drifts.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2)).clock_drift_ppm(50);
    /// assert!(scenario.validate().is_ok());
    /// assert!(scenario.clock_drift_ppm(1_000_000).validate().is_err());
    /// ```
    #[must_use]
    pub fn clock_drift_ppm(mut self, share: u32) -> Self {
        self.time_bounds.drift_ppm = share;
        self
    }

    /// Sets how often timers may fire on one run of an exploration, all timers of all nodes together:
    /// by default, as often as they are set. A timer whose budget is spent stays set and does not fire.
    ///
    /// A simulation knows when timers fire, and does not count.
    #[must_use]
    pub fn timeouts(self, budget: Budget) -> Self {
        self.timeouts_of("timer", budget)
    }

    /// As [`timeouts`](Self::timeouts), for some timers: `timer@NODE`, `timer:TEXT` or `timer@NODE:TEXT`,
    /// as in `check --require`. A timer that several budgets name needs all of them.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
    /// # struct Clock;
    /// # impl Protocol for Clock {
    /// #     type State = ();
    /// #     type Message = Never;
    /// #     type Timer = String;
    /// #     type Command = Never;
    /// #     fn start(&self, _: &mut Start<'_, Self>) {}
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}
    /// # }
    /// use everypath_model::{Budget, Scenario, Topology};
    ///
    /// let scenario = |timers| {
    ///     Scenario::new(Clock, Topology::chain(2)).timeouts_of(timers, Budget::AtMost(3))
    /// };
    /// assert!(scenario("timer@1:Retransmit").validate().is_ok());
    /// assert!(scenario("timer@2:Retransmit").validate().is_err());
    /// assert!(scenario("Retransmit").validate().is_err());
    /// ```
    #[must_use]
    pub fn timeouts_of(mut self, timers: &str, budget: Budget) -> Self {
        self.timeouts.push(TimeoutBudget { timers: timers.to_owned(), most: budget });
        self
    }

    /// Sets the default bound of an exploration.
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.max_depth = Some(depth);
        self
    }

    /// Sets the order in which the explorer tries the timers of a node: smaller numbers first. It
    /// decides which of several equally good states a search expands first, not what it can find.
    #[must_use]
    pub fn timer_order(
        mut self,
        order: impl Fn(&P::State, &P::Timer) -> u64 + Send + Sync + 'static,
    ) -> Self {
        self.timer_order = Some(Box::new(order));
        self
    }

    /// Chooses timers that the explorer tries right after the commands of a node. As
    /// [`timer_order`](Self::timer_order), it changes the order of a search, not what it can find.
    #[must_use]
    pub fn early_timers(
        mut self,
        early: impl Fn(&P::Timer) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.early_timers = Some(Box::new(early));
        self
    }

    /// Declares states of a node equivalent if they have the same canonical form: with the same
    /// timers, the same can happen from them. The relation `simulated` then treats such nodes as
    /// equal.
    ///
    /// Everypath trusts it: a form that forgets too much makes a search miss violations.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// // Greeted is greeted.
    /// let scenario =
    ///     Scenario::new(Greeting, Topology::full_mesh(3)).canonical(|&greeted| greeted.min(1));
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn canonical(
        mut self,
        form: impl Fn(&P::State) -> P::State + Send + Sync + 'static,
    ) -> Self {
        self.canonical = Some(Box::new(form));
        self
    }

    /// Declares packets that make no difference to their addressee in a state, now and later: its
    /// handler would do nothing with them, in this state and in all that follow. An exploration that
    /// is asked to (`check --reduce obsolete`) then drops them at once.
    ///
    /// That is verified: the handler is executed once for each such packet and state, and the
    /// question is asked again whenever the state changes.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// // Every greeting counts.
    /// let scenario = Scenario::new(Greeting, Topology::chain(2)).obsolete(|_, _| false);
    /// assert!(scenario.obsolete.is_some());
    /// ```
    #[must_use]
    pub fn obsolete(
        mut self,
        is_obsolete: impl Fn(&P::State, Packet<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.obsolete = Some(Box::new(is_obsolete));
        self
    }

    /// Declares that the protocol only compares the numbers that its types
    /// [visit](Numbered::visit_numbers), and makes new ones larger than all others. An exploration
    /// then treats states that differ only in the names of numbers as one: the smallest number in
    /// use becomes 1, the next one 2, and so on. So numbers that grow for ever do not make the
    /// exploration endless.
    ///
    /// That is verified: each handler is executed again with other numbers of the same order, and
    /// assertions are asked about states before and after the renaming.
    #[must_use]
    pub fn numbers_by_rank(mut self) -> Self
    where
        P::State: Numbered,
        P::Message: Numbered,
        P::Timer: Numbered,
        P::Command: Numbered,
    {
        self.numbers = Some(Numbers::of_types());
        self
    }

    /// Counts only violations on runs with this event, unless `check --require` names another:
    /// KIND, KIND@NODE, KIND:TEXT or KIND@NODE:TEXT.
    #[must_use]
    pub fn require(mut self, event: &str) -> Self {
        self.required = Some(event.to_owned());
        self
    }

    /// Names nodes beside their numbers; empty for no name. By default, nodes have the names of
    /// their [roles](macro@crate::roles).
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{NodeId, Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(3))
    ///     .role_names(|_, node| if node == NodeId(0) { "host" } else { "guest" });
    /// assert_eq!(scenario.role(NodeId(2)), "guest");
    /// ```
    #[must_use]
    pub fn role_names<N: Into<String>>(
        mut self,
        name: impl Fn(&P, NodeId) -> N + Send + Sync + 'static,
    ) -> Self {
        self.role_names = Some(Box::new(move |protocol, node| name(protocol, node).into()));
        self
    }

    /// The name of a node beside its number; empty if there is none.
    #[must_use]
    pub fn role(&self, node: NodeId) -> String {
        match &self.role_names {
            Some(names) => names(&self.protocol, node),
            None => self.protocol.role(node).to_owned(),
        }
    }

    /// Writes everything in the protocol that its handlers read as text: two protocols with the
    /// same text do the same on the same input. Then memoised executions of an earlier program, or
    /// with other parameters, are reused while code and text stay the same. Without it, only the
    /// same program reuses them, under the same scenario, profile and parameters, unless the type
    /// of the protocol has neither size nor type parameters.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Scenario, Start, Topology};
    /// # impl Protocol for Limited {
    /// #     type State = u32;
    /// #     type Message = u32;
    /// #     type Timer = Never;
    /// #     type Command = Never;
    /// #     fn start(&self, _: &mut Start<'_, Self>) -> u32 { 0 }
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &u32) {}
    /// # }
    /// #[derive(Debug)]
    /// struct Limited {
    ///     window: u32,
    /// }
    ///
    /// let scenario = Scenario::new(Limited { window: 4 }, Topology::chain(2))
    ///     .configuration(|protocol| format!("{protocol:?}"));
    /// assert_eq!(scenario.configuration_text().as_deref(), Some("Limited { window: 4 }"));
    /// ```
    #[must_use]
    pub fn configuration(mut self, text: impl Fn(&P) -> String + Send + Sync + 'static) -> Self {
        self.configuration = Some(Box::new(text));
        self
    }

    /// The text of [`configuration`](Self::configuration), if given.
    #[must_use]
    pub fn configuration_text(&self) -> Option<String> {
        self.configuration.as_ref().map(|text| text(&self.protocol))
    }

    /// Sets what only a simulation reads.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use std::time::Duration;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
    ///     .simulation(|run| run.duration(Duration::from_secs(60)).measure_count("greeted"));
    /// assert_eq!(scenario.simulation.measures[0].name, "greeted");
    /// ```
    #[must_use]
    pub fn simulation(
        mut self,
        set_up: impl FnOnce(SimulationSetup<P>) -> SimulationSetup<P>,
    ) -> Self {
        self.simulation = set_up(self.simulation);
        self
    }

    /// A message as it looks on a wire, from a node to another or to all, if the scenario defines
    /// [`wire`](SimulationSetup::wire).
    #[must_use]
    pub fn datagram(
        &self,
        from: NodeId,
        to: Option<NodeId>,
        message: &P::Message,
    ) -> Option<Datagram> {
        self.simulation.wire.as_ref().map(|wire| wire(&self.protocol, from, to, message))
    }

    /// The size of a message on the wire of a simulation, in bytes.
    #[must_use]
    #[inline]
    pub fn bytes_of(&self, message: &P::Message) -> usize {
        const MESSAGE_BYTES: usize = 64;
        let bytes = self.simulation.message_bytes.as_ref();
        bytes.map_or(MESSAGE_BYTES, |bytes| bytes(&self.protocol, message))
    }

    /// Takes over the links of a simulated world, so that an exploration can start there. On a
    /// field, nodes within range become neighbours, and stay so.
    pub fn put_into(&mut self, world: &WorldSnapshot<P>) {
        self.topology = world.topology.clone();
    }
}

/// The name of the scenario that a function makes: the last part of its path, with dashes for
/// underscores.
///
/// ```
/// assert_eq!(everypath_model::scenario_name("a_crate::locks::old_lock"), "old-lock");
/// ```
#[must_use]
pub fn scenario_name(path: &str) -> String {
    path.rsplit("::").next().unwrap_or(path).trim().replace('_', "-")
}
