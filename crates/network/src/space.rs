//! The space of a scenario.

use everypath_explore::{
    EventId, EventText, Portable, Semantics, Space, StateId, StateText, Step, Verdict,
};
use everypath_model::{EventKind, NodeId, Packet, Profile, Protocol, Rank, Scenario, panics};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    execute::{Input, heap_estimate},
    expand::{EventName, Group},
    networks::{FaultsLeft, Networks, Order},
    nodes::{Breakage, NodeTable, Outcome, Slot, Tuples},
    packed_world::{Reading, Spare},
};

/// How many nodes an exploration can have.
const NODES_MAX: usize = 1 << 12;
/// How many assertions a scenario can have, besides those that are always there.
const ASSERTIONS_MAX: usize = 60;
/// What is asserted of every protocol.
const ALWAYS: [&str; 2] = ["no handler panics", "handlers are deterministic"];

const VERDICT_UNKNOWN: u64 = u64::MAX;
const VERDICT_READS_NETWORK: u64 = u64::MAX - 1;

/// How a space is made of a scenario.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpaceOptions {
    /// Which semantics to follow. In the published one, unordered networks are told apart by the
    /// order in which their packets were sent.
    pub profile: Profile,
    /// Execute every handler twice, and take a difference for a violation.
    pub verify_determinism: bool,
}

impl SpaceOptions {
    /// Which rules a search of such a space follows.
    #[must_use]
    pub fn semantics(&self) -> Semantics {
        match self.profile {
            Profile::Standard => Semantics::Exact,
            Profile::Thesis => Semantics::Published,
        }
    }
}

/// A scenario that cannot be explored.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SpaceError {
    /// Too many nodes.
    #[error("{0} nodes are too many to explore: at most {NODES_MAX} are possible")]
    Nodes(usize),
    /// Too many assertions.
    #[error(
        "{0} assertions are too many to explore: at most {ASSERTIONS_MAX} are possible; join some"
    )]
    Assertions(usize),
}

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
    pub(crate) executions: u64,
    pub(crate) group: Group,
    pub(crate) spare: Spare,
    /// By tuple: the violated assertions, or that they are not known or depend on the network.
    verdicts: Vec<u64>,
    /// By ranking and tuple: the rank, or that it depends on the network.
    ranks: Vec<FxHashMap<u32, Option<Rank>>>,
}

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
    /// If the scenario is too large to be explored.
    pub fn new(scenario: &'a Scenario<P>, options: SpaceOptions) -> Result<Self, SpaceError> {
        let nodes = scenario.topology.len();
        if nodes > NODES_MAX {
            return Err(SpaceError::Nodes(nodes));
        }
        if scenario.assertions.len() > ASSERTIONS_MAX {
            return Err(SpaceError::Assertions(scenario.assertions.len()));
        }
        let order = Order::of(scenario.network, options.profile == Profile::Thesis);
        Ok(Self {
            scenario,
            options,
            nodes: (0..nodes).map(|_| NodeTable::default()).collect(),
            tuples: Tuples::new(nodes),
            packets: IndexSet::default(),
            packet_heap_bytes: 0,
            networks: Networks::new(order, scenario.faults),
            outcomes: Vec::new(),
            choices: FxHashMap::default(),
            executions: 0,
            group: Group::default(),
            spare: Spare::default(),
            verdicts: Vec::new(),
            ranks: scenario.rankings.iter().map(|_| FxHashMap::default()).collect(),
        })
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
            self.packet_heap_bytes += heap_estimate(&self.packets[packet].message);
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
        (0..self.nodes.len()).find_map(|node| match self.slot(tuple, node) {
            Slot::Broken(breakage) => Some((node, breakage)),
            Slot::Running { .. } => None,
        })
    }

    fn evaluate(&self, tuple: u32, network: u32) -> Reading<u64> {
        if let Some((_, breakage)) = self.breakage(tuple) {
            let always = match breakage {
                Breakage::Panicked { .. } => 0,
                Breakage::Nondeterministic { .. } => 1,
            };
            let answer = 1 << (self.scenario.assertions.len() + always);
            return Reading { answer, network_read: false };
        }
        self.read(tuple, network, |world| {
            let mut violated = 0;
            for (bit, assertion) in self.scenario.assertions.iter().enumerate() {
                // An assertion that panics cannot be said to hold.
                let holds = panics::catch(|| (assertion.holds)(world)).unwrap_or(false);
                violated |= u64::from(!holds) << bit;
            }
            violated
        })
    }
}

impl<P: Protocol> Space for NetworkSpace<'_, P> {
    fn initial(&mut self, states: &mut Vec<StateId>) {
        // Each node's start can end in several ways if it chooses; all combinations of different
        // ends are initial.
        let mut combinations = vec![(Vec::new(), Vec::new())];
        for node in 0..self.nodes.len() {
            let outcomes = self.execute(node, None, Input::Start);
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
            let empty = self.networks.make(FaultsLeft::from(self.scenario.faults), &[]);
            let network =
                outputs.iter().fold(empty, |network, &output| self.networks.after(network, output));
            states.push(pack(tuple, network));
        }
    }

    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        for (source, &state) in (0..).zip(states) {
            self.expand_state(source, state, steps);
        }
    }

    fn verdict(&mut self, state: StateId) -> Verdict {
        let (tuple, network) = unpack(state);
        if self.verdicts.len() <= tuple as usize {
            self.verdicts.resize(self.tuples.len(), VERDICT_UNKNOWN);
        }
        let known = self.verdicts[tuple as usize];
        if known < VERDICT_READS_NETWORK {
            return Verdict(known);
        }
        let reading = self.evaluate(tuple, network);
        self.verdicts[tuple as usize] =
            if reading.network_read { VERDICT_READS_NETWORK } else { reading.answer };
        Verdict(reading.answer)
    }

    fn assertions(&self) -> Vec<String> {
        let own = self.scenario.assertions.iter().map(|assertion| assertion.name.as_str());
        own.chain(ALWAYS).map(str::to_owned).collect()
    }

    fn rankings(&self) -> Vec<String> {
        self.scenario.rankings.iter().map(|ranking| ranking.name.clone()).collect()
    }

    fn rank(&mut self, state: StateId, ranking: usize, rank: &mut Vec<i64>) {
        let (tuple, network) = unpack(state);
        if let Some(Some(known)) = self.ranks[ranking].get(&tuple) {
            rank.extend_from_slice(&known.0);
            return;
        }
        let compute = &self.scenario.rankings[ranking].rank;
        let reading = self.read(tuple, network, |world| compute(world));
        rank.extend_from_slice(&reading.answer.0);
        let remembered = (!reading.network_read).then_some(reading.answer);
        self.ranks[ranking].insert(tuple, remembered);
    }

    fn event_kinds(&self) -> Vec<String> {
        EventKind::ALL.iter().map(|kind| kind.name().to_owned()).collect()
    }

    fn event_kind(&self, event: EventId) -> usize {
        EventName::unpack(event).kind as usize
    }

    fn contains(&self, state: StateId) -> bool {
        let (tuple, network) = unpack(state);
        (tuple as usize) < self.tuples.len() && (network as usize) < self.networks.len()
    }

    fn handler_executions(&self) -> u64 {
        self.executions
    }

    fn bytes(&self) -> usize {
        self.nodes.iter().map(NodeTable::bytes).sum::<usize>()
            + self.tuples.bytes()
            + self.networks.bytes()
            + self.packets.capacity() * (size_of::<PacketContent<P::Message>>() + 16)
            + self.packet_heap_bytes
            + self.outcomes.capacity() * size_of::<Outcome>()
            + self.verdicts.capacity() * size_of::<u64>()
    }

    fn is_full(&self) -> bool {
        self.networks.is_full()
    }

    fn event_text(&self, state: StateId, event: EventId) -> EventText {
        self.describe_event(state, event)
    }

    fn state_text(&self, state: StateId) -> StateText {
        self.describe_state(state)
    }

    fn digest(&self, state: StateId) -> u64 {
        xxh3_64(&self.encode(state))
    }

    fn explain(&self, state: StateId, assertion: usize) -> Option<String> {
        let (tuple, network) = unpack(state);
        if let Some((node, breakage)) = self.breakage(tuple) {
            return Some(format!("at {}: {breakage}", self.name_of(node)));
        }
        let assertion = self.scenario.assertions.get(assertion)?;
        let reading = self.read(tuple, network, |world| panics::catch(|| (assertion.holds)(world)));
        reading.answer.err().map(|panic| format!("the assertion itself panicked: {panic}"))
    }
}
