//! The past of a network: remaining fault budgets, failed links, and whether the required event has
//! happened.

use everypath_model::{Faults, TIMEOUT_BUDGETS_MAX};
use serde::{Deserialize, Serialize};

use super::{
    budgets::{FaultsLeft, Left},
    output::Fault,
};
use crate::link_set::LinkSet;

/// The past of links that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct LinksPast {
    /// How many failures may still happen.
    pub(crate) failures: Left,
    /// How many times a link may still come back.
    pub(crate) returns: Left,
    /// The links that are down.
    pub(crate) down: LinkSet,
}

impl LinksPast {
    /// Whether a run with these budgets and this many links can have this past.
    pub(crate) fn is_within(self, faults: Faults, links: usize) -> bool {
        self.failures.is_within(faults.link_failure)
            && self.returns.is_within(faults.link_return)
            && self.down.is_within(links)
    }

    /// Whether everything that can follow another past can follow this one. A link that is down
    /// enables other events than one that is up, so neither covers the other.
    fn covers(self, other: Self) -> bool {
        self.down == other.down
            && self.failures.covers(other.failures)
            && self.returns.covers(other.returns)
    }
}

/// How often timers may still fire, for each budget of timeouts; 0 where there is no budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Timeouts([u32; TIMEOUT_BUDGETS_MAX]);

impl Timeouts {
    /// With this left of each budget.
    pub(crate) fn of(left: &[u32]) -> Self {
        let mut timeouts = Self::default();
        timeouts.0[..left.len()].copy_from_slice(left);
        timeouts
    }

    /// What is left of the first budgets, of which there are this many.
    pub(crate) fn left(&self, budgets: usize) -> &[u32] {
        &self.0[..budgets]
    }

    /// Whether none of these budgets is spent; each is a bit.
    pub(super) fn allow(self, budgets: u8) -> bool {
        self.0.iter().enumerate().all(|(place, &left)| budgets >> place & 1 == 0 || left > 0)
    }

    fn spend(&mut self, budgets: u8) {
        for (place, left) in self.0.iter_mut().enumerate() {
            *left -= u32::from(budgets >> place & 1);
        }
    }

    /// Whether at least as much is left of each budget.
    pub(crate) fn covers(self, other: Self) -> bool {
        self.0.iter().zip(other.0).all(|(&left, needed)| left >= needed)
    }
}

/// The past of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Past {
    /// Remaining fault budgets, except those of links.
    pub(crate) left: FaultsLeft,
    /// The past of links.
    pub(crate) links: LinksPast,
    /// Whether the required event has happened; never, if none is required.
    pub(crate) happened: bool,
    /// How often timers may still fire. They are written apart, so that nothing else changes.
    #[serde(skip)]
    pub(crate) timeouts: Timeouts,
}

impl Past {
    /// The past at the start of a run.
    pub(crate) fn none(faults: Faults, timeouts: Timeouts) -> Self {
        let links = LinksPast {
            failures: faults.link_failure.into(),
            returns: faults.link_return.into(),
            down: LinkSet::default(),
        };
        Self { left: faults.into(), links, happened: false, timeouts }
    }

    /// The past after a fault, or after the required event.
    pub(super) fn after(mut self, fault: Fault, required: bool) -> Self {
        let Self { left, links, timeouts, .. } = &mut self;
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
            Fault::Timeout { budgets } => timeouts.spend(budgets),
        }
        self.happened |= required;
        self
    }

    /// Whether everything that can follow another past can follow this one. If the required event
    /// has happened, a run ends at its first violation; if not, it continues. So neither covers the
    /// other.
    pub(crate) fn covers(self, other: Self) -> bool {
        self.left.loss.covers(other.left.loss)
            && self.left.duplication.covers(other.left.duplication)
            && self.left.reboot.covers(other.left.reboot)
            && self.links.covers(other.links)
            && self.timeouts.covers(other.timeouts)
            && self.happened == other.happened
    }

    /// Whether exactly the same can follow both pasts. So a state is an end with one past if it is
    /// an end with the other.
    pub(crate) fn has_the_same_to_come(self, other: Self) -> bool {
        self.left == other.left
            && self.links == other.links
            && self.timeouts == other.timeouts
            && self.happened == other.happened
    }
}
