//! Assertions, goals, prunings, assumptions and rankings, asked every time.

use std::{cell::Cell, hash::BuildHasher};

use everypath_explore::{Guided, Judged, StateId, Verdict};
use everypath_model::{
    ALWAYS_ASSERTED, Condition, NEVER_STUCK, Nodes, ObservedStep, Protocol, World, panics,
};
use rustc_hash::FxBuildHasher;

use crate::{
    event::EventOf,
    space::PlainSpace,
    world::{Read, Remembered, WorldOf},
};

impl<P: Protocol> PlainSpace<'_, P> {
    /// A world as closures of the scenario read it.
    pub(crate) fn read<'w>(&'w self, world: &'w WorldOf<P>) -> Read<'w, P> {
        let topology = &self.scenario.topology;
        Read { topology, links: &self.links, world, network_read: Cell::new(false) }
    }

    /// What observers remember before the first step.
    pub(crate) fn first_memories(&self) -> Vec<Remembered> {
        self.scenario.observers.iter().map(|observer| observer.start().into()).collect()
    }

    /// What observers remember after a step; nothing new if a handler has failed.
    pub(crate) fn memories_after(
        &self,
        world: &WorldOf<P>,
        event: &EventOf<P>,
        next: &WorldOf<P>,
    ) -> Vec<Remembered> {
        if next.broken().is_some() {
            return world.memories.clone();
        }
        let (before, after) = (self.read(world), self.read(next));
        let (before, after) = (Nodes::new(&before), Nodes::new(&after));
        let step = ObservedStep { before, event: &event.event(), after };
        let observers = self.scenario.observers.iter().zip(&world.memories);
        let remember = observers.map(|(observer, Remembered { memory, .. })| {
            let observe = || observer.observe(&**memory, &step);
            panics::within(|| format!("the observer `{}`", observer.name), observe).into()
        });
        remember.collect()
    }

    /// Asks a part of the scenario something about a world.
    pub(crate) fn ask<T>(
        &self,
        (sort, name): (&str, &str),
        world: &WorldOf<P>,
        ask: impl FnOnce(&World<'_, P>) -> T,
    ) -> T {
        panics::within(|| format!("the {sort} `{name}`"), || ask(&World::new(&self.read(world))))
    }

    /// Whether the assumptions allow an event, and whether that depends on the network.
    pub(crate) fn allows(&self, world: &WorldOf<P>, event: &EventOf<P>) -> (bool, bool) {
        let read = self.read(world);
        let allowed = self.scenario.assumptions.iter().all(|assumption| {
            let ask = || (assumption.allows)(&World::new(&read), &event.event());
            panics::within(|| format!("the assumption `{}`", assumption.name), ask)
        });
        (allowed, read.network_read.get())
    }

    pub(crate) fn is_pruned_world(&self, world: &WorldOf<P>) -> bool {
        let mut prunings = self.scenario.prunings.iter();
        world.broken().is_none()
            && prunings.any(|pruning| {
                self.ask(("pruning", &pruning.name), world, |world| (pruning.holds)(world))
            })
    }

    /// The assertions that do not hold, as bits. One that panics does not hold.
    fn failing(&self, assertions: &[Condition<P>], world: &WorldOf<P>) -> u64 {
        let read = self.read(world);
        let failing = |assertion: &Condition<P>| {
            let holds = panics::catch(|| (assertion.holds)(&World::new(&read)));
            u64::from(!holds.unwrap_or(false))
        };
        let bits = assertions.iter().map(failing).enumerate();
        bits.fold(0, |sum, (place, bit)| sum | bit << place)
    }
}

impl<P: Protocol> Judged for PlainSpace<'_, P> {
    fn assertions(&self) -> Vec<String> {
        let own = self.scenario.assertions.iter().chain(&self.scenario.end_assertions);
        let deadlock = self.deadlock.then_some(NEVER_STUCK);
        let others = deadlock.into_iter().chain(ALWAYS_ASSERTED).map(str::to_owned);
        own.map(|assertion| assertion.name.clone()).chain(others).collect()
    }

    fn own_assertions(&self) -> usize {
        self.assertions().len() - ALWAYS_ASSERTED.len()
    }

    fn verdict(&mut self, state: StateId) -> Verdict {
        let world = self.world(state);
        Verdict(match world.broken() {
            Some(_) => 1 << self.own_assertions(),
            None => self.failing(&self.scenario.assertions, world),
        })
    }

    fn verdict_at_end(&mut self, state: StateId) -> Verdict {
        let world = self.world(state);
        let ends = &self.scenario.end_assertions;
        // A pruned or broken state has no enabled event for another reason.
        if world.broken().is_some() || self.is_pruned_world(world) {
            return Verdict::SAFE;
        }
        let bits = self.failing(ends, world) | u64::from(self.deadlock) << ends.len();
        Verdict(bits << self.scenario.assertions.len())
    }

    fn counts(&mut self, state: StateId) -> bool {
        let world = self.world(state);
        self.required.is_none() || world.happened || world.broken().is_some()
    }

    fn goals(&self) -> Vec<String> {
        self.scenario.goals.iter().map(|goal| goal.name.clone()).collect()
    }

    fn goals_reached(&mut self, state: StateId) -> u64 {
        let world = self.world(state);
        if world.broken().is_some() {
            return 0;
        }
        let reached = self.scenario.goals.iter().map(|goal| {
            u64::from(self.ask(("goal", &goal.name), world, |world| (goal.holds)(world)))
        });
        reached.enumerate().fold(0, |sum, (place, bit)| sum | bit << place)
    }

    fn is_pruned(&mut self, state: StateId) -> bool {
        self.is_pruned_world(self.world(state))
    }

    fn explain(&self, state: StateId, assertion: usize) -> Option<String> {
        let world = self.world(state);
        if let Some((node, breakage)) = world.broken() {
            return Some(format!("at {}: {breakage}", self.name_of(node.into())));
        }
        let mut own = self.scenario.assertions.iter().chain(&self.scenario.end_assertions);
        let assertion = own.nth(assertion)?;
        let panic = panics::catch(|| (assertion.holds)(&World::new(&self.read(world)))).err()?;
        Some(format!("the assertion itself panicked: {panic}"))
    }
}

impl<P: Protocol> Guided for PlainSpace<'_, P> {
    fn rankings(&self) -> Vec<String> {
        self.scenario.all_rankings().map(|ranking| ranking.name.clone()).collect()
    }

    fn rank(&mut self, state: StateId, ranking: usize, rank: &mut Vec<i64>) {
        let ranking = self.scenario.all_rankings().nth(ranking).expect("options are validated");
        let found =
            self.ask(("ranking", &ranking.name), self.world(state), |world| (ranking.rank)(world));
        rank.extend(found.0);
    }

    /// A hash of each node: parts are only counted, and hashes of 64 bits rarely agree.
    fn parts(&self, state: StateId, parts: &mut Vec<u64>) {
        let nodes = self.world(state).nodes.iter().enumerate();
        parts.extend(nodes.map(|place| FxBuildHasher.hash_one(place)));
    }
}
