//! Network contents: the packets in transit, and the past.
//!
//! A network is a list in a [`Trie`]: equal networks are one. So appending a packet is one step,
//! whatever the length. When a packet is removed, the rest follows from the rest of the network
//! without its last packet.
//!
//! Packets are read by following the trie. The packets that can be removed are stored when they are
//! first asked for ([`Removals`]). The effects of faults and longer outputs are cached for a while
//! ([`RecentPairs`]) and then computed again. That finds all its networks in the trie, so the
//! numbers of networks do not depend on the cache.
//!
//! With links in FIFO order, and with mailboxes of several packets, the items of the list are not
//! packets but the queues of the links or nodes, each a list in a trie of its own. A packet put into
//! the middle then moves whole queues, not packets.

mod budgets;
mod order;
mod output;
mod past;
mod queues;
mod removals;
mod saved;

use std::ops::Range;

use everypath_explore::gentle_growth;
use everypath_model::{Budget, Capacity, Faults, NodeId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

pub(crate) use self::{
    budgets::{FaultsLeft, Left},
    order::Order,
    output::{Fault, NO_OUTPUT},
    past::{LinksPast, Past, Timeouts},
    removals::Removal,
};
use self::{
    output::{Output, Outputs},
    queues::Queues,
    removals::{NETWORKS_MAX, REMOVALS_MAX, Removals},
};
use crate::{
    heap::set_growth,
    recent_pairs::RecentPairs,
    trie::{Cell, NOTHING, Trie},
};

/// The contents of networks: each distinct one is kept once.
pub(crate) struct Networks {
    order: Order,
    /// How many packets can be in flight from one node to another.
    capacity: Capacity,
    /// Whether the items of a network are queues.
    queued: bool,
    /// Whether it is not known in advance whether and by whom a packet is received. All packets can
    /// then be removed, in the order in which the network keeps them, and the caller selects the
    /// first one that the node can receive.
    late: bool,
    /// How many links can fail.
    links: usize,
    /// How often timers may fire, for each budget of timeouts.
    timeouts: Vec<u32>,
    /// The networks: the number of the past, followed by packets or queues.
    lists: Trie,
    queues: Queues,
    /// By network: its empty beginning, which has the past. Kept only if there can be several
    /// pasts; otherwise there is one empty network.
    roots: Vec<u32>,
    many_pasts: bool,
    removals: Removals,
    /// A buffer for the networks on the way to another whose removals are not known yet.
    unknown: Vec<u32>,
    pasts: IndexSet<Past, FxBuildHasher>,
    outputs: Outputs,
    /// Recent results of outputs that are more than a packet at the end.
    after: RecentPairs,
    /// A buffer for items that are put back.
    later: Vec<u32>,
    /// By packet: its sender and its addressee.
    ends: Vec<(NodeId, NodeId)>,
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("networks, packets and outputs fit in 32 bits")
}

impl Networks {
    /// Networks with this order, with links of this capacity, of which this many can fail, and with
    /// these budgets of timeouts. With `late`, the receivers of a
    /// packet are not known in advance. With `required`, networks remember whether the required
    /// event has happened.
    pub(crate) fn new(
        order: Order,
        capacity: Capacity,
        late: bool,
        faults: Faults,
        links: usize,
        timeouts: Vec<u32>,
        required: bool,
    ) -> Self {
        let budgets = [faults.loss, faults.duplication, faults.reboot];
        let queued = order.has_queues();
        Self {
            order,
            capacity,
            queued,
            late,
            links,
            lists: Trie::default(),
            queues: Queues::default(),
            roots: Vec::new(),
            many_pasts: required
                || links > 0
                || !timeouts.is_empty()
                || budgets.into_iter().any(Budget::is_counted),
            timeouts,
            removals: Removals::default(),
            unknown: Vec::new(),
            pasts: IndexSet::default(),
            outputs: Outputs::new(!queued && capacity != Capacity::Unlimited),
            after: RecentPairs::default(),
            later: Vec::new(),
            ends: Vec::new(),
        }
    }

    pub(crate) fn order(&self) -> Order {
        self.order
    }

    pub(crate) fn is_late(&self) -> bool {
        self.late
    }

    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }

    /// Adds a packet. Packets are numbered in this order.
    pub(crate) fn add_packet(&mut self, from: NodeId, to: NodeId) {
        self.ends.push((from, to));
    }

    /// How many packets are known.
    pub(crate) fn known_packets(&self) -> usize {
        self.ends.len()
    }

    /// The sender and the addressee of a packet.
    pub(crate) fn ends(&self, packet: u32) -> (NodeId, NodeId) {
        self.ends[packet as usize]
    }

    /// The addressee of a packet.
    pub(crate) fn addressee(&self, packet: u32) -> NodeId {
        self.ends[packet as usize].1
    }

    /// Appends the packets in flight, in the order in which the network keeps them.
    pub(crate) fn packets(&self, network: u32, packets: &mut Vec<u32>) {
        let start = packets.len();
        let mut place = self.first_packet(network);
        packets.extend(std::iter::from_fn(|| self.next_packet(network, &mut place)));
        packets[start..].reverse();
    }

    /// The start of the packets in flight, for [`next_packet`](Self::next_packet): a list whose
    /// last item is next and, if items are queues, the rest of a queue.
    pub(crate) fn first_packet(&self, network: u32) -> u64 {
        u64::from(network) << 32 | u64::from(NOTHING)
    }

    /// The next packet in flight, from the last to the first.
    #[inline]
    pub(crate) fn next_packet(&self, network: u32, place: &mut u64) -> Option<u32> {
        let (mut list, mut queue) = ((*place >> 32) as u32, *place as u32);
        if queue == NOTHING {
            if list == self.root(network) {
                return None;
            }
            let Cell { before, last } = self.lists.cell(list);
            if !self.queued {
                *place = self.first_packet(before);
                return Some(last);
            }
            (list, queue) = (before, last);
        }
        let Cell { before, last } = self.queues.cell(queue);
        *place = u64::from(list) << 32 | u64::from(before);
        Some(last)
    }

    /// Whether the required event has happened before any of the networks.
    pub(crate) fn required_has_happened(&self) -> bool {
        self.pasts.iter().any(|past| past.happened)
    }

    #[inline]
    pub(crate) fn past(&self, network: u32) -> Past {
        let past = if self.many_pasts { self.lists.last(self.roots[network as usize]) } else { 0 };
        self.pasts[past as usize]
    }

    /// The network with the given past and packets, sent in that order.
    pub(crate) fn make(&mut self, past: Past, packets: &[u32]) -> u32 {
        let past = narrow(self.pasts.insert_full(past).0);
        let empty = self.intern(Cell { before: NOTHING, last: past });
        packets.iter().fold(empty, |network, &packet| self.put(network, packet))
    }

    pub(crate) fn output(&mut self, sent: Vec<u32>, fault: Fault) -> u32 {
        self.outputs.add(Output { sent, fault, required: false }).0
    }

    /// An output with the mark of the required event.
    pub(crate) fn required(&mut self, output: u32) -> u32 {
        let output = Output { required: true, ..self.outputs.get(output).clone() };
        self.outputs.add(output).0
    }

    /// An output of a timer that spends some budgets of timeouts.
    pub(crate) fn timeout(&mut self, output: u32, budgets: u8) -> u32 {
        let fault = Fault::Timeout { budgets };
        let output = Output { fault, ..self.outputs.get(output).clone() };
        self.outputs.add(output).0
    }

    /// Whether a past allows an output: whether none of the budgets of timeouts that it spends is spent.
    pub(crate) fn is_within_budget(&self, past: &Past, output: u32) -> bool {
        match self.outputs.get(output).fault {
            Fault::Timeout { budgets } => past.timeouts.allow(budgets),
            _ => true,
        }
    }

    /// The network after an output.
    #[inline]
    pub(crate) fn after(&mut self, network: u32, output: u32) -> u32 {
        if output == NO_OUTPUT { network } else { self.after_some(network, output) }
    }

    fn after_some(&mut self, network: u32, output: u32) -> u32 {
        let packet = self.outputs.only_packet(output);
        if packet != NOTHING && self.queued {
            return self.put(network, packet);
        }
        if packet != NOTHING && self.goes_last(network, packet) {
            return self.intern(Cell { before: network, last: packet });
        }
        if let Some(after) = self.after.get((network, output)) {
            return after;
        }
        let after = self.compute_after(network, output);
        self.after.put((network, output), after);
        after
    }

    fn compute_after(&mut self, network: u32, output: u32) -> u32 {
        let Output { fault, required, .. } = *self.outputs.get(output);
        let mut after = match (fault, required) {
            (Fault::None, false) => network,
            _ => self.after_fault(network, fault, required),
        };
        let mut place = 0;
        while let Some(&packet) = self.outputs.get(output).sent.get(place) {
            after = self.put(after, packet);
            place += 1;
        }
        after
    }

    /// The network after a fault or the required event, before anything is sent.
    fn after_fault(&mut self, network: u32, fault: Fault, required: bool) -> u32 {
        let past = self.past(network).after(fault, required);
        match fault {
            Fault::Duplication { packet, ahead } => self.duplicate(network, past, packet, ahead),
            _ => self.with_past(network, past),
        }
    }

    /// The network with one of its packets duplicated, and another past.
    fn duplicate(&mut self, network: u32, past: Past, packet: u32, ahead: usize) -> u32 {
        if self.is_link_full(network, packet) {
            // The copy is lost.
            return self.with_past(network, past);
        }
        let mut packets = Vec::new();
        self.packets(network, &mut packets);
        let mut equal = (0..packets.len()).filter(|&place| packets[place] == packet);
        let original = equal.nth(ahead).expect("a duplicated packet is in flight");
        packets.insert(original, packet);
        self.make(past, &packets)
    }

    /// The network with the same packets and another past.
    fn with_past(&mut self, network: u32, past: Past) -> u32 {
        if past == self.past(network) {
            return network;
        }
        let mut items = std::mem::take(&mut self.later);
        self.lists.walk_back(network, self.root(network), |item| items.push(item));
        let mut copy = self.make(past, &[]);
        while let Some(last) = items.pop() {
            copy = self.intern(Cell { before: copy, last });
        }
        self.later = items;
        copy
    }

    /// Whether an item (a packet, or a queue) belongs at the end.
    #[inline]
    fn goes_last(&self, network: u32, item: u32) -> bool {
        let last = || self.lists.last(network);
        match self.order {
            Order::Listed | Order::PerReceiver => true,
            _ if network == self.root(network) => true,
            Order::Sorted => last() <= item,
            Order::Mailbox => self.addressee(last()) < self.addressee(item),
            Order::PerLink | Order::Inbox(_) => self.owner(last()) < self.owner(item),
        }
    }

    /// The empty network with the same past.
    #[inline]
    fn root(&self, network: u32) -> u32 {
        if self.many_pasts { self.roots[network as usize] } else { 0 }
    }

    /// The link of a queue, or the node of a mailbox in place of both ends.
    fn owner(&self, queue: u32) -> (NodeId, NodeId) {
        let (from, to) = self.ends[self.queues.last(queue) as usize];
        if self.order == Order::PerLink { (from, to) } else { (to, to) }
    }

    /// How many packets a queue holds, if there is a limit.
    fn queue_most(&self) -> Option<u32> {
        match self.order {
            Order::Inbox(most) => Some(most.into()),
            _ => self.capacity.most(),
        }
    }

    /// A queue with one more packet. If it was full, that one is lost, or displaces the first one.
    fn with_packet(&mut self, queue: u32, packet: u32) -> u32 {
        let most = self.queue_most();
        let is_full = most.is_some_and(|most| self.queues.is_longer(queue, most - 1));
        if is_full && matches!(self.capacity, Capacity::NewestLost(_)) {
            return queue;
        }
        let longer = self.queues.with(queue, packet);
        if is_full { self.queues.front(longer).rest } else { longer }
    }

    /// Whether no more packets fit on the link of a packet.
    fn is_link_full(&self, network: u32, packet: u32) -> bool {
        let Some(most) = self.capacity.most() else {
            return false;
        };
        let link = self.ends(packet);
        let mut place = self.first_packet(network);
        let all = std::iter::from_fn(|| self.next_packet(network, &mut place));
        all.filter(|&packet| self.ends(packet) == link).count() >= most as usize
    }

    /// Puts a packet on its link, which is full.
    fn put_on_full(&mut self, network: u32, packet: u32) -> u32 {
        if !matches!(self.capacity, Capacity::OldestLost(_)) {
            return network;
        }
        let mut packets = Vec::new();
        self.packets(network, &mut packets);
        let link = self.ends(packet);
        let oldest = packets.iter().position(|&packet| self.ends(packet) == link);
        packets.remove(oldest.expect("a full link has packets"));
        packets.push(packet);
        let past = self.past(network);
        self.make(past, &packets)
    }

    /// Puts a packet where it belongs.
    fn put(&mut self, network: u32, packet: u32) -> u32 {
        if !self.queued && self.is_link_full(network, packet) {
            return self.put_on_full(network, packet);
        }
        let mut item = packet;
        if self.queued {
            item = self.queues.with(NOTHING, packet);
        }
        let mut place = network;
        let mut later = std::mem::take(&mut self.later);
        while !self.goes_last(place, item) {
            let Cell { before, last } = self.lists.cell(place);
            place = before;
            if self.queued && self.owner(last) == self.owner(item) {
                item = self.with_packet(last, packet);
                break;
            }
            if self.order == Order::Mailbox && self.addressee(last) == self.addressee(item) {
                break;
            }
            later.push(last);
        }
        let mut put = self.intern(Cell { before: place, last: item });
        while let Some(last) = later.pop() {
            put = self.intern(Cell { before: put, last });
        }
        self.later = later;
        put
    }

    /// Finds the packets that can be removed from a network, by their addressee or, if receivers
    /// are not known in advance, in their order.
    pub(crate) fn look_at(&mut self, network: u32, removals: &mut Vec<Removal>) {
        removals.clear();
        let root = self.root(network);
        let mut known = network;
        while known != root && !self.removals.knows(known) {
            self.unknown.push(known);
            known = self.lists.cell(known).before;
        }
        let mut places = if known == root { 0..0 } else { self.removals.places(known) };
        while let Some(network) = self.unknown.pop() {
            places = self.add_removals(network, places);
        }
        removals.extend(places.map(|place| self.removals.get(place)));
    }

    /// Computes the removals from a network, given those from the network before its last item.
    fn add_removals(&mut self, network: u32, earlier: Range<usize>) -> Range<usize> {
        let Cell { before, last } = self.lists.cell(network);
        let own = self.last_removal(before, last);
        let can_be_taken = |earlier: Removal| self.can_overtake(own.packet, earlier.packet);
        let mut own =
            earlier.clone().all(|place| can_be_taken(self.removals.get(place))).then_some(own);
        let start = self.removals.begin(network);
        for place in earlier {
            let Removal { packet, rest } = self.removals.get(place);
            if let Some(own) = own.take_if(|own| self.comes_before(own.packet, packet)) {
                self.removals.push(own);
            }
            let rest = self.intern(Cell { before: rest, last });
            self.removals.push(Removal { packet, rest });
        }
        own.into_iter().for_each(|own| self.removals.push(own));
        start..self.removals.end()
    }

    /// Whether a removal is listed before that of an earlier packet.
    fn comes_before(&self, packet: u32, earlier: u32) -> bool {
        !self.late && self.addressee(packet) < self.addressee(earlier)
    }

    /// The removal of a packet from the last item.
    fn last_removal(&mut self, before: u32, last: u32) -> Removal {
        if !self.queued {
            return Removal { packet: last, rest: before };
        }
        let Removal { packet, rest } = self.queues.front(last);
        match rest {
            NOTHING => Removal { packet, rest: before },
            rest => Removal { packet, rest: self.intern(Cell { before, last: rest }) },
        }
    }

    /// Whether a packet can be removed although an earlier one can, too.
    fn can_overtake(&self, packet: u32, earlier: u32) -> bool {
        let ends = |packet: u32| self.ends[packet as usize];
        match self.order {
            Order::Listed | Order::PerLink | Order::Mailbox | Order::Inbox(_) => true,
            Order::Sorted => earlier != packet,
            Order::PerReceiver => self.late || ends(earlier).1 != ends(packet).1,
        }
    }

    /// The network with one more item, or the empty one with this past.
    #[inline]
    fn intern(&mut self, cell: Cell) -> u32 {
        let (network, new) = self.lists.intern(cell);
        if new && self.many_pasts {
            let Cell { before, .. } = cell;
            let root = if before == NOTHING { network } else { self.roots[before as usize] };
            gentle_growth::push(&mut self.roots, root);
        }
        network
    }

    /// Whether a handler of a node can have this output. `restarts` says whether it is the handler
    /// of a reboot.
    pub(crate) fn can_be_of_handler(&self, output: u32, node: NodeId, restarts: bool) -> bool {
        let sender = |packet: u32| self.ends[packet as usize].0;
        self.outputs.get(output).can_be_of_handler(node, restarts, sender)
    }

    /// The packets that an output sends.
    pub(crate) fn sent(&self, output: u32) -> &[u32] {
        &self.outputs.get(output).sent
    }

    pub(crate) fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Whether 32 bits are about to be too few for all numbers.
    pub(crate) fn is_full(&self) -> bool {
        const SPARE: usize = 1 << 28;
        self.lists.len() >= NETWORKS_MAX - SPARE || self.removals.len() >= REMOVALS_MAX - SPARE
    }

    pub(crate) fn bytes(&self) -> usize {
        self.lists.bytes()
            + self.queues.bytes()
            + self.removals.bytes()
            + (self.roots.capacity() + self.unknown.capacity()) * size_of::<u32>()
            + self.pasts.capacity() * (size_of::<Past>() + 16)
            + self.outputs.bytes()
            + self.after.bytes()
    }

    /// How many bytes more it takes at once if its tables are about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        self.lists.bytes_soon()
            + self.queues.bytes_soon()
            + set_growth(&self.pasts)
            + self.outputs.bytes_soon()
    }
}
