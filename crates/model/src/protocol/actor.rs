//! The two kinds of code that act through a node: protocols and components.

use crate::Data;

/// The owner of handlers: a [`Protocol`](super::Protocol) or a
/// [component](crate::component::Component).
pub trait Actor {
    /// Its state.
    type State;
    /// Its timers.
    type Timer: Data + Ord;
    /// What its node sends.
    type Output;
}
