//! The assumption that long timers of the standard fire as late as intended, for explorations.

use everypath_model::{Event, NodeId, World};

use super::{Aodv, Message, RequestId, Timer};

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
    let announced = |message: &Message| match message {
        Message::Request(request) => is_meant(request.request.origin),
        Message::Reply(reply) => is_meant(reply.destination),
        Message::Unreachable(_)
        | Message::Acknowledgement
        | Message::Hello { .. }
        | Message::Data(_) => false,
    };
    let here = |from: NodeId, to: NodeId| from == node || to == node;
    routed
        || world.packets().any(|packet| here(packet.from, packet.to) && announced(packet.message))
}
