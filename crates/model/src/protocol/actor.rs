//! The two kinds of code that act through a node: protocols and components.

use crate::Data;

/// The owner of handlers: a [`Protocol`](super::Protocol) or a
/// [component](crate::component::Component).
pub trait Actor {
    /// What it remembers.
    type State;
    /// The names of its timers.
    type Timer: Data + Ord;
    /// What it sends.
    type Output;
}
