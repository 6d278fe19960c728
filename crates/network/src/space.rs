//! The space of a scenario.

use std::{
    io::{self, Read, Write},
    time::Duration,
};

use everypath_explore::{
    EventId, EventPattern, EventText, PartChange, Portable, Space, StateId, StateText, Step,
    Verdict, map_bytes, map_growth,
};
use everypath_model::{
    EventKind, KeptWorld, NodeId, Packet, Profile, Protocol, Rank, Ranking, Scenario,
    running::{self, Post},
};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    allowance::Allowance,
    canonical::Canonical,
    conditions::{ByTuple, Readers},
    execute::heap_estimate,
    expand::{EVENT_KINDS_MAX, EventName, kind_number},
    fingerprint::Fingerprints,
    graph::Graph,
    groups::Groups,
    memo::Memo,
    networks::{Networks, Order, Past},
    nodes::{Breakage, NodeTable, Outcome, Outcomes, Slot, Tuples, set_growth},
    options::{self, SpaceError, SpaceOptions},
    relations::Flight,
    saved::Executed,
    takes::Take,
    verify::{Sort, Verification, Verifier},
};

/// What a packet says, and from whom to whom it goes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PacketContent<M> {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    pub(crate) message: M,
}

/// A network of protocol nodes as a space.
pub struct NetworkSpace<'a, P: Protocol> {
    pub(crate) scenario: &'a Scenario<P>,
    /// From where it starts, if not from the scenario's own start.
    pub(crate) start: Option<&'a KeptWorld<P>>,
    pub(crate) options: SpaceOptions,
    pub(crate) nodes: Vec<NodeTable<P>>,
    pub(crate) tuples: Tuples,
    pub(crate) packets: IndexSet<PacketContent<P::Message>, FxBuildHasher>,
    /// About how many bytes the packets hold on the heap.
    packet_heap_bytes: usize,
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
    /// Where more of it can be read.
    pub(crate) graph_file: Option<Box<dyn Read + 'a>>,
    /// What expansions may use.
    pub(crate) allowance: Allowance,
    pub(crate) groups: Groups,
    /// What can be taken out of the network of the state that is being expanded: a list that is used
    /// again and again.
    pub(crate) takes: Vec<Take>,
    /// The links that can fail, in order.
    pub(crate) links: Vec<(NodeId, NodeId)>,
    /// The kinds of events that can happen.
    kinds: Vec<EventKind>,
    /// By kind: its place among those that can happen.
    kind_places: [u8; EVENT_KINDS_MAX],
    pub(crate) readers: Readers,
    pub(crate) verdicts: ByTuple,
    pub(crate) goals_reached: ByTuple,
    pub(crate) pruned: ByTuple,
    /// By relation of the user's.
    pub(crate) relation_keys: Vec<ByTuple>,
    pub(crate) flights: [Flight; 2],
    pub(crate) canonical: Canonical<P>,
    pub(crate) fingerprints: Fingerprints,
    pub(crate) verifier: Verifier,
    /// Where others see what is being executed.
    pub(crate) post: &'static Post,
    rankings: Vec<&'a Ranking<P>>,
    /// By ranking and tuple: the rank, or that it depends on the network.
    ranks: Vec<FxHashMap<u32, Option<Rank>>>,
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

impl<'a, P: Protocol> NetworkSpace<'a, P> {
    /// The space of a scenario.
    ///
    /// # Errors
    /// If the scenario is too large to be explored, or the options speak of events that it cannot
    /// have.
    pub fn new(scenario: &'a Scenario<P>, options: SpaceOptions) -> Result<Self, SpaceError> {
        Self::made(scenario, None, options)
    }

    /// The space of a scenario that starts in a world of a simulated run, which it was
    /// [put into](Scenario::put_into). No fault has happened yet, but the links are down that are down
    /// there.
    ///
    /// # Errors
    /// As [`new`](Self::new); and if the scenario's nodes are linked in another way than those of the
    /// world, or the published semantics are asked for.
    pub fn starting_in(
        scenario: &'a Scenario<P>,
        start: &'a KeptWorld<P>,
        options: SpaceOptions,
    ) -> Result<Self, SpaceError> {
        Self::made(scenario, Some(start), options)
    }

    fn made(
        scenario: &'a Scenario<P>,
        start: Option<&'a KeptWorld<P>>,
        mut options: SpaceOptions,
    ) -> Result<Self, SpaceError> {
        options::validate(scenario, start, &options)?;
        let nodes = scenario.topology.len();
        let published = options.profile == Profile::Thesis;
        if published {
            options.required = None;
        }
        let order = Order::of(scenario.network, published);
        let required = options.required.is_some();
        let links: Vec<_> = match options::links_change(scenario, start) {
            true => scenario.topology.links().collect(),
            false => Vec::new(),
        };
        let by_radio = start.is_some_and(|start| start.by_radio);
        let late = scenario.receivers.is_some() || !links.is_empty() || by_radio;
        let rankings: Vec<_> = scenario.all_rankings().collect();
        let kinds = options::possible_kinds(scenario, start, &options.disabled);
        let place = |kind: EventKind| kinds.iter().position(|&known| known == kind);
        let mut kind_places = [0; EVENT_KINDS_MAX];
        for kind in EventKind::ALL {
            kind_places[kind as usize] = place(kind).unwrap_or_default() as u8;
        }
        Ok(Self {
            scenario,
            start,
            kinds,
            kind_places,
            verifier: Verifier::new(options.verification),
            post: running::post(),
            options,
            nodes: (0..nodes).map(|_| NodeTable::default()).collect(),
            tuples: Tuples::new(nodes),
            packets: IndexSet::default(),
            packet_heap_bytes: 0,
            networks: Networks::new(order, late, scenario.faults, links.len(), required),
            outcomes: Vec::new(),
            choices: FxHashMap::default(),
            choice_bytes: 0,
            executions: 0,
            handled: 0,
            handler_time: Duration::ZERO,
            memo: None,
            graph: None,
            graph_soon: 0,
            graph_file: None,
            allowance: Allowance::new(None),
            groups: Groups::default(),
            takes: Vec::new(),
            links,
            readers: Readers::new(scenario),
            verdicts: ByTuple::default(),
            goals_reached: ByTuple::default(),
            pruned: ByTuple::default(),
            relation_keys: scenario.relations.iter().map(|_| ByTuple::default()).collect(),
            flights: Default::default(),
            canonical: Canonical::new(nodes),
            fingerprints: Fingerprints::default(),
            ranks: rankings.iter().map(|_| FxHashMap::default()).collect(),
            rankings,
        })
    }

    /// Executes from now on only what a memo does not know, and adds to it. Where
    /// [all](Verification::All) is verified, everything is executed in any case.
    pub fn remember_with(&mut self, memo: Memo) {
        self.memo = Some(memo).filter(|_| self.options.verification != Verification::All);
    }

    /// How many of the executions of handlers were compared with a second one.
    #[must_use]
    pub fn verified_executions(&self) -> u64 {
        self.verifier.executions
    }

    /// What it was given, and what was added since.
    #[must_use]
    pub fn memo(&self) -> Option<&Memo> {
        self.memo.as_ref()
    }

    /// Gives back what was remembered, for another space of the same protocol.
    pub fn take_memo(&mut self) -> Option<Memo> {
        self.memo.take()
    }

    pub(crate) fn expand_anew(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        match self.networks.is_late() {
            false => self.expand_states::<false>(states, steps),
            true => self.expand_states::<true>(states, steps),
        }
    }

    pub(crate) fn slot(&self, tuple: u32, node: usize) -> &Slot<P::State, P::Timer> {
        self.nodes[node].slot(self.tuples.slot(tuple, node))
    }

    pub(crate) fn packet(&self, packet: u32) -> Packet<'_, P> {
        let PacketContent { from, to, message } = &self.packets[packet as usize];
        Packet { from: *from, to: *to, message }
    }

    pub(crate) fn intern_packet(&mut self, from: NodeId, to: NodeId, message: P::Message) -> u32 {
        let (packet, new) = self.packets.insert_full(PacketContent { from, to, message });
        if new {
            self.networks.add_packet(from, to);
            let message = &self.packets[packet].message;
            let whose = || format!("a message that {} sends", self.name_of(from.index()));
            let written = self.write_back(Sort::Message, message, whose);
            self.packet_heap_bytes += heap_estimate::<P::Message>(written.bytes);
        }
        u32::try_from(packet).expect("at most 2^32 packets fit")
    }

    /// The packets in flight, in the order in which the network keeps them.
    pub(crate) fn packets_in_flight(&self, network: u32) -> impl Iterator<Item = Packet<'_, P>> {
        let mut packets = Vec::new();
        self.networks.packets(network, &mut packets);
        packets.into_iter().map(|packet| self.packet(packet))
    }

    /// The broken node of a tuple, if there is one.
    pub(crate) fn breakage(&self, tuple: u32) -> Option<(usize, &Breakage)> {
        let slots = self.nodes.iter().zip(self.tuples.get(tuple));
        slots.enumerate().find_map(|(node, (table, &slot))| match table.slot(slot) {
            Slot::Broken(breakage) => Some((node, breakage)),
            Slot::Running { .. } => None,
        })
    }
}

impl<P: Protocol> Space for NetworkSpace<'_, P> {
    fn initial(&mut self, states: &mut Vec<StateId>) {
        if let Some(start) = self.start {
            return states.push(self.put_into(start));
        }
        // Each node's start can end in several ways if it chooses; all combinations of different
        // ends are initial.
        let mut combinations = vec![(Vec::new(), Vec::new())];
        for node in 0..self.nodes.len() {
            let outcomes = self.start(node);
            let ends: IndexSet<Outcome> = self.outcomes_of(outcomes).iter().copied().collect();
            let mut extended = Vec::new();
            for (slots, outputs) in combinations {
                for outcome in &ends {
                    let mut slots: Vec<u32> = slots.clone();
                    let mut outputs: Vec<u32> = outputs.clone();
                    slots.push(outcome.slot);
                    outputs.push(outcome.output);
                    extended.push((slots, outputs));
                }
            }
            combinations = extended;
        }
        for (slots, outputs) in combinations {
            let tuple = self.tuples.intern(&slots);
            let empty = self.networks.make(Past::none(self.scenario.faults), &[]);
            let network =
                outputs.iter().fold(empty, |network, &output| self.networks.after(network, output));
            states.push(pack(tuple, network));
        }
    }

    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        match self.graph.take_if(|graph| !graph.is_idle()) {
            None => self.expand_anew(states, steps),
            Some(graph) => self.expand_by(graph, states, steps),
        }
    }

    fn limit_memory(&mut self, most: Option<u64>) {
        self.allowance = Allowance::new(most);
    }

    #[inline]
    fn expand_within(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        self.allowance.begin();
        self.expand(states, steps);
        self.allowance.end();
    }

    #[inline]
    fn verdict(&mut self, state: StateId) -> Verdict {
        let (tuple, _) = unpack(state);
        match self.verdicts.get(tuple) {
            Some(known) => Verdict(known),
            None => self.violated(state),
        }
    }

    fn verdict_at_end(&mut self, state: StateId) -> Verdict {
        self.violated_at_end(state)
    }

    fn counts(&mut self, state: StateId) -> bool {
        let (tuple, network) = unpack(state);
        // Where a handler has failed nothing can happen any more, so that counts at once.
        self.options.required.is_none()
            || self.networks.past(network).happened
            || self.breakage(tuple).is_some()
    }

    fn assertions(&self) -> Vec<String> {
        self.assertion_names()
    }

    fn own_assertions(&self) -> usize {
        self.own_assertion_count()
    }

    fn goals(&self) -> Vec<String> {
        self.scenario.goals.iter().map(|goal| goal.name.clone()).collect()
    }

    fn goals_reached(&mut self, state: StateId) -> u64 {
        self.reaches(state)
    }

    fn is_pruned(&mut self, state: StateId) -> bool {
        self.prunes(state)
    }

    fn rankings(&self) -> Vec<String> {
        self.rankings.iter().map(|ranking| ranking.name.clone()).collect()
    }

    fn rank(&mut self, state: StateId, ranking: usize, rank: &mut Vec<i64>) {
        let (tuple, network) = unpack(state);
        if let Some(Some(known)) = self.ranks[ranking].get(&tuple) {
            rank.extend_from_slice(&known.0);
            return;
        }
        let Ranking { name, rank: compute } = self.rankings[ranking];
        let twice = self.verifier.is_due(Sort::Ranking, || state.0);
        let reading =
            self.read(tuple, network, |world| self.ask("ranking", name, twice, || compute(world)));
        rank.extend_from_slice(&reading.answer.0);
        let remembered = (!reading.network_read).then_some(reading.answer);
        self.ranks[ranking].insert(tuple, remembered);
    }

    fn parts(&self, state: StateId, parts: &mut Vec<u64>) {
        let (tuple, _) = unpack(state);
        let slots = (0..).zip(self.tuples.get(tuple));
        parts.extend(slots.map(|(node, &slot): (u64, _)| node << 32 | u64::from(slot)));
    }

    fn event_kinds(&self) -> Vec<String> {
        self.kinds.iter().map(|kind| kind.name().to_owned()).collect()
    }

    #[inline]
    fn event_kind(&self, event: EventId) -> usize {
        self.kind_places[kind_number(event)].into()
    }

    fn matches(&self, state: StateId, event: EventId, pattern: &EventPattern) -> bool {
        let name = EventName::unpack(event);
        self.describes(pattern, state, name, || self.choices_of(state, name))
    }

    fn relations(&self) -> Vec<String> {
        self.relation_names()
    }

    fn relation_refusal(&self, relation: usize) -> Option<String> {
        self.refusal(relation)
    }

    fn relation_key(&mut self, state: StateId, relation: usize) -> u64 {
        self.key_of(state, relation)
    }

    fn relation_signature(&mut self, state: StateId, relation: usize) -> u64 {
        self.signature_of(state, relation)
    }

    fn is_simulated_by(&mut self, state: StateId, other: StateId, relation: usize) -> bool {
        self.is_covered_by(state, other, relation)
    }

    fn contains(&self, state: StateId) -> bool {
        let (tuple, network) = unpack(state);
        (tuple as usize) < self.tuples.len() && (network as usize) < self.networks.len()
    }

    fn handler_executions(&self) -> u64 {
        self.executions
    }

    fn handler_time(&self) -> Duration {
        self.handler_time
    }

    fn bytes(&self) -> usize {
        self.nodes.iter().map(NodeTable::bytes).sum::<usize>()
            + self.tuples.bytes()
            + self.networks.bytes()
            + self.groups.bytes()
            + self.packets.capacity() * (size_of::<PacketContent<P::Message>>() + 16)
            + self.packet_heap_bytes
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
            + self.canonical.bytes()
            + self.graph.as_ref().map_or(0, |graph| graph.bytes())
    }

    fn bytes_soon(&self) -> usize {
        let Self { nodes, tuples, networks, packets, choices, ranks, .. } = self;
        let ranks = ranks.iter().map(|ranks| map_growth(ranks.len(), ranks.capacity(), RANK_BYTES));
        nodes.iter().map(NodeTable::bytes_soon).sum::<usize>()
            + tuples.bytes_soon()
            + networks.bytes_soon()
            + set_growth(packets)
            + map_growth(choices.len(), choices.capacity(), size_of::<(u32, Vec<u32>)>())
            + ranks.sum::<usize>()
            // They are listed when the search is saved, or its graph is written.
            + self.handled * size_of::<(Executed, Outcomes)>()
            + self.graph.as_ref().map_or(self.graph_soon, |graph| graph.bytes_soon())
    }

    fn is_full(&self) -> bool {
        self.networks.is_full()
    }

    #[inline]
    fn flaw(&self) -> Option<&str> {
        self.verifier.flaw()
    }

    fn event_text(&self, state: StateId, event: EventId) -> EventText {
        self.describe_event(state, event)
    }

    fn state_text(&self, state: StateId) -> StateText {
        self.describe_state(state)
    }

    fn state_change(&self, before: StateId, after: StateId) -> Vec<(String, PartChange)> {
        self.describe_change(before, after)
    }

    fn digest(&self, state: StateId) -> u64 {
        xxh3_64(&self.encode(state))
    }

    fn fingerprint(&mut self, state: StateId) -> u64 {
        self.mixed(state)
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_tables(out)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        self.read_tables(input)
    }

    fn explain(&self, state: StateId, assertion: usize) -> Option<String> {
        self.explanation(state, assertion)
    }
}
