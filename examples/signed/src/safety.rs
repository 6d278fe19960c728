//! What must hold among loyal generals, and what is assumed of time.

use everypath::prelude::*;

use crate::{
    chain::Order,
    protocol::{COMMANDER, Generals},
};

/// What lieutenants have decided, as far as they have.
fn decisions(world: &World<'_, Generals>) -> Vec<Order> {
    world.nodes().filter_map(|(_, state)| state.decision).collect()
}

/// All loyal lieutenants decide the same.
pub(crate) fn agree(world: &World<'_, Generals>) -> bool {
    decisions(world).windows(2).all(|pair| pair[0] == pair[1])
}

/// If the commander is loyal, they decide what it has ordered.
pub(crate) fn obey(world: &World<'_, Generals>) -> bool {
    // Only a loyal commander has an order of its own.
    let order = world.node(COMMANDER).orders.first().copied();
    order.is_none_or(|order| decisions(world).into_iter().all(|decided| decided == order))
}

/// Rounds are long enough: one ends for a lieutenant when all messages have arrived that were to arrive in it, and
/// for none before the one before it has ended for all.
pub(crate) fn is_in_time(world: &World<'_, Generals>, event: &Event<'_, Generals>) -> bool {
    let Event::Timer { node, .. } = event else { return true };
    let round = world.node(*node).round;
    let is_due = |packet: Packet<'_, Generals>| {
        let chain = packet.message.chain();
        packet.to == *node && !chain.has(*node) && chain.signatures.len() <= round as usize
    };
    // Loyal lieutenants that have not decided are those that have a timer.
    let mut running = world.nodes().filter(|(other, _)| !world.timers(*other).is_empty());
    running.all(|(_, other)| other.round >= round) && !world.packets().any(is_due)
}

/// What comes back to somebody who has signed it tells nothing: it may as well never arrive.
pub(crate) fn is_news(_: &World<'_, Generals>, event: &Event<'_, Generals>) -> bool {
    match event {
        Event::Deliver { node, packet } => !packet.message.chain().has(*node),
        _ => true,
    }
}

/// Somebody has decided to attack.
pub(crate) fn somebody_attacks(world: &World<'_, Generals>) -> bool {
    decisions(world).contains(&Order::Attack)
}
