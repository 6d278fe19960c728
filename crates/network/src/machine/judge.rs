//! Asking assertions, goals, prunings, assumptions, rankings and relations about worlds.

use std::cell::Cell;

use everypath_explore::StateId;
use everypath_model::{
    Assumption, Condition, Protocol, Rank, Ranking, Relation, World,
    panics::{self, Panic},
};

use super::ProtocolMachine;
use crate::{
    answers::Reading,
    packed::{EventName, unpack},
    readers::Readers,
    tables::Tables,
};
/// Whether an assertion holds. One that panics does not.
fn holds<P: Protocol>(assertion: &Condition<P>, world: &World<'_, P>) -> bool {
    panics::catch(|| (assertion.holds)(world)).unwrap_or(false)
}

/// Judges worlds by the closures of the scenario. Each question may be asked twice, to find out
/// whether the answer depends only on the world.
pub(crate) trait Judge {
    /// The violated assertions about every state, as bits.
    fn failing(
        &self,
        tables: &Tables,
        readers: &Readers,
        tuple: u32,
        network: u32,
        twice: bool,
    ) -> Reading<u64>;

    /// The violated assertions about ends, as bits.
    fn failing_at_end(&self, tables: &Tables, tuple: u32, network: u32, twice: bool) -> u64;

    /// The reached goals, as bits.
    fn reached(
        &self,
        tables: &Tables,
        readers: &Readers,
        tuple: u32,
        network: u32,
        twice: bool,
    ) -> Reading<u64>;

    /// The first pruning that prunes the state.
    fn pruning(
        &self,
        tables: &Tables,
        readers: &Readers,
        tuple: u32,
        network: u32,
        twice: bool,
    ) -> Reading<Option<usize>>;

    /// The first assumption that excludes an event.
    fn objection(
        &self,
        tables: &Tables,
        readers: &Readers,
        state: StateId,
        event: EventName,
        twice: bool,
    ) -> Reading<Option<usize>>;

    /// The panic of an assertion, if it panics.
    fn panic_of(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        assertion: usize,
    ) -> Option<Panic>;

    /// The answer of an assertion that does not read the world; nothing, if it reads the world.
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

    /// The key of a state by a user-defined relation.
    fn relation_key(
        &self,
        tables: &Tables,
        tuple: u32,
        network: u32,
        relation: usize,
        twice: bool,
    ) -> Reading<u64>;

    /// Whether a state is simulated by another, by a user-defined relation.
    fn is_simulated_by(
        &self,
        tables: &Tables,
        state: StateId,
        other: StateId,
        relation: usize,
        twice: bool,
    ) -> bool;

    /// A number that is the same for slots with the same meaning.
    fn canonical_slot(&mut self, node: usize, slot: u32) -> u32;
}

impl<P: Protocol> Judge for ProtocolMachine<'_, P> {
    fn failing(
        &self,
        tables: &Tables,
        readers: &Readers,
        tuple: u32,
        network: u32,
        twice: bool,
    ) -> Reading<u64> {
        let assertions = self.scenario.assertions.iter().zip(&readers.assertions);
        self.read_bits(tables, tuple, network, assertions, |assertion, world| {
            !tables.verifier.ask("assertion", &assertion.name, twice, || holds(assertion, world))
        })
    }

    fn failing_at_end(&self, tables: &Tables, tuple: u32, network: u32, twice: bool) -> u64 {
        let reading = self.read(tables, tuple, network, |world| {
            let bits = self.scenario.end_assertions.iter().map(|assertion| {
                let ask = || holds(assertion, world);
                u64::from(!tables.verifier.ask("assertion", &assertion.name, twice, ask))
            });
            bits.enumerate().fold(0, |sum, (place, bit)| sum | bit << place)
        });
        reading.answer
    }

    fn reached(
        &self,
        tables: &Tables,
        readers: &Readers,
        tuple: u32,
        network: u32,
        twice: bool,
    ) -> Reading<u64> {
        let goals = self.scenario.goals.iter().zip(&readers.goals);
        self.read_bits(tables, tuple, network, goals, |goal, world| {
            tables.verifier.ask("goal", &goal.name, twice, || (goal.holds)(world))
        })
    }

    fn pruning(
        &self,
        tables: &Tables,
        readers: &Readers,
        tuple: u32,
        network: u32,
        twice: bool,
    ) -> Reading<Option<usize>> {
        let mut prunings = self.scenario.prunings.iter().zip(&readers.prunings);
        self.read_packed(tables, tuple, network, |world| {
            prunings.position(|(Condition { name, holds }, reader)| {
                world.ask(reader, |world| {
                    tables.verifier.ask("pruning", name, twice, || holds(world))
                })
            })
        })
    }

    fn objection(
        &self,
        tables: &Tables,
        readers: &Readers,
        state: StateId,
        event: EventName,
        twice: bool,
    ) -> Reading<Option<usize>> {
        let (tuple, network) = unpack(state);
        let event = &self.event(tables, tables.interner.tuples.slot(tuple, event.node), event);
        let mut assumptions = self.scenario.assumptions.iter().zip(&readers.assumptions);
        self.read_packed(tables, tuple, network, |world| {
            assumptions.position(|(Assumption { name, allows }, reader)| {
                let ask = |world: &World<'_, P>| {
                    tables.verifier.ask("assumption", name, twice, || allows(world, event))
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
        let ask =
            |world: &World<'_, P>| tables.verifier.ask("ranking", name, twice, || rank(world));
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
        let ask =
            |world: &World<'_, P>| tables.verifier.ask("relation", name, twice, || key(world));
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
                tables.verifier.ask("relation", name, twice, || is_simulated_by(world, other))
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

    /// Asks each of at most 64 conditions; returns their answers as bits.
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
