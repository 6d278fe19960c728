//! The meaning of ids: read-only access to a space.

mod patterns;
mod text;

use everypath_explore::StateId;
use everypath_model::EventKind;

use crate::{
    machine::Machine,
    nodes::{Decided, LocalEvent, Outcomes},
    packed::{EventName, unpack},
    tables::Tables,
};

/// The tables, and the part that knows the types.
#[derive(Clone, Copy)]
pub(crate) struct View<'s> {
    pub(crate) tables: &'s Tables,
    pub(crate) machine: &'s dyn Machine,
}

impl<'s> View<'s> {
    /// The slot of the node at which an event happens.
    pub(crate) fn slot_at(self, state: StateId, name: EventName) -> u32 {
        let (tuple, _) = unpack(state);
        self.tables.interner.tuples.slot(tuple, name.node)
    }

    /// The decisions that led to this branch.
    pub(crate) fn decided_in(self, state: StateId, name: EventName) -> &'s Decided {
        let (tuple, _) = unpack(state);
        let outcomes = self.outcomes_at(tuple, name);
        self.tables
            .executor
            .decided_before(outcomes.map(|outcomes| outcomes.start + u32::from(name.branch)))
    }

    /// The outcomes of the handler of an event, if it was executed.
    pub(crate) fn outcomes_at(self, tuple: u32, name: EventName) -> Option<Outcomes> {
        let slot = self.tables.interner.tuples.slot(tuple, name.node);
        let table = &self.tables.interner.nodes[name.node];
        match name.kind {
            EventKind::Deliver => table.deliveries.get(&(slot, name.which)).copied(),
            EventKind::Undeliverable => table.returns.get(&(slot, name.which)).copied(),
            _ => self.local_event(tuple, name).and_then(|local| local.outcomes),
        }
    }

    /// The event of a name, if it is local.
    pub(crate) fn local_event(self, tuple: u32, name: EventName) -> Option<LocalEvent> {
        let slot = self.tables.interner.tuples.slot(tuple, name.node);
        let mut local = self.tables.interner.nodes[name.node].local[slot as usize].iter();
        local.find(|local| local.kind == name.kind && local.which == name.which).copied()
    }
}
