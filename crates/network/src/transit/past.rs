//! The past of a network: remaining fault budgets, failed links, and whether the required event has
//! happened.

use everypath_model::Faults;
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

/// The past of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Past {
    /// Remaining fault budgets, except those of links.
    pub(crate) left: FaultsLeft,
    /// The past of links.
    pub(crate) links: LinksPast,
    /// Whether the required event has happened; never, if none is required.
    pub(crate) happened: bool,
}

impl Past {
    /// The past at the start of a run.
    pub(crate) fn none(faults: Faults) -> Self {
        let links = LinksPast {
            failures: faults.link_failure.into(),
            returns: faults.link_return.into(),
            down: LinkSet::default(),
        };
        Self { left: faults.into(), links, happened: false }
    }

    /// The past after a fault, or after the required event.
    pub(super) fn after(mut self, fault: Fault, required: bool) -> Self {
        let Self { left, links, .. } = &mut self;
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
            && self.happened == other.happened
    }

    /// Whether exactly the same can follow both pasts. So a state is an end with one past if it is
    /// an end with the other.
    pub(crate) fn has_the_same_to_come(self, other: Self) -> bool {
        self.left == other.left && self.links == other.links && self.happened == other.happened
    }
}
