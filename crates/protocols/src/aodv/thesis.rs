//! Differences of Sobeih's thesis (`docs/references.md`) and its simulator outside the router.

use std::mem::discriminant;

use everypath_model::{EventKind, NodeId, Packet, Scenario, Topology, World};

use super::{Aodv, Message, RouterState, Timer};

/// The receivers of a packet, if the network layer looks up the next hop of a reply on delivery.
pub(super) fn late_receivers(
    topology: &Topology,
    sender: &RouterState,
    packet: Packet<'_, Aodv>,
) -> Vec<NodeId> {
    let Message::Reply(_) = packet.message else {
        return vec![packet.to];
    };
    let next = sender.routes.valid(packet.to).map(|route| route.next);
    let mut receivers: Vec<NodeId> = next.into_iter().chain([packet.to]).collect();
    receivers.sort_unstable();
    receivers.dedup();
    receivers.retain(|&receiver| topology.are_neighbours(packet.from, receiver));
    receivers
}

/// The thesis's order of events, and its equality of states.
pub(super) fn published(mut scenario: Scenario<Aodv>) -> Scenario<Aodv> {
    let late = [EventKind::Reboot, EventKind::Lose, EventKind::Duplicate, EventKind::Timer];
    let order = &mut scenario.event_order;
    order.retain(|kind| !late.contains(kind));
    order.extend(late);
    scenario
        .timer_order(place_of)
        .canonical(|state| hashed(&as_sets(state)))
        .relation(
            "hashed",
            |world| {
                let nodes: Vec<RouterState> =
                    world.nodes().map(|(_, state)| hashed(state)).collect();
                let packet =
                    |packet: Packet<'_, Aodv>| (packet.from, packet.to, packet.message.clone());
                (nodes, world.packets().map(packet).collect::<Vec<_>>())
            },
            |_, _| true,
        )
        .relation(
            "alike",
            |world| world.nodes().map(|(_, state)| as_sets(state)).collect::<Vec<_>>(),
            flies_alike,
        )
}

/// Whether a world has as many packets in flight as another, and only of kinds that are in flight
/// there, too, between the same nodes: how the paper at ICFEM 2005 compares networks.
fn flies_alike(world: &World<'_, Aodv>, other: &World<'_, Aodv>) -> bool {
    let is_alike = |one: Packet<'_, Aodv>, two: Packet<'_, Aodv>| {
        (one.from, one.to) == (two.from, two.to)
            && discriminant(one.message) == discriminant(two.message)
    };
    world.packets().len() == other.packets().len()
        && world.packets().all(|one| other.packets().any(|two| is_alike(one, two)))
}

/// Requests in the order of arrival, then routes.
fn place_of(state: &RouterState, timer: &Timer) -> u64 {
    let place = match timer {
        Timer::Forget(request) => state.seen.iter().position(|seen| seen == request),
        _ => None,
    };
    place.map_or(u64::MAX, |place| place as u64)
}

/// A router's state as the thesis compares it: without route discoveries.
fn hashed(state: &RouterState) -> RouterState {
    RouterState { discoveries: Vec::new(), ..state.clone() }
}

/// A router's state with lists as sets.
fn as_sets(state: &RouterState) -> RouterState {
    let mut state = state.clone();
    state.seen.sort_unstable();
    state.routes.0.sort_unstable();
    state
}
