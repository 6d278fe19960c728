//! Assertions, assumptions, goals, prunings, rankings and relations of a scenario.

use std::{hash::Hash, sync::Arc};

use serde::{Deserialize, Serialize};

use super::Scenario;
use crate::{
    Assumption, Condition, Data, Event, ObservedStep, Observer, Protocol, Rank, Ranking, Relation,
    World, property::MARGIN,
};

/// Whether a step assertion held at the last step.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Held(bool);

/// The properties of a scenario.
impl<P: Protocol> Scenario<P> {
    /// Excludes events that cannot happen in reality.
    #[must_use]
    pub fn assume(
        mut self,
        name: &str,
        allows: impl Fn(&World<'_, P>, &Event<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.assumptions.push(Assumption { name: name.to_owned(), allows: Box::new(allows) });
        self
    }

    /// Asserts a condition in every world.
    #[must_use]
    pub fn assert_always(
        mut self,
        name: &str,
        holds: impl Fn(&World<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.assertions.push(Condition::new(name, holds));
        self
    }

    /// Adds a memory that sees every step. It starts with a value and changes with each event. It is a part of every
    /// world: assertions, goals and rankings read it with [`World::memory`], and worlds that differ only there are
    /// different states. So remember no more than the assertions need.
    ///
    /// What it does must depend on the memory and the step alone. A scenario has at most one observer of each type.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Event, NodeId, Scenario, Topology, data};
    /// # extern crate everypath_model as everypath;
    ///
    /// /// The node that was greeted last.
    /// #[data]
    /// struct Last(Option<NodeId>);
    ///
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
    ///     .observer("last", Last(None), |last, step| {
    ///         if let Event::Deliver { node, .. } = step.event {
    ///             last.0 = Some(*node);
    ///         }
    ///     })
    ///     .assert_always("who was greeted last was greeted", |world| {
    ///         world.memory::<Last>().0.is_none_or(|last| *world.node(last) > 0)
    ///     });
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn observer<M: Data>(
        mut self,
        name: &str,
        start: M,
        observe: impl Fn(&mut M, &ObservedStep<'_, P>) + Send + Sync + 'static,
    ) -> Self {
        self.observers.push(Observer::new(name, true, start, observe));
        self
    }

    /// Asserts a condition of every step: of an event, and of the nodes before and after it.
    #[must_use]
    pub fn assert_step(
        mut self,
        name: &str,
        holds: impl Fn(&ObservedStep<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        let place = self.observers.len();
        let observe = move |held: &mut Held, step: &ObservedStep<'_, P>| held.0 = holds(step);
        self.observers.push(Observer::new(name, false, Held(true), observe));
        self.assert_always(name, move |world| {
            let memory = world.memory_at(place).and_then(|it| it.as_any().downcast_ref::<Held>());
            memory.is_none_or(|held| held.0)
        })
    }

    /// Asserts in every world that one number is at most another. It adds a ranking of the same
    /// name, which puts worlds first that are near to a violation, and a ranking `margin` by the
    /// nearest of all such bounds.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// # use everypath_model::{NodeId, Rank, Scenario, Topology};
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
    ///     .assert_at_most("everyone is greeted twice at most", |world| {
    ///         world.nodes().map(|(_, &greeted)| i64::from(greeted)).max().unwrap_or(0)
    ///     }, |_| 2)
    ///     .assert_at_most("no more packets than nodes", |world| world.packets().len() as i64, |world| {
    ///         world.nodes().len() as i64
    ///     });
    /// let rankings: Vec<_> = scenario.all_rankings().map(|ranking| &ranking.name).collect();
    /// assert_eq!(rankings, ["everyone is greeted twice at most", "no more packets than nodes", "margin"]);
    /// ```
    #[must_use]
    pub fn assert_at_most(
        mut self,
        name: &str,
        number: impl Fn(&World<'_, P>) -> i64 + Send + Sync + 'static,
        bound: impl Fn(&World<'_, P>) -> i64 + Send + Sync + 'static,
    ) -> Self {
        let both = Arc::new(move |world: &World<'_, P>| (number(world), bound(world)));
        let excess = {
            let both = Arc::clone(&both);
            move |world: &World<'_, P>| {
                let (number, bound) = both(world);
                number.saturating_sub(bound)
            }
        };
        let nearest = self.margin.take();
        let margin = {
            let excess = excess.clone();
            move |world: &World<'_, P>| {
                let own = Rank::from(excess(world));
                match &nearest {
                    Some(nearest) => own.max((nearest.rank)(world)),
                    None => own,
                }
            }
        };
        self.margin = Some(Ranking::new(MARGIN, margin));
        self.rankings.push(Ranking::new(name, excess));
        self.assert_always(name, move |world| {
            let (number, bound) = both(world);
            number <= bound
        })
    }

    /// Asserts a condition at every end: in every world without an enabled event. If such worlds
    /// must not exist, let the condition be false.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// # use everypath_model::{NodeId, Rank, Scenario, Topology};
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
    ///     .assert_at_end("everyone was greeted", |world| world.nodes().all(|(_, &greeted)| greeted > 0));
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn assert_at_end(
        mut self,
        name: &str,
        holds: impl Fn(&World<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.end_assertions.push(Condition::new(name, holds));
        self
    }

    /// Names a goal: a condition that must hold in some reachable world. An exploration takes at
    /// most 64 goals.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// # use everypath_model::{NodeId, Rank, Scenario, Topology};
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
    ///     .assert_reachable("all greetings have arrived", |world| world.packets().len() == 0);
    /// assert_eq!(scenario.goals.len(), 1);
    /// ```
    #[must_use]
    pub fn assert_reachable(
        mut self,
        name: &str,
        holds: impl Fn(&World<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.goals.push(Condition::new(name, holds));
        self
    }

    /// Stops the exploration behind certain worlds: it checks them, but does not expand them. Its
    /// result then covers only the explored part.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// # use everypath_model::{NodeId, Rank, Scenario, Topology};
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
    ///     .prune("the first node was greeted", |world| *world.node(NodeId(0)) > 0);
    /// assert_eq!(scenario.prunings[0].name, "the first node was greeted");
    /// ```
    #[must_use]
    pub fn prune(
        mut self,
        name: &str,
        holds: impl Fn(&World<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.prunings.push(Condition::new(name, holds));
        self
    }

    /// Adds a ranking: which worlds a guided search expands first.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// # use everypath_model::{NodeId, Rank, Scenario, Topology};
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
    ///     .ranking("greetings and packets", |world| {
    ///         let greetings: u32 = world.nodes().map(|(_, &greeted)| greeted).sum();
    ///         Rank::from(i64::from(greetings)).then(world.packets().len() as i64)
    ///     });
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn ranking<R: Into<Rank>>(
        mut self,
        name: &str,
        rank: impl Fn(&World<'_, P>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.rankings.push(Ranking::new(name, rank));
        self
    }

    /// Adds a simulation preorder: whatever can go wrong from the first world can go wrong from the
    /// second, in no more events. The relation must be transitive. It is evaluated only for worlds
    /// with equal keys if the second has at least the same remaining fault budget. With assertions
    /// at ends the budgets must be equal, since another fault could prevent an end.
    ///
    /// Everypath trusts it: a relation without this property makes a search miss violations.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// # use everypath_model::{NodeId, Rank, Scenario, Topology};
    /// // A node with more greetings is nearer to too many of them.
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3)).relation(
    ///     "fewer greetings",
    ///     |world| world.packets().len(),
    ///     |world, other| world.nodes().zip(other.nodes()).all(|((_, here), (_, there))| here <= there),
    /// );
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn relation<K: Hash + Eq>(
        mut self,
        name: &str,
        key: impl Fn(&World<'_, P>) -> K + Send + Sync + 'static,
        is_simulated_by: impl Fn(&World<'_, P>, &World<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.relations.push(Relation::new(name, key, is_simulated_by));
        self
    }

    /// Registers the names of its parts for the [watchdog](crate::running).
    pub fn describe_parts(&self) {
        let conditions = [
            ("assertion", &self.assertions),
            ("assertion", &self.end_assertions),
            ("goal", &self.goals),
            ("pruning", &self.prunings),
        ];
        let conditions = conditions
            .into_iter()
            .flat_map(|(sort, all)| all.iter().map(move |condition| (sort, &condition.name)));
        let assumptions = self.assumptions.iter().map(|it| ("assumption", &it.name));
        let rankings = self.all_rankings().map(|it| ("ranking", &it.name));
        let relations = self.relations.iter().map(|it| ("relation", &it.name));
        let cuts = self.cuts.iter().map(|it| ("cut", &it.name));
        let cuts = cuts.chain(self.starts.iter().map(|it| ("list of starts", &it.name)));
        let parts = conditions.chain(assumptions).chain(rankings).chain(relations).chain(cuts);
        for (sort, name) in parts {
            crate::running::describe_part(name, format!("the {sort} `{name}`"));
        }
    }

    /// All rankings, with `margin` if there are bounds.
    pub fn all_rankings(&self) -> impl Iterator<Item = &Ranking<P>> {
        self.rankings.iter().chain(&self.margin)
    }
}
