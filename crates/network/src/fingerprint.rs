//! A number computed from the content of a state, fast.
//!
//! What a state is made of (slots, packets, what a network remembers of its past) is hashed once
//! each, as bytes; a state's number is mixed of these. None of it depends on the order in which the
//! space met things, so it is the same in every process.

use everypath_explore::StateId;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::{
    NetworkSpace,
    conditions::ByTuple,
    networks::{Left, LinksPast, Order, Past},
    packed_world::Reading,
    tables::unpack,
};

/// What was hashed so far.
#[derive(Default)]
pub(crate) struct Fingerprints {
    /// By node and slot.
    slots: Vec<Vec<u64>>,
    tuples: ByTuple,
    packets: Vec<u64>,
    /// A list that is used again for each network.
    spare: Vec<u32>,
}

impl Fingerprints {
    pub(crate) fn bytes(&self) -> usize {
        let slots = self.slots.iter().map(Vec::capacity).sum::<usize>();
        (slots + self.packets.capacity()) * size_of::<u64>() + self.tuples.bytes()
    }
}

/// Spreads every bit of a number over all bits of the result: the finaliser of SplitMix64.
pub(crate) fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// One number of several, in their order.
fn mix_all(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |sum, number| mix(sum.wrapping_add(number)))
}

/// One number of several, equal ones one after the other, whatever the order: each is mixed with
/// how often it occurs, so that no bits are lost to multiplication.
fn mix_sorted(packets: &[u32], hash: impl Fn(u32) -> u64) -> u64 {
    packets.chunk_by(|one, next| one == next).fold(0, |sum: u64, equal| {
        sum.wrapping_add(mix(hash(equal[0]).wrapping_add(mix(equal.len() as u64))))
    })
}

fn mix_past(Past { left, links, happened }: Past, can_break: bool) -> u64 {
    let number = |left| match left {
        Left::Times(times) => u64::from(times),
        Left::Unlimited => u64::MAX,
    };
    let left = [left.loss, left.duplication, left.reboot].map(number);
    let LinksPast { failures, returns, down } = links;
    let links = [failures, returns].map(number).into_iter().chain(down.halves());
    let links = links.take(if can_break { usize::MAX } else { 0 });
    mix_all(left.into_iter().chain([u64::from(happened)]).chain(links))
}

impl NetworkSpace<'_> {
    pub(crate) fn mixed(&mut self, state: StateId) -> u64 {
        let (tuple, network) = unpack(state);
        let mut packets = std::mem::take(&mut self.tables.fingerprints.spare);
        packets.clear();
        self.tables.networks.packets(network, &mut packets);
        self.hash_packets();
        let hash = |packet: u32| self.tables.fingerprints.packets[packet as usize];
        let mixed = match self.tables.networks.order() {
            Order::Sorted => mix_sorted(&packets, hash),
            Order::Listed | Order::PerLink | Order::PerReceiver => {
                mix_all(packets.iter().map(|&packet| hash(packet)))
            }
        };
        self.tables.fingerprints.spare = packets;
        let past = mix_past(self.tables.networks.past(network), !self.tables.links.is_empty());
        mix_all([self.mixed_tuple(tuple), past, mixed])
    }

    /// Hashes the packets that are new.
    fn hash_packets(&mut self) {
        let hashed = &mut self.tables.fingerprints.packets;
        for packet in hashed.len()..self.tables.networks.known_packets() {
            hashed.push(xxh3_64(&self.machine.packet_bytes(packet as u32)));
        }
    }

    fn mixed_tuple(&mut self, tuple: u32) -> u64 {
        if let Some(known) = self.tables.fingerprints.tuples.get(tuple) {
            return known;
        }
        let mut slots = std::mem::take(&mut self.tables.fingerprints.slots);
        slots.resize_with(self.tables.nodes.len(), Vec::new);
        let hashes = self.tables.tuples.get(tuple).iter().zip(&mut slots).enumerate();
        let answer = mix_all(hashes.map(|(node, (&slot, known))| {
            for new in known.len()..=slot as usize {
                let bytes = self.machine.slot_bytes(node, new as u32);
                known.push(xxh3_64_with_seed(&bytes, node as u64));
            }
            known[slot as usize]
        }));
        self.tables.fingerprints.slots = slots;
        self.tables.fingerprints.tuples.learn(tuple, &Reading { answer, network_read: false })
    }
}
