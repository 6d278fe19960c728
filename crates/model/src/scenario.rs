//! What a user runs by name.

use std::{fmt, str::FromStr, time::Duration};

use thiserror::Error;

use crate::{
    Assumption, Condition, Datagram, EventKind, FieldError, NodeId, OutageError, Packet,
    ParameterKind, Protocol, Ranking, Relation, RhythmError, SensingError, SimulationSetup,
    Topology, WorldSnapshot,
};

/// In which order a network delivers.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{NetworkKind, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(3)).network(NetworkKind::FifoPerLink);
/// assert_eq!(scenario.network.name(), "fifo");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkKind {
    /// Any packet can arrive next: a multiset.
    Unordered,
    /// Packets between the same two nodes, in the same direction, arrive in the order in which
    /// they were sent.
    FifoPerLink,
    /// One list for the whole network; a node receives the oldest packet that it can receive: that
    /// is addressed to it, unless the scenario says [who receives packets](Scenario::receivers).
    GlobalList,
}

impl NetworkKind {
    /// The kinds with their words, as a choice for a parameter.
    pub const WORDS: [(&'static str, Self); 3] =
        [("unordered", Self::Unordered), ("fifo", Self::FifoPerLink), ("list", Self::GlobalList)];

    /// The kind as it is written in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::WORDS.iter().find(|(_, kind)| *kind == self).expect("every kind has a word").0
    }
}

/// How often a fault may happen on one run.
///
/// ```
/// use everypath_model::Budget;
///
/// assert_eq!("2".parse(), Ok(Budget::AtMost(2)));
/// assert_eq!(Budget::Unlimited.to_string(), "unlimited");
/// assert!(Budget::AtMost(2).is_counted() && !Budget::Unlimited.is_counted());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// Never.
    #[default]
    Off,
    /// So many times.
    AtMost(u32),
    /// As often as it likes.
    Unlimited,
}

impl Budget {
    /// Whether the fault becomes impossible after some times, so that a state must remember how
    /// often it happened.
    #[must_use]
    pub fn is_counted(self) -> bool {
        matches!(self, Self::AtMost(_))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::AtMost(times) => write!(f, "{times}"),
            Self::Unlimited => f.write_str("unlimited"),
        }
    }
}

/// A text that does not say how often a fault may happen.
///
/// ```
/// use everypath_model::Budget;
///
/// let error = "twice".parse::<Budget>().unwrap_err();
/// assert_eq!(error.text, "twice");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` does not say how often a fault may happen; write {}", ParameterKind::Budget)]
#[non_exhaustive]
pub struct BudgetError {
    /// The text.
    pub text: String,
}

impl FromStr for Budget {
    type Err = BudgetError;

    fn from_str(text: &str) -> Result<Self, BudgetError> {
        match text {
            "off" => Ok(Self::Off),
            "unlimited" => Ok(Self::Unlimited),
            number => match number.parse() {
                Ok(0) => Ok(Self::Off),
                Ok(times) => Ok(Self::AtMost(times)),
                Err(_) => Err(BudgetError { text: text.to_owned() }),
            },
        }
    }
}

/// What may go wrong while exploring. Packets are lost or duplicated when they could arrive next;
/// the copy of a packet is in flight right behind it.
///
/// Over a link that is down nothing arrives, is lost or is duplicated. What is in flight there when
/// the link fails, or is sent over it later, waits: it comes back to its sender
/// ([`Protocol::on_undeliverable`]), or arrives after the link has come back.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Budget, Faults, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(3)).loss(Budget::Unlimited);
/// assert_eq!(scenario.faults, Faults { loss: Budget::Unlimited, ..Faults::default() });
/// assert!(!scenario.faults.break_links());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The network loses a packet.
    pub loss: Budget,
    /// The network duplicates a packet.
    pub duplication: Budget,
    /// A node reboots.
    pub reboot: Budget,
    /// A link fails.
    pub link_failure: Budget,
    /// A link that has failed comes back.
    pub link_return: Budget,
}

impl Faults {
    /// Whether links can fail.
    #[must_use]
    pub fn break_links(&self) -> bool {
        !matches!(self.link_failure, Budget::Off | Budget::AtMost(0))
    }
}

/// In which order to try the timers of a node: a number for each.
pub type TimerOrder<P> =
    Box<dyn Fn(&<P as Protocol>::State, &<P as Protocol>::Timer) -> u64 + Send + Sync>;

/// Whether a timer is one of those that are tried right after the commands.
pub type EarlyTimers<P> = Box<dyn Fn(&<P as Protocol>::Timer) -> bool + Send + Sync>;

/// What a state of a node means: the same form for states that mean the same.
pub type Canonical<P> =
    Box<dyn Fn(&<P as Protocol>::State) -> <P as Protocol>::State + Send + Sync>;

/// Who can receive a packet now, given the state that its sender is in now.
pub type Receivers<P> =
    Box<dyn Fn(&<P as Protocol>::State, Packet<'_, P>) -> Vec<NodeId> + Send + Sync>;

/// What a node is called besides its number.
pub type RoleNames<P> = Box<dyn Fn(&P, NodeId) -> String + Send + Sync>;

/// All of a protocol that its handlers read, as a text.
pub type Configuration<P> = Box<dyn Fn(&P) -> String + Send + Sync>;

/// The hops of a node in a state: the name of where each leads, and who comes next.
pub type ShownHops<P> =
    Box<dyn Fn(NodeId, &<P as Protocol>::State) -> Vec<(String, NodeId)> + Send + Sync>;

/// A scenario that cannot be run.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, ScenarioError, Topology};
///
/// let nowhere = Scenario::new(Greeting, Topology::chain(0));
/// assert_eq!(nowhere.validate(), Err(ScenarioError::NoNodes));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScenarioError {
    /// There is nothing to run.
    #[error("the scenario has no nodes; give its topology at least one")]
    NoNodes,
    /// Two of the same name.
    #[error(
        "two {what} are called `{name}`, or it is the name of one that is always there; give each a name of its own"
    )]
    SameName {
        /// Two of what.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A ranking whose name cannot be given.
    #[error(
        "the ranking `{ranking}` has a comma in its name, which separates rankings; leave it out"
    )]
    Comma {
        /// Its name.
        ranking: String,
    },
    /// A link with a probability that is none.
    #[error("the losses of a link have a probability of {0}; it must be from 0 to 1")]
    Loss(String),
    /// Bursts of losses that neither begin nor end.
    #[error(
        "a link loses packets in bursts that neither begin nor end: `to_bad` and `to_good` are 0; make one of them positive, or give a probability"
    )]
    Stuck,
    /// A link without bandwidth.
    #[error(
        "a link has a bandwidth of 0 bit/s, so nothing would ever arrive; use `None` for a link on which packets take no time"
    )]
    Bandwidth,
    /// A command for a node that does not exist, or a link of which an end does not exist.
    #[error("the timing names node {0}, which does not exist")]
    UnknownNode(NodeId),
    /// A link that does not exist.
    #[error("the timing names a link from {0} to {1}, which are not neighbours")]
    UnknownLink(NodeId, NodeId),
    /// Events that would never be tried.
    #[error(
        "the order of events must name each kind once; it lacks or repeats one, so an exploration would miss or double events"
    )]
    EventOrder,
    /// Links that cannot be known in advance.
    #[error(
        "the scenario says who receives a packet when it arrives, so links cannot keep packets in order; use the network `unordered` or `list`"
    )]
    LateOrder,
    /// Both are asked who receives a packet.
    #[error(
        "the scenario says who receives a packet, and puts nodes on a field, where it is received by who hears it; leave one of them out"
    )]
    LateOnField,
    /// A field that cannot be.
    #[error("the field: {0}")]
    Field(#[from] FieldError),
    /// Nothing to simulate.
    #[error("a simulation has 0 runs; give it at least one")]
    NoRuns,
    /// Nothing that is measured would count.
    #[error(
        "a run of {duration:?} is over before its warm-up of {warm_up:?} is; make it longer, or the warm-up shorter"
    )]
    WarmUp {
        /// How long a run lasts.
        duration: Duration,
        /// How much of it does not count.
        warm_up: Duration,
    },
    /// A command that is repeated without end at one moment.
    #[error("the rhythm of a command to {node}: {error}")]
    Rhythm {
        /// Who gets it.
        node: NodeId,
        /// What is wrong.
        error: RhythmError,
    },
    /// Flows that nobody knows how to send.
    #[error(
        "there are flows, but the scenario does not say how a packet of data is sent; give commands instead (`job`), or say it (`data_command`)"
    )]
    Unsendable,
    /// An outage that cannot be.
    #[error(transparent)]
    Outage(#[from] OutageError),
    /// Targets that cannot be.
    #[error(transparent)]
    Sensing(#[from] SensingError),
    /// A flow that leads nowhere.
    #[error("a flow leads from {0} to itself; name two nodes")]
    FlowToItself(NodeId),
}

/// A protocol, where it runs, what may go wrong, and what must hold: what a user runs by name.
///
/// What is asserted or assumed is a verb (`assert_always`, `assume`); what the scenario has is a noun
/// (`loss`, `ranking`). What only a simulation reads is said in [`simulation`](Self::simulation).
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
///         .assert_always("nobody is greeted more often than there are others", move |world| {
///             world.nodes().all(|(_, &greeted)| (greeted as usize) < nodes)
///         })
/// }
/// assert!(greeting(&mut Parameters::new()).validate().is_ok());
/// ```
pub struct Scenario<P: Protocol> {
    /// One sentence on what it shows.
    pub about: String,
    /// What the nodes run.
    pub protocol: P,
    /// Who is whose neighbour.
    pub topology: Topology,
    /// In which order the network delivers.
    pub network: NetworkKind,
    /// Who can receive a packet, if not just the node it is addressed to.
    pub receivers: Option<Receivers<P>>,
    /// What may go wrong.
    pub faults: Faults,
    /// Which events can happen at all.
    pub assumptions: Vec<Assumption<P>>,
    /// What must hold in every world.
    pub assertions: Vec<Condition<P>>,
    /// What must hold in every world in which nothing can happen any more.
    pub end_assertions: Vec<Condition<P>>,
    /// What must hold in some world.
    pub goals: Vec<Condition<P>>,
    /// Beyond which worlds not to look.
    pub prunings: Vec<Condition<P>>,
    /// What guided searches can go by.
    pub rankings: Vec<Ranking<P>>,
    /// How near a world is to the nearest bound, if there are bounds: one more ranking.
    pub margin: Option<Ranking<P>>,
    /// Which worlds stand for which others, besides those that always do.
    pub relations: Vec<Relation<P>>,
    /// How deep an exploration goes if nobody says.
    pub max_depth: Option<u32>,
    /// In which order the explorer tries the kinds of events at a node.
    pub event_order: Vec<EventKind>,
    /// In which order it tries the timers of a node, if not in their own.
    pub timer_order: Option<TimerOrder<P>>,
    /// Which timers it tries right after the commands, if not all in the place of timers.
    pub early_timers: Option<EarlyTimers<P>>,
    /// Which states of a node mean the same, if not only equal ones do.
    pub canonical: Option<Canonical<P>>,
    /// Which event a run must have for its violations to count, if there is one: a pattern as
    /// `check --require` takes it.
    pub required: Option<String>,
    /// What nodes are called besides their numbers, if it is not their [role](crate::roles).
    pub role_names: Option<RoleNames<P>>,
    /// All of the protocol that handlers read, as a text, if there is one.
    pub configuration: Option<Configuration<P>>,
    /// The hops that a node has established, if it does: where each leads, and who comes next.
    pub hops: Option<ShownHops<P>>,
    /// What only a simulation reads.
    pub simulation: SimulationSetup<P>,
}

impl<P: Protocol> Scenario<P> {
    /// A protocol on a topology: an unordered network, no faults, nothing asserted.
    #[must_use]
    pub fn new(protocol: P, topology: Topology) -> Self {
        Self {
            about: String::new(),
            protocol,
            topology,
            network: NetworkKind::Unordered,
            receivers: None,
            faults: Faults::default(),
            assumptions: Vec::new(),
            assertions: Vec::new(),
            end_assertions: Vec::new(),
            goals: Vec::new(),
            prunings: Vec::new(),
            rankings: Vec::new(),
            margin: None,
            relations: Vec::new(),
            max_depth: None,
            event_order: EventKind::ALL.to_vec(),
            timer_order: None,
            early_timers: None,
            canonical: None,
            required: None,
            role_names: None,
            configuration: None,
            hops: None,
            simulation: SimulationSetup::default(),
        }
    }

    /// Says in one sentence what the scenario shows.
    #[must_use]
    pub fn about(mut self, about: &str) -> Self {
        about.clone_into(&mut self.about);
        self
    }

    /// In which order the network delivers.
    #[must_use]
    pub fn network(mut self, kind: NetworkKind) -> Self {
        self.network = kind;
        self
    }

    /// Says who can receive a packet *now*: any number of nodes, given the state that its sender is
    /// in now. Without this, a packet is received by the node it is addressed to.
    ///
    /// This is late addressing: a packet names where it is to go in the end, and the next hop is
    /// looked up when it arrives, in its sender's table of that moment. So a handler can send to any
    /// node. Each node that can receive a packet may be the one that does; its handler is told the
    /// packet's sender. A packet is lost or duplicated at the node it is addressed to, whoever could
    /// receive it.
    ///
    /// The answer must be a function of state and packet alone: it is remembered.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{NodeId, Scenario, Topology};
    ///
    /// // Whoever was not greeted yet is greeted through its neighbour on the left.
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

    /// How often packets may be lost.
    #[must_use]
    pub fn loss(mut self, budget: Budget) -> Self {
        self.faults.loss = budget;
        self
    }

    /// How often packets may be duplicated.
    #[must_use]
    pub fn duplication(mut self, budget: Budget) -> Self {
        self.faults.duplication = budget;
        self
    }

    /// How often nodes may reboot.
    #[must_use]
    pub fn reboot(mut self, budget: Budget) -> Self {
        self.faults.reboot = budget;
        self
    }

    /// How often links may fail.
    #[must_use]
    pub fn link_failure(mut self, budget: Budget) -> Self {
        self.faults.link_failure = budget;
        self
    }

    /// How often links that have failed may come back.
    #[must_use]
    pub fn link_return(mut self, budget: Budget) -> Self {
        self.faults.link_return = budget;
        self
    }

    /// How deep an exploration goes if nobody says.
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.max_depth = Some(depth);
        self
    }

    /// In which order the explorer tries the timers of a node: those with smaller numbers first.
    /// It decides which of several equally good states a search looks at first, not what there is
    /// to find.
    #[must_use]
    pub fn timer_order(
        mut self,
        order: impl Fn(&P::State, &P::Timer) -> u64 + Send + Sync + 'static,
    ) -> Self {
        self.timer_order = Some(Box::new(order));
        self
    }

    /// Says which timers the explorer tries right after the commands of a node, and not in the place
    /// of timers. As with [`timer_order`](Self::timer_order), it decides what is looked at first,
    /// not what there is to find.
    #[must_use]
    pub fn early_timers(
        mut self,
        early: impl Fn(&P::Timer) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.early_timers = Some(Box::new(early));
        self
    }

    /// Says which states of a node mean the same: those with the same canonical form. From nodes that
    /// mean the same, with the same timers set, the same can happen. The relation `simulated` then
    /// takes such nodes for equal.
    ///
    /// Everypath believes it: a form that forgets too much makes a search miss violations.
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

    /// Lets only violations on runs with such an event count, unless `check --require` names
    /// another: KIND, KIND@NODE, KIND:TEXT or KIND@NODE:TEXT.
    #[must_use]
    pub fn require(mut self, event: &str) -> Self {
        self.required = Some(event.to_owned());
        self
    }

    /// Says what nodes are called besides their numbers; empty for nothing. Nodes of different [roles](macro@crate::roles) are called by them
    /// anyway.
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

    /// What a node is called besides its number; empty if nothing.
    #[must_use]
    pub fn role(&self, node: NodeId) -> String {
        match &self.role_names {
            Some(names) => names(&self.protocol, node),
            None => self.protocol.role(node).to_owned(),
        }
    }

    /// Tells all of the protocol that its handlers read, as a text: two protocols with the same text do the same on the same input.
    /// Then what handlers did in an earlier program, or with other parameters, can be relied on as long as code and text stay
    /// the same. Without it, that is relied on only in the very same program, under the same scenario, profile and parameters, unless
    /// the type of the protocol has neither size nor type parameters.
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

    /// All of the protocol that its handlers read, as a text, if the scenario [tells it](Self::configuration).
    #[must_use]
    pub fn configuration_text(&self) -> Option<String> {
        self.configuration.as_ref().map(|text| text(&self.protocol))
    }

    /// Says what a simulation needs to know beyond what an exploration does.
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

    /// A message as it looks on a wire when a node sends it to another, or to all, if the scenario
    /// [says so](SimulationSetup::wire).
    #[must_use]
    pub fn datagram(
        &self,
        from: NodeId,
        to: Option<NodeId>,
        message: &P::Message,
    ) -> Option<Datagram> {
        self.simulation.wire.as_ref().map(|wire| wire(&self.protocol, from, to, message))
    }

    /// How many bytes a message takes on the wire of a simulation.
    #[must_use]
    #[inline]
    pub fn bytes_of(&self, message: &P::Message) -> usize {
        const MESSAGE_BYTES: usize = 64;
        let bytes = self.simulation.message_bytes.as_ref();
        bytes.map_or(MESSAGE_BYTES, |bytes| bytes(&self.protocol, message))
    }

    /// Links the nodes as they are linked in a world of a simulated run, for an exploration to start
    /// from there: on a field, who is within range is a neighbour, and stays so.
    pub fn put_into(&mut self, world: &WorldSnapshot<P>) {
        self.topology = world.topology.clone();
    }

    /// Whether the scenario can be run.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn validate(&self) -> Result<(), ScenarioError> {
        if self.topology.is_empty() {
            return Err(ScenarioError::NoNodes);
        }
        self.validate_names()?;
        let mut kinds = self.event_order.clone();
        kinds.sort_unstable();
        if kinds != EventKind::ALL {
            return Err(ScenarioError::EventOrder);
        }
        if self.receivers.is_some() && self.network == NetworkKind::FifoPerLink {
            return Err(ScenarioError::LateOrder);
        }
        if self.receivers.is_some() && self.simulation.field.is_some() {
            return Err(ScenarioError::LateOnField);
        }
        self.simulation.validate(&self.topology)
    }
}

/// What the scenario is called that a function of this path makes: the last part, with dashes for underscores.
///
/// ```
/// assert_eq!(everypath_model::scenario_name("a_crate::locks::old_lock"), "old-lock");
/// ```
#[must_use]
pub fn scenario_name(path: &str) -> String {
    path.rsplit("::").next().unwrap_or(path).trim().replace('_', "-")
}
