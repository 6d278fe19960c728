//! The table of a node, by ids alone: its slots, and what its handlers lead to in them.

mod outcome;
mod slot;
mod tuples;

use everypath_explore::{map_bytes, map_growth};
use everypath_model::NodeId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub(crate) use self::{
    outcome::{Executed, Input, LocalEvent, Outcome, Outcomes, SavedOutcome, local_place},
    slot::{Breakage, Slot},
    tuples::Tuples,
};

/// A node as a number of two bytes.
pub(crate) fn node_number(node: NodeId) -> u16 {
    u16::try_from(node.index()).expect("there are at most 4096 nodes")
}

/// What is known of one node by ids alone: what its handlers lead to.
#[derive(Default)]
pub(crate) struct NodeTable {
    /// What its first start leads to, once it has been executed.
    pub(crate) start: Option<Outcomes>,
    /// By slot: the events that depend on the node alone.
    pub(crate) local: Vec<Vec<LocalEvent>>,
    /// How many bytes the lists of those events hold.
    pub(crate) local_bytes: usize,
    /// The slots in which one of its handlers has failed.
    pub(crate) broken: FxHashMap<u32, Breakage>,
    /// By slot and packet: what the packet's delivery leads to.
    pub(crate) deliveries: FxHashMap<(u32, u32), Outcomes>,
    /// By slot and packet: what it leads to that the node's own packet comes back.
    pub(crate) returns: FxHashMap<(u32, u32), Outcomes>,
    /// By slot and packet: who can receive a packet that the node sent, while it is in this slot; if
    /// that cannot be told, the broken slot that says why.
    pub(crate) receivers: FxHashMap<(u32, u32), Result<Receivers, u32>>,
}

/// The bytes of an entry of a table by slot and packet.
const HANDLED_BYTES: usize = size_of::<((u32, u32), Outcomes)>();
const RECEIVERS_BYTES: usize = size_of::<((u32, u32), Result<Receivers, u32>)>();

/// Who can receive a packet, mostly one: nodes in order.
pub(crate) type Receivers = SmallVec<[u16; 4]>;

impl NodeTable {
    /// How many slots were met so far.
    pub(crate) fn slots(&self) -> usize {
        self.local.len()
    }

    /// Whether a slot exists in which the node runs.
    pub(crate) fn runs_in(&self, slot: u32) -> bool {
        (slot as usize) < self.slots() && !self.broken.contains_key(&slot)
    }

    /// Remembers what an execution led to; whether it was not known.
    pub(crate) fn remember(&mut self, slot: Option<u32>, input: Input, outcomes: Outcomes) -> bool {
        let before = match (slot, input) {
            (None, _) => self.start.replace(outcomes),
            (Some(slot), Input::Message { packet }) => {
                self.deliveries.insert((slot, packet), outcomes)
            }
            (Some(slot), Input::Undeliverable { packet }) => {
                self.returns.insert((slot, packet), outcomes)
            }
            (Some(slot), _) => {
                let local = &mut self.local[slot as usize];
                let place = local_place(local, input).expect("it can be executed");
                local[place].outcomes.replace(outcomes)
            }
        };
        before.is_none()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.local_bytes
            + self.local.capacity() * size_of::<Vec<LocalEvent>>()
            + map_bytes(self.broken.capacity(), size_of::<(u32, Breakage)>())
            + map_bytes(self.deliveries.capacity(), HANDLED_BYTES)
            + map_bytes(self.returns.capacity(), HANDLED_BYTES)
            + map_bytes(self.receivers.capacity(), RECEIVERS_BYTES)
    }

    /// How many bytes more its tables take at once when they grow, as far as that is about to happen.
    pub(crate) fn bytes_soon(&self) -> usize {
        let Self { deliveries, returns, receivers, .. } = self;
        map_growth(deliveries.len(), deliveries.capacity(), HANDLED_BYTES)
            + map_growth(returns.len(), returns.capacity(), HANDLED_BYTES)
            + map_growth(receivers.len(), receivers.capacity(), RECEIVERS_BYTES)
    }
}
