//! Ranks of numbers: which numbers are where, and what renamed slots and packets are.

use everypath_explore::map_bytes;
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of numbers from 1 to 63, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether they are 1, 2, 3, … without a gap.
    #[inline]
    pub(crate) fn are_ranks(self) -> bool {
        let all = self.0 | 1;
        all & all.wrapping_add(1) == 0
    }

    /// The rank of a number among them, from 1 on; 0 for 0.
    pub(crate) fn rank(self, number: u32) -> u32 {
        (self.0 & ((2_u64 << number).wrapping_sub(1))).count_ones()
    }

    /// Whether one of them is not larger than all of others.
    pub(crate) fn are_not_above(self, others: Self) -> bool {
        self.0 != 0 && others.0 != 0 && self.0.trailing_zeros() <= 63 - others.0.leading_zeros()
    }
}

/// What is known of numbers.
#[derive(Default)]
pub(crate) struct Ranks {
    /// By node and slot.
    slots: Vec<NumbersBy>,
    packets: NumbersBy,
    tuples: NumbersBy,
    networks: NumbersBy,
    renamed_slots: FxHashMap<(usize, u32, Numbers), u32>,
    renamed_packets: FxHashMap<(u32, Numbers), u32>,
    /// Recent renamings of tuples and networks.
    pub(crate) renamed_tuples: FxHashMap<(u32, Numbers), u32>,
    pub(crate) renamed_networks: FxHashMap<(u32, Numbers), u32>,
    /// The pairs of tuples before and after a renaming that were judged.
    pub(crate) judged: FxHashSet<(u32, u32)>,
}

/// How many renamings of tuples and of networks are kept. They can be computed again.
const RECENT_MAX: usize = 1 << 20;

/// Keeps a renaming, and forgets all if there are many.
pub(crate) fn keep(
    recent: &mut FxHashMap<(u32, Numbers), u32>,
    key: (u32, Numbers),
    renamed: u32,
) -> u32 {
    if recent.len() >= RECENT_MAX {
        recent.clear();
    }
    recent.insert(key, renamed);
    renamed
}

/// Numbers by the ids of what has them.
#[derive(Clone, Default)]
struct NumbersBy(Vec<Option<Numbers>>);

impl NumbersBy {
    #[inline]
    fn get_or(&mut self, id: u32, find: impl FnOnce() -> Numbers) -> Numbers {
        let id = id as usize;
        if let Some(&Some(known)) = self.0.get(id) {
            return known;
        }
        if self.0.len() <= id {
            self.0.resize(id + 1, None);
        }
        *self.0[id].insert(find())
    }
}

impl Ranks {
    pub(crate) fn new(nodes: usize) -> Self {
        Self { slots: vec![NumbersBy::default(); nodes], ..Self::default() }
    }

    pub(crate) fn of_slot(
        &mut self,
        node: usize,
        slot: u32,
        find: impl FnOnce() -> Numbers,
    ) -> Numbers {
        self.slots[node].get_or(slot, find)
    }

    pub(crate) fn of_packet(&mut self, packet: u32, find: impl FnOnce() -> Numbers) -> Numbers {
        self.packets.get_or(packet, find)
    }

    /// The numbers in a tuple, given those of each of its slots.
    pub(crate) fn of_tuple(
        &mut self,
        tuple: u32,
        slots: &[u32],
        find: impl Fn(usize, u32) -> Numbers,
    ) -> Numbers {
        let Self { slots: known, tuples, .. } = self;
        tuples.get_or(tuple, || {
            slots.iter().enumerate().fold(Numbers::default(), |numbers, (node, &slot)| {
                numbers.with(known[node].get_or(slot, || find(node, slot)))
            })
        })
    }

    /// The numbers in a network, given those of each of its packets.
    pub(crate) fn of_network(
        &mut self,
        network: u32,
        packets: impl FnOnce() -> Vec<u32>,
        find: impl Fn(u32) -> Numbers,
    ) -> Numbers {
        let Self { packets: known, networks, .. } = self;
        networks.get_or(network, || {
            packets().into_iter().fold(Numbers::default(), |numbers, packet| {
                numbers.with(known.get_or(packet, || find(packet)))
            })
        })
    }

    pub(crate) fn renamed_slot(
        &mut self,
        (node, slot): (usize, u32),
        numbers: Numbers,
        rename: impl FnOnce() -> u32,
    ) -> u32 {
        *self.renamed_slots.entry((node, slot, numbers)).or_insert_with(rename)
    }

    pub(crate) fn renamed_packet(
        &mut self,
        packet: u32,
        numbers: Numbers,
        rename: impl FnOnce() -> u32,
    ) -> u32 {
        *self.renamed_packets.entry((packet, numbers)).or_insert_with(rename)
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists = [&self.packets, &self.tuples, &self.networks];
        let listed: usize = self.slots.iter().chain(lists).map(|list| list.0.capacity()).sum();
        let pairs = [&self.renamed_packets, &self.renamed_tuples, &self.renamed_networks];
        let pairs: usize = pairs.into_iter().map(FxHashMap::capacity).sum();
        listed * size_of::<Option<Numbers>>()
            + map_bytes(self.renamed_slots.capacity(), size_of::<((usize, u32, Numbers), u32)>())
            + map_bytes(pairs, size_of::<((u32, Numbers), u32)>())
            + map_bytes(self.judged.capacity(), size_of::<(u32, u32)>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_have_no_gap_and_keep_the_order() {
        let numbers = Numbers(1 << 3 | 1 << 7 | 1 << 63);
        assert!(!numbers.are_ranks());
        assert_eq!([0, 3, 7, 63].map(|number| numbers.rank(number)), [0, 1, 2, 3]);
        assert!(Numbers(0).are_ranks() && Numbers(0b1110).are_ranks());
        assert!(Numbers(!1).are_ranks());
    }

    #[test]
    fn new_numbers_are_above_all_others() {
        let others = Numbers(1 << 3 | 1 << 7);
        assert!(!Numbers(1 << 8).are_not_above(others));
        assert!(Numbers(1 << 8 | 1 << 5).are_not_above(others));
        assert!(Numbers(1 << 7).are_not_above(others));
        assert!(!Numbers(0).are_not_above(others) && !Numbers(1 << 1).are_not_above(Numbers(0)));
    }
}
