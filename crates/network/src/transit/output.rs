//! Outputs: the packets that a step sends, and its fault.

use everypath_model::NodeId;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::{heap::set_growth, trie::NOTHING};

/// A fault of the network or of a node, with its effect on the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Fault {
    None,
    Loss,
    Duplication {
        /// The packet that is duplicated.
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
    /// A timer fires that may fire a limited number of times.
    Timeout {
        /// The budgets that it spends, a bit for each.
        budgets: u8,
    },
}

/// The change that a step makes to the network after it has removed a packet, or none.
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

/// All outputs: each distinct one is kept once.
pub(super) struct Outputs {
    all: IndexSet<Output, FxBuildHasher>,
    /// How many bytes their packets take.
    sent_bytes: usize,
    /// Whether a packet may find its link full, so that no packet is just put at the end.
    bounded: bool,
    /// By output: its packet, if it has nothing else; otherwise [`NOTHING`].
    only_packets: Vec<u32>,
}

impl Outputs {
    /// Outputs with only [`NO_OUTPUT`]. With `bounded`, links have a capacity.
    pub(super) fn new(bounded: bool) -> Self {
        let mut outputs =
            Self { all: IndexSet::default(), sent_bytes: 0, bounded, only_packets: Vec::new() };
        outputs.add(Output { sent: Vec::new(), fault: Fault::None, required: false });
        outputs
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    #[inline]
    pub(super) fn get(&self, output: u32) -> &Output {
        &self.all[output as usize]
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &Output> {
        self.all.iter()
    }

    /// The packet of an output, if it has nothing else and needs no room; otherwise [`NOTHING`].
    #[inline]
    pub(super) fn only_packet(&self, output: u32) -> u32 {
        self.only_packets[output as usize]
    }

    /// The number of an output, and whether it is new.
    pub(super) fn add(&mut self, output: Output) -> (u32, bool) {
        let only_packet = match &output {
            Output { sent, fault: Fault::None, required: false }
                if sent.len() == 1 && !self.bounded =>
            {
                sent[0]
            }
            _ => NOTHING,
        };
        let sent_bytes = output.sent.capacity() * size_of::<u32>();
        let (output, new) = self.all.insert_full(output);
        if new {
            self.sent_bytes += sent_bytes;
            self.only_packets.push(only_packet);
        }
        (u32::try_from(output).expect("outputs fit in 32 bits"), new)
    }

    pub(super) fn bytes(&self) -> usize {
        self.only_packets.capacity() * size_of::<u32>()
            + self.all.capacity() * (size_of::<Output>() + 16)
            + self.sent_bytes
    }

    /// How many bytes more they take at once if they are about to grow.
    pub(super) fn bytes_soon(&self) -> usize {
        set_growth(&self.all)
    }
}

impl Output {
    /// Whether a handler of a node can have this output. `restarts` says whether it is the handler
    /// of a reboot.
    pub(super) fn can_be_of_handler(
        &self,
        node: NodeId,
        restarts: bool,
        sender: impl Fn(u32) -> NodeId,
    ) -> bool {
        let Self { sent, fault, required } = self;
        let fault = match fault {
            Fault::None => true,
            Fault::Reboot => restarts,
            Fault::Loss
            | Fault::Duplication { .. }
            | Fault::Link { .. }
            | Fault::Timeout { .. } => false,
        };
        fault && !required && sent.iter().all(|&packet| sender(packet) == node)
    }

    /// Whether it names only existing packets, links, budgets of timeouts and events: this many of the
    /// first three, and possibly a required event.
    pub(super) fn is_possible(
        &self,
        packets: usize,
        links: usize,
        timeouts: usize,
        can_be_required: bool,
    ) -> bool {
        let Self { sent, fault, required } = self;
        let duplicated = match fault {
            Fault::Duplication { packet, .. } => Some(packet),
            Fault::None
            | Fault::Loss
            | Fault::Reboot
            | Fault::Link { .. }
            | Fault::Timeout { .. } => None,
        };
        let mut named = sent.iter().chain(duplicated);
        named.all(|&packet| (packet as usize) < packets)
            && !matches!(fault, Fault::Link { link, .. } if *link >= links)
            && !matches!(fault, Fault::Timeout { budgets } if budgets >> timeouts != 0)
            && (can_be_required || !required)
    }
}
