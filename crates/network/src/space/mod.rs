//! The space of a scenario. It combines the parts for nodes, networks, executions, judgements and
//! relations.

mod divide;
mod exits;
mod expand;
mod portable;
mod reduce;
mod saved;
mod typed_access;
mod unmet;

use std::{
    io::{self, Read, Write},
    time::Duration,
};

use everypath_explore::{
    Described, EventId, EventPattern, EventText, Fate, Guided, HistoryText, Judged, Measured,
    PartChange, Related, Saved, Space, StateId, StateText, Step, Verdict,
};
use everypath_model::{EventKind, NativeCounts, Protocol, Scenario, WorldSnapshot};
use indexmap::IndexSet;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    allowance::Allowance,
    graph::GraphInUse,
    groups::Groups,
    judgements::Judgements,
    machine::{Machine, ProtocolMachine},
    memo::Memo,
    nodes::Outcome,
    options::{self, SpaceError, SpaceOptions},
    packed::{EventName, pack, unpack},
    reduction::Reducer,
    relations::Relations,
    tables::Tables,
    transit::Removal,
    verify::Verification,
    view::View,
};

/// A network of protocol nodes as a space.
///
/// It works on ids, and is compiled once for all protocols. The part that knows the types of the
/// protocol is a trait object. It is called only for answers that are not memoised by id.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_explore::{Options, explore};
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{NetworkSpace, SpaceOptions};
///
/// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
///     .assert_always("no node is greeted twice", |world| {
///         world.nodes().all(|(_, &greeted)| greeted < 2)
///     });
/// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// let finding = found.finding().unwrap();
/// assert_eq!(finding.trace.steps.len(), 2);
/// ```
///
/// A stopped search can be saved, and a new space of the same scenario resumes it:
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use std::ops::ControlFlow;
/// use everypath_explore::{Limits, Options, Progress, Watch, WriteSearch, explore, resume};
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{NetworkSpace, SpaceOptions};
///
/// /// Saves a search when it ends early.
/// struct Keep(Vec<u8>);
///
/// impl Watch for Keep {
///     fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
///         ControlFlow::Continue(())
///     }
///     fn wants_save(&mut self, at_end: bool) -> bool {
///         at_end
///     }
///     fn save(&mut self, search: &WriteSearch<'_>) {
///         search(&mut self.0).unwrap();
///     }
/// }
///
/// let scenario = Scenario::new(Greeting, Topology::full_mesh(4));
/// let space = || NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// let (all, few) = (Options::default(), Options::default().limits(Limits::default().states(100)));
/// let mut kept = Keep(Vec::new());
/// assert!(explore(&mut space(), &few, &mut kept).unwrap().ended.is_stopped());
/// let whole = resume(&mut space(), &all, &mut (), &mut &kept.0[..]).unwrap();
/// assert!(whole.saw_everything());
/// ```
pub struct NetworkSpace<'a> {
    pub(crate) tables: Tables,
    pub(crate) machine: Box<dyn Machine + 'a>,
    pub(crate) groups: Groups,
    /// A buffer for the removals from the network of the state that is being expanded.
    removals: Vec<Removal>,
    pub(crate) judgements: Judgements,
    relations: Relations,
    pub(crate) graph: GraphInUse<'a>,
    /// How many explored events were followed.
    pub(crate) followed: u64,
    /// The reductions, if there are any.
    reducer: Option<Box<Reducer>>,
}

impl<'a> NetworkSpace<'a> {
    /// The space of a scenario.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, Topology};
    /// use everypath_network::{NetworkSpace, SpaceError, SpaceOptions};
    ///
    /// let large = Scenario::new(Greeting, Topology::chain(5000));
    /// let refused = NetworkSpace::new(&large, SpaceOptions::default()).err();
    /// assert_eq!(refused, Some(SpaceError::Nodes(5000)));
    /// ```
    ///
    /// # Errors
    /// If the scenario is too large to be explored, or if the options name events that it cannot have.
    pub fn new<P: Protocol>(
        scenario: &'a Scenario<P>,
        options: SpaceOptions,
    ) -> Result<Self, SpaceError> {
        Self::made(scenario, None, options)
    }

    /// The space of a scenario that starts in a world of a simulated run, which the scenario was
    /// [put into](Scenario::put_into). No fault has happened yet, but the links that are down in
    /// the world are down.
    ///
    /// # Errors
    /// As [`new`](Self::new); and if the scenario's nodes are linked in another way than those of the
    /// world, or if the options ask for the published semantics.
    pub fn starting_in<P: Protocol>(
        scenario: &'a Scenario<P>,
        start: &'a WorldSnapshot<P>,
        options: SpaceOptions,
    ) -> Result<Self, SpaceError> {
        Self::made(scenario, Some(start), options)
    }

    fn made<P: Protocol>(
        scenario: &'a Scenario<P>,
        start: Option<&'a WorldSnapshot<P>>,
        options: SpaceOptions,
    ) -> Result<Self, SpaceError> {
        options::validate(scenario, start, &options)?;
        let tables = Tables::new(scenario, start, options);
        Ok(Self {
            machine: Box::new(ProtocolMachine::new(scenario, start, &tables.setup.options)),
            groups: Groups::default(),
            removals: Vec::new(),
            judgements: Judgements::new(&tables.setup),
            relations: Relations::new(&tables.setup),
            graph: GraphInUse::default(),
            followed: 0,
            reducer: Reducer::new(tables.setup.reductions, tables.setup.topology.len()),
            tables,
        })
    }

    /// Uses a memo: executes only what it does not have, and adds to it. If
    /// [all](Verification::All) is verified, everything is executed in any case.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_explore::{Options, explore};
    /// use everypath_model::{Scenario, Topology};
    /// use everypath_network::{Memo, NetworkSpace, SpaceOptions};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2));
    /// let search = |memo| {
    ///     let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    ///     space.remember_with(memo);
    ///     explore(&mut space, &Options::default(), &mut ()).unwrap();
    ///     space.take_memo().unwrap()
    /// };
    /// let first = search(Memo::default());
    /// assert_eq!(first.counts().recalled, 0);
    /// let second = search(first);
    /// assert!(second.counts().recalled > 0);
    /// ```
    pub fn remember_with(&mut self, memo: Memo) {
        let all = self.tables.setup.options.verification == Verification::All;
        self.tables.executor.memo = Some(memo).filter(|_| !all);
    }

    /// How many handler executions were compared with a second one.
    #[must_use]
    pub fn verified_executions(&self) -> u64 {
        self.tables.verifier.executions
    }

    /// How many executions were compared with one in an equal state whose
    /// [ignored](everypath_model::Ignored) values may differ; nothing if no state has any.
    #[must_use]
    pub fn ignored_comparisons(&self) -> Option<u64> {
        self.machine.has_ignored().then(|| self.tables.verifier.ignored.get())
    }

    /// How often native nodes were at hand, and how often they were made again; nothing if the
    /// protocol is not [native](everypath_model::Native). Executions that verify others do not count.
    #[must_use]
    pub fn native_counts(&self) -> Option<NativeCounts> {
        self.machine.native_counts()
    }

    /// The memo, with what was added to it.
    #[must_use]
    pub fn memo(&self) -> Option<&Memo> {
        self.tables.executor.memo.as_ref()
    }

    /// Removals the memo, for another space of the same protocol.
    pub fn take_memo(&mut self) -> Option<Memo> {
        self.tables.executor.memo.take()
    }

    /// A digest of the world in which the space starts, if it starts in one: of its nodes, timers,
    /// packets and links. It is the same in every process.
    #[must_use]
    pub fn start_digest(&self) -> Option<u64> {
        self.machine.start_digest()
    }

    /// The meaning of its ids.
    pub(crate) fn view(&self) -> View<'_> {
        View { tables: &self.tables, machine: &*self.machine }
    }

    /// The initial states, before any reduction.
    fn unreduced_initial(&mut self, states: &mut Vec<StateId>) {
        if let Some(start) = self.machine.start_in_world(&mut self.tables) {
            return states.push(start);
        }
        // A node's start has several outcomes if it chooses. All combinations of distinct outcomes
        // are initial.
        let mut combinations = vec![(Vec::new(), Vec::new())];
        for node in 0..self.tables.interner.nodes.len() {
            let outcomes = self.start(node);
            let ends: IndexSet<Outcome> =
                self.tables.executor.outcomes_of(outcomes).iter().copied().collect();
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
        // In a mailbox, what one node sends can displace what others have sent.
        let mut distinct: IndexSet<StateId> = IndexSet::new();
        let memories = self.machine.first_memories();
        for (mut slots, outputs) in combinations {
            slots.extend_from_slice(&memories);
            let tuple = self.tables.interner.tuples.intern(&slots);
            let empty = self.tables.interner.networks.make(self.tables.setup.no_past(), &[]);
            let network = outputs.iter().fold(empty, |network, &output| {
                self.tables.interner.networks.after(network, output)
            });
            distinct.insert(pack(tuple, network));
        }
        states.extend(distinct);
    }

    pub(crate) fn expand_anew(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        match self.tables.interner.networks.is_late() {
            false => self.expand_states::<false, false>(states, steps),
            true => self.expand_states::<true, false>(states, steps),
        }
    }

    /// Expands a state of which a graph knows some steps.
    pub(crate) fn expand_known(&mut self, state: StateId, steps: &mut Vec<Step>) {
        match self.tables.interner.networks.is_late() {
            false => self.expand_states::<false, true>(&[state], steps),
            true => self.expand_states::<true, true>(&[state], steps),
        }
    }
}

impl Space for NetworkSpace<'_> {
    fn initial(&mut self, states: &mut Vec<StateId>) {
        let start = states.len();
        self.unreduced_initial(states);
        self.reduce_starts(&mut states[start..]);
    }

    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        let start = steps.len();
        match self.graph.lend() {
            None => self.expand_anew(states, steps),
            Some(graph) => self.expand_by(graph, states, steps),
        }
        if self.reducer.is_some() {
            self.reduce_steps(states, steps, start);
        }
    }

    fn contains(&self, state: StateId) -> bool {
        self.tables.interner.contains(state)
    }

    fn event_kinds(&self) -> Vec<String> {
        self.tables.setup.kinds.iter().map(|kind: &EventKind| kind.name().to_owned()).collect()
    }

    #[inline]
    fn event_kind(&self, event: EventId) -> usize {
        self.tables.setup.kind_place(event)
    }

    #[inline]
    fn follows_events(&self) -> bool {
        self.tables.setup.options.every_event || self.graph.is_read()
    }

    fn explored(&mut self, from: StateId, step: &Step, fate: Fate) {
        self.follow_event(from, step, fate);
    }

    #[inline]
    fn flaw(&self) -> Option<&str> {
        self.tables.verifier.flaw()
    }
}

impl Judged for NetworkSpace<'_> {
    fn assertions(&self) -> Vec<String> {
        self.tables.setup.assertion_names()
    }

    fn own_assertions(&self) -> usize {
        self.tables.setup.own_assertion_count()
    }

    #[inline]
    fn verdict(&mut self, state: StateId) -> Verdict {
        let Self { judgements, tables, machine, graph, .. } = self;
        judgements.verdict(tables, &**machine, state, || graph.is_safe(state))
    }

    fn verdict_at_end(&mut self, state: StateId) -> Verdict {
        self.judgements.verdict_at_end(&self.tables, &*self.machine, state)
    }

    fn counts(&mut self, state: StateId) -> bool {
        let (tuple, network) = unpack(state);
        // After a handler has failed no event is enabled, so the violation counts at once.
        self.tables.setup.options.required.is_none()
            || self.tables.interner.networks.past(network).happened
            || self.tables.interner.breakage(tuple).is_some()
    }

    fn goals(&self) -> Vec<String> {
        self.tables.setup.goals.clone()
    }

    fn goals_reached(&mut self, state: StateId) -> u64 {
        self.judgements.goals_reached(&self.tables, &*self.machine, state)
    }

    fn is_pruned(&mut self, state: StateId) -> bool {
        self.judgements.is_pruned(&self.tables, &*self.machine, state)
    }

    fn explain(&self, state: StateId, assertion: usize) -> Option<String> {
        self.view().explain(state, assertion)
    }
}

impl Guided for NetworkSpace<'_> {
    fn rankings(&self) -> Vec<String> {
        self.tables.setup.rankings.clone()
    }

    fn rank(&mut self, state: StateId, ranking: usize, rank: &mut Vec<i64>) {
        self.judgements.rank(&self.tables, &*self.machine, state, ranking, rank);
    }

    fn parts(&self, state: StateId, parts: &mut Vec<u64>) {
        let (tuple, _) = unpack(state);
        let slots = (0..).zip(self.tables.interner.tuples.get(tuple));
        parts.extend(slots.map(|(node, &slot): (u64, _)| node << 32 | u64::from(slot)));
    }
}

impl Related for NetworkSpace<'_> {
    fn relations(&self) -> Vec<String> {
        self.tables.setup.relation_names()
    }

    fn relation_refusal(&self, relation: usize) -> Option<String> {
        Relations::refusal(&self.tables, &self.judgements.readers, relation)
    }

    fn relation_key(&mut self, state: StateId, relation: usize) -> u64 {
        self.relations.key(&self.tables, &mut *self.machine, state, relation)
    }

    fn relation_signature(&mut self, state: StateId, relation: usize) -> u64 {
        self.relations.signature(&self.tables, state, relation)
    }

    fn is_simulated_by(&mut self, state: StateId, other: StateId, relation: usize) -> bool {
        self.relations.is_simulated_by(&self.tables, &mut *self.machine, state, other, relation)
    }
}

impl Described for NetworkSpace<'_> {
    fn event_text(&self, state: StateId, event: EventId) -> EventText {
        self.view().describe_event(state, event)
    }

    fn state_text(&self, state: StateId) -> StateText {
        self.view().describe_state(state)
    }

    fn matches(&self, state: StateId, event: EventId, pattern: &EventPattern) -> bool {
        let name = EventName::unpack(event);
        self.view().describes(pattern, state, name, || self.view().decided_in(state, name))
    }

    fn state_change(&self, before: StateId, after: StateId) -> Vec<(String, PartChange)> {
        self.view().describe_change(before, after)
    }

    fn histories(&self, run: &[(StateId, EventId, StateId)]) -> Vec<HistoryText> {
        self.machine.histories(&self.tables, run)
    }

    fn digest(&self, state: StateId) -> u64 {
        xxh3_64(&self.machine.encode(&self.tables, state))
    }

    fn fingerprint(&mut self, state: StateId) -> u64 {
        self.relations.fingerprints.of(&self.tables, &*self.machine, state)
    }
}

impl Measured for NetworkSpace<'_> {
    fn handler_executions(&self) -> u64 {
        self.tables.executor.executions + self.tables.executor.repeated
    }

    fn handler_time(&self) -> Duration {
        self.tables.executor.handler_time
    }

    fn reading_time(&self) -> Duration {
        self.graph.reading_time()
    }

    fn look_up_time(&self) -> Duration {
        self.graph.look_up_time()
    }

    fn sample(&mut self, on: bool) {
        self.graph.sample(on);
    }

    fn bytes(&self) -> usize {
        let tables = self.tables.bytes() + self.machine.bytes() + self.groups.bytes();
        let reducer = self.reducer.as_ref().map_or(0, |reducer| reducer.bytes());
        tables + self.judgements.bytes() + self.relations.bytes() + self.graph.bytes() + reducer
    }

    fn bytes_soon(&self) -> usize {
        let tables = self.tables.bytes_soon() + self.machine.bytes_soon();
        tables + self.judgements.bytes_soon() + self.graph.bytes_soon()
    }

    fn is_full(&self) -> bool {
        self.tables.interner.networks.is_full()
    }

    fn limit_memory(&mut self, most: Option<u64>) {
        self.tables.executor.allowance = Allowance::new(most);
    }

    #[inline]
    fn expand_within(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        self.tables.executor.allowance.begin();
        self.expand(states, steps);
        self.tables.executor.allowance.end();
    }
}

impl Saved for NetworkSpace<'_> {
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_tables(out)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        self.read_tables(input)
    }
}
