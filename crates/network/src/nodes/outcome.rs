//! Handler executions: what they are executed on, and what they lead to.

use everypath_model::EventKind;
use serde::{Deserialize, Serialize};

/// What a handler is executed on, besides the node's slot.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Input {
    Start,
    Restart,
    Message {
        packet: u32,
    },
    /// A packet of the node's own that comes back.
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

/// What a handler does to its node and the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    /// The node's next slot.
    pub(crate) slot: u32,
    /// What happens to the network.
    pub(crate) output: u32,
}

/// The outcomes of one handler execution, one per sequence of choices: a range of a common list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcomes {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// An event that depends on the node alone: a command, a timer, a reboot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalEvent {
    pub(crate) kind: EventKind,
    /// In the place of which kind it is tried.
    pub(crate) tried_as: EventKind,
    /// Which command or timer of the slot.
    pub(crate) which: u32,
    /// What it leads to, once it has been executed.
    pub(crate) outcomes: Option<Outcomes>,
}

impl Input {
    /// What a local event executes its handler on.
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

    /// Kind and number of the local event that executes its handler on this, if one does.
    pub(crate) fn local(self) -> Option<(EventKind, u32)> {
        match self {
            Self::Command { which } => Some((EventKind::Command, which)),
            Self::Timer { which } => Some((EventKind::Timer, which)),
            Self::Restart => Some((EventKind::Reboot, 0)),
            Self::Start | Self::Message { .. } | Self::Undeliverable { .. } => None,
        }
    }
}

/// Where the local event is that executes its handler on an input.
pub(crate) fn local_place(local: &[LocalEvent], input: Input) -> Option<usize> {
    let (kind, which) = input.local()?;
    local.iter().position(|event| event.kind == kind && event.which == which)
}

/// One execution of a handler: on what, and one outcome per sequence of choices.
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
    pub(crate) choices: Vec<u32>,
}
