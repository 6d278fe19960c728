//! The assertions, after Ongaro and Ousterhout: "In Search of an Understandable Consensus Algorithm", figure 3.

use everypath::{Opaque, prelude::*};

use crate::{
    log::{Position, positions},
    protocol::Raft,
    replica::Replica,
};

/// Every pair of different nodes, in both orders.
fn pairs<'a>(world: &World<'a, Opaque<Raft>>) -> Vec<(&'a Replica, &'a Replica)> {
    let nodes: Vec<_> = world.nodes().map(|(id, state)| (id, &state.running)).collect();
    let pairs = nodes.iter().flat_map(|&(one, first)| {
        let others = nodes.iter().filter(move |(other, _)| *other != one);
        others.map(move |&(_, second)| (first, second))
    });
    pairs.collect()
}

fn committed(replica: &Replica) -> impl Iterator<Item = Position> + '_ {
    positions(&replica.log).take(replica.commit as usize)
}

/// Election safety: no two nodes are leaders in one term.
pub(crate) fn one_leader_per_term(world: &World<'_, Opaque<Raft>>) -> bool {
    let leaders = |(one, other): &(&Replica, &Replica)| one.leads() && other.leads();
    pairs(world).iter().filter(|pair| leaders(pair)).all(|(one, other)| one.term != other.term)
}

/// Log matching: two logs with the same term at an index are equal up to there.
pub(crate) fn logs_match(world: &World<'_, Opaque<Raft>>) -> bool {
    pairs(world).iter().all(|(one, other)| {
        let both = positions(&one.log).zip(positions(&other.log));
        let common = both.filter(|(a, b)| a == b).last().map_or(0, |(a, _)| a.index as usize);
        one.log[..common] == other.log[..common]
    })
}

/// Leader completeness: entries committed up to a leader's term are in its log.
pub(crate) fn leaders_are_complete(world: &World<'_, Opaque<Raft>>) -> bool {
    let all = pairs(world);
    let mut later =
        all.iter().filter(|(leader, other)| leader.leads() && other.term <= leader.term);
    later.all(|(leader, other)| {
        leader.log.len() as u64 >= other.commit
            && committed(other).zip(positions(&leader.log)).all(|(a, b)| a == b)
    })
}

/// State machine safety: no two nodes have different committed entries at one index, and each has
/// the entries it knows to be committed.
pub(crate) fn commits_agree(world: &World<'_, Opaque<Raft>>) -> bool {
    world.nodes().all(|(_, state)| state.running.commit <= state.running.log.len() as u64)
        && pairs(world)
            .iter()
            .all(|(one, other)| committed(one).zip(committed(other)).all(|(a, b)| a == b))
}

/// How near a world is to losing a committed entry. A node has one; another node has a different
/// entry in its place, in a log that is no shorter; it is no longer leader, and knows a later term;
/// and some node is free to vote.
pub(crate) fn danger(world: &World<'_, Opaque<Raft>>) -> i64 {
    let dangers = pairs(world).into_iter().map(|(keeper, other)| {
        let differs = positions(&keeper.log).zip(positions(&other.log)).any(|(a, b)| a != b);
        let signs = [
            differs,
            other.log.len() >= keeper.log.len(),
            keeper.commit > 0,
            !other.leads(),
            other.term > keeper.term,
            !keeper.leads(),
        ];
        if differs { signs.into_iter().map(i64::from).sum() } else { 0 }
    });
    dangers.max().unwrap_or(0)
}
