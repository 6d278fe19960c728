//! Fingerprints: hashes of the content of states, computed fast.
//!
//! Each part of a state (slots, packets, the past of a network) is hashed once, as bytes. A
//! fingerprint is mixed from these hashes. It does not depend on the order in which the space met
//! the parts, so it is the same in every process.

use everypath_explore::StateId;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::{
    answers::{ByTuple, Reading},
    machine::Machine,
    mix::mix,
    packed::unpack,
    tables::Tables,
    transit::{Left, LinksPast, Order, Past},
};

/// The hashes so far.
#[derive(Default)]
pub(crate) struct Fingerprints {
    /// By node and slot.
    slots: Vec<Vec<u64>>,
    tuples: ByTuple,
    packets: Vec<u64>,
    /// A buffer for the packets of a network.
    spare: Vec<u32>,
}

impl Fingerprints {
    /// The fingerprint of a state.
    pub(crate) fn of(&mut self, tables: &Tables, machine: &dyn Machine, state: StateId) -> u64 {
        let (tuple, network) = unpack(state);
        let mut packets = std::mem::take(&mut self.spare);
        packets.clear();
        tables.interner.networks.packets(network, &mut packets);
        self.hash_packets(tables, machine);
        let hash = |packet: u32| self.packets[packet as usize];
        let mixed = match tables.interner.networks.order() {
            Order::Sorted => mix_sorted(&packets, hash),
            Order::Listed
            | Order::PerLink
            | Order::PerReceiver
            | Order::Mailbox
            | Order::Inbox(_) => mix_all(packets.iter().map(|&packet| hash(packet))),
        };
        self.spare = packets;
        let setup = &tables.setup;
        let past = tables.interner.networks.past(network);
        let past = mix_past(past, !setup.links.is_empty(), setup.timeouts.len());
        mix_all([self.of_tuple(tables, machine, tuple), past, mixed])
    }

    /// Hashes new packets.
    fn hash_packets(&mut self, tables: &Tables, machine: &dyn Machine) {
        let hashed = &mut self.packets;
        for packet in hashed.len()..tables.interner.networks.known_packets() {
            hashed.push(xxh3_64(&machine.packet_bytes(packet as u32)));
        }
    }

    fn of_tuple(&mut self, tables: &Tables, machine: &dyn Machine, tuple: u32) -> u64 {
        if let Some(known) = self.tuples.get(tuple) {
            return known;
        }
        let mut slots = std::mem::take(&mut self.slots);
        slots.resize_with(tables.setup.columns(), Vec::new);
        let nodes = tables.interner.nodes.len();
        let hashes = tables.interner.tuples.get(tuple).iter().zip(&mut slots).enumerate();
        let answer = mix_all(hashes.map(|(column, (&slot, known))| {
            for new in known.len()..=slot as usize {
                let hash = |bytes: &[u8]| xxh3_64_with_seed(bytes, column as u64);
                known.push(match column < nodes {
                    true => hash(&machine.slot_bytes(column, new as u32)),
                    false => hash(machine.memory_bytes(column - nodes, new as u32)),
                });
            }
            known[slot as usize]
        }));
        self.slots = slots;
        self.tuples.learn(tuple, &Reading { answer, network_read: false })
    }

    pub(crate) fn bytes(&self) -> usize {
        let slots = self.slots.iter().map(Vec::capacity).sum::<usize>();
        (slots + self.packets.capacity()) * size_of::<u64>() + self.tuples.bytes()
    }
}

/// Mixes several numbers, in their order.
fn mix_all(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |sum, number| mix(sum.wrapping_add(number)))
}

/// Mixes several numbers, in which equal ones are adjacent, whatever the order. Each is mixed with
/// its frequency, so that no bits are lost to multiplication.
fn mix_sorted(packets: &[u32], hash: impl Fn(u32) -> u64) -> u64 {
    packets.chunk_by(|one, next| one == next).fold(0, |sum: u64, equal| {
        sum.wrapping_add(mix(hash(equal[0]).wrapping_add(mix(equal.len() as u64))))
    })
}

fn mix_past(
    Past { left, links, happened, timeouts }: Past,
    can_break: bool,
    budgets: usize,
) -> u64 {
    let number = |left| match left {
        Left::Times(times) => u64::from(times),
        Left::Unlimited => u64::MAX,
    };
    let left = [left.loss, left.duplication, left.reboot].map(number);
    let LinksPast { failures, returns, down } = links;
    let links = [failures, returns].map(number).into_iter().chain(down.halves());
    let links = links.take(if can_break { usize::MAX } else { 0 });
    let timeouts = timeouts.left(budgets).iter().map(|&left| u64::from(left));
    mix_all(left.into_iter().chain([u64::from(happened)]).chain(links).chain(timeouts))
}
