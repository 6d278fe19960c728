//! The changes of a protocol since a graph was written.

use everypath_explore::{EventPattern, StateId};
use everypath_model::EventKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    nodes::{Input, Outcomes},
    packed::{EVENT_KINDS_MAX, EventName, unpack},
    view::View,
};

/// What has changed since a graph was written.
#[derive(Default)]
pub(super) struct Changed {
    /// Events that the user declares as changed.
    pub(super) said: Vec<EventPattern>,
    /// Whether code has changed, by name, for all code met so far.
    pub(super) code: FxHashMap<&'static str, bool>,
    /// Local events, which depend only on a node and its slot, whose code has changed.
    pub(super) local: FxHashSet<(usize, u32, EventKind, u32)>,
    /// By packet: whether the code that handles its message has changed, and whether the code that
    /// handles its return has.
    pub(super) packets: Vec<[bool; 2]>,
    /// By kind of event without a handler: whether the user declares it as changed.
    pub(super) kinds: [bool; EVENT_KINDS_MAX],
    /// Nodes with a slot in which they accept other commands now.
    pub(super) commands: Vec<(usize, u32)>,
    /// Events that were disabled then, but not now.
    pub(super) added: Vec<EventPattern>,
    /// Events that are disabled now, but were not then.
    pub(super) removed: Vec<EventPattern>,
}

impl Changed {
    /// Whether an event has changed, or was disabled then. It has changed if a step of it in the
    /// file was skipped; for events that are not in the file, the same rules apply.
    pub(super) fn is_modified(&self, view: View<'_>, state: StateId, name: EventName) -> bool {
        self.has_changed(view, state, name)
            || is_any(view, &self.added, state, name)
            || self.has_changed_code(view, state, name)
    }

    /// Whether the code that handles an event is known to have changed, or the user declares the
    /// event as changed.
    fn has_changed_code(&self, view: View<'_>, state: StateId, name: EventName) -> bool {
        let (tuple, _) = unpack(state);
        let slot = Some(view.tables.interner.tuples.slot(tuple, name.node));
        let which = name.which;
        let input = match name.kind {
            EventKind::Command => Input::Command { which },
            EventKind::Timer => Input::Timer { which },
            EventKind::Reboot => Input::Restart,
            EventKind::Deliver => Input::Message { packet: which },
            EventKind::Undeliverable => Input::Undeliverable { packet: which },
            EventKind::Lose | EventKind::Duplicate | EventKind::LinkDown | EventKind::LinkUp => {
                return self.kinds[name.kind as usize];
            }
        };
        let (code, _) = view.machine.author(name.node, slot, input);
        let mut said = self.said.iter();
        self.code.get(code).is_some_and(|changed| *changed)
            || said.any(|pattern| view.describes_execution(pattern, name.node, slot, input))
    }

    /// Whether an event of the earlier exploration has changed, so that its steps are skipped.
    pub(super) fn has_changed(&self, view: View<'_>, state: StateId, name: EventName) -> bool {
        let (tuple, _) = unpack(state);
        let packet = |way: usize| {
            let known = self.packets.get(name.which as usize);
            known.is_some_and(|changed| changed[way])
        };
        match name.kind {
            EventKind::Deliver => packet(0),
            EventKind::Undeliverable => packet(1),
            EventKind::Command | EventKind::Timer | EventKind::Reboot => {
                let slot = view.tables.interner.tuples.slot(tuple, name.node);
                name.kind == EventKind::Command && self.commands.contains(&(name.node, slot))
                    || self.local.contains(&(name.node, slot, name.kind, name.which))
                    || view.local_event(tuple, name).is_none()
            }
            EventKind::Lose | EventKind::Duplicate | EventKind::LinkDown | EventKind::LinkUp => {
                self.kinds[name.kind as usize]
            }
        }
    }

    /// Whether a new event may be enabled with a tuple. A state with such a tuple is expanded
    /// again.
    pub(super) fn may_have_more(&self, view: View<'_>, tuple: u32) -> bool {
        let slots = view.tables.interner.tuples.get(tuple);
        self.commands.iter().any(|&(node, slot)| slots[node] == slot)
            || self.added.iter().any(|pattern| may_describe(view, pattern, tuple))
    }

    /// Whether the handler of an event is known to have this branch. It is not if another of its
    /// branches failed. Only handlers that choose have several branches, and a look-up for every
    /// event would take longer. If events were removed, the first branch is looked up, too: its
    /// choices may be what a pattern removes.
    pub(super) fn has_branch(&self, view: View<'_>, state: StateId, name: EventName) -> bool {
        let (tuple, _) = unpack(state);
        let has = |known: Outcomes| u32::from(name.branch) < known.len;
        let has_handler = !matches!(
            name.kind,
            EventKind::Lose | EventKind::Duplicate | EventKind::LinkDown | EventKind::LinkUp
        );
        name.branch == 0 && (self.removed.is_empty() || !has_handler)
            || view.outcomes_at(tuple, name).is_some_and(has)
    }
}

/// Whether one of several patterns matches an event.
pub(super) fn is_any(
    view: View<'_>,
    patterns: &[EventPattern],
    state: StateId,
    name: EventName,
) -> bool {
    let decided = || view.decided_in(state, name);
    patterns.iter().any(|pattern| view.describes(pattern, state, name, decided))
}

/// Whether a pattern may match an event with a tuple. Its text is ignored: it may describe
/// decisions, which are not known before the execution.
fn may_describe(view: View<'_>, pattern: &EventPattern, tuple: u32) -> bool {
    let EventPattern { kind: Some(kind), node, .. } = pattern else { return true };
    let mut local = [EventKind::Command, EventKind::Timer, EventKind::Reboot].into_iter();
    let Some(kind) = local.find(|local| local.name() == kind) else { return true };
    (0..).zip(view.tables.interner.tuples.get(tuple)).any(|(at, &slot)| {
        node.is_none_or(|node| node as usize == at)
            && view.tables.interner.nodes[at].local[slot as usize]
                .iter()
                .any(|event| event.kind == kind)
    })
}

/// Whether the subject of an event exists.
pub(super) fn can_be_event(view: View<'_>, name: EventName) -> bool {
    let which = name.which as usize;
    name.node < view.tables.interner.nodes.len()
        && match name.kind {
            EventKind::Command | EventKind::Timer | EventKind::Reboot => true,
            EventKind::Deliver
            | EventKind::Undeliverable
            | EventKind::Lose
            | EventKind::Duplicate => which < view.tables.interner.networks.known_packets(),
            EventKind::LinkDown | EventKind::LinkUp => which < view.tables.setup.links.len(),
        }
}
