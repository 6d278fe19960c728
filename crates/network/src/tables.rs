//! What a space knows by ids alone: nothing here depends on the types of a protocol.

use std::time::Duration;

use everypath_explore::{StateId, map_bytes, map_growth};
use everypath_model::{
    ALWAYS_ASSERTED, EventKind, Faults, NEVER_STUCK, NetworkKind, NodeId, Profile, Protocol, Rank,
    SIMULATED, Scenario, Topology, WorldSnapshot,
    running::{self, Post},
};
use rustc_hash::FxHashMap;

use crate::{
    allowance::Allowance,
    canonical::Meanings,
    conditions::{ByTuple, Readers},
    expand::{EVENT_KINDS_MAX, kind_number},
    fingerprint::Fingerprints,
    graph::Graph,
    groups::Groups,
    links::LinkSet,
    memo::Memo,
    networks::{Networks, Order},
    nodes::{Breakage, NodeTable, Outcome, Outcomes, Tuples},
    options::{self, SpaceOptions},
    relations::Flight,
    removals::Take,
    saved::Executed,
    verify::Verifier,
};

/// What a scenario says without the types of its protocol.
pub(crate) struct Setup {
    pub(crate) topology: Topology,
    pub(crate) network: NetworkKind,
    pub(crate) faults: Faults,
    pub(crate) event_order: Vec<EventKind>,
    /// The kinds of events that can happen, if none is disabled.
    pub(crate) possible_kinds: Vec<EventKind>,
    /// Names, in order.
    pub(crate) assertions: Vec<String>,
    pub(crate) end_assertions: Vec<String>,
    pub(crate) goals: Vec<String>,
    pub(crate) prunings: Vec<String>,
    pub(crate) assumptions: Vec<String>,
    pub(crate) rankings: Vec<String>,
    /// Those of the user, without the one that is always there.
    pub(crate) relations: Vec<String>,
    /// Whether it says who receives packets.
    pub(crate) has_receivers: bool,
    /// Whether it says which states of a node mean the same.
    pub(crate) has_canonical: bool,
    /// Whether it says in which order timers are tried.
    pub(crate) orders_timers: bool,
    /// Whether nodes talk by radio, so that they can send to those that are not near.
    pub(crate) by_radio: bool,
    /// Whether packets can come back to their senders.
    pub(crate) packets_return: bool,
}

impl Setup {
    fn of<P: Protocol>(scenario: &Scenario<P>, start: Option<&WorldSnapshot<P>>) -> Self {
        let named = |conditions: &[everypath_model::Condition<P>]| {
            conditions.iter().map(|condition| condition.name.clone()).collect()
        };
        Self {
            topology: scenario.topology.clone(),
            network: scenario.network,
            faults: scenario.faults,
            event_order: scenario.event_order.clone(),
            possible_kinds: options::possible_kinds(scenario, start, &[]),
            assertions: named(&scenario.assertions),
            end_assertions: named(&scenario.end_assertions),
            goals: named(&scenario.goals),
            prunings: named(&scenario.prunings),
            assumptions: scenario.assumptions.iter().map(|it| it.name.clone()).collect(),
            rankings: scenario.all_rankings().map(|ranking| ranking.name.clone()).collect(),
            relations: scenario.relations.iter().map(|relation| relation.name.clone()).collect(),
            has_receivers: scenario.receivers.is_some(),
            has_canonical: scenario.canonical.is_some(),
            orders_timers: scenario.timer_order.is_some() || scenario.early_timers.is_some(),
            by_radio: start.is_some_and(|start| start.by_radio),
            packets_return: options::packets_return(scenario, start),
        }
    }

    /// Whether messages can be sent to any node.
    pub(crate) fn can_address_all(&self) -> bool {
        self.has_receivers || self.by_radio
    }

    /// Whether what one node sends to another comes back, since it is out of range.
    pub(crate) fn is_beyond(&self, from: NodeId, to: NodeId) -> bool {
        self.by_radio && !self.topology.are_neighbours(from, to)
    }
}

/// All that a space knows by ids.
pub(crate) struct Tables {
    pub(crate) setup: Setup,
    pub(crate) options: SpaceOptions,
    pub(crate) nodes: Vec<NodeTable>,
    pub(crate) tuples: Tuples,
    pub(crate) networks: Networks,
    /// What handlers lead to, with the choices on the way.
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) choices: FxHashMap<u32, Vec<u32>>,
    /// How many bytes the lists of choices hold.
    pub(crate) choice_bytes: usize,
    pub(crate) executions: u64,
    /// How many handlers were executed on different inputs.
    pub(crate) handled: usize,
    pub(crate) handler_time: Duration,
    /// What is known of executions from before, if that is used.
    pub(crate) memo: Option<Memo>,
    /// What is known of the steps out of states, if that is used.
    pub(crate) graph: Option<Box<Graph>>,
    /// How many bytes more it takes soon, while it is lent.
    pub(crate) graph_soon: usize,
    /// What expansions may use.
    pub(crate) allowance: Allowance,
    pub(crate) groups: Groups,
    /// What can be taken out of the network of the state that is being expanded: a list that is used
    /// again and again.
    pub(crate) takes: Vec<Take>,
    /// The links that can fail, in order.
    pub(crate) links: Vec<(NodeId, NodeId)>,
    /// The kinds of events that can happen.
    pub(crate) kinds: Vec<EventKind>,
    /// By kind: its place among those that can happen.
    kind_places: [u8; EVENT_KINDS_MAX],
    pub(crate) readers: Readers,
    pub(crate) verdicts: ByTuple,
    pub(crate) goals_reached: ByTuple,
    pub(crate) pruned: ByTuple,
    /// By relation of the user's.
    pub(crate) relation_keys: Vec<ByTuple>,
    pub(crate) flights: [Flight; 2],
    pub(crate) meanings: Meanings,
    pub(crate) fingerprints: Fingerprints,
    pub(crate) verifier: Verifier,
    /// Where others see what is being executed.
    pub(crate) post: &'static Post,
    /// By ranking and tuple: the rank, or that it depends on the network.
    pub(crate) ranks: Vec<FxHashMap<u32, Option<Rank>>>,
}

/// The bytes of what is known of a tuple's rank.
const RANK_BYTES: usize = size_of::<(u32, Option<Rank>)>();

/// A state as the pair that it is.
pub(crate) fn unpack(state: StateId) -> (u32, u32) {
    ((state.0 >> 32) as u32, state.0 as u32)
}

/// A state from the pair that it is. The tuple comes first, so sorted states are grouped by it.
pub(crate) fn pack(tuple: u32, network: u32) -> StateId {
    StateId(u64::from(tuple) << 32 | u64::from(network))
}

impl Tables {
    pub(crate) fn new<P: Protocol>(
        scenario: &Scenario<P>,
        start: Option<&WorldSnapshot<P>>,
        mut options: SpaceOptions,
    ) -> Self {
        let setup = Setup::of(scenario, start);
        let nodes = setup.topology.len();
        let published = options.profile == Profile::Thesis;
        if published {
            options.required = None;
        }
        let order = Order::of(setup.network, published);
        let required = options.required.is_some();
        let links: Vec<_> = match options::links_change(scenario, start) {
            true => setup.topology.links().collect(),
            false => Vec::new(),
        };
        let late = setup.can_address_all() || !links.is_empty();
        let kinds = options::possible_kinds(scenario, start, &options.disabled);
        let place = |kind: EventKind| kinds.iter().position(|&known| known == kind);
        let mut kind_places = [0; EVENT_KINDS_MAX];
        for kind in EventKind::ALL {
            kind_places[kind as usize] = place(kind).unwrap_or_default() as u8;
        }
        Self {
            kinds,
            kind_places,
            verifier: Verifier::new(options.verification),
            post: running::post(),
            options,
            nodes: (0..nodes).map(|_| NodeTable::default()).collect(),
            tuples: Tuples::new(nodes),
            networks: Networks::new(order, late, setup.faults, links.len(), required),
            outcomes: Vec::new(),
            choices: FxHashMap::default(),
            choice_bytes: 0,
            executions: 0,
            handled: 0,
            handler_time: Duration::ZERO,
            memo: None,
            graph: None,
            graph_soon: 0,
            allowance: Allowance::new(None),
            groups: Groups::default(),
            takes: Vec::new(),
            links,
            readers: Readers::new(&setup),
            verdicts: ByTuple::default(),
            goals_reached: ByTuple::default(),
            pruned: ByTuple::default(),
            relation_keys: setup.relations.iter().map(|_| ByTuple::default()).collect(),
            flights: Default::default(),
            meanings: Meanings::new(nodes),
            fingerprints: Fingerprints::default(),
            ranks: setup.rankings.iter().map(|_| FxHashMap::default()).collect(),
            setup,
        }
    }

    /// Whether a state is one that was met.
    pub(crate) fn contains(&self, state: StateId) -> bool {
        let (tuple, network) = unpack(state);
        (tuple as usize) < self.tuples.len() && (network as usize) < self.networks.len()
    }

    /// The place of an event's kind among those that can happen.
    #[inline]
    pub(crate) fn kind_place(&self, event: everypath_explore::EventId) -> usize {
        self.kind_places[kind_number(event)].into()
    }

    pub(crate) fn outcomes_of(&self, outcomes: Outcomes) -> &[Outcome] {
        &self.outcomes[outcomes.start as usize..][..outcomes.len as usize]
    }

    /// The choices that a handler made before this outcome.
    pub(crate) fn choices_before(&self, outcome: Option<u32>) -> &[u32] {
        outcome.and_then(|outcome| self.choices.get(&outcome)).map_or(&[], Vec::as_slice)
    }

    /// The broken node of a tuple, if there is one.
    pub(crate) fn breakage(&self, tuple: u32) -> Option<(usize, &Breakage)> {
        let slots = self.nodes.iter().zip(self.tuples.get(tuple)).enumerate();
        let mut broken = slots.filter(|(_, (table, _))| !table.broken.is_empty());
        broken.find_map(|(node, (table, slot))| Some((node, table.broken.get(slot)?)))
    }

    /// The link between two nodes that can fail, if there is one.
    pub(crate) fn link_between(&self, a: NodeId, b: NodeId) -> LinkSet {
        match self.links.binary_search(&(a.min(b), a.max(b))) {
            Ok(link) => LinkSet::one(link),
            Err(_) => LinkSet::default(),
        }
    }

    /// The names of the assertions: those about every state, those about ends, those that are
    /// always there.
    pub(crate) fn assertion_names(&self) -> Vec<String> {
        let own = self.setup.assertions.iter().chain(&self.setup.end_assertions);
        let deadlock = self.options.deadlock.then_some(NEVER_STUCK);
        let others = deadlock.into_iter().chain(ALWAYS_ASSERTED).map(str::to_owned);
        own.cloned().chain(others).collect()
    }

    /// How many assertions there are besides those that are always there.
    pub(crate) fn own_assertion_count(&self) -> usize {
        self.setup.assertions.len()
            + self.setup.end_assertions.len()
            + usize::from(self.options.deadlock)
    }

    pub(crate) fn relation_names(&self) -> Vec<String> {
        let own = self.setup.relations.iter().cloned();
        [SIMULATED.to_owned()].into_iter().chain(own).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.iter().map(NodeTable::bytes).sum::<usize>()
            + self.tuples.bytes()
            + self.networks.bytes()
            + self.groups.bytes()
            + self.outcomes.capacity() * size_of::<Outcome>()
            + map_bytes(self.choices.capacity(), size_of::<(u32, Vec<u32>)>())
            + self.choice_bytes
            + self.ranks.iter().map(|ranks| map_bytes(ranks.capacity(), RANK_BYTES)).sum::<usize>()
            + self.verdicts.bytes()
            + self.goals_reached.bytes()
            + self.pruned.bytes()
            + self.relation_keys.iter().map(ByTuple::bytes).sum::<usize>()
            + self.fingerprints.bytes()
            + self.memo.as_ref().map_or(0, Memo::bytes)
            + self.meanings.bytes()
            + self.graph.as_ref().map_or(0, |graph| graph.bytes())
    }

    /// How many bytes more it takes at once when it grows, as far as that is about to happen.
    pub(crate) fn bytes_soon(&self) -> usize {
        let Self { nodes, tuples, networks, choices, ranks, .. } = self;
        let ranks = ranks.iter().map(|ranks| map_growth(ranks.len(), ranks.capacity(), RANK_BYTES));
        nodes.iter().map(NodeTable::bytes_soon).sum::<usize>()
            + tuples.bytes_soon()
            + networks.bytes_soon()
            + map_growth(choices.len(), choices.capacity(), size_of::<(u32, Vec<u32>)>())
            + ranks.sum::<usize>()
            // They are listed when the search is saved, or its graph is written.
            + self.handled * size_of::<(Executed, Outcomes)>()
            + self.graph.as_ref().map_or(self.graph_soon, |graph| graph.bytes_soon())
    }
}
