//! The assumption that timers are longer than packet delays, for explorations, which have no clock.

use everypath_model::{Event, NodeId, World};

use super::{DistanceVector, Timer};

/// Whether a timer fires as late as the standard intends.
pub(super) fn is_late_enough(
    protocol: &DistanceVector,
    world: &World<'_, DistanceVector>,
    event: &Event<'_, DistanceVector>,
) -> bool {
    let &Event::Timer { node, timer } = event else {
        return true;
    };
    let mut packets = world.packets();
    match *timer {
        // Its own messages have arrived or are lost.
        Timer::Update | Timer::Trigger => !packets.any(|packet| packet.from == node),
        // All messages have, and all changes were sent.
        Timer::Timeout(destination) => {
            !is_refreshed(protocol, world, node, destination) && !is_busy(world)
        }
        Timer::Garbage(destination) => {
            let route = world.node(node).routes.get(destination);
            !route.is_some_and(|route| route.changed) && !is_busy(world)
        }
    }
}

/// Whether a packet in flight can arrive.
pub(super) fn is_busy(world: &World<'_, DistanceVector>) -> bool {
    world.packets().any(|packet| world.is_up(packet.from, packet.to))
}

/// Whether the next hop of a route still announces it, so that it does not time out.
pub(super) fn is_refreshed(
    protocol: &DistanceVector,
    world: &World<'_, DistanceVector>,
    node: NodeId,
    destination: NodeId,
) -> bool {
    world.node(node).routes.get(destination).is_some_and(|route| {
        let told = world.node(route.next).routes.get(destination);
        world.is_up(node, route.next)
            && told.is_some_and(|route| protocol.announced(route, node).is_some())
    })
}
