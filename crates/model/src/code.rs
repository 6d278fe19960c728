//! Which code handles what: for telling what has changed between two versions of a protocol.

use crate::Protocol;

/// What a handler is executed on, besides the state of its node.
pub enum Trigger<'a, P: Protocol> {
    /// The node comes up for the first time.
    Start,
    /// The node comes up again.
    Restart,
    /// A message has arrived.
    Message(&'a P::Message),
    /// A message of the node's own comes back.
    Undeliverable(&'a P::Message),
    /// A timer has fired.
    Timer(&'a P::Timer),
    /// The environment asks for something.
    Command(&'a P::Command),
}

impl<P: Protocol> Clone for Trigger<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Protocol> Copy for Trigger<'_, P> {}

/// A piece of a protocol's code: a handler, or the part of one that handles one kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// What it is called, such as `timer:Expire`.
    pub name: &'static str,
    /// A digest of the code and of all that it uses. As long as it stays the same, the same input has
    /// the same outcome.
    pub print: u64,
}
