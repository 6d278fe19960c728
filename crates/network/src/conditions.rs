//! What the scenario asks of states: assertions, goals, prunings, assumptions.

use std::cell::Cell;

use everypath_explore::{StateId, Verdict};
use everypath_model::{
    ALWAYS_ASSERTED, Assumption, Condition, Event, NEVER_STUCK, Protocol, Scenario, World, panics,
};

use crate::{NetworkSpace, nodes::Breakage, packed_world::Reading, space::unpack, verify::Sort};

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
    pub(crate) fn new<P: Protocol>(scenario: &Scenario<P>) -> Self {
        let none = |count: usize| vec![Cell::new(false); count];
        Self {
            assertions: none(scenario.assertions.len()),
            goals: none(scenario.goals.len()),
            prunings: none(scenario.prunings.len()),
            assumptions: none(scenario.assumptions.len()),
            excluded: vec![Cell::new(0); scenario.assumptions.len()],
            pruned: vec![Cell::new(0); scenario.prunings.len()],
        }
    }

    /// One that has read the network: of which sort it is, and its name.
    pub(crate) fn first<'a, P: Protocol>(
        &self,
        scenario: &'a Scenario<P>,
    ) -> Option<(&'static str, &'a str)> {
        let place = |marks: &[Cell<bool>]| marks.iter().position(Cell::get);
        let sorts = [
            ("assertion", &self.assertions, &scenario.assertions),
            ("goal", &self.goals, &scenario.goals),
            ("pruning", &self.prunings, &scenario.prunings),
        ];
        let assumption = || {
            place(&self.assumptions)
                .map(|place| ("assumption", scenario.assumptions[place].name.as_str()))
        };
        sorts
            .into_iter()
            .find_map(|(sort, marks, all)| Some((sort, all[place(marks)?].name.as_str())))
            .or_else(assumption)
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

impl<P: Protocol> NetworkSpace<'_, P> {
    /// The names of the assertions: those about every state, those about ends, those that are
    /// always there.
    pub(crate) fn assertion_names(&self) -> Vec<String> {
        let own = self.scenario.assertions.iter().chain(&self.scenario.end_assertions);
        let own = own.map(|assertion| assertion.name.as_str());
        let deadlock = self.options.deadlock.then_some(NEVER_STUCK);
        own.chain(deadlock).chain(ALWAYS_ASSERTED).map(str::to_owned).collect()
    }

    /// How many assertions there are besides those that are always there.
    pub(crate) fn own_assertion_count(&self) -> usize {
        self.scenario.assertions.len()
            + self.scenario.end_assertions.len()
            + usize::from(self.options.deadlock)
    }

    /// Finds out which assertions about every state a state violates.
    #[cold]
    pub(crate) fn violated(&mut self, state: StateId) -> Verdict {
        let (tuple, network) = unpack(state);
        let always = self.breakage(tuple).map(|(_, breakage)| match breakage {
            Breakage::Panicked { .. } => 0,
            Breakage::Nondeterministic { .. } => 1,
        });
        let reading = match always {
            Some(always) => {
                Reading { answer: 1 << (self.own_assertion_count() + always), network_read: false }
            }
            None => match self.verifier.is_due(Sort::Assertion, || state.0) {
                false => self.asked_fail::<false>(tuple, network),
                true => self.asked_fail::<true>(tuple, network),
            },
        };
        Verdict(self.verdicts.learn(tuple, &reading))
    }

    /// The assertions about every state that fail; they are asked once or twice.
    fn asked_fail<const TWICE: bool>(&self, tuple: u32, network: u32) -> Reading<u64> {
        let assertions = self.scenario.assertions.iter().zip(&self.readers.assertions);
        self.read_bits(tuple, network, assertions, |assertion, world| {
            let ask = || holds(assertion, world);
            !self.ask("assertion", &assertion.name, TWICE, ask)
        })
    }

    /// Which assertions about ends a state violates, being one.
    pub(crate) fn violated_at_end(&mut self, state: StateId) -> Verdict {
        let (tuple, network) = unpack(state);
        let ends = &self.scenario.end_assertions;
        let nothing_said = ends.is_empty() && !self.options.deadlock;
        // Behind a state that is pruned, or in which a handler has failed, there is nothing for
        // another reason.
        if nothing_said || self.breakage(tuple).is_some() || self.prunes(state) {
            return Verdict::SAFE;
        }
        let twice = self.verifier.is_due(Sort::End, || state.0);
        let reading = self.read(tuple, network, |world| {
            let bits = ends.iter().map(|assertion| {
                let ask = || holds(assertion, world);
                u64::from(!self.ask("assertion", &assertion.name, twice, ask))
            });
            bits.enumerate().fold(0, |sum, (place, bit)| sum | bit << place)
        });
        let deadlock = u64::from(self.options.deadlock) << ends.len();
        Verdict((reading.answer | deadlock) << self.scenario.assertions.len())
    }

    /// Which goals a state reaches.
    pub(crate) fn reaches(&mut self, state: StateId) -> u64 {
        let (tuple, network) = unpack(state);
        if let Some(known) = self.goals_reached.get(tuple) {
            return known;
        }
        if self.scenario.goals.is_empty() || self.breakage(tuple).is_some() {
            return 0;
        }
        let goals = self.scenario.goals.iter().zip(&self.readers.goals);
        let twice = self.verifier.is_due(Sort::Goal, || state.0);
        let reading = self.read_bits(tuple, network, goals, |goal, world| {
            self.ask("goal", &goal.name, twice, || (goal.holds)(world))
        });
        self.goals_reached.learn(tuple, &reading)
    }

    /// Whether the scenario asks not to look beyond a state.
    pub(crate) fn prunes(&mut self, state: StateId) -> bool {
        if self.scenario.prunings.is_empty() {
            return false;
        }
        let (tuple, network) = unpack(state);
        if let Some(known) = self.pruned.get(tuple) {
            return known != 0;
        }
        if self.breakage(tuple).is_some() {
            return false;
        }
        let mut prunings = self.scenario.prunings.iter().zip(&self.readers.prunings);
        let twice = self.verifier.is_due(Sort::Pruning, || state.0);
        let Reading { answer, network_read } = self.read_packed(tuple, network, |world| {
            prunings.position(|(Condition { name, holds }, reader)| {
                let ask = |world: &World<'_, P>| self.ask("pruning", name, twice, || holds(world));
                world.ask(reader, ask)
            })
        });
        let prunes = is_some_and_counted(answer, &self.readers.pruned);
        self.pruned.learn(tuple, &Reading { answer: u64::from(prunes), network_read }) != 0
    }

    /// Whether the assumptions allow an event in a state.
    #[inline]
    pub(crate) fn allows(&self, state: StateId, event: &Event<'_, P>) -> Reading<bool> {
        match self.verifier.is_due(Sort::Assumption, || state.0) {
            false => self.asked_allow::<false>(state, event),
            true => self.asked_twice_allow(state, event),
        }
    }

    #[cold]
    #[inline(never)]
    fn asked_twice_allow(&self, state: StateId, event: &Event<'_, P>) -> Reading<bool> {
        self.asked_allow::<true>(state, event)
    }

    /// The same; the assumptions are asked once or twice.
    #[inline(always)]
    fn asked_allow<const TWICE: bool>(
        &self,
        state: StateId,
        event: &Event<'_, P>,
    ) -> Reading<bool> {
        let (tuple, network) = unpack(state);
        let mut assumptions = self.scenario.assumptions.iter().zip(&self.readers.assumptions);
        let Reading { answer, network_read } = self.read_packed(tuple, network, |world| {
            assumptions.position(|(Assumption { name, allows }, reader)| {
                let ask = |world: &World<'_, P>| {
                    self.ask("assumption", name, TWICE, || allows(world, event))
                };
                !world.ask(reader, ask)
            })
        });
        Reading { answer: !is_some_and_counted(answer, &self.readers.excluded), network_read }
    }

    /// Why a state violates an assertion, if there is more to say than the assertion's name.
    pub(crate) fn explanation(&self, state: StateId, assertion: usize) -> Option<String> {
        let (tuple, network) = unpack(state);
        if let Some((node, breakage)) = self.breakage(tuple) {
            return Some(format!("at {}: {breakage}", self.name_of(node)));
        }
        let mut assertions = self.scenario.assertions.iter().chain(&self.scenario.end_assertions);
        let assertion = assertions.nth(assertion)?;
        let reading = self.read(tuple, network, |world| panics::catch(|| (assertion.holds)(world)));
        reading.answer.err().map(|panic| format!("the assertion itself panicked: {panic}"))
    }

    /// Asks each of at most 64 conditions something; their answers as bits.
    fn read_bits<'c>(
        &self,
        tuple: u32,
        network: u32,
        conditions: impl Iterator<Item = (&'c Condition<P>, &'c Cell<bool>)>,
        ask: impl Fn(&Condition<P>, &World<'_, P>) -> bool,
    ) -> Reading<u64> {
        self.read_packed(tuple, network, |world| {
            let answers = conditions
                .map(|(condition, reader)| world.ask(reader, |world| ask(condition, world)));
            answers.enumerate().fold(0, |sum, (bit, answer)| sum | u64::from(answer) << bit)
        })
    }
}
