//! Obsolete packets: which packets make no difference to their addressee in which slots.

use everypath_explore::map_bytes;
use rustc_hash::FxHashMap;

use crate::recent_pairs::RecentPairs;

/// The answers so far, and what they must agree with.
#[derive(Default)]
pub(crate) struct ObsoletePackets {
    /// By packet and slot of its addressee.
    answers: Vec<Vec<Option<bool>>>,
    answers_bytes: usize,
    /// By node and slot: the packets that are obsolete there.
    obsolete: FxHashMap<(usize, u32), Vec<u32>>,
    /// By node and slot: the slots that follow it.
    successors: FxHashMap<(usize, u32), Vec<u32>>,
    /// Recent networks without the packets that are obsolete with a tuple.
    pub(crate) recent: RecentPairs,
}

impl ObsoletePackets {
    /// Whether a packet is obsolete in a slot of its addressee, if that was asked.
    #[inline]
    pub(crate) fn get(&self, packet: u32, slot: u32) -> Option<bool> {
        *self.answers.get(packet as usize)?.get(slot as usize)?
    }

    pub(crate) fn learn(&mut self, node: usize, slot: u32, packet: u32, answer: bool) {
        let (packet_place, slot_place) = (packet as usize, slot as usize);
        if self.answers.len() <= packet_place {
            self.answers.resize(packet_place + 1, Vec::new());
        }
        let answers = &mut self.answers[packet_place];
        if answers.len() <= slot_place {
            self.answers_bytes += slot_place + 1 - answers.len();
            answers.resize(slot_place + 1, None);
        }
        answers[slot_place] = Some(answer);
        if answer {
            self.obsolete.entry((node, slot)).or_default().push(packet);
        }
    }

    /// Notes that a slot follows another.
    pub(crate) fn follow(&mut self, node: usize, slot: u32, next: u32) {
        self.successors.entry((node, slot)).or_default().push(next);
    }

    /// The packets that are known to be obsolete in a slot.
    pub(crate) fn in_slot(&self, node: usize, slot: u32) -> Vec<u32> {
        self.obsolete.get(&(node, slot)).cloned().unwrap_or_default()
    }

    /// The slots that follow a slot.
    pub(crate) fn after(&self, node: usize, slot: u32) -> Vec<u32> {
        self.successors.get(&(node, slot)).cloned().unwrap_or_default()
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists = map_bytes(self.obsolete.capacity(), size_of::<((usize, u32), Vec<u32>)>())
            + map_bytes(self.successors.capacity(), size_of::<((usize, u32), Vec<u32>)>());
        // An answer is in two lists at most.
        lists + 2 * self.answers_bytes + self.recent.bytes()
    }
}
