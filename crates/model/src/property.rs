//! What is asked of worlds: what must hold, what should be looked at first, what stands for what.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use crate::{Event, Protocol, World};

/// The name of the ranking by the nearest of all bounds.
pub(crate) const MARGIN: &str = "margin";

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
