//! The contents of the network: packets in flight, and what is remembered of the past.
//!
//! A network is a list in a [`Trie`]: equal networks are one, so putting a packet at the end is one
//! step, whatever the length; and what remains when a packet is taken out follows from what
//! remained of the network before.
//!
//! Its packets are read by following the trie; what can be taken out of it is kept once it was
//! asked for ([`Takes`]). What a fault or a longer output leads to is remembered for a while
//! ([`RecentPairs`]) and then computed again: that finds all its networks in the trie, so the
//! numbers of networks do not depend on what was forgotten.
//!
//! With links in FIFO order, the items of the list are not packets but the queues of the links that
//! have packets, each a list in a trie of its own: a packet put into the middle then moves whole
//! queues, not packets.

use std::{io, ops::Range};

use everypath_explore::gentle_growth;
use everypath_model::{Budget, Faults, NetworkKind, NodeId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::{
    links::LinkSet,
    nodes::set_growth,
    recent_pairs::RecentPairs,
    removals::{NETWORKS_MAX, TAKES_MAX, Take, Takes},
    saved::{Sink, Source, damaged, ensure},
    trie::{Cell, NOTHING, Trie},
};

/// What is left of the budgets of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct FaultsLeft {
    pub(crate) loss: Left,
    pub(crate) duplication: Left,
    pub(crate) reboot: Left,
}

/// What is left of one budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Left {
    /// So many times.
    Times(u32),
    /// As often as it likes.
    Unlimited,
}

impl Left {
    pub(crate) fn some(self) -> bool {
        self != Self::Times(0)
    }

    fn is_within(self, budget: Budget) -> bool {
        match (self, Self::from(budget)) {
            (Self::Times(left), Self::Times(most)) => left <= most,
            (Self::Unlimited, Self::Unlimited) => true,
            (Self::Times(_), Self::Unlimited) | (Self::Unlimited, Self::Times(_)) => false,
        }
    }

    fn covers(self, other: Self) -> bool {
        match (self, other) {
            (Self::Times(left), Self::Times(needed)) => left >= needed,
            (Self::Unlimited, _) => true,
            (Self::Times(_), Self::Unlimited) => false,
        }
    }

    fn spend(&mut self) {
        if let Self::Times(times) = self {
            *times -= 1;
        }
    }
}

impl From<Budget> for Left {
    fn from(budget: Budget) -> Self {
        match budget {
            Budget::Off => Self::Times(0),
            Budget::AtMost(times) => Self::Times(times),
            Budget::Unlimited => Self::Unlimited,
        }
    }
}

impl FaultsLeft {
    /// Whether a run with these budgets can have so many left.
    pub(crate) fn is_within(self, faults: Faults) -> bool {
        self.loss.is_within(faults.loss)
            && self.duplication.is_within(faults.duplication)
            && self.reboot.is_within(faults.reboot)
    }
}

impl From<Faults> for FaultsLeft {
    fn from(faults: Faults) -> Self {
        Self {
            loss: faults.loss.into(),
            duplication: faults.duplication.into(),
            reboot: faults.reboot.into(),
        }
    }
}

/// What is remembered of links that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct LinksPast {
    /// How often one may still fail.
    pub(crate) failures: Left,
    /// How often one may still come back.
    pub(crate) returns: Left,
    /// Which are down.
    pub(crate) down: LinkSet,
}

impl LinksPast {
    /// Whether a run with these budgets and so many links can have this past.
    pub(crate) fn is_within(self, faults: Faults, links: usize) -> bool {
        self.failures.is_within(faults.link_failure)
            && self.returns.is_within(faults.link_return)
            && self.down.is_within(links)
    }

    /// Whether everything that can come after another past can come after this one. A link that is
    /// down lets other events happen than one that is up, so neither stands for the other.
    fn covers(self, other: Self) -> bool {
        self.down == other.down
            && self.failures.covers(other.failures)
            && self.returns.covers(other.returns)
    }
}

/// What a network remembers of its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Past {
    /// What is left of the budgets of faults but those of links.
    pub(crate) left: FaultsLeft,
    /// What has become of links.
    pub(crate) links: LinksPast,
    /// Whether the required event has happened; never, if none is required.
    pub(crate) happened: bool,
}

impl Past {
    /// What a run begins with.
    pub(crate) fn none(faults: Faults) -> Self {
        let links = LinksPast {
            failures: faults.link_failure.into(),
            returns: faults.link_return.into(),
            down: LinkSet::default(),
        };
        Self { left: faults.into(), links, happened: false }
    }

    /// Whether everything that can come after another past can come after this one. Where the required event
    /// has happened, a run ends at its first violation, and where it has not, it goes on: neither stands for
    /// the other.
    pub(crate) fn covers(self, other: Self) -> bool {
        self.left.loss.covers(other.left.loss)
            && self.left.duplication.covers(other.left.duplication)
            && self.left.reboot.covers(other.left.reboot)
            && self.links.covers(other.links)
            && self.happened == other.happened
    }

    /// Whether the same can come after another past as after this one, and no more: where nothing
    /// can happen after the other, nothing can happen after this one.
    pub(crate) fn has_the_same_to_come(self, other: Self) -> bool {
        self.left == other.left && self.links == other.links && self.happened == other.happened
    }
}

/// A fault of the network or of a node, as far as it changes the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Fault {
    None,
    Loss,
    Duplication {
        /// What is duplicated.
        packet: u32,
        /// How many equal packets are ahead of it.
        ahead: usize,
    },
    Reboot,
    /// A link fails or comes back.
    Link {
        link: usize,
        up: bool,
    },
}

/// What a step adds to the network after a packet has been taken out of it, or none has.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Output {
    /// The packets sent, in order.
    pub(crate) sent: Vec<u32>,
    /// The fault that happened.
    pub(crate) fault: Fault,
    /// Whether the step is the required event.
    pub(crate) required: bool,
}

/// The output that changes nothing.
pub(crate) const NO_OUTPUT: u32 = 0;

/// How a network keeps its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// A multiset: sorted by packet, any can be taken.
    Sorted,
    /// In the order of sending, any can be taken, equal ones separately.
    Listed,
    /// A queue for each link, in the order of sending; the first of each can be taken.
    PerLink,
    /// In the order of sending; the first for each receiver can be taken.
    PerReceiver,
}

impl Order {
    pub(crate) fn of(kind: NetworkKind, listed: bool) -> Self {
        match kind {
            NetworkKind::Unordered if listed => Self::Listed,
            NetworkKind::Unordered => Self::Sorted,
            NetworkKind::FifoPerLink => Self::PerLink,
            NetworkKind::GlobalList => Self::PerReceiver,
        }
    }
}

/// The contents of networks: each distinct one is kept once.
pub(crate) struct Networks {
    order: Order,
    /// Whether it is not known in advance who receives a packet, or whether it can be received. All
    /// packets can then be taken, in the order in which the network keeps them, and who asks must
    /// look for the first that he can receive.
    late: bool,
    /// How many links can fail.
    links: usize,
    /// The networks: after the number of their past, packets or queues.
    lists: Trie,
    /// The queues of links.
    queues: Trie,
    /// By queue: its first packet, and the queue without it, if that is one.
    fronts: Vec<Take>,
    /// By network: its empty beginning, which knows the past. Kept only when there can be more than
    /// one past; if not, there is one empty network.
    roots: Vec<u32>,
    many_pasts: bool,
    takes: Takes,
    /// The networks on the way to one that is looked at whose takes are not known yet: a list that
    /// is used again and again.
    unknown: Vec<u32>,
    pasts: IndexSet<Past, FxBuildHasher>,
    outputs: IndexSet<Output, FxBuildHasher>,
    /// How many bytes the packets of outputs take.
    sent_bytes: usize,
    /// By output: its packet, if that is all there is to it; else [`NOTHING`].
    only_packets: Vec<u32>,
    /// What an output led to lately, where that is more than a packet at the end.
    after: RecentPairs,
    /// Items that are to follow: a list that is used again and again.
    later: Vec<u32>,
    /// By packet: from whom to whom.
    ends: Vec<(NodeId, NodeId)>,
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("networks, packets and outputs fit in 32 bits")
}

impl Networks {
    /// Networks in this order, of which so many links can fail; with `late`, it is not known in
    /// advance who receives a packet; with `required`, they remember whether the required event has
    /// happened.
    pub(crate) fn new(
        order: Order,
        late: bool,
        faults: Faults,
        links: usize,
        required: bool,
    ) -> Self {
        let budgets = [faults.loss, faults.duplication, faults.reboot];
        let mut networks = Self {
            order,
            late,
            links,
            lists: Trie::default(),
            queues: Trie::default(),
            fronts: Vec::new(),
            roots: Vec::new(),
            many_pasts: required || links > 0 || budgets.into_iter().any(Budget::is_counted),
            takes: Takes::default(),
            unknown: Vec::new(),
            pasts: IndexSet::default(),
            outputs: IndexSet::default(),
            sent_bytes: 0,
            only_packets: Vec::new(),
            after: RecentPairs::default(),
            later: Vec::new(),
            ends: Vec::new(),
        };
        // The one that is called `NO_OUTPUT`.
        networks.output(Vec::new(), Fault::None);
        networks
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

    /// Makes a packet known; packets are numbered in this order.
    pub(crate) fn add_packet(&mut self, from: NodeId, to: NodeId) {
        self.ends.push((from, to));
    }

    /// How many packets are known.
    pub(crate) fn known_packets(&self) -> usize {
        self.ends.len()
    }

    /// From whom to whom a packet goes.
    pub(crate) fn ends(&self, packet: u32) -> (NodeId, NodeId) {
        self.ends[packet as usize]
    }

    /// Whom a packet is addressed to.
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

    /// Where the packets in flight begin, for [`next_packet`](Self::next_packet): a list whose last
    /// item is to be looked at and, with links in FIFO order, a queue of which something is left.
    pub(crate) fn first_packet(&self, network: u32) -> u64 {
        u64::from(network) << 32 | u64::from(NOTHING)
    }

    /// The next packet in flight of a network, the other way round.
    #[inline]
    pub(crate) fn next_packet(&self, network: u32, place: &mut u64) -> Option<u32> {
        let (mut list, mut queue) = ((*place >> 32) as u32, *place as u32);
        if queue == NOTHING {
            if list == self.root(network) {
                return None;
            }
            let Cell { before, last } = self.lists.cell(list);
            if self.order != Order::PerLink {
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
        self.add_output(Output { sent, fault, required: false }).0
    }

    /// The output of the required event that has otherwise another output.
    pub(crate) fn required(&mut self, output: u32) -> u32 {
        let output = Output { required: true, ..self.outputs[output as usize].clone() };
        self.add_output(output).0
    }

    /// The number of an output, and whether it is new.
    fn add_output(&mut self, output: Output) -> (u32, bool) {
        let only_packet = match &output {
            Output { sent, fault: Fault::None, required: false } if sent.len() == 1 => sent[0],
            _ => NOTHING,
        };
        let sent_bytes = output.sent.capacity() * size_of::<u32>();
        let (output, new) = self.outputs.insert_full(output);
        if new {
            self.sent_bytes += sent_bytes;
            self.only_packets.push(only_packet);
        }
        (narrow(output), new)
    }

    /// The network after an output.
    #[inline]
    pub(crate) fn after(&mut self, network: u32, output: u32) -> u32 {
        if output == NO_OUTPUT { network } else { self.after_some(network, output) }
    }

    fn after_some(&mut self, network: u32, output: u32) -> u32 {
        let packet = self.only_packets[output as usize];
        if packet != NOTHING && self.order == Order::PerLink {
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
        let Output { fault, required, .. } = self.outputs[output as usize];
        let mut after = match (fault, required) {
            (Fault::None, false) => network,
            _ => self.after_fault(network, fault, required),
        };
        let mut place = 0;
        while let Some(&packet) = self.outputs[output as usize].sent.get(place) {
            after = self.put(after, packet);
            place += 1;
        }
        after
    }

    /// The network after a fault or the required event, before anything is sent.
    fn after_fault(&mut self, network: u32, fault: Fault, required: bool) -> u32 {
        let mut past = self.past(network);
        let Past { left, links, .. } = &mut past;
        match fault {
            Fault::None => {}
            Fault::Link { link, up: false } => {
                links.failures.spend();
                links.down = links.down.with(LinkSet::one(link));
            }
            Fault::Link { link, up: true } => {
                links.returns.spend();
                links.down = links.down.without(LinkSet::one(link));
            }
            Fault::Loss => left.loss.spend(),
            Fault::Reboot => left.reboot.spend(),
            Fault::Duplication { .. } => left.duplication.spend(),
        }
        past.happened |= required;
        match fault {
            Fault::Duplication { packet, ahead } => self.duplicate(network, past, packet, ahead),
            _ => self.with_past(network, past),
        }
    }

    /// The network with one of its packets doubled, and another past.
    fn duplicate(&mut self, network: u32, past: Past, packet: u32, ahead: usize) -> u32 {
        let mut packets = Vec::new();
        self.packets(network, &mut packets);
        let mut equal = (0..packets.len()).filter(|&place| packets[place] == packet);
        let original = equal.nth(ahead).expect("what is duplicated is in flight");
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

    /// Whether a packet, or for links a queue, belongs at the end.
    #[inline]
    fn goes_last(&self, network: u32, item: u32) -> bool {
        let last = || self.lists.last(network);
        match self.order {
            Order::Listed | Order::PerReceiver => true,
            _ if network == self.root(network) => true,
            Order::Sorted => last() <= item,
            Order::PerLink => self.link(last()) < self.link(item),
        }
    }

    /// The empty network with the same past.
    #[inline]
    fn root(&self, network: u32) -> u32 {
        if self.many_pasts { self.roots[network as usize] } else { 0 }
    }

    /// The link of a queue.
    fn link(&self, queue: u32) -> (NodeId, NodeId) {
        self.ends[self.queues.last(queue) as usize]
    }

    /// Puts a packet where it belongs.
    fn put(&mut self, network: u32, packet: u32) -> u32 {
        let mut item = packet;
        if self.order == Order::PerLink {
            item = self.queue(NOTHING, packet);
        }
        let mut place = network;
        let mut later = std::mem::take(&mut self.later);
        while !self.goes_last(place, item) {
            let Cell { before, last } = self.lists.cell(place);
            place = before;
            if self.order == Order::PerLink && self.link(last) == self.link(item) {
                item = self.queue(last, packet);
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

    /// The queue that one more packet makes of another, or of none.
    fn queue(&mut self, before: u32, packet: u32) -> u32 {
        let (queue, new) = self.queues.intern(Cell { before, last: packet });
        if new {
            let front = match before {
                NOTHING => Take { packet, rest: NOTHING },
                _ => {
                    let Take { packet: first, rest } = self.fronts[before as usize];
                    // Made before its own front is asked for: the queue itself is one longer.
                    gentle_growth::push(&mut self.fronts, Take { packet: first, rest: NOTHING });
                    Take { packet: first, rest: self.queue(rest, packet) }
                }
            };
            match self.fronts.get_mut(queue as usize) {
                Some(place) => *place = front,
                None => gentle_growth::push(&mut self.fronts, front),
            }
        }
        queue
    }

    /// Finds out which packets can be taken out of a network, by the node they are addressed to or,
    /// if it is not known in advance who receives them, in their order.
    pub(crate) fn look_at(&mut self, network: u32, takes: &mut Vec<Take>) {
        takes.clear();
        let root = self.root(network);
        let mut known = network;
        while known != root && !self.takes.knows(known) {
            self.unknown.push(known);
            known = self.lists.cell(known).before;
        }
        let mut places = if known == root { 0..0 } else { self.takes.places(known) };
        while let Some(network) = self.unknown.pop() {
            places = self.add_takes(network, places);
        }
        takes.extend(places.map(|place| self.takes.get(place)));
    }

    /// Makes what can be taken out of the network before the last item into what can be taken out
    /// of a network.
    fn add_takes(&mut self, network: u32, earlier: Range<usize>) -> Range<usize> {
        let Cell { before, last } = self.lists.cell(network);
        let own = self.last_take(before, last);
        let can_be_taken = |earlier: Take| self.can_overtake(own.packet, earlier.packet);
        let mut own =
            earlier.clone().all(|place| can_be_taken(self.takes.get(place))).then_some(own);
        let start = self.takes.begin(network);
        for place in earlier {
            let Take { packet, rest } = self.takes.get(place);
            if let Some(own) = own.take_if(|own| self.comes_before(own.packet, packet)) {
                self.takes.push(own);
            }
            let rest = self.intern(Cell { before: rest, last });
            self.takes.push(Take { packet, rest });
        }
        own.into_iter().for_each(|own| self.takes.push(own));
        start..self.takes.end()
    }

    /// Whether a packet is to be taken before an earlier one.
    fn comes_before(&self, packet: u32, earlier: u32) -> bool {
        !self.late && self.addressee(packet) < self.addressee(earlier)
    }

    /// What taking a packet out of the last item leads to.
    fn last_take(&mut self, before: u32, last: u32) -> Take {
        if self.order != Order::PerLink {
            return Take { packet: last, rest: before };
        }
        let Take { packet, rest } = self.fronts[last as usize];
        match rest {
            NOTHING => Take { packet, rest: before },
            rest => Take { packet, rest: self.intern(Cell { before, last: rest }) },
        }
    }

    /// Whether a packet can be taken although an earlier one can be taken, too.
    fn can_overtake(&self, packet: u32, earlier: u32) -> bool {
        let ends = |packet: u32| self.ends[packet as usize];
        match self.order {
            Order::Listed | Order::PerLink => true,
            Order::Sorted => earlier != packet,
            Order::PerReceiver => self.late || ends(earlier).1 != ends(packet).1,
        }
    }

    /// The network that one item makes of another, or the empty one with this past.
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

    pub(crate) fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Writes everything that has a number, in the order of the numbers.
    pub(crate) fn save(&self, out: &mut Sink<'_>) -> io::Result<()> {
        out.list(self.pasts.iter())?;
        // The first is always there.
        out.list(self.outputs.iter().skip(1))?;
        out.list(self.queues.links())?;
        out.list(self.lists.links())
    }

    /// Reads what was saved into networks that know the same packets and nothing else; `required`
    /// says whether there is a required event.
    pub(crate) fn restore(
        &mut self,
        input: &mut Source<'_>,
        faults: Faults,
        required: bool,
    ) -> io::Result<()> {
        input.list(|past: Past| {
            let possible = past.left.is_within(faults)
                && past.links.is_within(faults, self.links)
                && (required || !past.happened);
            ensure(possible, "a network has a past that no run can have")?;
            ensure(self.pasts.insert(past), "a past of networks is there twice")
        })?;
        input.list(|output: Output| {
            ensure(
                self.can_be_output(&output, required),
                "an output names a packet or an event that is not there",
            )?;
            ensure(self.add_output(output).1, "an output is there twice")
        })?;
        input.list(|link| self.restore_queue(link))?;
        self.restore_fronts()?;
        input.list(|link| self.restore_network(link))
    }

    /// Whether a handler of a node can have this output: one that comes up again after a reboot, or another.
    pub(crate) fn can_be_of_handler(&self, output: u32, node: NodeId, restarts: bool) -> bool {
        let Output { sent, fault, required } = &self.outputs[output as usize];
        let fault = match fault {
            Fault::None => true,
            Fault::Reboot => restarts,
            Fault::Loss | Fault::Duplication { .. } | Fault::Link { .. } => false,
        };
        fault && !required && sent.iter().all(|&packet| self.ends[packet as usize].0 == node)
    }

    fn can_be_output(&self, Output { sent, fault, required }: &Output, can_be: bool) -> bool {
        let duplicated = match fault {
            Fault::Duplication { packet, .. } => Some(packet),
            Fault::None | Fault::Loss | Fault::Reboot | Fault::Link { .. } => None,
        };
        let mut packets = sent.iter().chain(duplicated);
        packets.all(|&packet| (packet as usize) < self.ends.len())
            && !matches!(fault, Fault::Link { link, .. } if *link >= self.links)
            && (can_be || !required)
    }

    fn restore_queue(&mut self, link: (u32, u32)) -> io::Result<()> {
        let cell = self.queues.next_cell(link);
        let possible = |&Cell { before, last }: &Cell| {
            let end = self.ends.get(last as usize);
            self.order == Order::PerLink
                && end.is_some_and(|end| before == NOTHING || *end == self.link(before))
        };
        let cell = cell.filter(possible).ok_or_else(|| damaged("a queue of packets is none"))?;
        let (_, new) = self.queues.intern(cell);
        ensure(new, "a queue of packets is there twice")
    }

    /// Finds out what is left of each queue without its first packet.
    fn restore_fronts(&mut self) -> io::Result<()> {
        for queue in 0..narrow(self.queues.len()) {
            let Cell { before, last } = self.queues.cell(queue);
            let front = match before {
                NOTHING => Take { packet: last, rest: NOTHING },
                _ => {
                    let Take { packet, rest } = self.fronts[before as usize];
                    let (rest, new) = self.queues.intern(Cell { before: rest, last });
                    ensure(!new, "a queue of packets is missing")?;
                    Take { packet, rest }
                }
            };
            self.fronts.push(front);
        }
        Ok(())
    }

    fn restore_network(&mut self, link: (u32, u32)) -> io::Result<()> {
        let items = match self.order {
            Order::PerLink => self.queues.len(),
            Order::Sorted | Order::Listed | Order::PerReceiver => self.ends.len(),
        };
        let possible = |&Cell { before, last }: &Cell| match before {
            NOTHING => {
                (last as usize) < self.pasts.len() && (self.many_pasts || self.lists.len() == 0)
            }
            _ => (last as usize) < items && self.goes_last(before, last),
        };
        let cell = self.lists.next_cell(link).filter(possible);
        let cell = cell.ok_or_else(|| damaged("a network is none"))?;
        let networks = self.lists.len();
        self.intern(cell);
        ensure(self.lists.len() > networks, "a network is there twice")
    }

    /// Whether names are about to run out of 32 bits.
    pub(crate) fn is_full(&self) -> bool {
        const SPARE: usize = 1 << 28;
        self.lists.len() >= NETWORKS_MAX - SPARE || self.takes.len() >= TAKES_MAX - SPARE
    }

    pub(crate) fn bytes(&self) -> usize {
        self.lists.bytes()
            + self.queues.bytes()
            + self.takes.bytes()
            + self.fronts.capacity() * size_of::<Take>()
            + (self.roots.capacity() + self.unknown.capacity()) * size_of::<u32>()
            + self.only_packets.capacity() * size_of::<u32>()
            + self.pasts.capacity() * (size_of::<Past>() + 16)
            + self.outputs.capacity() * (size_of::<Output>() + 16)
            + self.sent_bytes
            + self.after.bytes()
    }

    /// How many bytes more it takes at once when its tables grow, as far as that is about to happen.
    pub(crate) fn bytes_soon(&self) -> usize {
        self.lists.bytes_soon()
            + self.queues.bytes_soon()
            + set_growth(&self.pasts)
            + set_growth(&self.outputs)
    }
}
