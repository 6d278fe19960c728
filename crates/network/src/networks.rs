//! The contents of the network: packets in flight and faults still possible.

use everypath_model::{Budget, Faults, NetworkKind, NodeId};
use hashbrown::HashTable;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

use crate::nodes::hash_words;

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

impl From<Faults> for FaultsLeft {
    fn from(faults: Faults) -> Self {
        Self {
            loss: faults.loss.into(),
            duplication: faults.duplication.into(),
            reboot: faults.reboot.into(),
        }
    }
}

/// A fault of the network or of a node, as far as it changes the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fault {
    None,
    Loss,
    Duplication {
        /// What is duplicated.
        packet: u32,
    },
    Reboot,
}

/// What a step adds to the network after a packet has been taken out of it, or none has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Output {
    /// The packets sent, in order.
    pub(crate) sent: Vec<u32>,
    /// The fault that happened.
    pub(crate) fault: Fault,
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
    /// By link and then in the order of sending; the first of each link can be taken.
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

/// A packet that can be taken out of a network, and what then remains.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Take {
    pub(crate) packet: u32,
    pub(crate) rest: u32,
}

#[derive(Clone, Copy)]
struct Span {
    start: u32,
    len: u32,
}

impl Span {
    const UNKNOWN: Self = Self { start: u32::MAX, len: 0 };

    fn of(list: usize, len: usize) -> Self {
        let narrow = |words: usize| u32::try_from(words).expect("networks fit in 2^32 words");
        Self { start: narrow(list), len: narrow(len) }
    }

    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// The contents of networks: each distinct one is kept once. The first word of a content names
/// the faults left, the others are packets.
pub(crate) struct Networks {
    order: Order,
    words: Vec<u32>,
    contents: Vec<Span>,
    index: HashTable<u32>,
    takes: Vec<Take>,
    takes_of: Vec<Span>,
    faults: IndexSet<FaultsLeft, FxBuildHasher>,
    outputs: IndexSet<Output, FxBuildHasher>,
    after: FxHashMap<(u32, u32), u32>,
    /// By packet: from whom to whom.
    ends: Vec<(NodeId, NodeId)>,
}

impl Networks {
    pub(crate) fn new(order: Order) -> Self {
        let mut outputs = IndexSet::default();
        outputs.insert(Output { sent: Vec::new(), fault: Fault::None });
        Self {
            order,
            words: Vec::new(),
            contents: Vec::new(),
            index: HashTable::new(),
            takes: Vec::new(),
            takes_of: Vec::new(),
            faults: IndexSet::default(),
            outputs,
            after: FxHashMap::default(),
            ends: Vec::new(),
        }
    }

    pub(crate) fn order(&self) -> Order {
        self.order
    }

    /// Makes a packet known; packets are numbered in this order.
    pub(crate) fn add_packet(&mut self, from: NodeId, to: NodeId) {
        self.ends.push((from, to));
    }

    pub(crate) fn receiver(&self, packet: u32) -> NodeId {
        self.ends[packet as usize].1
    }

    /// The packets in flight.
    pub(crate) fn packets(&self, network: u32) -> &[u32] {
        &self.content(network)[1..]
    }

    pub(crate) fn faults_left(&self, network: u32) -> FaultsLeft {
        self.faults[self.content(network)[0] as usize]
    }

    /// The network with the given packets, sent in that order.
    pub(crate) fn make(&mut self, faults: FaultsLeft, packets: &[u32]) -> u32 {
        let mut content = vec![self.intern_faults(faults)];
        for &packet in packets {
            self.put(&mut content, packet);
        }
        self.intern(&content)
    }

    pub(crate) fn output(&mut self, sent: Vec<u32>, fault: Fault) -> u32 {
        let (output, _) = self.outputs.insert_full(Output { sent, fault });
        u32::try_from(output).expect("at most 2^32 outputs fit")
    }

    /// The network after an output.
    pub(crate) fn after(&mut self, network: u32, output: u32) -> u32 {
        if output == NO_OUTPUT {
            return network;
        }
        if let Some(&after) = self.after.get(&(network, output)) {
            return after;
        }
        let after = self.compute_after(network, output);
        self.after.insert((network, output), after);
        after
    }

    fn compute_after(&mut self, network: u32, output: u32) -> u32 {
        let mut content = self.content(network).to_vec();
        let Output { sent, fault } = self.outputs[output as usize].clone();
        let mut left = self.faults[content[0] as usize];
        match fault {
            Fault::None => {}
            Fault::Loss => left.loss.spend(),
            Fault::Reboot => left.reboot.spend(),
            Fault::Duplication { packet } => {
                left.duplication.spend();
                let original = content[1..].iter().position(|&other| other == packet);
                let original = original.expect("what is duplicated is in flight") + 1;
                content.insert(original, packet);
            }
        }
        content[0] = self.intern_faults(left);
        for packet in sent {
            self.put(&mut content, packet);
        }
        self.intern(&content)
    }

    fn intern_faults(&mut self, faults: FaultsLeft) -> u32 {
        u32::try_from(self.faults.insert_full(faults).0).expect("budgets are small")
    }

    /// Puts a packet where it belongs.
    fn put(&self, content: &mut Vec<u32>, packet: u32) {
        let packets = &content[1..];
        let place = match self.order {
            Order::Listed | Order::PerReceiver => packets.len(),
            Order::Sorted => packets.partition_point(|&other| other <= packet),
            Order::PerLink => {
                let link = self.ends[packet as usize];
                packets.partition_point(|&other| self.ends[other as usize] <= link)
            }
        };
        content.insert(place + 1, packet);
    }

    /// The packets that can be taken out of a network, by receiver; an index range for
    /// [`take`](Self::take).
    pub(crate) fn takes(&mut self, network: u32) -> std::ops::Range<usize> {
        if self.takes_of[network as usize].start == Span::UNKNOWN.start {
            self.compute_takes(network);
        }
        self.takes_of[network as usize].range()
    }

    pub(crate) fn take(&self, index: usize) -> Take {
        self.takes[index]
    }

    fn compute_takes(&mut self, network: u32) {
        let content = self.content(network).to_vec();
        let mut places: Vec<usize> =
            (1..content.len()).filter(|&place| self.can_take(&content, place)).collect();
        places.sort_by_key(|&place| self.receiver(content[place]));
        let mut rest = Vec::with_capacity(content.len());
        let mut takes = Vec::with_capacity(places.len());
        for place in places {
            rest.clear();
            rest.extend_from_slice(&content[..place]);
            rest.extend_from_slice(&content[place + 1..]);
            takes.push(Take { packet: content[place], rest: self.intern(&rest) });
        }
        self.takes_of[network as usize] = Span::of(self.takes.len(), takes.len());
        self.takes.extend(takes);
    }

    fn can_take(&self, content: &[u32], place: usize) -> bool {
        let packet = content[place];
        let earlier = &content[1..place];
        let ends = |packet: u32| self.ends[packet as usize];
        match self.order {
            Order::Listed => true,
            Order::Sorted => earlier.last() != Some(&packet),
            Order::PerLink => {
                earlier.last().is_none_or(|&previous| ends(previous) != ends(packet))
            }
            Order::PerReceiver => earlier.iter().all(|&other| ends(other).1 != ends(packet).1),
        }
    }

    fn content(&self, network: u32) -> &[u32] {
        &self.words[self.contents[network as usize].range()]
    }

    fn intern(&mut self, content: &[u32]) -> u32 {
        let Self { words, contents, index, .. } = self;
        let at = |network: u32| &words[contents[network as usize].range()];
        let place = index.entry(
            hash_words(content),
            |&known| at(known) == content,
            |&known| hash_words(at(known)),
        );
        match place {
            hashbrown::hash_table::Entry::Occupied(known) => *known.get(),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let new = u32::try_from(contents.len()).expect("at most 2^32 networks fit");
                place.insert(new);
                contents.push(Span::of(words.len(), content.len()));
                words.extend_from_slice(content);
                self.takes_of.push(Span::UNKNOWN);
                new
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
            + (self.contents.capacity() + self.takes_of.capacity()) * size_of::<Span>()
            + self.takes.capacity() * size_of::<Take>()
            + self.index.allocation_size()
            // 12 bytes and a control byte per place.
            + self.after.capacity() * 8 / 7 * 13
    }
}
