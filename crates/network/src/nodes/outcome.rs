//! Handler executions: their inputs and their outcomes.

use everypath_model::EventKind;
use serde::{Deserialize, Serialize};

/// The input of a handler, besides the node's slot.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Input {
    Start,
    Restart,
    Message {
        packet: u32,
    },
    /// The return of one of the node's own packets.
    Undeliverable {
        packet: u32,
    },
    Timer {
        /// Which of the slot's timers.
        which: u32,
    },
    Command {
        /// Which of the slot's commands.
        which: u32,
    },
}

/// The effects of a handler on its node and the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    /// The node's next slot.
    pub(crate) slot: u32,
    /// The change of the network.
    pub(crate) output: u32,
}

/// The decisions that lead to one outcome: the choices of the handler, and the number of the
/// audience of each of its broadcasts (nothing, if all neighbours hear every broadcast).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Decided {
    pub(crate) choices: Vec<u32>,
    pub(crate) audiences: Vec<u32>,
}

impl Decided {
    /// Nothing was to be decided.
    pub(crate) const NOTHING: &'static Self = &Self { choices: Vec::new(), audiences: Vec::new() };

    pub(crate) fn is_nothing(&self) -> bool {
        self.choices.is_empty() && self.audiences.is_empty()
    }

    /// How many bytes its lists take.
    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(self.choices.as_slice()) + size_of_val(self.audiences.as_slice())
    }
}

/// The outcomes of one handler execution, one for all its decisions: a range of a common list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcomes {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// An event that depends only on the node: a command, a timer, a reboot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalEvent {
    pub(crate) kind: EventKind,
    /// The kind in whose place it is tried.
    pub(crate) tried_as: EventKind,
    /// Which command or timer of the slot.
    pub(crate) which: u32,
    /// Its outcomes, once it has been executed.
    pub(crate) outcomes: Option<Outcomes>,
}

impl Input {
    /// The input of a local event.
    pub(crate) fn of(LocalEvent { kind, which, .. }: LocalEvent) -> Self {
        match kind {
            EventKind::Command => Self::Command { which },
            EventKind::Timer => Self::Timer { which },
            EventKind::Reboot => Self::Restart,
            EventKind::Deliver
            | EventKind::Lose
            | EventKind::Duplicate
            | EventKind::Undeliverable
            | EventKind::LinkDown
            | EventKind::LinkUp => unreachable!("these are not local"),
        }
    }

    /// The kind and the number of the local event with this input, if there is one.
    pub(crate) fn local(self) -> Option<(EventKind, u32)> {
        match self {
            Self::Command { which } => Some((EventKind::Command, which)),
            Self::Timer { which } => Some((EventKind::Timer, which)),
            Self::Restart => Some((EventKind::Reboot, 0)),
            Self::Start | Self::Message { .. } | Self::Undeliverable { .. } => None,
        }
    }
}

/// The index of the local event with an input.
pub(crate) fn local_place(local: &[LocalEvent], input: Input) -> Option<usize> {
    let (kind, which) = input.local()?;
    local.iter().position(|event| event.kind == kind && event.which == which)
}

/// One execution of a handler: its input, and its outcomes.
#[derive(Serialize, Deserialize)]
pub(crate) struct Executed {
    pub(crate) node: usize,
    pub(crate) slot: Option<u32>,
    pub(crate) input: Input,
    pub(crate) outcomes: Vec<SavedOutcome>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct SavedOutcome {
    pub(crate) slot: u32,
    pub(crate) output: u32,
    pub(crate) decided: Decided,
}
