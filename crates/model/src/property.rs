//! What is asked of worlds: what must hold, what should be looked at first, what stands for what.

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use crate::{Event, Protocol, Scenario, ScenarioError, World};

/// The name of the ranking by the nearest of all bounds.
const MARGIN: &str = "margin";

/// The name of the relation that needs no code of the user's: a world is simulated by one with
/// equal nodes, the same links down, at least the same packets in flight and at least the same
/// faults to come.
pub const SIMULATED: &str = "simulated";
/// The relation that is always there: a state stands for itself alone.
pub const EQUAL: &str = "equal";
/// The ranking that is always there: what was seen least often comes first.
pub const NOVELTY: &str = "novelty";
/// The assertion that can be added to every scenario.
pub const NEVER_STUCK: &str = "something can always happen";
/// What is asserted of every protocol.
pub const ALWAYS_ASSERTED: [&str; 2] = ["no handler panics", DETERMINISTIC];
/// The assertion that a handler does the same whenever it is executed on the same.
pub const DETERMINISTIC: &str = "handlers are deterministic";

/// How good a state is to a guided search: compared element by element, the larger the better.
///
/// ```
/// use everypath_model::Rank;
///
/// let few = Rank::from(2).then(9).then(1);
/// assert_eq!(few, Rank(vec![2, 9, 1]));
/// assert!(Rank::from(3).then(0) > few);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub Vec<i64>);

impl Rank {
    /// This rank, and among equal ones another.
    #[must_use]
    pub fn then(mut self, next: impl Into<Self>) -> Self {
        self.0.extend(next.into().0);
        self
    }
}

impl From<i64> for Rank {
    fn from(value: i64) -> Self {
        Self(vec![value])
    }
}

impl From<(i64, i64)> for Rank {
    fn from((first, then): (i64, i64)) -> Self {
        Self(vec![first, then])
    }
}

type WorldPredicate<P> = Box<dyn Fn(&World<'_, P>) -> bool + Send + Sync>;
type EventPredicate<P> = Box<dyn Fn(&World<'_, P>, &Event<'_, P>) -> bool + Send + Sync>;
type WorldRank<P> = Box<dyn Fn(&World<'_, P>) -> Rank + Send + Sync>;
type WorldKey<P> = Box<dyn Fn(&World<'_, P>) -> u64 + Send + Sync>;
type WorldRelation<P> = Box<dyn Fn(&World<'_, P>, &World<'_, P>) -> bool + Send + Sync>;

/// A question to a world that is answered by yes or no: what an assertion or a goal says.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(3))
///     .assert_always("few packets", |world| world.packets().len() < 10);
/// assert_eq!(scenario.assertions[0].name, "few packets");
/// ```
pub struct Condition<P: Protocol> {
    /// What it says.
    pub name: String,
    /// Whether it holds.
    pub holds: WorldPredicate<P>,
}

impl<P: Protocol> Condition<P> {
    pub(crate) fn new(
        name: &str,
        holds: impl Fn(&World<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.to_owned(), holds: Box::new(holds) }
    }
}

/// Which events can happen at all, beyond what the protocol and the network say.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(3))
///     .assume("nothing happens once all are greeted", |world, _| {
///         world.nodes().any(|(_, &greeted)| greeted == 0)
///     });
/// assert_eq!(scenario.assumptions.len(), 1);
/// ```
pub struct Assumption<P: Protocol> {
    /// What it says.
    pub name: String,
    /// Whether an event can happen in a world.
    pub allows: EventPredicate<P>,
}

/// Which worlds a guided search should look at first.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(3))
///     .ranking("packets", |world| world.packets().len() as i64);
/// assert_eq!(scenario.rankings[0].name, "packets");
/// ```
pub struct Ranking<P: Protocol> {
    /// What it is called.
    pub name: String,
    /// How good a world is.
    pub rank: WorldRank<P>,
}

impl<P: Protocol> Ranking<P> {
    pub(crate) fn new<R: Into<Rank>>(
        name: &str,
        rank: impl Fn(&World<'_, P>) -> R + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.to_owned(), rank: Box::new(move |world| rank(world).into()) }
    }
}

/// Which worlds stand for which others: whatever can go wrong from a world can go wrong from every
/// world that it is simulated by.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{NodeId, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(2)).relation(
///     "fewer greetings",
///     |world| world.packets().len(),
///     |world, other| world.node(NodeId(0)) <= other.node(NodeId(0)),
/// );
/// assert_eq!(scenario.relations[0].name, "fewer greetings");
/// ```
pub struct Relation<P: Protocol> {
    /// What it is called.
    pub name: String,
    /// A number that is the same for every two worlds of which one is simulated by the other.
    pub key: WorldKey<P>,
    /// Whether the first world is simulated by the second.
    pub is_simulated_by: WorldRelation<P>,
}

impl<P: Protocol> Relation<P> {
    pub(crate) fn new<K: Hash + Eq>(
        name: &str,
        key: impl Fn(&World<'_, P>) -> K + Send + Sync + 'static,
        is_simulated_by: impl Fn(&World<'_, P>, &World<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        let key = Arc::new(key);
        let key_of = Arc::clone(&key);
        Self {
            name: name.to_owned(),
            key: Box::new(move |world| {
                let mut hasher = DefaultHasher::new();
                key(world).hash(&mut hasher);
                hasher.finish()
            }),
            // Different keys can have the same hash.
            is_simulated_by: Box::new(move |world, other| {
                key_of(world) == key_of(other) && is_simulated_by(world, other)
            }),
        }
    }
}

/// What is asked of the worlds of a scenario.
impl<P: Protocol> Scenario<P> {
    /// Leaves out events that cannot happen in reality.
    #[must_use]
    pub fn assume(
        mut self,
        name: &str,
        allows: impl Fn(&World<'_, P>, &Event<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.assumptions.push(Assumption { name: name.to_owned(), allows: Box::new(allows) });
        self
    }

    /// Says what must hold in every world.
    #[must_use]
    pub fn assert_always(
        mut self,
        name: &str,
        holds: impl Fn(&World<'_, P>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.assertions.push(Condition::new(name, holds));
        self
    }

    /// Says that one number is at most another in every world. Besides the assertion, this gives a
    /// ranking of the same name, by which a guided search looks first at worlds that are near to
    /// violating it; and a ranking `margin` by the nearest of all such bounds.
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

    /// Says what must hold wherever nothing can happen any more: in every world in which no event is
    /// enabled. If such worlds must not exist at all, say that it never holds.
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

    /// Names a goal: some world that can be reached must be such. At most 64 can be explored.
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

    /// Leaves out what comes after certain worlds: they are visited and checked, but not explored
    /// further. What is then found holds only as far as exploration went.
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

    /// Says which worlds a guided search should look at first.
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

    /// Says which worlds stand for which others: whatever can go wrong from the first world can go
    /// wrong from the second, in no more events. What stands for a world must stand for all that
    /// this world stands for. It is asked only of worlds with equal keys, and of worlds of which
    /// the second has at least the same faults to come; exactly the same where something is
    /// asserted of ends, since with a fault more to come there may be none.
    ///
    /// Everypath believes it: a relation that is none makes a search miss violations.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// # use everypath_model::{NodeId, Rank, Scenario, Topology};
    /// // Whoever was greeted more often is nearer to being greeted too often.
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

    /// Makes the names of its parts known to whoever watches what is [running](crate::running).
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
        for (sort, name) in conditions.chain(assumptions).chain(rankings).chain(relations) {
            crate::running::describe_part(name, format!("the {sort} `{name}`"));
        }
    }

    /// The rankings, with the one that bounds give together.
    pub fn all_rankings(&self) -> impl Iterator<Item = &Ranking<P>> {
        self.rankings.iter().chain(&self.margin)
    }

    /// Whether everything can be told apart by its name.
    pub(crate) fn validate_names(&self) -> Result<(), ScenarioError> {
        fn names<P: Protocol>(conditions: &[Condition<P>]) -> impl Iterator<Item = &str> {
            conditions.iter().map(|condition| condition.name.as_str())
        }
        let own = names(&self.assertions).chain(names(&self.end_assertions));
        unique("assertions", own.chain(ALWAYS_ASSERTED).chain([NEVER_STUCK]))?;
        unique("goals", names(&self.goals))?;
        unique("prunings", names(&self.prunings))?;
        unique("assumptions", self.assumptions.iter().map(|assumption| assumption.name.as_str()))?;
        let rankings = self.all_rankings().map(|ranking| ranking.name.as_str());
        unique("rankings", rankings.chain([NOVELTY]))?;
        if let Some(ranking) = self.rankings.iter().find(|ranking| ranking.name.contains(',')) {
            return Err(ScenarioError::Comma { ranking: ranking.name.clone() });
        }
        let relations = self.relations.iter().map(|relation| relation.name.as_str());
        unique("relations", relations.chain([SIMULATED, EQUAL]))
    }
}

/// Whether no two have the same name.
pub(crate) fn unique<'a>(
    what: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), ScenarioError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(ScenarioError::SameName { what, name: name.to_owned() });
        }
    }
    Ok(())
}
