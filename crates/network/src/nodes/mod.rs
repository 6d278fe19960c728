//! The table of a node, by ids: its slots, and the outcomes of its handlers in them.

mod outcome;
mod slot;
mod tuples;

use everypath_explore::{map_bytes, map_growth};
use everypath_model::NodeId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub(crate) use self::{
    outcome::{Decided, Executed, Input, LocalEvent, Outcome, Outcomes, SavedOutcome, local_place},
    slot::{Breakage, Slot, SlotTimers},
    tuples::Tuples,
};

/// A node as a number of two bytes.
pub(crate) fn node_number(node: NodeId) -> u16 {
    u16::try_from(node.index()).expect("there are at most 4096 nodes")
}

/// The table of one node, by ids: the outcomes of its handlers.
#[derive(Default)]
pub(crate) struct NodeTable {
    /// The outcomes of its first start, once it has been executed.
    pub(crate) start: Option<Outcomes>,
    /// By slot: its local events, which depend only on the node.
    pub(crate) local: Vec<Vec<LocalEvent>>,
    /// How many bytes the lists of local events take.
    pub(crate) local_bytes: usize,
    /// The slots in which one of its handlers has failed.
    pub(crate) broken: FxHashMap<u32, Breakage>,
    /// By slot and packet: the outcomes of the packet's delivery.
    pub(crate) deliveries: FxHashMap<(u32, u32), Outcomes>,
    /// By slot and packet: the outcomes of the return of the node's own packet.
    pub(crate) returns: FxHashMap<(u32, u32), Outcomes>,
    /// By slot and packet: the receivers of a packet that the node sent, while it is in this slot.
    /// If they cannot be determined, the broken slot that says why.
    pub(crate) receivers: FxHashMap<(u32, u32), Result<Receivers, u32>>,
}

/// The size of an entry of a table by slot and packet.
const HANDLED_BYTES: usize = size_of::<((u32, u32), Outcomes)>();
const RECEIVERS_BYTES: usize = size_of::<((u32, u32), Result<Receivers, u32>)>();

/// The nodes that can receive a packet, in order; mostly one.
pub(crate) type Receivers = SmallVec<[u16; 4]>;

impl NodeTable {
    /// How many slots were met so far.
    pub(crate) fn slots(&self) -> usize {
        self.local.len()
    }

    /// Whether a slot exists and the node runs in it.
    pub(crate) fn runs_in(&self, slot: u32) -> bool {
        (slot as usize) < self.slots() && !self.broken.contains_key(&slot)
    }

    /// Memoises the outcomes of an execution. The result is whether they were not known.
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

    /// How many bytes more its tables take at once if they are about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        let Self { deliveries, returns, receivers, .. } = self;
        map_growth(deliveries.len(), deliveries.capacity(), HANDLED_BYTES)
            + map_growth(returns.len(), returns.capacity(), HANDLED_BYTES)
            + map_growth(receivers.len(), receivers.capacity(), RECEIVERS_BYTES)
    }
}
