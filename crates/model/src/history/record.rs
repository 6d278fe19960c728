//! Records: what a step does to a history.

use super::{Specification, kept::Keep};
use crate::{Event, NodeId, ObservedStep, Protocol, shown};

/// Takes down which client asks for what, and which answer it gets.
///
/// It is given to the closure of [`Scenario::history`](crate::Scenario::history) with each step. A client is named by a
/// node. It has one operation at a time.
pub struct Record<'a, S: Specification> {
    history: &'a str,
    keep: &'a mut dyn Keep<S>,
    /// Whether the step is one that leaves all nodes as they are.
    is_idle: &'a dyn Fn() -> bool,
}

impl<'a, S: Specification> Record<'a, S> {
    pub(super) fn new(
        history: &'a str,
        keep: &'a mut dyn Keep<S>,
        is_idle: &'a dyn Fn() -> bool,
    ) -> Self {
        Self { history, keep, is_idle }
    }

    /// A client asks for an operation.
    ///
    /// # Panics
    /// If it still waits for the answer to another one, or if a packet arrives, is lost or is duplicated, or a link
    /// changes, and no node changes: clients must know that they wait.
    #[track_caller]
    pub fn invoke(&mut self, client: NodeId, operation: S::Operation) {
        self.refuse_idle(client);
        if self.keep.waits(client) == Some(true) {
            panic!(
                "history `{}`: {client} asks for {} while it waits for an answer; record that answer first (`answer`), or that it never comes (`give_up`)",
                self.history,
                shown(&operation)
            );
        }
        self.keep.invoke(client, operation);
    }

    /// A client that waits gets its answer.
    ///
    /// # Panics
    /// If it has asked for nothing, or if a packet arrives, is lost or is duplicated, or a link changes, and no node
    /// changes: clients must know that they do not wait any more.
    #[track_caller]
    pub fn answer(&mut self, client: NodeId, answer: S::Answer) {
        self.refuse_idle(client);
        if self.keep.waits(client) == Some(false) {
            panic!(
                "history `{}`: {client} is answered {}, but asks for nothing; record what it asks for in the step in which it does (`invoke`)",
                self.history,
                shown(&answer)
            );
        }
        self.keep.answer(client, answer);
    }

    /// A client that waits never gets its answer, as after a reboot, and may ask for something else. What it has asked
    /// for may take effect at any later time, or never. Nothing happens to a client that does not wait.
    ///
    /// # Panics
    /// If a packet arrives, is lost or is duplicated, or a link changes, and no node changes.
    #[track_caller]
    pub fn give_up(&mut self, client: NodeId) {
        self.refuse_idle(client);
        if self.keep.waits(client) == Some(true) {
            self.keep.give_up(client);
        }
    }

    #[track_caller]
    fn refuse_idle(&self, client: NodeId) {
        if (self.is_idle)() {
            panic!(
                "history `{}`: something is recorded of {client} in a step that changes no node: a packet arrives without effect, is lost or is duplicated, or a link changes; let the client's state say whether it waits, and record when that changes",
                self.history
            );
        }
    }
}

/// Whether a packet arrives, is lost or is duplicated, or a link changes, and the node is as before. Checks may skip such steps.
pub(super) fn is_idle<P: Protocol>(step: &ObservedStep<'_, P>) -> bool {
    let ObservedStep { before, event, after } = step;
    let is_at_node =
        matches!(event, Event::Command { .. } | Event::Timer { .. } | Event::Reboot { .. });
    let node = event.node();
    !is_at_node
        && before.node(node) == after.node(node)
        && before.timers(node) == after.timers(node)
}
