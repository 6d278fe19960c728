//! The assumption that long timers of the standard fire as late as intended, for explorations.

use everypath_model::{Event, NodeId, World};

use super::{Aodv, Message, RequestId, Timer};

/// How long timers wait, while exploring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// They fire at any moment.
    Any,
    /// The long ones fire only as late as the standard intends.
    Long,
    /// The same, where silence is noticed by hellos.
    Hellos,
}

impl Patience {
    /// The degrees with their names, as options of a parameter.
    pub(super) const WORDS: [(&'static str, Self); 3] =
        [("any", Self::Any), ("patient", Self::Long), ("hellos", Self::Hellos)];
}

/// Whether an event happens as late as intended where nodes know their neighbours by hellos: these
/// arrive long before a neighbour is missed, a node has been heard before it reboots, what it has sent
/// arrives before it has rebooted, and then it waits until all have missed it.
pub(super) fn is_heard_first(world: &World<'_, Aodv>, event: &Event<'_, Aodv>) -> bool {
    let lists =
        |listed: NodeId| move |&node: &NodeId| world.node(node).neighbours.contains(&listed);
    let greets = |from: NodeId| {
        let mut packets = world.packets();
        packets.any(|packet| packet.from == from && matches!(packet.message, Message::Hello { .. }))
    };
    match *event {
        Event::Reboot { node } => {
            world.topology().neighbours(node).iter().all(lists(node)) && has_arrived(world, node)
        }
        Event::Timer { node, timer: Timer::Hello } => !greets(node),
        Event::Timer { timer: &Timer::Miss(silent), .. } => {
            world.node(silent).quiet && !greets(silent)
        }
        Event::Timer { node, timer: Timer::Wake } => {
            !world.topology().neighbours(node).iter().any(lists(node))
                && !is_announced(world, node, None)
        }
        _ => is_late_enough(world, event),
    }
}

/// Whether the link layers of its neighbours notice a reboot before anything else happens, and what
/// a node has sent arrives before it has rebooted.
pub(super) fn is_noticed_at_once(world: &World<'_, Aodv>, event: &Event<'_, Aodv>) -> bool {
    if world.packets().any(|packet| matches!(packet.message, Message::Reset)) {
        return match event {
            Event::Deliver { packet, .. } | Event::Undeliverable { packet } => {
                matches!(packet.message, Message::Reset)
            }
            _ => false,
        };
    }
    match event {
        Event::Reboot { node } => has_arrived(world, *node),
        _ => true,
    }
}

/// Whether a timer fires as late as the standard intends.
pub(super) fn is_late_enough(world: &World<'_, Aodv>, event: &Event<'_, Aodv>) -> bool {
    let &Event::Timer { node, timer } = event else {
        return true;
    };
    match *timer {
        Timer::Forget(request) => !flies(world, |message| match message {
            Message::Request(other) => other.request == request,
            _ => false,
        }),
        Timer::Retry(destination) => !flies(world, |message| match message {
            Message::Request(request) => {
                let RequestId { origin, .. } = request.request;
                origin == node && request.destination == destination
            }
            Message::Reply(reply) => reply.origin == node && reply.destination == destination,
            _ => false,
        }),
        Timer::Remove(destination) => !is_used(world, node, Some(destination)),
        Timer::Wake => !is_used(world, node, None),
        Timer::Unacknowledged(neighbour) => !world.packets().any(|packet| match packet.message {
            Message::Reply(reply) => reply.acknowledge && packet.from == node,
            Message::Acknowledgement => (packet.from, packet.to) == (neighbour, node),
            _ => false,
        }),
        Timer::Drop(source, number) => {
            let state = world.node(node);
            let mut waiting = state.waiting.iter();
            let meant = waiting.find(|data| (data.source, data.number) == (source, number));
            meant.is_none_or(|data| {
                let mut sought = state.discoveries.iter();
                sought.all(|sought| sought.destination != data.destination)
            })
        }
        Timer::Expire(_) | Timer::Hello | Timer::Miss(_) | Timer::Pardon(_) | Timer::Second => true,
    }
}

/// Whether nothing that a node has sent is in flight.
fn has_arrived(world: &World<'_, Aodv>, node: NodeId) -> bool {
    world.packets().all(|packet| packet.from != node)
}

/// Whether a matching message is in flight.
fn flies(world: &World<'_, Aodv>, is_meant: impl Fn(&Message) -> bool) -> bool {
    world.packets().any(|packet| is_meant(packet.message))
}

/// Whether any node routes through this node, to any or to one destination, or will when a request
/// or reply in flight from or to it arrives.
fn is_used(world: &World<'_, Aodv>, node: NodeId, to: Option<NodeId>) -> bool {
    let is_meant = |destination: NodeId| to.is_none_or(|to| to == destination);
    let routed = world.nodes().any(|(_, state)| {
        let mut routes = state.routes.all_valid();
        routes.any(|route| route.next == node && is_meant(route.destination))
    });
    routed || is_announced(world, node, to)
}

/// Whether a request or reply in flight from or to a node can make routes, to any or to one
/// destination.
fn is_announced(world: &World<'_, Aodv>, node: NodeId, to: Option<NodeId>) -> bool {
    let is_meant = |destination: NodeId| to.is_none_or(|to| to == destination);
    let announced = |message: &Message| match message {
        Message::Request(request) => is_meant(request.request.origin),
        Message::Reply(reply) => is_meant(reply.destination),
        Message::Unreachable(_)
        | Message::Acknowledgement
        | Message::Hello { .. }
        | Message::Reset
        | Message::Data(_) => false,
    };
    let here = |from: NodeId, to: NodeId| from == node || to == node;
    world.packets().any(|packet| here(packet.from, packet.to) && announced(packet.message))
}
