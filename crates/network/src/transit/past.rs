//! The past of a network: remaining fault budgets, failed links, and whether the required event has happened.

use everypath_model::Faults;
use serde::{Deserialize, Serialize};

use super::{
    budgets::{FaultsLeft, Left},
    output::Fault,
};
use crate::link_set::LinkSet;

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
    /// Whether a run with these budgets and this many links can have this past.
    pub(crate) fn is_within(self, faults: Faults, links: usize) -> bool {
        self.failures.is_within(faults.link_failure)
            && self.returns.is_within(faults.link_return)
            && self.down.is_within(links)
    }

    /// Whether everything that can come after another past can come after this one. A link that is
    /// down lets other events happen than one that is up, so neither covers the other.
    fn covers(self, other: Self) -> bool {
        self.down == other.down
            && self.failures.covers(other.failures)
            && self.returns.covers(other.returns)
    }
}

/// What a network remembers of its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Past {
    /// Remaining fault budgets, but for those of links.
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

    /// Whether everything that can come after another past can come after this one. Where the required event
    /// has happened, a run ends at its first violation, and where it has not, it goes on: neither covers
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
