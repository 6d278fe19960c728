//! Relations between states: keys, signatures and comparisons; and fingerprints of states.

mod fingerprint;
mod meanings;

use everypath_explore::StateId;
use everypath_model::Profile;

use self::{fingerprint::Fingerprints, meanings::Meanings};
use crate::{
    answers::ByTuple,
    machine::Machine,
    mix::mix,
    packed::unpack,
    readers::Readers,
    setup::Setup,
    tables::Tables,
    transit::{Networks, Order},
    verify::Sort,
};

/// The place of the relation that needs no code of the user's.
const BUILT_IN: usize = 0;

/// The packets of a network, sorted; kept for the next question, which is often about the same.
#[derive(Default)]
struct Flight {
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

/// What is known of states in relation to others.
pub(crate) struct Relations {
    /// By relation of the user's.
    keys: Vec<ByTuple>,
    flights: [Flight; 2],
    meanings: Meanings,
    pub(crate) fingerprints: Fingerprints,
}

impl Relations {
    pub(crate) fn new(setup: &Setup) -> Self {
        Self {
            keys: setup.relations.iter().map(|_| ByTuple::default()).collect(),
            flights: Default::default(),
            meanings: Meanings::new(setup.topology.len()),
            fingerprints: Fingerprints::default(),
        }
    }

    /// Why a packet more in flight would not be harmless.
    ///
    /// Where it is harmless, a state with equal nodes, the same links down, at least the same packets
    /// and at least the same faults to come can follow the other event by event, and is ahead again
    /// afterwards. Who can receive a packet, and over which links, depends on the nodes alone, and
    /// which links are down is the same: so each delivery, return, loss and duplication of a packet
    /// that the other has is possible here, and leaves at least the packets that it leaves there. A
    /// link fails or comes back in both or in neither. All other events know nothing of packets.
    pub(crate) fn refusal(tables: &Tables, readers: &Readers, relation: usize) -> Option<String> {
        if relation != BUILT_IN {
            return None;
        }
        if matches!(tables.interner.networks.order(), Order::PerLink | Order::PerReceiver) {
            return Some(format!(
                "the network ({}) keeps packets in order, so a packet more in flight can be in the way of others",
                tables.setup.network.name()
            ));
        }
        if tables.setup.options.profile == Profile::Thesis {
            return None;
        }
        if tables.setup.asks_of_ends() {
            return Some(
                "something is asserted of states in which nothing can happen, and with a packet more in flight something can"
                    .to_owned(),
            );
        }
        let (sort, name) = readers.first(&tables.setup)?;
        Some(format!(
            "the {sort} `{name}` reads the packets in flight, so a packet more can change what it says"
        ))
    }

    /// A number that is the same for every two states of which one can cover the other.
    pub(crate) fn key(
        &mut self,
        tables: &Tables,
        machine: &mut dyn Machine,
        state: StateId,
        relation: usize,
    ) -> u64 {
        let (tuple, network) = unpack(state);
        let Some(own) = relation.checked_sub(1) else {
            return u64::from(self.meanings.of(tables, machine, tuple));
        };
        if let Some(known) = self.keys[own].get(tuple) {
            return known;
        }
        if tables.interner.breakage(tuple).is_some() {
            return u64::from(tuple);
        }
        let twice = tables.verifier.is_due(Sort::RelationKey, || state.0);
        let reading = machine.relation_key(tables, tuple, network, own, twice);
        self.keys[own].learn(tuple, &reading)
    }

    /// How often the packets in flight are there, as far as sixteen numbers up to seven can tell.
    pub(crate) fn signature(&mut self, tables: &Tables, state: StateId, relation: usize) -> u64 {
        if relation != BUILT_IN {
            return 0;
        }
        let most = if tables.interner.networks.order() == Order::Listed { 1 } else { 7 };
        let (_, network) = unpack(state);
        let packets = self.flights[0].of(network, &tables.interner.networks);
        packets.iter().fold(0, |signature: u64, packet| {
            let shift = packet % 16 * 4;
            if signature >> shift & 7 < most { signature + (1 << shift) } else { signature }
        })
    }

    /// Whether a state is covered by another.
    pub(crate) fn is_simulated_by(
        &mut self,
        tables: &Tables,
        machine: &mut dyn Machine,
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
            (tables.interner.networks.past(network), tables.interner.networks.past(other_network));
        // With a fault more to come, a state may be no end where the other is one. (The relation that
        // needs no code is refused then, but for the published semantics.)
        let comes_up_to = match relation != BUILT_IN && tables.setup.asks_of_ends() {
            true => other_past.has_the_same_to_come(past),
            false => other_past.covers(past),
        };
        if !comes_up_to {
            return false;
        }
        match relation.checked_sub(1) {
            None => {
                self.meanings.of(tables, machine, tuple)
                    == self.meanings.of(tables, machine, other_tuple)
                    && self.flies_within(tables, network, other_network)
            }
            Some(own) => {
                let twice = tables.verifier.is_due(Sort::Relation, || state.0 ^ mix(other.0));
                tables.interner.breakage(tuple).or(tables.interner.breakage(other_tuple)).is_none()
                    && machine.is_simulated_by(tables, state, other, own, twice)
            }
        }
    }

    /// Whether all packets of a network are in flight in another, too.
    fn flies_within(&mut self, tables: &Tables, network: u32, other: u32) -> bool {
        let [own, others] = &mut self.flights;
        match tables.interner.networks.order() {
            Order::Sorted | Order::Listed => includes(
                others.of(other, &tables.interner.networks),
                own.of(network, &tables.interner.networks),
            ),
            Order::PerLink | Order::PerReceiver => network == other,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.keys.iter().map(ByTuple::bytes).sum::<usize>()
            + self.fingerprints.bytes()
            + self.meanings.bytes()
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
