//! The scenario and the options of a space, without the types of the protocol.

use std::fmt::Write as _;

use everypath_explore::{EventId, EventPattern, Identity};
use everypath_model::{
    ALWAYS_ASSERTED, Audience, Capacity, Condition, Decisions, EventKind, Faults, HEARD_BY,
    HEARD_BY_NONE, NEVER_STUCK, NetworkKind, NodeId, Profile, Protocol, SIMULATED, Scenario,
    Topology, WorldSnapshot,
};

use crate::{
    link_set::LinkSet,
    nodes::Decided,
    options::{self, SpaceOptions},
    packed::{EVENT_KINDS_MAX, kind_number},
    reduction::Reductions,
    transit::{Past, Timeouts},
};

/// The scenario and the options of its space, without the types of the protocol.
pub(crate) struct Setup {
    pub(crate) options: SpaceOptions,
    pub(crate) topology: Topology,
    pub(crate) network: NetworkKind,
    /// How many packets can be in flight from one node to another.
    pub(crate) capacity: Capacity,
    /// The reductions that are on.
    pub(crate) reductions: Reductions,
    /// By sender: the possible audiences of its broadcasts. Empty if all neighbours hear them.
    pub(crate) audiences: Vec<Vec<Vec<NodeId>>>,
    /// The audiences in words, as a fact of a search.
    audience: String,
    pub(crate) faults: Faults,
    /// The nodes that may reboot, if not all may.
    rebooting: Option<Vec<NodeId>>,
    /// The timers that may fire a limited number of times, and how often.
    pub(crate) timeouts: Vec<(EventPattern, u32)>,
    pub(crate) event_order: Vec<EventKind>,
    /// The kinds of events that can happen if none is disabled.
    pub(crate) possible_kinds: Vec<EventKind>,
    /// The names of the observers, in order: each has a column in tuples, behind those of the nodes.
    pub(crate) observers: Vec<String>,
    /// Names, in order.
    pub(crate) assertions: Vec<String>,
    pub(crate) end_assertions: Vec<String>,
    pub(crate) goals: Vec<String>,
    pub(crate) prunings: Vec<String>,
    pub(crate) cuts: Vec<String>,
    /// The lists of worlds from which it can start.
    pub(crate) starts: Vec<String>,
    pub(crate) assumptions: Vec<String>,
    pub(crate) rankings: Vec<String>,
    /// The user-defined relations, without the built-in one.
    pub(crate) relations: Vec<String>,
    /// Whether the scenario defines who receives packets.
    pub(crate) has_receivers: bool,
    /// Whether it defines which states of a node have the same meaning.
    pub(crate) has_canonical: bool,
    /// Whether it defines the order in which timers are tried.
    pub(crate) orders_timers: bool,
    /// Whether nodes use radio, so that they can send to nodes that are out of range.
    pub(crate) by_radio: bool,
    /// Whether packets can return to their senders.
    pub(crate) packets_return: bool,
    /// The links that can fail, in order.
    pub(crate) links: Vec<(NodeId, NodeId)>,
    /// The kinds of events that can happen.
    pub(crate) kinds: Vec<EventKind>,
    /// By kind: its index among those that can happen.
    kind_places: [u8; EVENT_KINDS_MAX],
}

impl Setup {
    pub(crate) fn of<P: Protocol>(
        scenario: &Scenario<P>,
        start: Option<&WorldSnapshot<P>>,
        mut options: SpaceOptions,
    ) -> Self {
        if options.profile == Profile::Thesis {
            options.required = None;
        }
        let links = match options::links_change(scenario, start) {
            true => scenario.topology.links().collect(),
            false => Vec::new(),
        };
        let kinds = options::possible_kinds(scenario, start, &options.disabled);
        let place = |kind: EventKind| kinds.iter().position(|&known| known == kind);
        let mut kind_places = [0; EVENT_KINDS_MAX];
        for kind in EventKind::ALL {
            kind_places[kind as usize] = place(kind).unwrap_or_default() as u8;
        }
        let named = |conditions: &[Condition<P>]| {
            conditions.iter().map(|condition| condition.name.clone()).collect()
        };
        Self {
            topology: scenario.topology.clone(),
            network: scenario.network,
            capacity: scenario.capacity,
            reductions: options::reductions(scenario, &options),
            audiences: audiences(scenario),
            audience: audience_fact(scenario),
            faults: scenario.faults,
            rebooting: scenario.rebooting.clone(),
            timeouts: options::timeouts(scenario),
            event_order: scenario.event_order.clone(),
            possible_kinds: options::possible_kinds(scenario, start, &[]),
            observers: scenario.observers.iter().map(|it| it.name.clone()).collect(),
            assertions: named(&scenario.assertions),
            end_assertions: named(&scenario.end_assertions),
            goals: named(&scenario.goals),
            prunings: named(&scenario.prunings),
            cuts: scenario.cuts.iter().map(|cut| cut.name.clone()).collect(),
            starts: scenario.starts.iter().map(|starts| starts.name.clone()).collect(),
            assumptions: scenario.assumptions.iter().map(|it| it.name.clone()).collect(),
            rankings: scenario.all_rankings().map(|ranking| ranking.name.clone()).collect(),
            relations: scenario.relations.iter().map(|relation| relation.name.clone()).collect(),
            has_receivers: scenario.receivers.is_some(),
            has_canonical: scenario.canonical.is_some(),
            orders_timers: scenario.timer_order.is_some() || scenario.early_timers.is_some(),
            by_radio: start.is_some_and(|start| start.by_radio),
            packets_return: options::packets_return(scenario, start),
            links,
            kinds,
            kind_places,
            options,
        }
    }

    /// Whether a sender has an audience of this number.
    pub(crate) fn has_audience(&self, sender: usize, number: u32) -> bool {
        self.audiences.get(sender).is_some_and(|sets| (number as usize) < sets.len())
    }

    /// The nodes that heard each broadcast, given the numbers of their audiences.
    pub(crate) fn audiences_heard(&self, sender: usize, numbers: &[u32]) -> Vec<Vec<NodeId>> {
        numbers.iter().map(|&number| self.audiences[sender][number as usize].clone()).collect()
    }

    /// Decisions with audiences instead of their numbers.
    pub(crate) fn decisions(
        &self,
        node: usize,
        Decided { choices, audiences }: &Decided,
    ) -> Decisions {
        Decisions { choices: choices.clone(), audiences: self.audiences_heard(node, audiences) }
    }

    /// Whether messages can be sent to any node.
    pub(crate) fn can_address_all(&self) -> bool {
        self.has_receivers || self.by_radio
    }

    /// Whether packets from one node to another return because the other is out of range.
    pub(crate) fn is_beyond(&self, from: NodeId, to: NodeId) -> bool {
        self.by_radio && !self.topology.are_neighbours(from, to)
    }

    /// The index of an event's kind among those that can happen.
    #[inline]
    pub(crate) fn kind_place(&self, event: EventId) -> usize {
        self.kind_places[kind_number(event)].into()
    }

    /// How many columns a tuple has: one for each node, and one for each observer.
    pub(crate) fn columns(&self) -> usize {
        self.topology.len() + self.observers.len()
    }

    /// The link between two nodes that can fail, if there is one.
    pub(crate) fn link_between(&self, a: NodeId, b: NodeId) -> LinkSet {
        match self.links.binary_search(&(a.min(b), a.max(b))) {
            Ok(link) => LinkSet::one(link),
            Err(_) => LinkSet::default(),
        }
    }

    /// The names of the assertions: those about every state, those about ends, and the built-in
    /// ones.
    pub(crate) fn assertion_names(&self) -> Vec<String> {
        let own = self.assertions.iter().chain(&self.end_assertions);
        let deadlock = self.options.deadlock.then_some(NEVER_STUCK);
        let others = deadlock.into_iter().chain(ALWAYS_ASSERTED).map(str::to_owned);
        own.cloned().chain(others).collect()
    }

    /// How many assertions there are without the built-in ones.
    pub(crate) fn own_assertion_count(&self) -> usize {
        self.assertions.len() + self.end_assertions.len() + usize::from(self.options.deadlock)
    }

    pub(crate) fn relation_names(&self) -> Vec<String> {
        let own = self.relations.iter().cloned();
        [SIMULATED.to_owned()].into_iter().chain(own).collect()
    }

    /// Whether something is asserted of ends.
    pub(crate) fn asks_of_ends(&self) -> bool {
        self.options.deadlock || !self.end_assertions.is_empty()
    }

    /// The facts that must be equal in a resumed search: those of the scenario, and those of the
    /// options of the space.
    pub(crate) fn identity(&self, start_digest: Option<u64>) -> Identity {
        let patterns = |patterns: &[EventPattern]| {
            let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
            format!("{patterns:?}")
        };
        let mut links = format!("{} nodes, links", self.topology.len());
        for (one, other) in self.topology.links() {
            write!(links, " {one}-{other}").expect("a text can be written to");
        }
        let facts = [
            ("topology", links),
            ("network", self.network_text()),
            ("audience", self.audience.clone()),
            ("reduce", self.reductions.to_string()),
            ("way of receiving", self.way_of_receiving().to_owned()),
            ("profile", self.options.profile.name().to_owned()),
            ("faults", self.faults_text()),
            ("order of events", format!("{:?}", self.event_order)),
            ("disable", patterns(&self.options.disabled)),
            ("require", patterns(self.options.required.as_slice())),
            ("list of assertions", format!("{:?}", self.assertion_names())),
            ("list of goals", format!("{:?}", self.goals)),
            ("list of prunings", format!("{:?}", self.prunings)),
            ("list of assumptions", format!("{:?}", self.assumptions)),
            ("list of rankings", format!("{:?}", self.rankings)),
            ("list of relations", format!("{:?}", self.relation_names())),
            ("verified part", self.options.verification.name().to_owned()),
        ];
        // Where there are none, files are as they were before there were any.
        let observers = Some(("list of observers", format!("{:?}", self.observers)));
        let observers = observers.filter(|_| !self.observers.is_empty());
        let start = start_digest.map(|digest| ("start", format!("{digest:016x}")));
        let facts = facts.into_iter().chain(observers).chain(start);
        facts.map(|(what, said)| (what.to_owned(), said)).collect()
    }

    /// The network in words, with the capacity of its links if that is limited.
    fn network_text(&self) -> String {
        match self.capacity {
            Capacity::Unlimited => self.network.to_string(),
            capacity => format!("{} of capacity {capacity}", self.network),
        }
    }

    /// The faults in words, with the budgets of timeouts if there are any.
    fn faults_text(&self) -> String {
        let mut text = format!("{:?}", self.faults);
        if let Some(nodes) = &self.rebooting {
            write!(text, ", reboots of {nodes:?}").expect("a text can be written to");
        }
        for (timers, most) in &self.timeouts {
            write!(text, ", {timers} {most}").expect("a text can be written to");
        }
        text
    }

    /// How often timers may fire, for each budget of timeouts.
    pub(crate) fn timeout_budgets(&self) -> Vec<u32> {
        self.timeouts.iter().map(|&(_, most)| most).collect()
    }

    /// The past at the start of a run.
    pub(crate) fn no_past(&self) -> Past {
        Past::none(self.faults, Timeouts::of(&self.timeout_budgets()))
    }

    fn way_of_receiving(&self) -> &'static str {
        match self.has_receivers {
            false => "by address",
            true => "as the scenario says",
        }
    }
}

/// The possible audiences, as a fact of a search.
fn audience_fact<P: Protocol>(scenario: &Scenario<P>) -> String {
    match &scenario.audience {
        Audience::All => "all neighbours".to_owned(),
        Audience::AtMost(most) => format!("at most {most}"),
        _ => format!("{:?}", audiences(scenario)),
    }
}

/// Whether a text may be part of the words for an audience.
pub(crate) fn reads_like_audience(text: &str) -> bool {
    let is_node = |word: &str| {
        let number = word.trim_matches([',', ';']).strip_prefix('n');
        number.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
    };
    HEARD_BY_NONE.contains(text)
        || text.split_whitespace().all(|word| is_node(word) || HEARD_BY.contains(word))
}

/// By sender: the possible audiences of its broadcasts. Empty if all neighbours hear them.
fn audiences<P: Protocol>(scenario: &Scenario<P>) -> Vec<Vec<Vec<NodeId>>> {
    if scenario.audience.is_all() {
        return Vec::new();
    }
    let of = |node| {
        let neighbours = scenario.topology.neighbours(node);
        let sets = scenario.audience.of(node, neighbours).expect("the audiences were validated");
        (0..sets.len()).map(|number| sets.get(number)).collect()
    };
    scenario.topology.nodes().map(of).collect()
}
