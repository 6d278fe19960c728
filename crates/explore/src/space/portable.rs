//! `Portable`: states and events as bytes that mean the same in every process.

use super::{EventId, Space, StateId, Step};

/// A space whose states and events can leave the process, as bytes that mean the same in every
/// process and on every machine.
///
/// ```
/// use everypath_explore::{Portable, StateId};
///
/// /// The state of another process that has the same content.
/// fn carried<S: Portable>(from: &S, state: StateId, to: &mut S) -> Option<StateId> {
///     to.decode(&from.encode(state)).ok()
/// }
/// ```
pub trait Portable: Space {
    /// Why bytes are not a state.
    type DecodeError: std::error::Error;

    /// The content of a state: equal bytes for equal content.
    fn encode(&self, state: StateId) -> Vec<u8>;

    /// The state that some bytes describe.
    ///
    /// # Errors
    /// If the bytes are not a state of this space.
    fn decode(&mut self, bytes: &[u8]) -> Result<StateId, Self::DecodeError>;

    /// The content of an event: equal bytes for equal content.
    fn encode_event(&self, state: StateId, event: EventId) -> Vec<u8>;

    /// The steps out of a state by an event given as bytes: none if it is not enabled, several if
    /// events of the same content lead to different states.
    fn steps_of(&mut self, state: StateId, bytes: &[u8]) -> Vec<Step> {
        let mut steps = Vec::new();
        self.expand(&[state], &mut steps);
        steps.retain(|step| self.encode_event(state, step.event) == bytes);
        steps
    }
}
