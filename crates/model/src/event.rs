//! Events: the steps of the whole system.

use std::fmt;

use crate::{NodeId, Packet, Protocol};

/// The kinds of events, in the order in which the explorer enumerates them at a node unless the
/// scenario defines another.
///
/// ```
/// use everypath_model::EventKind;
///
/// assert_eq!(EventKind::ALL[0], EventKind::Command);
/// assert_eq!(EventKind::LinkDown.to_string(), "link-down");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The environment gives a command.
    Command,
    /// A packet arrives.
    Deliver,
    /// A timer fires.
    Timer,
    /// The network loses a packet.
    Lose,
    /// The network duplicates a packet.
    Duplicate,
    /// A node reboots.
    Reboot,
    /// A packet comes back to its sender, since the link is down.
    Undeliverable,
    /// A link fails.
    LinkDown,
    /// A link that has failed comes back.
    LinkUp,
}

impl EventKind {
    /// All kinds, in order.
    pub const ALL: [Self; 9] = [
        Self::Command,
        Self::Deliver,
        Self::Timer,
        Self::Lose,
        Self::Duplicate,
        Self::Reboot,
        Self::Undeliverable,
        Self::LinkDown,
        Self::LinkUp,
    ];

    /// The kind as it is written in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Deliver => "deliver",
            Self::Timer => "timer",
            Self::Lose => "lose",
            Self::Duplicate => "duplicate",
            Self::Reboot => "reboot",
            Self::Undeliverable => "undeliverable",
            Self::LinkDown => "link-down",
            Self::LinkUp => "link-up",
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One step of the whole system, as assumptions see it.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Budget, Event, NodeId, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
///     .loss(Budget::Unlimited)
///     .assume("packets for node 0 are never lost", |_, event| {
///         !matches!(event, Event::Lose { packet } if packet.to == NodeId(0))
///     });
/// assert!(scenario.validate().is_ok());
/// ```
#[derive(Debug)]
pub enum Event<'a, P: Protocol> {
    /// The environment gives a command to a node.
    Command {
        /// The node.
        node: NodeId,
        /// The command.
        command: &'a P::Command,
    },
    /// A packet arrives.
    Deliver {
        /// The node it is addressed to, unless the scenario defines
        /// [receivers](crate::Scenario::receivers).
        node: NodeId,
        /// The packet.
        packet: Packet<'a, P>,
    },
    /// A timer fires at a node.
    Timer {
        /// The node.
        node: NodeId,
        /// The timer.
        timer: &'a P::Timer,
    },
    /// The network loses a packet.
    Lose {
        /// The packet.
        packet: Packet<'a, P>,
    },
    /// The network duplicates a packet.
    Duplicate {
        /// The packet.
        packet: Packet<'a, P>,
    },
    /// A node reboots.
    Reboot {
        /// The node.
        node: NodeId,
    },
    /// A packet comes back to its sender, since the link is down.
    Undeliverable {
        /// The packet.
        packet: Packet<'a, P>,
    },
    /// A link fails.
    LinkDown {
        /// Its ends, the smaller one first.
        ends: (NodeId, NodeId),
    },
    /// A link that has failed comes back.
    LinkUp {
        /// Its ends, the smaller one first.
        ends: (NodeId, NodeId),
    },
}

impl<P: Protocol> Event<'_, P> {
    /// The node of the event. A packet is lost or duplicated at the node it is addressed to; a link
    /// changes at its smaller end.
    #[must_use]
    pub fn node(&self) -> NodeId {
        match self {
            Self::Command { node, .. }
            | Self::Deliver { node, .. }
            | Self::Timer { node, .. }
            | Self::Reboot { node } => *node,
            Self::Lose { packet } | Self::Duplicate { packet } => packet.to,
            Self::Undeliverable { packet } => packet.from,
            Self::LinkDown { ends } | Self::LinkUp { ends } => ends.0,
        }
    }

    /// The kind of the event.
    #[must_use]
    pub fn kind(&self) -> EventKind {
        match self {
            Self::Command { .. } => EventKind::Command,
            Self::Deliver { .. } => EventKind::Deliver,
            Self::Timer { .. } => EventKind::Timer,
            Self::Lose { .. } => EventKind::Lose,
            Self::Duplicate { .. } => EventKind::Duplicate,
            Self::Reboot { .. } => EventKind::Reboot,
            Self::Undeliverable { .. } => EventKind::Undeliverable,
            Self::LinkDown { .. } => EventKind::LinkDown,
            Self::LinkUp { .. } => EventKind::LinkUp,
        }
    }
}
