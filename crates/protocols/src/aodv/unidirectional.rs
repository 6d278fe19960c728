//! Unidirectional links: acknowledged replies and blacklists (RFC 3561, 6.8).
//!
//! A node ignores requests of a neighbour that does not hear its replies for some time.

use everypath_model::NodeId;

use super::{Blacklist, Message, Timer, router::Router};

impl Router<'_, '_> {
    /// Whether replies are to be acknowledged.
    pub(super) fn wants_acknowledgements(&self) -> bool {
        self.rules().blacklist == Blacklist::Acknowledged
    }

    /// The node sends a reply to a neighbour.
    pub(super) fn await_acknowledgement(&mut self, neighbour: NodeId) {
        if self.wants_acknowledgements() {
            let wait = self.times().next_hop_wait();
            self.node.set_timer(Timer::Unacknowledged(neighbour), wait);
        }
    }

    /// A reply that asks for an acknowledgement has arrived.
    pub(super) fn acknowledge(&mut self, from: NodeId) {
        self.node.count("RREP-ACK transmissions");
        self.node.send(from, Message::Acknowledgement);
    }

    pub(super) fn on_acknowledgement(&mut self, from: NodeId) {
        self.node.cancel_timer(&Timer::Unacknowledged(from));
    }

    /// A neighbour seems not to hear this node.
    pub(super) fn blacklist(&mut self, neighbour: NodeId) {
        let rules = self.rules();
        if rules.blacklist == Blacklist::Off {
            return;
        }
        let timeout = self.times().blacklist_timeout(rules.retries.unwrap_or(0));
        if let Err(place) = self.node.state.blacklist.binary_search(&neighbour) {
            self.node.state.blacklist.insert(place, neighbour);
        }
        self.node.set_timer(Timer::Pardon(neighbour), timeout);
    }
}
