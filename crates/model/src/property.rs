//! Properties of worlds: conditions, assumptions, rankings and relations.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use crate::{Event, Protocol, World};

/// The name of the ranking by the nearest of all bounds.
pub(crate) const MARGIN: &str = "margin";

/// The name of the built-in simulation preorder: a world is covered by one with equal nodes, the
/// same links down, at least the same packets in flight and at least the same remaining fault
/// budget.
pub const SIMULATED: &str = "simulated";
/// The name of the built-in relation in which a state covers only itself.
pub const EQUAL: &str = "equal";
/// The name of the built-in ranking by which rarely seen states come first.
pub const NOVELTY: &str = "novelty";
/// The name of the built-in ranking by which states come first on the way to which most of an earlier
/// counterexample has happened.
pub const LEARNT: &str = "learnt";
/// The optional assertion of every scenario that there is no deadlock.
pub const NEVER_STUCK: &str = "something can always happen";
/// The assertions about every protocol.
pub const ALWAYS_ASSERTED: [&str; 2] = ["no handler panics", DETERMINISTIC];
/// The assertion that a handler does the same on the same state and input.
pub const DETERMINISTIC: &str = "handlers are deterministic";

/// The rank of a state in a guided search: compared element by element, the larger the better.
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
    /// Breaks ties of this rank by another.
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

/// A condition on worlds: an assertion, a goal or a pruning.
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
    /// Its name.
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

/// A restriction of the events that can happen.
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
    /// Its name.
    pub name: String,
    /// Whether it allows an event in a world.
    pub allows: EventPredicate<P>,
}

/// An order of worlds: which ones a guided search expands first.
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
    /// Its name.
    pub name: String,
    /// The rank of a world.
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

/// A simulation preorder: whatever can go wrong from a world can go wrong from every world that
/// covers it.
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
    /// Its name.
    pub name: String,
    /// A number that is equal for every two worlds of which one covers the other.
    pub key: WorldKey<P>,
    /// Whether the second world covers the first.
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
