//! Which code handles what: for telling what has changed between two versions of a protocol, and what was never executed.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use crate::{Component, Protocol};

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

impl<'a, P: Protocol> Trigger<'a, P> {
    /// What it is to a role whose timers and commands are found by these; nothing if it is one of another role. The attribute
    /// [`macro@roles`](crate::roles) uses it.
    pub fn of_role<R: Protocol<Message = P::Message>>(
        self,
        timer: impl FnOnce(&'a P::Timer) -> Option<&'a R::Timer>,
        command: impl FnOnce(&'a P::Command) -> Option<&'a R::Command>,
    ) -> Option<Trigger<'a, R>> {
        Some(match self {
            Self::Start => Trigger::Start,
            Self::Restart => Trigger::Restart,
            Self::Message(message) => Trigger::Message(message),
            Self::Undeliverable(message) => Trigger::Undeliverable(message),
            Self::Timer(of_whole) => Trigger::Timer(timer(of_whole)?),
            Self::Command(of_whole) => Trigger::Command(command(of_whole)?),
        })
    }
}

/// What a handler of a component is executed on, besides its state. Code is not told apart by what is
/// requested or indicated: in a stack, anything may follow.
pub enum ComponentTrigger<'a, C: Component> {
    /// The node comes up for the first time.
    Start,
    /// The node comes up again.
    Restart,
    /// The component above asks for something.
    Request,
    /// The component below, or the network, tells something.
    Indication,
    /// A request to the network comes back.
    Undeliverable,
    /// A timer has fired.
    Timer(&'a C::Timer),
    /// The environment asks for something.
    Command(&'a C::Command),
}

/// A piece of a protocol's code: a handler, or the part of one that handles one kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// What it is called, such as `timer:Expire`.
    pub name: &'static str,
    /// A digest of the code and of all that it uses. As long as it stays the same, the same input has
    /// the same outcome.
    pub print: u64,
}

impl Code {
    /// The same code as that of a part: `timer:Expire` of the part `sender` is called `sender/timer:Expire`.
    #[must_use]
    pub fn within(self, part: &'static str) -> Self {
        Self { name: name_within(part, self.name), ..self }
    }

    /// This code, together with other code that it may lead to: its name, and a print of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        // The finalizer of SplitMix64, so that every bit counts and the order does.
        let mut print =
            self.print.rotate_left(29) ^ other.print.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        print = (print ^ (print >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        print = (print ^ (print >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self { print: print ^ (print >> 31), ..self }
    }
}

/// What the code of a part is called. A protocol has few names, so each is made once and kept.
pub(crate) fn name_within(part: &'static str, name: &'static str) -> &'static str {
    type Names = BTreeMap<(&'static str, &'static str), &'static str>;
    static NAMES: Mutex<Names> = Mutex::new(Names::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    names.entry((part, name)).or_insert_with(|| format!("{part}/{name}").leak())
}

/// What all the code of a part is called.
#[must_use]
pub fn names_within(part: &'static str, names: Vec<&'static str>) -> Vec<&'static str> {
    names.into_iter().map(|name| name_within(part, name)).collect()
}
