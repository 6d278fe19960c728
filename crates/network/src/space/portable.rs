//! States and events as portable bytes.

use everypath_explore::{EventId, Portable, StateId};

use super::NetworkSpace;
use crate::{
    DecodeError,
    packed::{EventName, unpack},
};

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
