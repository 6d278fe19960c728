//! Rate limits: `RREQ_RATELIMIT` and `RERR_RATELIMIT` (RFC 3561, 6.3 and 6.11).
//!
//! A router has no clock, so a second begins with the first message that counts.

use std::time::Duration;

use everypath_model::{NodeId, data};

use super::{Discovery, Timer, router::Router};

/// The messages of a router in this second. Only limited ones are counted.
#[data]
#[derive(Copy, Default)]
pub struct Spent {
    /// Its own requests.
    pub requests: u8,
    /// Announcements.
    pub errors: u8,
}

impl Router<'_, '_> {
    /// Whether the limit allows another request in this second; if so, counts it.
    pub(super) fn may_request(&mut self) -> bool {
        let limit = self.rules().requests_per_second;
        self.may_spend(limit, |spent| &mut spent.requests)
    }

    /// Whether the limit allows another announcement in this second; if so, counts it.
    pub(super) fn may_announce(&mut self) -> bool {
        let limit = self.rules().errors_per_second;
        self.may_spend(limit, |spent| &mut spent.errors)
    }

    fn may_spend(&mut self, limit: Option<u8>, count: fn(&mut Spent) -> &mut u8) -> bool {
        let Some(limit) = limit else { return true };
        let first = self.node.state.spent == Spent::default();
        let count = count(&mut self.node.state.spent);
        if *count >= limit {
            return false;
        }
        *count += 1;
        if first {
            self.node.set_timer(Timer::Second, Duration::from_secs(1));
        }
        true
    }

    /// A second is over: postponed requests are sent, up to the limit.
    pub(super) fn end_second(&mut self) {
        self.node.state.spent = Spent::default();
        let postponed = |sought: &&Discovery| sought.postponed;
        let postponed = self.node.state.discoveries.iter().filter(postponed);
        let destinations: Vec<NodeId> = postponed.map(|sought| sought.destination).collect();
        for destination in destinations {
            self.request(destination);
        }
    }
}
