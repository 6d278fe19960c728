//! What the scenario asks of states: assertions, goals, prunings, assumptions.

use std::cell::Cell;

use everypath_explore::{StateId, Verdict};
use everypath_model::{
    Assumption, Condition, Protocol, Rank, Ranking, Relation, World,
    panics::{self, Panic},
};

use crate::{
    NetworkSpace,
    expand::EventName,
    machine::ProtocolMachine,
    nodes::Breakage,
    packed_world::Reading,
    tables::{Setup, Tables, unpack},
    verify::Sort,
};

/// Answers of 64 bits that mostly depend on the tuple alone.
#[derive(Default)]
pub(crate) struct ByTuple {
    answers: Vec<u64>,
}

impl ByTuple {
    /// Stands for no answer. Should it be one, it is found anew each time.
    const UNKNOWN: u64 = u64::MAX;

    #[inline]
    pub(crate) fn get(&self, tuple: u32) -> Option<u64> {
        self.answers.get(tuple as usize).copied().filter(|&answer| answer != Self::UNKNOWN)
    }

    /// Remembers an answer, if it holds for every network; gives it back.
    pub(crate) fn learn(&mut self, tuple: u32, reading: &Reading<u64>) -> u64 {
        if !reading.network_read {
            if self.answers.len() <= tuple as usize {
                self.answers.resize(tuple as usize + 1, Self::UNKNOWN);
            }
            self.answers[tuple as usize] = reading.answer;
        }
        reading.answer
    }

    pub(crate) fn bytes(&self) -> usize {
        self.answers.capacity() * size_of::<u64>()
    }
}

/// Which parts of a scenario have read the network: by sort, one mark each.
pub(crate) struct Readers {
    assertions: Vec<Cell<bool>>,
    goals: Vec<Cell<bool>>,
    prunings: Vec<Cell<bool>>,
    assumptions: Vec<Cell<bool>>,
    /// By assumption: how often it excluded an event that those before it allow.
    pub(crate) excluded: Vec<Cell<u64>>,
    /// By pruning: how often it pruned a state that those before it do not.
    pub(crate) pruned: Vec<Cell<u64>>,
}

impl Readers {
    pub(crate) fn new(setup: &Setup) -> Self {
        let none = |names: &[String]| vec![Cell::new(false); names.len()];
        Self {
            assertions: none(&setup.assertions),
            goals: none(&setup.goals),
            prunings: none(&setup.prunings),
            assumptions: none(&setup.assumptions),
            excluded: vec![Cell::new(0); setup.assumptions.len()],
            pruned: vec![Cell::new(0); setup.prunings.len()],
        }
    }

    /// One that has read the network: of which sort it is, and its name.
    pub(crate) fn first<'a>(&self, setup: &'a Setup) -> Option<(&'static str, &'a str)> {
        let sorts = [
            ("assertion", &self.assertions, &setup.assertions),
            ("goal", &self.goals, &setup.goals),
            ("pruning", &self.prunings, &setup.prunings),
            ("assumption", &self.assumptions, &setup.assumptions),
        ];
        sorts.into_iter().find_map(|(sort, marks, names)| {
            let place = marks.iter().position(Cell::get)?;
            Some((sort, names[place].as_str()))
        })
    }
}

/// Whether one of several said so: it is counted by its place.
fn is_some_and_counted(place: Option<usize>, counts: &[Cell<u64>]) -> bool {
    if let Some(place) = place {
        counts[place].set(counts[place].get() + 1);
    }
    place.is_some()
}

/// Whether an assertion holds: one that panics cannot be said to.
fn holds<P: Protocol>(assertion: &Condition<P>, world: &World<'_, P>) -> bool {
    panics::catch(|| (assertion.holds)(world)).unwrap_or(false)
}

/// Judging worlds by what the scenario says of them. Each question may be asked twice, to find out whether the answer
/// depends on the world alone.
pub(crate) trait Judge {
    /// The assertions about every state that fail, as bits.
    fn failing(&self, tables: &Tables, tuple: u32, network: u32, twice: bool) -> Reading<u64>;

    /// The assertions about ends that fail, as bits.
    fn failing_at_end(&self, tables: &Tables, tuple: u32, network: u32, twice: bool) -> u64;

    /// The goals that are reached, as bits.
    fn reached(&self, tables: &Tables, tuple: u32, network: u32, twice: bool) -> Reading<u64>;

    /// The first pruning that prunes the state.
    fn pruning(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        twice: bool,
    ) -> Reading<Option<usize>>;

    /// The first assumption that excludes an event.
    fn objection(
        &self,
        tables: &Tables,
        state: StateId,
        event: EventName,
        twice: bool,
    ) -> Reading<Option<usize>>;

    /// How an assertion panics, if it does.
    fn panic_of(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        assertion: usize,
    ) -> Option<Panic>;

    /// What an assertion answers without looking at the world, if it does not look.
    fn unseeing(&self, tables: &Tables, assertion: usize) -> Option<bool>;

    /// The rank of a state.
    fn rank(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        ranking: usize,
        twice: bool,
    ) -> Reading<Rank>;

    /// The key of a state by one of the user's relations.
    fn relation_key(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        relation: usize,
        twice: bool,
    ) -> Reading<u64>;

    /// Whether a state is simulated by another, by one of the user's relations.
    fn is_simulated_by(
        &self,
        tables: &Tables,
        state: StateId,
        other: StateId,
        relation: usize,
        twice: bool,
    ) -> bool;

    /// A number that is the same for slots that mean the same.
    fn canonical_slot(&mut self, node: usize, slot: u32) -> u32;
}

impl<P: Protocol> Judge for ProtocolMachine<'_, P> {
    fn failing(&self, tables: &Tables, tuple: u32, network: u32, twice: bool) -> Reading<u64> {
        let assertions = self.scenario.assertions.iter().zip(&tables.readers.assertions);
        self.read_bits(tables, tuple, network, assertions, |assertion, world| {
            !tables.ask("assertion", &assertion.name, twice, || holds(assertion, world))
        })
    }

    fn failing_at_end(&self, tables: &Tables, tuple: u32, network: u32, twice: bool) -> u64 {
        let reading = self.read(tables, tuple, network, |world| {
            let bits = self.scenario.end_assertions.iter().map(|assertion| {
                let ask = || holds(assertion, world);
                u64::from(!tables.ask("assertion", &assertion.name, twice, ask))
            });
            bits.enumerate().fold(0, |sum, (place, bit)| sum | bit << place)
        });
        reading.answer
    }

    fn reached(&self, tables: &Tables, tuple: u32, network: u32, twice: bool) -> Reading<u64> {
        let goals = self.scenario.goals.iter().zip(&tables.readers.goals);
        self.read_bits(tables, tuple, network, goals, |goal, world| {
            tables.ask("goal", &goal.name, twice, || (goal.holds)(world))
        })
    }

    fn pruning(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        twice: bool,
    ) -> Reading<Option<usize>> {
        let mut prunings = self.scenario.prunings.iter().zip(&tables.readers.prunings);
        self.read_packed(tables, tuple, network, |world| {
            prunings.position(|(Condition { name, holds }, reader)| {
                world.ask(reader, |world| tables.ask("pruning", name, twice, || holds(world)))
            })
        })
    }

    fn objection(
        &self,
        tables: &Tables,
        state: StateId,
        event: EventName,
        twice: bool,
    ) -> Reading<Option<usize>> {
        let (tuple, network) = unpack(state);
        let event = &self.event(tables, tables.tuples.slot(tuple, event.node), event);
        let mut assumptions = self.scenario.assumptions.iter().zip(&tables.readers.assumptions);
        self.read_packed(tables, tuple, network, |world| {
            assumptions.position(|(Assumption { name, allows }, reader)| {
                let ask = |world: &World<'_, P>| {
                    tables.ask("assumption", name, twice, || allows(world, event))
                };
                !world.ask(reader, ask)
            })
        })
    }

    fn panic_of(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        assertion: usize,
    ) -> Option<Panic> {
        let assertion = self.assertion(assertion)?;
        let catch = |world: &World<'_, P>| panics::catch(|| (assertion.holds)(world));
        self.read(tables, tuple, network, catch).answer.err()
    }

    fn unseeing(&self, tables: &Tables, assertion: usize) -> Option<bool> {
        self.answer_without_looking(tables, self.assertion(assertion)?)
    }

    fn rank(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        ranking: usize,
        twice: bool,
    ) -> Reading<Rank> {
        let Ranking { name, rank } = self.rankings[ranking];
        let ask = |world: &World<'_, P>| tables.ask("ranking", name, twice, || rank(world));
        self.read(tables, tuple, network, ask)
    }

    fn relation_key(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        relation: usize,
        twice: bool,
    ) -> Reading<u64> {
        let Relation { name, key, .. } = &self.scenario.relations[relation];
        let ask = |world: &World<'_, P>| tables.ask("relation", name, twice, || key(world));
        self.read(tables, tuple, network, ask)
    }

    fn is_simulated_by(
        &self,
        tables: &Tables,
        state: StateId,
        other: StateId,
        relation: usize,
        twice: bool,
    ) -> bool {
        let ((tuple, network), (other_tuple, other_network)) = (unpack(state), unpack(other));
        let Relation { name, is_simulated_by, .. } = &self.scenario.relations[relation];
        let reading = self.read(tables, tuple, network, |world| {
            let ask = |other: &World<'_, P>| {
                tables.ask("relation", name, twice, || is_simulated_by(world, other))
            };
            self.read(tables, other_tuple, other_network, ask).answer
        });
        reading.answer
    }

    fn canonical_slot(&mut self, node: usize, slot: u32) -> u32 {
        self.intern_canonical(node, slot)
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// One of the assertions: those about every state, then those about ends.
    fn assertion(&self, assertion: usize) -> Option<&Condition<P>> {
        self.scenario.assertions.iter().chain(&self.scenario.end_assertions).nth(assertion)
    }

    /// Asks each of at most 64 conditions something; their answers as bits.
    fn read_bits<'c>(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        conditions: impl Iterator<Item = (&'c Condition<P>, &'c Cell<bool>)>,
        ask: impl Fn(&Condition<P>, &World<'_, P>) -> bool,
    ) -> Reading<u64> {
        self.read_packed(tables, tuple, network, |world| {
            let answers = conditions
                .map(|(condition, reader)| world.ask(reader, |world| ask(condition, world)));
            answers.enumerate().fold(0, |sum, (bit, answer)| sum | u64::from(answer) << bit)
        })
    }
}

impl NetworkSpace<'_> {
    /// Finds out which assertions about every state a state violates.
    #[cold]
    pub(crate) fn violated(&mut self, state: StateId) -> Verdict {
        let (tuple, network) = unpack(state);
        let Self { tables, machine, .. } = self;
        let always = tables.breakage(tuple).map(|(_, breakage)| match breakage {
            Breakage::Panicked { .. } => 0,
            Breakage::Nondeterministic { .. } => 1,
        });
        let reading = match always {
            Some(always) => Reading {
                answer: 1 << (tables.own_assertion_count() + always),
                network_read: false,
            },
            None => {
                let twice = tables.verifier.is_due(Sort::Assertion, || state.0);
                machine.failing(tables, tuple, network, twice)
            }
        };
        Verdict(tables.verdicts.learn(tuple, &reading))
    }

    /// Which assertions about ends a state violates, being one.
    pub(crate) fn violated_at_end(&mut self, state: StateId) -> Verdict {
        let (tuple, network) = unpack(state);
        let ends = self.tables.setup.end_assertions.len();
        let nothing_said = ends == 0 && !self.tables.options.deadlock;
        // Behind a state that is pruned, or in which a handler has failed, there is nothing for
        // another reason.
        if nothing_said || self.tables.breakage(tuple).is_some() || self.prunes(state) {
            return Verdict::SAFE;
        }
        let Self { tables, machine, .. } = self;
        let twice = tables.verifier.is_due(Sort::End, || state.0);
        let failing = machine.failing_at_end(tables, tuple, network, twice);
        let deadlock = u64::from(tables.options.deadlock) << ends;
        Verdict((failing | deadlock) << tables.setup.assertions.len())
    }

    /// Which goals a state reaches.
    pub(crate) fn reaches(&mut self, state: StateId) -> u64 {
        let (tuple, network) = unpack(state);
        let Self { tables, machine, .. } = self;
        if let Some(known) = tables.goals_reached.get(tuple) {
            return known;
        }
        if tables.setup.goals.is_empty() || tables.breakage(tuple).is_some() {
            return 0;
        }
        let twice = tables.verifier.is_due(Sort::Goal, || state.0);
        let reading = machine.reached(tables, tuple, network, twice);
        tables.goals_reached.learn(tuple, &reading)
    }

    /// Whether the scenario asks not to look beyond a state.
    #[inline]
    pub(crate) fn prunes(&mut self, state: StateId) -> bool {
        !self.tables.setup.prunings.is_empty() && self.is_pruned_by_scenario(state)
    }

    fn is_pruned_by_scenario(&mut self, state: StateId) -> bool {
        let (tuple, network) = unpack(state);
        let Self { tables, machine, .. } = self;
        if let Some(known) = tables.pruned.get(tuple) {
            return known != 0;
        }
        if tables.breakage(tuple).is_some() {
            return false;
        }
        let twice = tables.verifier.is_due(Sort::Pruning, || state.0);
        let Reading { answer, network_read } = machine.pruning(tables, tuple, network, twice);
        let prunes = is_some_and_counted(answer, &tables.readers.pruned);
        tables.pruned.learn(tuple, &Reading { answer: u64::from(prunes), network_read }) != 0
    }

    /// Whether the assumptions allow an event in a state.
    pub(crate) fn allows(&self, state: StateId, event: EventName) -> Reading<bool> {
        let Self { tables, machine, .. } = self;
        let twice = tables.verifier.is_due(Sort::Assumption, || state.0);
        let Reading { answer, network_read } = machine.objection(tables, state, event, twice);
        Reading { answer: !is_some_and_counted(answer, &tables.readers.excluded), network_read }
    }

    /// Why a state violates an assertion, if there is more to say than the assertion's name.
    pub(crate) fn explanation(&self, state: StateId, assertion: usize) -> Option<String> {
        let (tuple, network) = unpack(state);
        if let Some((node, breakage)) = self.tables.breakage(tuple) {
            return Some(format!("at {}: {breakage}", self.machine.name_of(node)));
        }
        let panic = self.machine.panic_of(&self.tables, tuple, network, assertion)?;
        Some(format!("the assertion itself panicked: {panic}"))
    }

    /// The rank of a state, appended.
    pub(crate) fn append_rank(&mut self, state: StateId, ranking: usize, rank: &mut Vec<i64>) {
        let (tuple, network) = unpack(state);
        let Self { tables, machine, .. } = self;
        if let Some(Some(known)) = tables.ranks[ranking].get(&tuple) {
            rank.extend_from_slice(&known.0);
            return;
        }
        let twice = tables.verifier.is_due(Sort::Ranking, || state.0);
        let reading = machine.rank(tables, tuple, network, ranking, twice);
        rank.extend_from_slice(&reading.answer.0);
        let remembered = (!reading.network_read).then_some(reading.answer);
        tables.ranks[ranking].insert(tuple, remembered);
    }
}
