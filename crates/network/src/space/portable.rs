//! States and events as portable bytes.

use everypath_explore::{EventId, Portable, StateId};

use everypath_model::with_histories;

use super::NetworkSpace;
use crate::{
    DecodeError,
    packed::{EventName, unpack},
};

impl NetworkSpace<'_> {
    /// As [`encode`](Portable::encode), with the histories of native nodes: handlers can run in the
    /// state that [`decode_whole`](Self::decode_whole) makes of it. Equal states can have different
    /// bytes.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_explore::{Portable, Space};
    /// use everypath_model::{Scenario, Topology};
    /// use everypath_network::{NetworkSpace, SpaceOptions};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2));
    /// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    /// let mut initial = Vec::new();
    /// space.initial(&mut initial);
    /// let bytes = space.encode_whole(initial[0]);
    /// assert_eq!(space.decode_whole(&bytes), Ok(initial[0]));
    /// // Nodes that are plain data have no histories.
    /// assert_eq!(bytes, space.encode(initial[0]));
    /// ```
    #[must_use]
    pub fn encode_whole(&self, state: StateId) -> Vec<u8> {
        with_histories(|| self.encode(state))
    }

    /// The state that bytes describe, with the histories of its native nodes.
    ///
    /// # Errors
    /// If the bytes are not a state of this scenario, with histories.
    pub fn decode_whole(&mut self, bytes: &[u8]) -> Result<StateId, DecodeError> {
        with_histories(|| self.decode(bytes))
    }
}

impl Portable for NetworkSpace<'_> {
    type DecodeError = DecodeError;

    /// The content of a state as bytes: equal bytes for equal content, in every process and on
    /// every machine.
    ///
    /// # Panics
    /// If the protocol's own serialisation fails.
    fn encode(&self, state: StateId) -> Vec<u8> {
        self.machine.encode(&self.tables, state)
    }

    /// The state that bytes describe.
    ///
    /// # Errors
    /// If the bytes are not a state of this scenario.
    fn decode(&mut self, bytes: &[u8]) -> Result<StateId, DecodeError> {
        self.machine.decode(&mut self.tables, bytes)
    }

    fn encode_event(&self, state: StateId, event: EventId) -> Vec<u8> {
        let name = EventName::unpack(event);
        let (tuple, _) = unpack(state);
        let slot = self.tables.interner.tuples.slot(tuple, name.node);
        let decided = self.view().decided_in(state, name);
        self.machine.encode_event(&self.tables, slot, name, decided)
    }
}
