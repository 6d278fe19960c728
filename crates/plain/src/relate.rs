//! Which worlds cover which others, in the published semantics.

use std::hash::{BuildHasher, Hash};

use everypath_explore::{Related, StateId};
use everypath_model::{Protocol, SIMULATED, Timers, World, panics};
use rustc_hash::FxBuildHasher;

use crate::{
    space::PlainSpace,
    world::{Flying, Node, Whole},
};

/// Why a relation is refused.
const PUBLISHED: &str = "the plain engine has relations only to repeat published experiments, of unordered networks in the profile `thesis`";

impl<P: Protocol> PlainSpace<'_, P> {
    /// A node in its canonical form.
    fn canonical(&self, node: &Node<P::State, P::Timer>) -> Node<P::State, P::Timer> {
        match (node, &self.scenario.canonical) {
            (Node::Running { state, timers }, Some(canonical)) => {
                let state = panics::within(|| "`canonical`".to_owned(), || canonical(state));
                Node::Running { state, timers: timers.clone() }
            }
            (node, _) => node.clone(),
        }
    }
}

/// Whether everything that can follow one world's past can follow another's.
fn past_covers<S, T, M>(other: &Whole<S, T, M>, world: &Whole<S, T, M>) -> bool {
    other.left.loss.covers(world.left.loss)
        && other.left.duplication.covers(world.left.duplication)
        && other.left.reboot.covers(world.left.reboot)
        && other.timeouts.iter().zip(&world.timeouts).all(|(left, needed)| left >= needed)
        && other.links.down == world.links.down
        && other.links.failures.covers(world.links.failures)
        && other.links.returns.covers(world.links.returns)
        && other.happened == world.happened
        && other.memories == world.memories
}

/// Whether each of some packets is among others. Equal packets are not counted, as published.
fn includes<M: Eq>(all: &[Flying<M>], some: &[Flying<M>]) -> bool {
    some.iter().all(|packet| all.contains(packet))
}

impl<P: Protocol> Related for PlainSpace<'_, P> {
    fn relations(&self) -> Vec<String> {
        let own = self.scenario.relations.iter().map(|relation| relation.name.clone());
        [SIMULATED.to_owned()].into_iter().chain(own).collect()
    }

    fn relation_refusal(&self, relation: usize) -> Option<String> {
        if relation > 0 && self.timers == Timers::Ordered {
            return Some(Timers::UNREAD.to_owned());
        }
        (!self.flight.is_list()).then(|| PUBLISHED.to_owned())
    }

    fn relation_key(&mut self, state: StateId, relation: usize) -> u64 {
        let world = self.world(state);
        match relation.checked_sub(1) {
            None => hash(&world.nodes.iter().map(|it| self.canonical(it)).collect::<Vec<_>>()),
            Some(_) if world.broken().is_some() => hash(&world.nodes),
            Some(own) => {
                let relation = &self.scenario.relations[own];
                self.ask(("relation", &relation.name), world, |world| (relation.key)(world))
            }
        }
    }

    fn is_simulated_by(&mut self, state: StateId, other: StateId, relation: usize) -> bool {
        if state == other {
            return true;
        }
        let (world, other) = (self.world(state), self.world(other));
        if !past_covers(other, world) {
            return false;
        }
        match relation.checked_sub(1) {
            None => {
                let mut nodes = world.nodes.iter().zip(&other.nodes);
                nodes.all(|(node, other)| self.canonical(node) == self.canonical(other))
                    && includes(&other.flight, &world.flight)
            }
            Some(own) => {
                let relation = &self.scenario.relations[own];
                let read = self.read(other);
                world.broken().or(other.broken()).is_none()
                    && self.ask(("relation", &relation.name), world, |world| {
                        (relation.is_simulated_by)(world, &World::new(&read))
                    })
            }
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}
