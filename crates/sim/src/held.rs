//! The packets on links of a limited capacity.

use std::collections::VecDeque;

use everypath_model::{Capacity, NodeId};
use rustc_hash::FxHashMap;

/// A direction of a link.
type Way = (NodeId, NodeId);

/// What becomes of a packet that is handed to a link of a limited capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// There is room for it.
    Some,
    /// There is none: it is lost.
    None,
    /// There is some after the packet in this slot is lost.
    After(u32),
}

/// The packets on each link, by their slots in the order of sending.
pub(crate) struct Held {
    most: usize,
    loses_oldest: bool,
    links: FxHashMap<Way, VecDeque<u32>>,
}

impl Held {
    /// Links of this capacity, if it is limited.
    pub(crate) fn of(capacity: Capacity) -> Option<Box<Self>> {
        let most = capacity.most()? as usize;
        let loses_oldest = matches!(capacity, Capacity::OldestLost(_));
        Some(Box::new(Self { most, loses_oldest, links: FxHashMap::default() }))
    }

    /// Whether a link has as many packets as it holds.
    pub(crate) fn is_full(&self, way: Way) -> bool {
        self.links.get(&way).is_some_and(|link| link.len() >= self.most)
    }

    /// Whether a link has room for one more packet. A packet that must make room is taken out.
    pub(crate) fn make_room(&mut self, way: Way) -> Room {
        let Some(link) = self.links.get_mut(&way).filter(|link| link.len() >= self.most) else {
            return Room::Some;
        };
        match self.loses_oldest {
            true => Room::After(link.pop_front().expect("a full link has packets")),
            false => Room::None,
        }
    }

    /// A packet is on a link.
    pub(crate) fn put(&mut self, way: Way, slot: u32) {
        self.links.entry(way).or_default().push_back(slot);
    }

    /// A packet has left a link.
    pub(crate) fn take(&mut self, way: Way, slot: u32) {
        let link = self.links.get_mut(&way).expect("it was on the link");
        let place = link.iter().position(|&held| held == slot).expect("it was on the link");
        link.remove(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAY: Way = (NodeId(0), NodeId(1));

    #[test]
    fn a_full_link_has_room_when_a_packet_has_left_it() {
        let mut held = Held::of(Capacity::NewestLost(2)).expect("it is limited");
        held.put(WAY, 7);
        assert_eq!(held.make_room(WAY), Room::Some);
        held.put(WAY, 5);
        assert_eq!(held.make_room(WAY), Room::None);
        assert_eq!(held.make_room((NodeId(1), NodeId(0))), Room::Some);
        held.take(WAY, 5);
        assert_eq!(held.make_room(WAY), Room::Some);
    }

    #[test]
    fn the_oldest_packet_makes_room() {
        let mut held = Held::of(Capacity::OldestLost(2)).expect("it is limited");
        held.put(WAY, 7);
        held.put(WAY, 5);
        assert_eq!(held.make_room(WAY), Room::After(7));
        assert_eq!(held.make_room(WAY), Room::Some);
        assert!(Held::of(Capacity::Unlimited).is_none());
    }
}
