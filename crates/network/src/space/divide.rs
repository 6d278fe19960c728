//! Cuts of an exploration, and the starts that a scenario gives.

use everypath_explore::StateId;

use super::NetworkSpace;
use crate::{machine::BadStart, packed::unpack, verify::Sort};

impl NetworkSpace<'_> {
    /// The names of the scenario's cuts.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_explore::{Options, Space, Starts, explore_part};
    /// use everypath_model::{NodeId, Scenario, Topology};
    /// use everypath_network::{NetworkSpace, SpaceOptions};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(3))
    ///     .cut("n1 is greeted", |world| *world.node(NodeId(1)) > 0, |world| world.packets().len());
    /// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    /// assert_eq!(space.cuts(), ["n1 is greeted"]);
    /// let is_cut = &mut |space: &mut NetworkSpace<'_>, _, state| space.is_cut(state, 0);
    /// let trunk = explore_part(&mut space, &Options::default(), &mut (), Starts::Initial, is_cut);
    /// let trunk = trunk.unwrap();
    /// let keys = trunk.stopped.iter().map(|start| space.cut_key(start.state, 0));
    /// assert_eq!(keys.collect::<Vec<_>>(), ["3", "3", "2", "2", "2", "2", "1", "1"]);
    /// ```
    #[must_use]
    pub fn cuts(&self) -> Vec<String> {
        self.tables.setup.cuts.clone()
    }

    /// Whether a cut holds in a state. It never does if a node is broken.
    pub fn is_cut(&mut self, state: StateId, cut: usize) -> bool {
        let (tuple, _) = unpack(state);
        let twice = self.tables.verifier.is_due(Sort::Cut, || state.0);
        self.tables.interner.breakage(tuple).is_none()
            && self.machine.is_cut(&self.tables, state, cut, twice)
    }

    /// The key of a state where a cut holds: the name of its instance.
    pub fn cut_key(&mut self, state: StateId, cut: usize) -> String {
        let twice = self.tables.verifier.is_due(Sort::Cut, || state.0);
        self.machine.cut_key(&self.tables, state, cut, twice)
    }

    /// The names of the lists of starts that the scenario gives.
    #[must_use]
    pub fn lists_of_starts(&self) -> Vec<String> {
        self.tables.setup.starts.clone()
    }

    /// The states of one of these lists, reduced, by the name of their instance.
    ///
    /// # Errors
    /// If they are not worlds of the protocol.
    pub fn covering_starts(
        &mut self,
        starts: usize,
    ) -> Result<Vec<(String, Vec<StateId>)>, BadStart> {
        let mut named = self.machine.covering_starts(&mut self.tables, starts)?;
        for (_, states) in &mut named {
            self.reduce_starts(states);
        }
        Ok(named)
    }
}
