//! Exchange of frames and acknowledgements, as one node sees it.

use everypath_model::NodeId;
use rustc_hash::FxHashMap;

use super::contention::{Contention, Rules};
use crate::{Stream, clock::Nanoseconds};

/// The exchange of one node with others.
pub(super) struct Exchange {
    pub(super) contention: Contention,
    /// When the entry of the event queue for its turn comes up, and the order of that entry. It may come up too
    /// early, and is put back then: a node that waits while others transmit needs no new one each time.
    pub(super) entry: Option<(Nanoseconds, u64)>,
    /// The order of the entry by which an acknowledgement is overdue, while it waits for one.
    pub(super) awaits: Option<u64>,
    /// The node that it is about to send an acknowledgement.
    pub(super) answers: Option<NodeId>,
    /// The last frame that it received from each node, to know it again.
    pub(super) latest: FxHashMap<NodeId, u64>,
}

impl Exchange {
    pub(super) fn new(node: usize, seed: u64, replication: u32, rules: &Rules) -> Self {
        let stream = Stream::new(seed, replication, &format!("node {node} backoff"));
        Self {
            contention: Contention::new(stream, rules),
            entry: None,
            awaits: None,
            answers: None,
            latest: FxHashMap::default(),
        }
    }

    /// The node goes off: it forgets everything.
    pub(super) fn reset(&mut self, rules: &Rules) {
        self.contention.reset(rules);
        (self.awaits, self.answers) = (None, None);
        self.latest.clear();
    }
}
