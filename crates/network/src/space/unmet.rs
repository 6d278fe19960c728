//! What was never met in a search: event patterns, messages, code, and parts of the scenario that
//! had no effect.

use std::cell::Cell;

use everypath_explore::EventPattern;

use super::NetworkSpace;
use crate::Unmet;

impl NetworkSpace<'_> {
    /// Whether a pattern matches an event of any state found so far. The event need not have
    /// happened: it may be disabled, excluded by an assumption, or a fault whose budget is spent.
    /// If the result is no, the pattern has matched nothing in the whole search.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_explore::{Options, explore};
    /// use everypath_model::{Scenario, Topology};
    /// use everypath_network::{NetworkSpace, SpaceOptions};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2));
    /// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    /// explore(&mut space, &Options::default(), &mut ()).unwrap();
    /// assert!(space.has_met(&"deliver@1:hello".parse().unwrap()));
    /// assert!(!space.has_met(&"deliver@1:goodbye".parse().unwrap()));
    /// ```
    #[must_use]
    pub fn has_met(&self, pattern: &EventPattern) -> bool {
        self.view().has_met(pattern)
    }

    /// Whether the required event has happened on any run so far; nothing if no event is required,
    /// or if states do not remember it.
    #[must_use]
    pub fn required_has_happened(&self) -> Option<bool> {
        self.tables
            .setup
            .options
            .required
            .as_ref()
            .map(|_| self.tables.interner.networks.required_has_happened())
    }

    /// The patterns of budgets of timeouts that name no timer of any state so far.
    #[must_use]
    pub fn unmet_timeouts(&self) -> Vec<String> {
        let patterns = self.tables.setup.timeouts.iter().map(|(pattern, _)| pattern);
        patterns.filter(|pattern| !self.has_met(pattern)).map(ToString::to_string).collect()
    }

    /// The messages and code that were never met so far. Code that handles only message variants
    /// that never arrived is not listed again.
    #[must_use]
    pub fn unmet(&self) -> Unmet {
        self.machine.unmet(&self.tables)
    }

    /// Whether a node accepts a command in any state so far.
    #[must_use]
    pub fn offers_commands(&self) -> bool {
        self.machine.offers_commands()
    }

    /// By assumption: its name, and how often it excluded an event that those before it allow.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_explore::{Options, explore};
    /// use everypath_model::{Scenario, Topology};
    /// use everypath_network::{NetworkSpace, SpaceOptions};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2)).assume("anything happens", |_, _| true);
    /// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    /// explore(&mut space, &Options::default(), &mut ()).unwrap();
    /// // The assumption makes no difference.
    /// assert_eq!(space.exclusions(), [("anything happens", 0)]);
    /// ```
    #[must_use]
    pub fn exclusions(&self) -> Vec<(&str, u64)> {
        let names = self.tables.setup.assumptions.iter().map(String::as_str);
        names.zip(self.judgements.readers.excluded.iter().map(Cell::get)).collect()
    }

    /// By pruning: its name, and how often it pruned a state that those before it do not prune.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_explore::{Options, explore};
    /// use everypath_model::{NodeId, Scenario, Topology};
    /// use everypath_network::{NetworkSpace, SpaceOptions};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2))
    ///     .prune("n0 was greeted", |world| *world.node(NodeId(0)) > 0);
    /// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    /// explore(&mut space, &Options::default(), &mut ()).unwrap();
    /// assert!(matches!(space.prunings()[..], [("n0 was greeted", times)] if times > 0));
    /// ```
    #[must_use]
    pub fn prunings(&self) -> Vec<(&str, u64)> {
        let names = self.tables.setup.prunings.iter().map(String::as_str);
        names.zip(self.judgements.readers.pruned.iter().map(Cell::get)).collect()
    }

    /// The assertions that say nothing, because they hold without reading the world. (An assertion
    /// about ends that fails without reading the world says that there are no ends.)
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_explore::{Options, explore};
    /// use everypath_model::{Scenario, Topology};
    /// use everypath_network::{NetworkSpace, SpaceOptions};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2))
    ///     .assert_always("to do", |_| true)
    ///     .assert_always("few packets", |world| world.packets().len() < 3);
    /// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    /// explore(&mut space, &Options::default(), &mut ()).unwrap();
    /// assert_eq!(space.empty_assertions(), ["to do"]);
    /// ```
    #[must_use]
    pub fn empty_assertions(&self) -> Vec<&str> {
        let setup = &self.tables.setup;
        let names = setup.assertions.iter().chain(&setup.end_assertions).enumerate();
        let empty = names.filter(|(place, _)| self.unseeing(*place) == Some(true));
        empty.map(|(_, name)| name.as_str()).collect()
    }

    /// The assertions about ends, except those that say that there are no ends.
    #[must_use]
    pub fn end_assertions(&self) -> Vec<&str> {
        let setup = &self.tables.setup;
        let ends = (setup.assertions.len()..).zip(&setup.end_assertions);
        let ends = ends.filter(|(place, _)| self.unseeing(*place) != Some(false));
        ends.map(|(_, name)| name.as_str()).collect()
    }

    /// The answer of an assertion that does not read the world; nothing, if it reads the world.
    fn unseeing(&self, assertion: usize) -> Option<bool> {
        self.machine.unseeing(&self.tables, assertion)
    }
}
