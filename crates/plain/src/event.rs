//! Events that own their content.

use everypath_model::{Decisions, Event, EventKind, NodeId, Packet, Protocol};

use crate::world::Flying;

/// An event of a world, with what was decided in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Happened<C, T, M> {
    pub(crate) kind: EventKind,
    pub(crate) node: NodeId,
    pub(crate) what: What<C, T, M>,
    pub(crate) choices: Vec<u32>,
    pub(crate) audiences: Vec<Vec<NodeId>>,
    /// How many units of time pass before it; none without a clock.
    pub(crate) after: u16,
}

/// What an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What<C, T, M> {
    Command(C),
    Timer(T),
    Packet(Flying<M>),
    Link((NodeId, NodeId)),
    Reboot,
}

/// The event of a protocol.
pub(crate) type EventOf<P> =
    Happened<<P as Protocol>::Command, <P as Protocol>::Timer, <P as Protocol>::Message>;

impl<C, T, M> Happened<C, T, M> {
    /// An event in which nothing was decided.
    pub(crate) fn new(kind: EventKind, node: NodeId, what: What<C, T, M>) -> Self {
        Self { kind, node, what, choices: Vec::new(), audiences: Vec::new(), after: 0 }
    }

    pub(crate) fn decisions(&self) -> Decisions {
        Decisions { choices: self.choices.clone(), audiences: self.audiences.clone() }
    }

    /// The event as closures of the scenario read it.
    pub(crate) fn event<P: Protocol<Command = C, Timer = T, Message = M>>(&self) -> Event<'_, P> {
        let node = self.node;
        match &self.what {
            What::Command(command) => Event::Command { node, command },
            What::Timer(timer) => Event::Timer { node, timer },
            What::Reboot => Event::Reboot { node },
            What::Link(ends) if self.kind == EventKind::LinkDown => Event::LinkDown { ends: *ends },
            What::Link(ends) => Event::LinkUp { ends: *ends },
            What::Packet(Flying { from, to, message, .. }) => {
                let packet = Packet { from: *from, to: *to, message };
                match self.kind {
                    EventKind::Lose => Event::Lose { packet },
                    EventKind::Duplicate => Event::Duplicate { packet },
                    EventKind::Undeliverable => Event::Undeliverable { packet },
                    _ => Event::Deliver { node, packet },
                }
            }
        }
    }
}
