//! The packets in flight: the order in which a network keeps them, and which of them can leave.

use std::cell::RefCell;

use everypath_model::{Capacity, NetworkKind, Profile};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::{clock::Window, world::Flying};

/// The order of the packets of a network.
pub(crate) struct Flight<M> {
    kind: NetworkKind,
    capacity: Capacity,
    profile: Profile,
    /// Whether it is known only on arrival who receives a packet.
    late: bool,
    /// The packets of a multiset, in the order in which they were first sent. They are tried in this
    /// order, since a search needs one. Nothing but the order depends on it.
    sent: RefCell<IndexSet<Flying<M>, FxBuildHasher>>,
}

impl<M: Clone + Eq + std::hash::Hash> Flight<M> {
    pub(crate) fn new(kind: NetworkKind, capacity: Capacity, profile: Profile, late: bool) -> Self {
        Self { kind, capacity, profile, late, sent: RefCell::default() }
    }

    /// Whether equal packets are interchangeable.
    pub(crate) fn is_multiset(&self) -> bool {
        self.kind == NetworkKind::Unordered && self.profile == Profile::Standard
    }

    /// Whether an unordered network remembers the order of sending.
    pub(crate) fn is_list(&self) -> bool {
        self.kind == NetworkKind::Unordered && self.profile == Profile::Thesis
    }

    /// Whether only the first packet of each receiver can be received.
    pub(crate) fn is_per_receiver(&self) -> bool {
        self.kind == NetworkKind::GlobalList
    }

    /// Notes that packets are sent.
    pub(crate) fn note(&self, packets: &[Flying<M>]) {
        if self.is_multiset() {
            let mut sent = self.sent.borrow_mut();
            sent.extend(packets.iter().map(Flying::untimed));
        }
    }

    fn number(&self, packet: &Flying<M>) -> Option<usize> {
        match packet.window == Window::default() {
            true => self.sent.borrow().get_index_of(packet),
            false => self.sent.borrow().get_index_of(&packet.untimed()),
        }
    }

    /// The places of the packets on the link of a packet.
    fn on_link(flight: &[Flying<M>], packet: &Flying<M>) -> Vec<usize> {
        let same = |it: &Flying<M>| (it.from, it.to) == (packet.from, packet.to);
        (0..flight.len()).filter(|&place| same(&flight[place])).collect()
    }

    fn is_full(&self, flight: &[Flying<M>], packet: &Flying<M>) -> bool {
        let most = self.capacity.most();
        most.is_some_and(|most| Self::on_link(flight, packet).len() >= most as usize)
    }

    /// Puts a packet where it belongs. If its link is full, it is lost, or displaces the oldest one.
    pub(crate) fn put(&self, flight: &mut Vec<Flying<M>>, packet: Flying<M>) {
        if self.is_full(flight, &packet) {
            if !matches!(self.capacity, Capacity::OldestLost(_)) {
                return;
            }
            flight.remove(Self::on_link(flight, &packet)[0]);
        }
        let place = match self.kind {
            NetworkKind::Unordered if self.is_multiset() => {
                let own = (self.number(&packet), packet.window);
                flight.partition_point(|other| (self.number(other), other.window) <= own)
            }
            NetworkKind::Unordered | NetworkKind::GlobalList => flight.len(),
            NetworkKind::FifoPerLink => {
                let own = (packet.from, packet.to);
                flight.partition_point(|other| (other.from, other.to) <= own)
            }
            NetworkKind::Inbox(most) => {
                let start = flight.partition_point(|other| other.to < packet.to);
                let end = flight.partition_point(|other| other.to <= packet.to);
                if end - start == usize::from(most.get()) {
                    flight.remove(start);
                    end - 1
                } else {
                    end
                }
            }
        };
        flight.insert(place, packet);
    }

    /// The packets after one of them is duplicated. On a full link, the copy is lost.
    pub(crate) fn duplicated(&self, flight: &[Flying<M>], place: usize) -> Vec<Flying<M>> {
        let mut longer = flight.to_vec();
        if self.is_full(flight, &flight[place]) {
            return longer;
        }
        longer.insert(place, flight[place].clone());
        let mut after = Vec::with_capacity(longer.len());
        longer.into_iter().for_each(|packet| self.put(&mut after, packet));
        after
    }

    /// The places of the packets that can leave, in the order in which they are tried.
    pub(crate) fn removable(&self, flight: &[Flying<M>]) -> Vec<usize> {
        let is_first = |place: usize, same: fn(&Flying<M>, &Flying<M>) -> bool| {
            !flight[..place].iter().any(|earlier| same(earlier, &flight[place]))
        };
        let can_leave = |place: &usize| match self.kind {
            NetworkKind::Unordered if self.is_multiset() => is_first(*place, |a, b| a == b),
            NetworkKind::Unordered => true,
            NetworkKind::FifoPerLink => is_first(*place, |a, b| (a.from, a.to) == (b.from, b.to)),
            NetworkKind::GlobalList => self.late || is_first(*place, |a, b| a.to == b.to),
            NetworkKind::Inbox(_) => is_first(*place, |a, b| a.to == b.to),
        };
        (0..flight.len()).filter(can_leave).collect()
    }
}
