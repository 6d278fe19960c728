//! Timers are much longer than packets take: an exploration, which knows no time, must be told.

use everypath_model::{Event, NodeId, World};

use super::{DistanceVector, Timer};

/// Whether a timer fires late enough for what the standard makes it long for.
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
        // What it has sent itself has arrived, or was lost.
        Timer::Update | Timer::Trigger => !packets.any(|packet| packet.from == node),
        // Whatever anyone has sent has, and whatever there was to be told was sent.
        Timer::Timeout(destination) => {
            !is_refreshed(protocol, world, node, destination) && !is_busy(world)
        }
        Timer::Garbage(destination) => {
            let route = world.node(node).routes.get(destination);
            !route.is_some_and(|route| route.changed) && !is_busy(world)
        }
    }
}

/// Whether anything is in flight that can arrive.
pub(super) fn is_busy(world: &World<'_, DistanceVector>) -> bool {
    world.packets().any(|packet| world.is_up(packet.from, packet.to))
}

/// Whether the next hop of a node's route still tells of it: then it does not time out.
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
