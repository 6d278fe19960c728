//! Assertions about loyal generals, and assumptions about time.

use everypath::prelude::*;

use crate::{
    chain::Order,
    protocol::{COMMANDER, Generals},
};

/// The decisions of loyal lieutenants so far.
fn decisions(world: &World<'_, Generals>) -> Vec<Order> {
    world.nodes().filter_map(|(_, state)| state.decision).collect()
}

/// All loyal lieutenants decide the same.
pub(crate) fn agree(world: &World<'_, Generals>) -> bool {
    decisions(world).windows(2).all(|pair| pair[0] == pair[1])
}

/// If the commander is loyal, they follow its order.
pub(crate) fn obey(world: &World<'_, Generals>) -> bool {
    // Only a loyal commander has accepted an order at the start.
    let order = world.node(COMMANDER).orders.first().copied();
    order.is_none_or(|order| decisions(world).into_iter().all(|decided| decided == order))
}

/// Rounds are long enough: a round ends for a lieutenant when all its messages have arrived, and
/// the previous round has ended for all.
pub(crate) fn is_in_time(world: &World<'_, Generals>, event: &Event<'_, Generals>) -> bool {
    let Event::Timer { node, .. } = event else { return true };
    let round = world.node(*node).round;
    let is_due = |packet: Packet<'_, Generals>| {
        let chain = packet.message.chain();
        packet.to == *node && !chain.has(*node) && chain.signatures.len() <= round as usize
    };
    // Undecided loyal lieutenants are those with a timer.
    let mut running = world.nodes().filter(|(other, _)| !world.timers(*other).is_empty());
    running.all(|(_, other)| other.round >= round) && !world.packets().any(is_due)
}

/// An order that comes back to one of its signers is no news, so it need not arrive.
pub(crate) fn is_news(_: &World<'_, Generals>, event: &Event<'_, Generals>) -> bool {
    match event {
        Event::Deliver { node, packet } => !packet.message.chain().has(*node),
        _ => true,
    }
}

/// A loyal lieutenant has decided to attack.
pub(crate) fn somebody_attacks(world: &World<'_, Generals>) -> bool {
    decisions(world).contains(&Order::Attack)
}
