//! Options of a space, and the reasons why one is refused.

use std::collections::BTreeMap;

use everypath_explore::{EventPattern, Semantics};
use everypath_model::{
    Budget, Capacity, EventKind, NativeMode, NetworkKind, NodeId, Observer, Profile, Protocol,
    Scenario, ScenarioError, Timers, WorldSnapshot,
};
use thiserror::Error;

use crate::{
    link_set::LINKS_MAX, packed::BRANCHES_MAX, reduction::Reductions, verify::Verification,
};

/// The largest number of nodes of an exploration.
pub(crate) const NODES_MAX: usize = 1 << 12;
/// The largest number of assertions of an exploration, without the built-in ones.
pub(crate) const ASSERTIONS_MAX: usize = 60;
/// The largest number of goals of an exploration.
pub(crate) const GOALS_MAX: usize = 64;

/// The options of a space.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_explore::{Options, explore};
/// use everypath_model::{Budget, Scenario, Topology};
/// use everypath_network::{NetworkSpace, SpaceOptions};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(2)).loss(Budget::Unlimited);
/// // Greetings to n0 are never lost.
/// let options = SpaceOptions::default().disabled(vec!["lose@0".parse().unwrap()]);
/// let mut space = NetworkSpace::new(&scenario, options).unwrap();
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// assert!(found.saw_everything());
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SpaceOptions {
    /// The semantics. In the published one, the order in which packets were sent distinguishes
    /// states of unordered networks.
    pub profile: Profile,
    /// How much is executed and asked twice. A nondeterministic handler is a violation, a
    /// nondeterministic closure is a [flaw](everypath_explore::Space::flaw).
    pub verification: Verification,
    /// Events that never happen.
    pub disabled: Vec<EventPattern>,
    /// Only violations on runs with such an event are sought. A state then remembers whether the
    /// event has happened: states that differ in that are distinct, and a state
    /// [counts](everypath_explore::Judged::counts) if the event has happened.
    ///
    /// In the published semantics, the search looks for the event on the run instead: there, states
    /// do not remember it, and every state counts.
    pub required: Option<EventPattern>,
    /// Whether states without an enabled event (deadlocks) are violations.
    pub deadlock: bool,
    /// Whether every state that is reached again is compared with the equal one that is known, on all
    /// inputs that were handled in it: handlers must do the same whatever the
    /// [ignored](everypath_model::Ignored) values are. By default, a share of them is.
    pub verify_ignored: bool,
    /// The reductions. By default, numbers are renamed to ranks if the scenario
    /// [says](Scenario::numbers_by_rank) that they are only compared.
    pub reductions: Option<Reductions>,
    /// Where the [native](everypath_model::Native) nodes come from on which handlers run. The result
    /// does not depend on it. Default: [`NativeMode::Lazy`].
    pub native: Option<NativeMode>,
    /// How many native nodes are kept at most. The result does not depend on it. Default: 4096.
    pub native_nodes: Option<usize>,
    /// Whether a search executes the handler of every event that it explores and evaluates the
    /// assertions in every state that it reaches, as a checker does that memoises nothing. The
    /// outcomes are compared with the memoised ones. The result does not depend on it; events whose
    /// outcome a [graph](crate::Graph) has are not executed, unless they lead to a new state.
    pub every_event: bool,
    /// Which of the timers of a node that are set can fire next. If they fire in order, a state also has that
    /// order; no [memo](crate::Memo) is used, and nothing is saved. Default: [`Timers::Any`].
    pub timers: Timers,
}

everypath_model::setters!(SpaceOptions {
    profile: Profile,
    verification: Verification,
    disabled: Vec<EventPattern>,
    required: impl Into<Option<EventPattern>>,
    deadlock: bool,
    verify_ignored: bool,
    reductions: impl Into<Option<Reductions>>,
    native: impl Into<Option<NativeMode>>,
    native_nodes: impl Into<Option<usize>>,
    every_event: bool,
    timers: Timers,
});

impl SpaceOptions {
    /// The rules of a search in such a space.
    #[must_use]
    pub fn semantics(&self) -> Semantics {
        match self.profile {
            Profile::Standard => Semantics::Exact,
            Profile::Thesis => Semantics::Published,
        }
    }
}

/// Why a scenario cannot be explored.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_explore::EventPattern;
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{NetworkSpace, SpaceError, SpaceOptions};
///
/// // Nothing reboots in this scenario.
/// let scenario = Scenario::new(Greeting, Topology::chain(2));
/// let options = SpaceOptions::default().required("reboot".parse::<EventPattern>().unwrap());
/// let refused = NetworkSpace::new(&scenario, options).err();
/// assert!(matches!(refused, Some(SpaceError::Impossible { .. })));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpaceError {
    /// It cannot be run at all.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// It has too many nodes.
    #[error("{0} nodes are too many to explore: at most {NODES_MAX} are possible")]
    Nodes(usize),
    /// It has too many assertions.
    #[error(
        "{0} assertions are too many to explore: at most {ASSERTIONS_MAX} are possible; join some"
    )]
    Assertions(usize),
    /// It has too many goals.
    #[error("{0} goals are too many to explore: at most {GOALS_MAX} are possible; remove some")]
    Goals(usize),
    /// It has too many links that can fail.
    #[error(
        "{0} links are too many to explore if links can fail: at most {LINKS_MAX} are possible; leave `link_failure` off or take a smaller topology"
    )]
    Links(usize),
    /// A broadcast has too many possible audiences.
    #[error(
        "a broadcast of {sender} has {sets} possible audiences, too many to explore: at most {BRANCHES_MAX} are possible; make the audience or the neighbourhood smaller"
    )]
    Audiences {
        /// The sender.
        sender: NodeId,
        /// How many audiences there are.
        sets: u64,
    },
    /// A reduction is unsound, or has no effect.
    #[error("the reduction `{reduction}` is not possible: {why}")]
    Reduction {
        /// Its name.
        reduction: &'static str,
        /// The reason.
        why: String,
    },
    /// An option for native nodes, where there are none or none is kept.
    #[error("the option for native nodes has no effect: {0}")]
    Native(&'static str),
    /// Timers cannot fire in order.
    #[error("timers cannot fire in the order of their durations: {0}; let them fire in any order")]
    Timers(&'static str),
    /// It starts in a world in which a mailbox has too many packets.
    #[error(
        "it starts in a world with {packets} packets in flight to {node}, whose mailbox holds {capacity}; use another network, or another moment of the run"
    )]
    Overfull {
        /// The node.
        node: NodeId,
        /// How many packets are in flight to it.
        packets: usize,
        /// How many its mailbox holds.
        capacity: u8,
    },
    /// It starts in a world in which a link has too many packets.
    #[error(
        "it starts in a world with {packets} packets in flight from {from} to {to}, whose link holds {capacity}; use a larger capacity, or another moment of the run"
    )]
    FullLink {
        /// The sender.
        from: NodeId,
        /// The receiver.
        to: NodeId,
        /// How many packets are in flight between them.
        packets: usize,
        /// How many the link holds.
        capacity: u32,
    },
    /// It starts in a world with other nodes or other links.
    #[error(
        "it starts in a world with other nodes or links; put the scenario into that world first"
    )]
    OtherWorld,
    /// It starts in a simulated run, under the published semantics.
    #[error(
        "the profile `thesis` reproduces published experiments, which begin at the scenario's own start: its networks remember the order in which packets were sent, and a simulated run does not; use another profile"
    )]
    PublishedStart,
    /// An event pattern has a kind that does not exist.
    #[error("`{pattern}` matches no event: there is no kind `{kind}`; there are {kinds}")]
    UnknownKind {
        /// The pattern.
        pattern: String,
        /// The kind.
        kind: String,
        /// All kinds.
        kinds: String,
    },
    /// An event pattern has a node that does not exist.
    #[error("`{pattern}` matches no event: there is no node {node}; the last one is {last}")]
    UnknownNode {
        /// The pattern.
        pattern: String,
        /// The node.
        node: u32,
        /// The largest number of a node.
        last: usize,
    },
    /// A required or disabled event occurs in no run.
    #[error(
        "no run has an event `{pattern}`: in this scenario, the kinds of events are {kinds}; remove it, or add such events to the scenario"
    )]
    Impossible {
        /// The pattern.
        pattern: String,
        /// The kinds of events that can happen.
        kinds: String,
    },
}

/// The kinds of events that can happen in a scenario, to the extent that it says so.
pub(crate) fn possible_kinds<P: Protocol>(
    scenario: &Scenario<P>,
    start: Option<&WorldSnapshot<P>>,
    disabled: &[EventPattern],
) -> Vec<EventKind> {
    let whole = |pattern: &&EventPattern| pattern.node.is_none() && pattern.about.is_none();
    let whole: Vec<&EventPattern> = disabled.iter().filter(whole).collect();
    let is_disabled =
        |kind: EventKind| whole.iter().any(|pattern| pattern.kind.as_deref() == Some(kind.name()));
    let budget = |kind| match kind {
        EventKind::Lose => scenario.faults.loss,
        EventKind::Duplicate => scenario.faults.duplication,
        EventKind::Reboot => scenario.faults.reboot,
        EventKind::Undeliverable if packets_return(scenario, start) => Budget::Unlimited,
        EventKind::Undeliverable => Budget::Off,
        EventKind::LinkDown => scenario.faults.link_failure,
        EventKind::LinkUp if links_change(scenario, start) => scenario.faults.link_return,
        EventKind::LinkUp => Budget::Off,
        EventKind::Command | EventKind::Deliver | EventKind::Timer => Budget::Unlimited,
    };
    let never = |kind| match kind {
        EventKind::Command => has_no_values::<P::Command>(),
        EventKind::Timer => has_no_values::<P::Timer>(),
        kind => matches!(budget(kind), Budget::Off | Budget::AtMost(0)),
    };
    EventKind::ALL.into_iter().filter(|&kind| !never(kind) && !is_disabled(kind)).collect()
}

/// The timers that may fire a limited number of times, and how often.
pub(crate) fn timeouts<P: Protocol>(scenario: &Scenario<P>) -> Vec<(EventPattern, u32)> {
    let pattern = |timers: &str| timers.parse().expect("the budgets of timeouts were validated");
    let budgets = scenario.timeouts.iter();
    budgets.filter_map(|budget| Some((pattern(&budget.timers), budget.times()?))).collect()
}

/// Whether links can be down: because they fail, or are down from the start.
pub(crate) fn links_change<P: Protocol>(
    scenario: &Scenario<P>,
    start: Option<&WorldSnapshot<P>>,
) -> bool {
    scenario.faults.break_links() || start.is_some_and(|start| !start.down.is_empty())
}

/// Whether packets can return to their senders.
pub(crate) fn packets_return<P: Protocol>(
    scenario: &Scenario<P>,
    start: Option<&WorldSnapshot<P>>,
) -> bool {
    links_change(scenario, start) || start.is_some_and(|start| start.by_radio)
}

/// Whether a type has no values, as [`Never`](everypath_model::Never) and stacks of such types:
/// only then does an `Option` of it take no bytes.
fn has_no_values<T>() -> bool {
    size_of::<Option<T>>() == 0
}

/// Refuses a scenario that cannot be explored with these options.
pub(crate) fn validate<P: Protocol>(
    scenario: &Scenario<P>,
    start: Option<&WorldSnapshot<P>>,
    options: &SpaceOptions,
) -> Result<(), SpaceError> {
    scenario.validate()?;
    if let Some(start) = start {
        if options.profile == Profile::Thesis {
            return Err(SpaceError::PublishedStart);
        }
        let nodes = scenario.topology.len();
        if start.topology != scenario.topology || start.nodes.len() != nodes {
            return Err(SpaceError::OtherWorld);
        }
        validate_mailboxes(scenario, start)?;
        validate_capacity(scenario, start)?;
    }
    validate_audiences(scenario)?;
    validate_native::<P>(options)?;
    validate_timers::<P>(scenario, start, options)?;
    validate_reductions(scenario, start, options)?;
    let nodes = scenario.topology.len();
    if nodes > NODES_MAX {
        return Err(SpaceError::Nodes(nodes));
    }
    let assertions =
        scenario.assertions.len() + scenario.end_assertions.len() + usize::from(options.deadlock);
    if assertions > ASSERTIONS_MAX {
        return Err(SpaceError::Assertions(assertions));
    }
    if scenario.goals.len() > GOALS_MAX {
        return Err(SpaceError::Goals(scenario.goals.len()));
    }
    let links = scenario.topology.links().count();
    if links_change(scenario, start) && links > LINKS_MAX {
        return Err(SpaceError::Links(links));
    }
    for pattern in options.disabled.iter().chain(&options.required) {
        validate_pattern(pattern, nodes)?;
    }
    let possible = possible_kinds(scenario, start, &[]);
    options.disabled.iter().try_for_each(|pattern| is_possible(pattern, &possible))?;
    match &options.required {
        Some(pattern) => is_possible(pattern, &possible_kinds(scenario, start, &options.disabled)),
        None => Ok(()),
    }
}

/// Refuses timers that fire in order where that order is not kept.
fn validate_timers<P: Protocol>(
    scenario: &Scenario<P>,
    start: Option<&WorldSnapshot<P>>,
    options: &SpaceOptions,
) -> Result<(), SpaceError> {
    let has_timers = !has_no_values::<P::Timer>();
    let may_exclude = |pattern: &EventPattern| {
        pattern.kind.as_deref().is_none_or(|it| it == EventKind::Timer.name())
    };
    let conflicts = [
        (P::NATIVE, "native nodes are made again without the durations of their timers"),
        (start.is_some(), "the start in a simulated run does not say for how long timers were set"),
        (options.profile == Profile::Thesis, "the published experiments knew no durations"),
        (
            !scenario.timeouts.is_empty(),
            "a timer whose budget is spent stays set, and those behind it would wait for ever (`timeouts`)",
        ),
        (
            has_timers && options.disabled.iter().any(may_exclude),
            "a timer that is disabled stays set, and those behind it would wait for ever (`--disable`)",
        ),
        (
            has_timers && !scenario.assumptions.is_empty(),
            "a timer that an assumption excludes stays set, and those behind it would wait for ever (`assume`)",
        ),
        (
            reductions(scenario, options) != Reductions::NONE,
            "a reduction makes states whose timers have no order (use --reduce none)",
        ),
    ];
    let conflict = conflicts.into_iter().find(|(given, _)| *given);
    match conflict.filter(|_| options.timers == Timers::Ordered) {
        Some((_, why)) => Err(SpaceError::Timers(why)),
        None => Ok(()),
    }
}

/// Refuses options for native nodes that have no effect.
fn validate_native<P: Protocol>(options: &SpaceOptions) -> Result<(), SpaceError> {
    let SpaceOptions { native, native_nodes, .. } = options;
    let is_eager = *native == Some(NativeMode::Eager);
    match P::NATIVE {
        false if native.is_some() || native_nodes.is_some() => {
            Err(SpaceError::Native("the nodes of this protocol are plain data"))
        }
        true if is_eager && native_nodes.is_some() => {
            Err(SpaceError::Native("the mode `eager` keeps no node"))
        }
        _ => Ok(()),
    }
}

/// Refuses a world whose packets do not fit into the mailboxes.
fn validate_mailboxes<P: Protocol>(
    scenario: &Scenario<P>,
    start: &WorldSnapshot<P>,
) -> Result<(), SpaceError> {
    let NetworkKind::Inbox(capacity) = scenario.network else {
        return Ok(());
    };
    let capacity = capacity.get();
    scenario.topology.nodes().try_for_each(|node| {
        let packets = start.packets.iter().filter(|packet| packet.to == node).count();
        match packets > usize::from(capacity) {
            true => Err(SpaceError::Overfull { node, packets, capacity }),
            false => Ok(()),
        }
    })
}

/// Refuses a world whose packets do not fit on the links.
fn validate_capacity<P: Protocol>(
    scenario: &Scenario<P>,
    start: &WorldSnapshot<P>,
) -> Result<(), SpaceError> {
    let Some(capacity) = scenario.capacity.most() else {
        return Ok(());
    };
    let mut links = BTreeMap::<_, usize>::new();
    for packet in &start.packets {
        *links.entry((packet.from, packet.to)).or_default() += 1;
    }
    match links.into_iter().find(|&(_, packets)| packets > capacity as usize) {
        Some(((from, to), packets)) => Err(SpaceError::FullLink { from, to, packets, capacity }),
        None => Ok(()),
    }
}

/// The reductions of a space.
pub(crate) fn reductions<P: Protocol>(
    scenario: &Scenario<P>,
    options: &SpaceOptions,
) -> Reductions {
    let own = || Reductions {
        ranks: scenario.numbers.is_some() && options.profile == Profile::Standard,
        ..Reductions::NONE
    };
    options.reductions.unwrap_or_else(own)
}

/// Refuses reductions that would be unsound or have no effect.
fn validate_reductions<P: Protocol>(
    scenario: &Scenario<P>,
    start: Option<&WorldSnapshot<P>>,
    options: &SpaceOptions,
) -> Result<(), SpaceError> {
    let reductions = reductions(scenario, options);
    let refused = |reduction, why: Option<String>| match why {
        Some(why) => Err(SpaceError::Reduction { reduction, why }),
        None => Ok(()),
    };
    let timeouts = timeouts(scenario);
    let timers = || timeouts.iter().map(|(pattern, _)| pattern);
    let patterns = || options.disabled.iter().chain(&options.required).chain(timers());
    if reductions != Reductions::NONE && options.profile == Profile::Thesis {
        let why = "the profile `thesis` reproduces published experiments, which have none";
        return refused(reductions.names()[0], Some(why.to_owned()));
    }
    // What is dropped as obsolete changes no node: a history remembers nothing of it.
    let only_obsolete = Reductions { obsolete: false, ..reductions } == Reductions::NONE;
    let sees_all = |observer: &&Observer<P>| !(only_obsolete && observer.skips_idle);
    if reductions != Reductions::NONE && scenario.observers.iter().any(|it| sees_all(&it)) {
        let why = "observers and step assertions see every step, also those that it skips; use --reduce none";
        return refused(reductions.names()[0], Some(why.to_owned()));
    }
    if reductions.ranks {
        let names = |pattern: &&EventPattern| {
            let text = pattern.about.as_deref().unwrap_or_default();
            text.split(|c: char| !c.is_alphanumeric()).any(|word| word.parse::<u64>().is_ok())
        };
        refused(
            "ranks",
            match (&scenario.numbers, patterns().find(names)) {
                _ if P::NATIVE => Some("numbers in native nodes cannot be renamed".to_owned()),
                (None, _) => Some("the scenario does not say that its numbers are only compared (`numbers_by_rank`)".to_owned()),
                (Some(_), Some(pattern)) => Some(format!("the event pattern `{pattern}` names a number, which states do not keep; remove it, or use --reduce none")),
                (Some(_), None) => None,
            },
        )?;
    }
    let ends = options.deadlock || !scenario.end_assertions.is_empty();
    let order = match scenario.network {
        _ if scenario.capacity != Capacity::Unlimited => Some(
            "the capacity of links is limited (`capacity`), so packets in flight can displace others"
                .to_owned(),
        ),
        NetworkKind::Unordered => None,
        NetworkKind::Inbox(packets) if packets.get() == 1 => None,
        network => Some(format!(
            "the network ({network}) keeps several packets in order, so packets in flight can block or displace others"
        )),
    };
    let ends = ends.then(|| "something is asserted of ends, and it is not the same states that are ends with fewer packets in flight".to_owned());
    if reductions.obsolete {
        let kinds = [EventKind::Command, EventKind::Timer, EventKind::Reboot].map(EventKind::name);
        let required = options.required.as_ref();
        let required =
            required.filter(|it| it.kind.as_deref().is_none_or(|kind| !kinds.contains(&kind)));
        let why = match scenario.obsolete {
            None => {
                Some("the scenario does not say which packets are obsolete (`obsolete`)".to_owned())
            }
            Some(_) if packets_return(scenario, start) => Some(
                "packets can come back to their senders, for whom they are not obsolete".to_owned(),
            ),
            Some(_) if scenario.receivers.is_some() => {
                Some("it is decided on arrival which node receives a packet".to_owned())
            }
            Some(_) => required.map(|pattern| {
                format!("the required event `{pattern}` may be one of a packet that is dropped")
            }),
        };
        refused("obsolete", why.or_else(|| order.clone()).or_else(|| ends.clone()))?;
    }
    if reductions.audiences {
        let text = patterns().find(|pattern| pattern.about.is_some());
        let why = match (scenario.audience.is_all(), text) {
            (true, _) => Some("all neighbours hear every broadcast (`audience`)".to_owned()),
            _ if scenario.topology.len() > 64 && scenario.network != NetworkKind::Unordered => {
                Some("with mailboxes, at most 64 nodes are possible".to_owned())
            }
            (false, Some(pattern)) => {
                Some(format!("the event pattern `{pattern}` may tell audiences apart"))
            }
            (false, None) => None,
        };
        refused("audiences", why.or(order).or(ends))?;
    }
    Ok(())
}

/// Refuses broadcasts with too many possible audiences.
fn validate_audiences<P: Protocol>(scenario: &Scenario<P>) -> Result<(), SpaceError> {
    scenario.topology.nodes().try_for_each(|sender| {
        let neighbours = scenario.topology.neighbours(sender);
        let sets = scenario.audience.of(sender, neighbours).map_err(ScenarioError::from)?.len();
        match sets > BRANCHES_MAX as u64 {
            true => Err(SpaceError::Audiences { sender, sets }),
            false => Ok(()),
        }
    })
}

/// Refuses a pattern whose kind of event cannot happen.
fn is_possible(pattern: &EventPattern, possible: &[EventKind]) -> Result<(), SpaceError> {
    let can_happen = |kind: &str| possible.iter().any(|possible| possible.name() == kind);
    if pattern.kind.as_deref().is_none_or(can_happen) {
        return Ok(());
    }
    Err(SpaceError::Impossible { pattern: pattern.to_string(), kinds: list(possible) })
}

fn validate_pattern(pattern: &EventPattern, nodes: usize) -> Result<(), SpaceError> {
    let exists = |kind: &String| EventKind::ALL.iter().any(|known| known.name() == kind);
    if let Some(kind) = pattern.kind.clone().filter(|kind| !exists(kind)) {
        let kinds = list(&EventKind::ALL);
        return Err(SpaceError::UnknownKind { pattern: pattern.to_string(), kind, kinds });
    }
    match pattern.node {
        Some(node) if node as usize >= nodes => Err(SpaceError::UnknownNode {
            pattern: pattern.to_string(),
            node,
            last: nodes.saturating_sub(1),
        }),
        _ => Ok(()),
    }
}

/// Kinds in words.
fn list(kinds: &[EventKind]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    names.join(", ")
}
