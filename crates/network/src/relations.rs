//! Which states stand for which others.

use everypath_explore::StateId;
use everypath_model::Profile;

use crate::{
    NetworkSpace,
    fingerprint::mix,
    networks::{Networks, Order},
    tables::unpack,
    verify::Sort,
};

/// The place of the relation that needs no code of the user's.
const BUILT_IN: usize = 0;

/// The packets of a network, sorted; kept for the next question, which is often about the same.
#[derive(Default)]
pub(crate) struct Flight {
    network: Option<u32>,
    packets: Vec<u32>,
}

impl Flight {
    fn of(&mut self, network: u32, networks: &Networks) -> &[u32] {
        if self.network != Some(network) {
            self.network = Some(network);
            self.packets.clear();
            networks.packets(network, &mut self.packets);
            if networks.order() == Order::Listed {
                // The published relation does not count equal packets.
                self.packets.sort_unstable();
                self.packets.dedup();
            }
        }
        &self.packets
    }
}

/// Whether a sorted list has all that another one has, as often.
fn includes(all: &[u32], some: &[u32]) -> bool {
    let mut all = all.iter();
    some.len() <= all.len()
        && some.iter().all(|one| all.find(|&candidate| candidate >= one) == Some(one))
}

impl NetworkSpace<'_> {
    /// Why a packet more in flight would not be harmless.
    ///
    /// Where it is harmless, a state with equal nodes, the same links down, at least the same packets
    /// and at least the same faults to come can follow the other event by event, and is ahead again
    /// afterwards. Who can receive a packet, and over which links, depends on the nodes alone, and
    /// which links are down is the same: so each delivery, return, loss and duplication of a packet
    /// that the other has is possible here, and leaves at least the packets that it leaves there. A
    /// link fails or comes back in both or in neither. All other events know nothing of packets.
    pub(crate) fn refusal(&self, relation: usize) -> Option<String> {
        if relation != BUILT_IN {
            return None;
        }
        if matches!(self.tables.networks.order(), Order::PerLink | Order::PerReceiver) {
            return Some(format!(
                "the network ({}) keeps packets in order, so a packet more in flight can be in the way of others",
                self.tables.setup.network.name()
            ));
        }
        if self.tables.options.profile == Profile::Thesis {
            return None;
        }
        if self.asks_of_ends() {
            return Some(
                "something is asserted of states in which nothing can happen, and with a packet more in flight something can"
                    .to_owned(),
            );
        }
        let (sort, name) = self.tables.readers.first(&self.tables.setup)?;
        Some(format!(
            "the {sort} `{name}` reads the packets in flight, so a packet more can change what it says"
        ))
    }

    /// Whether something is asserted of states in which nothing can happen.
    fn asks_of_ends(&self) -> bool {
        self.tables.options.deadlock || !self.tables.setup.end_assertions.is_empty()
    }

    pub(crate) fn key_of(&mut self, state: StateId, relation: usize) -> u64 {
        let (tuple, network) = unpack(state);
        let Some(own) = relation.checked_sub(1) else {
            return u64::from(self.meaning(tuple));
        };
        if let Some(known) = self.tables.relation_keys[own].get(tuple) {
            return known;
        }
        if self.tables.breakage(tuple).is_some() {
            return u64::from(tuple);
        }
        let twice = self.tables.verifier.is_due(Sort::RelationKey, || state.0);
        let reading = self.machine.relation_key(&self.tables, tuple, network, own, twice);
        self.tables.relation_keys[own].learn(tuple, &reading)
    }

    /// How often the packets in flight are there, as far as sixteen numbers up to seven can tell.
    pub(crate) fn signature_of(&mut self, state: StateId, relation: usize) -> u64 {
        if relation != BUILT_IN {
            return 0;
        }
        let most = if self.tables.networks.order() == Order::Listed { 1 } else { 7 };
        let (_, network) = unpack(state);
        let packets = self.tables.flights[0].of(network, &self.tables.networks);
        packets.iter().fold(0, |signature: u64, packet| {
            let shift = packet % 16 * 4;
            if signature >> shift & 7 < most { signature + (1 << shift) } else { signature }
        })
    }

    pub(crate) fn is_covered_by(
        &mut self,
        state: StateId,
        other: StateId,
        relation: usize,
    ) -> bool {
        let (tuple, network) = unpack(state);
        let (other_tuple, other_network) = unpack(other);
        if state == other {
            return true;
        }
        let (past, other_past) =
            (self.tables.networks.past(network), self.tables.networks.past(other_network));
        // With a fault more to come, a state may be no end where the other is one. (The relation that
        // needs no code is refused then, but for the published semantics.)
        let comes_up_to = match relation != BUILT_IN && self.asks_of_ends() {
            true => other_past.has_the_same_to_come(past),
            false => other_past.covers(past),
        };
        if !comes_up_to {
            return false;
        }
        match relation.checked_sub(1) {
            None => {
                self.meaning(tuple) == self.meaning(other_tuple)
                    && self.flies_within(network, other_network)
            }
            Some(own) => {
                let twice = self.tables.verifier.is_due(Sort::Relation, || state.0 ^ mix(other.0));
                self.tables.breakage(tuple).or(self.tables.breakage(other_tuple)).is_none()
                    && self.machine.is_simulated_by(&self.tables, state, other, own, twice)
            }
        }
    }

    /// Whether all packets of a network are in flight in another, too.
    fn flies_within(&mut self, network: u32, other: u32) -> bool {
        let [own, others] = &mut self.tables.flights;
        match self.tables.networks.order() {
            Order::Sorted | Order::Listed => includes(
                others.of(other, &self.tables.networks),
                own.of(network, &self.tables.networks),
            ),
            Order::PerLink | Order::PerReceiver => network == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn inclusion_counts(
            mut all in prop::collection::vec(0..6u32, 0..8),
            mut some in prop::collection::vec(0..6u32, 0..5),
        ) {
            all.sort_unstable();
            some.sort_unstable();
            let times = |list: &[u32], one| list.iter().filter(|&&other| other == one).count();
            let expected = (0..6).all(|one| times(&some, one) <= times(&all, one));
            prop_assert_eq!(includes(&all, &some), expected);
        }
    }
}
