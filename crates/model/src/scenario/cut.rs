//! Where an exploration can be cut into a trunk and instances.

use std::fmt::Display;

use super::Scenario;
use crate::{Protocol, World, WorldSnapshot};

/// The beginning of the names of cuts at a depth, which no scenario needs to define.
pub const CUT_AT_DEPTH: &str = "depth:";

/// Whether an exploration is cut at a world.
type CutAt<P> = Box<dyn Fn(&World<'_, P>) -> bool + Send + Sync>;

/// The name of the instance to which a world belongs.
type InstanceName<P> = Box<dyn Fn(&World<'_, P>) -> String + Send + Sync>;

/// Worlds to start from, by the name of their instance.
type NamedWorlds<P> = Vec<(String, Vec<WorldSnapshot<P>>)>;

/// A cut of an exploration: its trunk stops at the worlds where the cut holds, and the worlds with
/// the same key are the starts of one instance.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{NodeId, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(3))
///     .cut("n0 is greeted", |world| *world.node(NodeId(0)) > 0, |world| world.packets().len());
/// assert_eq!(scenario.cuts[0].name, "n0 is greeted");
/// ```
pub struct Cut<P: Protocol> {
    /// Its name.
    pub name: String,
    /// Whether the trunk stops at a world.
    pub holds: CutAt<P>,
    /// The name of the instance to which such a world belongs.
    pub key: InstanceName<P>,
}

/// Worlds from which a scenario can be explored instead of its own start, by the name of their
/// instance.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, Topology, WorldSnapshot};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(2))
///     .starts("greeted", || [("both", [WorldSnapshot::at_rest(&Topology::chain(2), [1, 1])])]);
/// let worlds = (scenario.starts[0].worlds)();
/// assert_eq!((worlds[0].0.as_str(), worlds[0].1.len()), ("both", 1));
/// ```
pub struct CoveringStarts<P: Protocol> {
    /// Their name.
    pub name: String,
    /// The worlds of each instance.
    pub worlds: Box<dyn Fn() -> NamedWorlds<P> + Send + Sync>,
}

impl<P: Protocol> Scenario<P> {
    /// Adds a cut: where `check --cut` can divide an exploration into a trunk and instances. The
    /// trunk does not go beyond worlds where `holds` does. Those with the same key are the starts of
    /// one instance, which is named after the key and can be explored apart, in another thread or on
    /// another machine. Together they visit the same worlds as one exploration.
    ///
    /// A good cut holds where a phase of a protocol begins from which no run returns. From other
    /// cuts, instances may visit the same worlds many times.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{NodeId, Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(4)).cut(
    ///     "everyone was greeted",
    ///     |world| world.nodes().all(|(_, &greeted)| greeted > 0),
    ///     |world| format!("n0:{}", world.node(NodeId(0))),
    /// );
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn cut<K: Display>(
        mut self,
        name: &str,
        holds: impl Fn(&World<'_, P>) -> bool + Send + Sync + 'static,
        key: impl Fn(&World<'_, P>) -> K + Send + Sync + 'static,
    ) -> Self {
        self.cuts.push(Cut {
            name: name.to_owned(),
            holds: Box::new(holds),
            key: Box::new(move |world| key(world).to_string()),
        });
        self
    }

    /// Adds worlds from which `check --starts` explores instead of the scenario's own start: for
    /// each instance its name and its worlds. No fault has happened in them yet.
    ///
    /// They are meant to cover what the protocol can reach at some moment, and may be more than
    /// that. So a violation is only *possible* until its start was reached from the scenario's own
    /// start. That they cover everything is the scenario's claim, which is not checked.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{NodeId, Scenario, Topology, WorldSnapshot};
    ///
    /// let links = Topology::chain(3);
    /// let scenario = Scenario::new(Greeting, links.clone()).starts("the last greeting", move || {
    ///     let last = |from, to| {
    ///         WorldSnapshot::at_rest(&links, [1, 1, 1])
    ///             .with_packet(NodeId(from), NodeId(to), "hello".to_owned())
    ///     };
    ///     [("to the left", vec![last(1, 0)]), ("to the middle", vec![last(0, 1), last(2, 1)])]
    /// });
    /// assert!(scenario.validate().is_ok());
    /// ```
    #[must_use]
    pub fn starts<N: Into<String>, W: IntoIterator<Item = WorldSnapshot<P>>, I>(
        mut self,
        name: &str,
        worlds: impl Fn() -> I + Send + Sync + 'static,
    ) -> Self
    where
        I: IntoIterator<Item = (N, W)>,
    {
        let worlds = move || {
            let named = worlds().into_iter();
            named.map(|(name, worlds)| (name.into(), worlds.into_iter().collect())).collect()
        };
        self.starts.push(CoveringStarts { name: name.to_owned(), worlds: Box::new(worlds) });
        self
    }
}
