//! Relations between states: keys, signatures and comparisons; and fingerprints of states.

mod fingerprint;
mod meanings;

use everypath_explore::StateId;
use everypath_model::{Capacity, Profile, Timers};

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

/// The index of the built-in relation.
const BUILT_IN: usize = 0;

/// The packets of a network, sorted. Kept for the next question, which is often about the same
/// network.
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
            match networks.order() {
                Order::Listed => {
                    // The published relation does not count equal packets.
                    self.packets.sort_unstable();
                    self.packets.dedup();
                }
                // Sorted by receiver so far.
                Order::Mailbox => self.packets.sort_unstable(),
                _ => {}
            }
        }
        &self.packets
    }
}

/// Whether a sorted list includes another, with multiplicity.
fn includes(all: &[u32], some: &[u32]) -> bool {
    let mut all = all.iter();
    some.len() <= all.len()
        && some.iter().all(|one| all.find(|&candidate| candidate >= one) == Some(one))
}

/// What observers remember in a tuple.
fn memories(tables: &Tables, tuple: u32) -> &[u32] {
    &tables.interner.tuples.get(tuple)[tables.interner.nodes.len()..]
}

/// The data of relations between states.
pub(crate) struct Relations {
    /// By user-defined relation.
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
            meanings: Meanings::new(setup.columns()),
            fingerprints: Fingerprints::default(),
        }
    }

    /// Why a relation would be unsound, if it would be. One of the scenario is believed, unless it cannot read
    /// what decides.
    ///
    /// The built-in one is sound where one more packet in flight is harmless. Then a state with equal nodes, the
    /// same links down, at least the same packets and at least the same remaining fault budget can
    /// follow the other event by event, and covers it again afterwards. The receivers of a packet,
    /// and the links to them, depend only on the nodes, and the same links are down. So each
    /// delivery, return, loss and duplication of a packet of the other state is possible here, and
    /// leaves at least the same packets. A link fails or comes back in both or in neither. All other
    /// events are independent of packets. With mailboxes of one packet, a packet in a mailbox that
    /// is empty in the other state waits until it is displaced.
    pub(crate) fn refusal(tables: &Tables, readers: &Readers, relation: usize) -> Option<String> {
        if relation != BUILT_IN {
            let is_ordered = tables.setup.options.timers == Timers::Ordered;
            return is_ordered.then(|| Timers::UNREAD.to_owned());
        }
        Self::unsound(tables, readers)
    }

    /// Why one more packet in flight would not be harmless.
    pub(crate) fn unsound(tables: &Tables, readers: &Readers) -> Option<String> {
        let network = tables.setup.network;
        match tables.interner.networks.order() {
            Order::PerLink | Order::PerReceiver => {
                return Some(format!(
                    "the network ({network}) keeps packets in order, so one more packet in flight can block others"
                ));
            }
            Order::Inbox(_) => {
                return Some(format!(
                    "the mailboxes of the network ({network}) hold several packets, so one more packet in flight can block or displace others"
                ));
            }
            Order::Sorted | Order::Listed | Order::Mailbox => {}
        }
        if tables.setup.capacity != Capacity::Unlimited {
            return Some(
                "the capacity of links is limited, so one more packet in flight can displace others"
                    .to_owned(),
            );
        }
        if tables.setup.options.profile == Profile::Thesis {
            return None;
        }
        if tables.setup.asks_of_ends() {
            return Some(
                "something is asserted of ends, and with one more packet in flight a state may not be an end"
                    .to_owned(),
            );
        }
        let (sort, name) = readers.first(&tables.setup)?;
        Some(format!(
            "the {sort} `{name}` reads the packets in flight, so one more packet can change its answer"
        ))
    }

    /// A key that is equal for any two states of which one can cover the other.
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
        let memories = memories(tables, tuple);
        let with_memories = |key| memories.iter().fold(key, |key, it| mix(key ^ u64::from(*it)));
        if let Some(known) = self.keys[own].get(tuple) {
            return with_memories(known);
        }
        if tables.interner.breakage(tuple).is_some() {
            return u64::from(tuple);
        }
        let twice = tables.verifier.is_due(Sort::RelationKey, || state.0);
        let reading = machine.relation_key(tables, tuple, network, own, twice);
        with_memories(self.keys[own].learn(tuple, &reading))
    }

    /// The multiplicities of the packets in flight, reduced to sixteen numbers of at most seven.
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
        // With a larger remaining fault budget, a state may not be an end where the other is one.
        // (The built-in relation is refused then, except in the published semantics.)
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
                // What observers remember decides what goes wrong later, and the relation cannot read it all.
                memories(tables, tuple) == memories(tables, other_tuple)
                    && tables
                        .interner
                        .breakage(tuple)
                        .or(tables.interner.breakage(other_tuple))
                        .is_none()
                    && machine.is_simulated_by(tables, state, other, own, twice)
            }
        }
    }

    /// Whether all packets of a network are also in flight in another.
    fn flies_within(&mut self, tables: &Tables, network: u32, other: u32) -> bool {
        let [own, others] = &mut self.flights;
        match tables.interner.networks.order() {
            Order::Sorted | Order::Listed | Order::Mailbox => includes(
                others.of(other, &tables.interner.networks),
                own.of(network, &tables.interner.networks),
            ),
            Order::PerLink | Order::PerReceiver | Order::Inbox(_) => network == other,
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
