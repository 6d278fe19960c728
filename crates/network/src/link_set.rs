//! Sets of links, such as those that have failed.

use serde::{Deserialize, Serialize};

/// The largest number of links that can fail: as many as fit into a set.
pub(crate) const LINKS_MAX: usize = u128::BITS as usize;

/// A set of links, by their index in the topology's list of links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct LinkSet(u128);

impl LinkSet {
    pub(crate) fn one(link: usize) -> Self {
        Self(1 << link)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn has(self, link: usize) -> bool {
        self.meets(Self::one(link))
    }

    /// Whether two sets have a link in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all are among the first `links` links.
    pub(crate) fn is_within(self, links: usize) -> bool {
        self.links().all(|link| link < links)
    }

    /// The links, in order.
    pub(crate) fn links(self) -> impl Iterator<Item = usize> {
        (0..LINKS_MAX).filter(move |&link| self.has(link))
    }

    /// The set as two numbers.
    pub(crate) fn halves(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }
}
