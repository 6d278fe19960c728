//! Carrier of packets: links, links with late addressing, or radios.

use everypath_model::{NodeId, Protocol, Scenario};

use crate::{
    EventQueue,
    clock::Nanoseconds,
    field::{Air, Frame, OutgoingFrame},
    links::{LateLinks, Links},
    world::Flight,
};

/// What carries packets from node to node. How it does is decided by the scenario, once for a run.
#[allow(clippy::large_enum_variant, reason = "there is one for each run")]
pub(crate) enum Carrier<M> {
    /// Links between neighbours.
    Links(Links),
    /// Links to receivers that are chosen when the sender's handler has returned.
    Late(LateLinks<M>),
    /// Radios on a field.
    Air(Air<M>),
}

impl<M: Clone> Carrier<M> {
    pub(crate) fn new<P: Protocol<Message = M>>(
        scenario: &Scenario<P>,
        seed: u64,
        replication: u32,
    ) -> Self {
        match &scenario.simulation.field {
            Some(field) => Self::Air(Air::new(field, scenario.topology.len(), seed, replication)),
            None if scenario.receivers.is_some() => {
                Self::Late(LateLinks::new(scenario, seed, replication))
            }
            None => Self::Links(Links::new(scenario, seed, replication)),
        }
    }

    /// Schedules what happens without any sending.
    pub(crate) fn start(&mut self, queue: &mut EventQueue) {
        if let Self::Air(air) = self {
            air.start(queue);
        }
    }

    /// Whether receivers are chosen late.
    #[inline]
    pub(crate) fn is_late(&self) -> bool {
        matches!(self, Self::Late(_))
    }

    /// The radios, if there are any.
    #[inline]
    pub(crate) fn air(&self) -> Option<&Air<M>> {
        match self {
            Self::Air(air) => Some(air),
            Self::Links(_) | Self::Late(_) => None,
        }
    }

    /// The radios, if there are any.
    #[inline]
    pub(crate) fn air_mut(&mut self) -> Option<&mut Air<M>> {
        match self {
            Self::Air(air) => Some(air),
            Self::Links(_) | Self::Late(_) => None,
        }
    }

    /// The links to neighbours.
    #[inline]
    pub(crate) fn links(&mut self) -> &mut Links {
        match self {
            Self::Links(links) | Self::Late(LateLinks { links, .. }) => links,
            Self::Air(_) => unreachable!("radios have no links"),
        }
    }

    /// The links with late addressing.
    pub(crate) fn late(&mut self) -> &mut LateLinks<M> {
        match self {
            Self::Late(late) => late,
            Self::Links(_) | Self::Air(_) => unreachable!("addressing is not late"),
        }
    }

    /// The nodes that a node can reach, in order, if nothing is down.
    pub(crate) fn neighbours(&self, node: NodeId, now: Nanoseconds) -> Vec<NodeId> {
        match self {
            Self::Links(links) | Self::Late(LateLinks { links, .. }) => {
                links.of(node).iter().map(|link| link.to).collect()
            }
            Self::Air(air) => air.near(node, now),
        }
    }

    /// The packets of a frame that an entry of the event queue delivers.
    pub(crate) fn arriving(&self, slot: u32) -> impl Iterator<Item = Flight<M>> {
        let frame = self.air().and_then(|air| air.frames.get(slot));
        frame.into_iter().flat_map(Frame::flights)
    }

    /// The packets whose arrival is not settled: on a medium, or waiting for a receiver.
    pub(crate) fn unsettled(&self, now: Nanoseconds) -> Vec<Flight<M>> {
        match self {
            Self::Links(_) => Vec::new(),
            Self::Late(late) => late.waiting().cloned().collect(),
            Self::Air(air) => air.pending().flat_map(|frame| missing(frame, air, now)).collect(),
        }
    }

    /// Whether a node's battery is empty.
    #[inline]
    pub(crate) fn is_empty(&self, node: NodeId) -> bool {
        self.air().is_some_and(|air| air.is_empty(node))
    }

    /// A node goes down, and what it had to send is lost: how many packets that were counted as sent.
    pub(crate) fn go_down(&mut self, node: NodeId, now: Nanoseconds) -> usize {
        match self {
            Self::Links(links) => {
                links.go_down(node);
                0
            }
            Self::Late(late) => late.go_down(node),
            Self::Air(air) => {
                air.go_down(node, now);
                0
            }
        }
    }

    /// A node comes up; false if its battery is empty, and it does not.
    pub(crate) fn come_up(
        &mut self,
        node: NodeId,
        now: Nanoseconds,
        queue: &mut EventQueue,
    ) -> bool {
        self.air_mut().is_none_or(|air| air.come_up(node, now, queue))
    }

    /// A link goes down: what it had to send is lost, or comes back.
    pub(crate) fn cut(&mut self, one: NodeId, other: NodeId) {
        match self {
            Self::Links(links) | Self::Late(LateLinks { links, .. }) => links.cut(one, other),
            Self::Air(_) => {}
        }
    }
}

/// The packets of a frame on a medium that have not been heard yet.
fn missing<M: Clone>(
    frame: &OutgoingFrame<M>,
    air: &Air<M>,
    now: Nanoseconds,
) -> impl Iterator<Item = Flight<M>> {
    let &OutgoingFrame { sending, from, to, ref message, ref heard_by, .. } = frame;
    let receivers = to.map_or_else(|| air.near(from, now), |to| vec![to]);
    let missing = receivers.into_iter().filter(|to| !heard_by.contains(to));
    missing.map(move |to| Flight::new(sending, from, to, message.clone()))
}
